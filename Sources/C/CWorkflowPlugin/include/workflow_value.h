// Reading and writing values in C, for small plugins.
//
// Readers take one complete, valid encoding, such as the input that the host passes to `start`.
// Writers write scalars and text to the caller's buffer.

#ifndef WORKFLOW_VALUE_H
#define WORKFLOW_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t workflow_read_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
        | (uint32_t)bytes[3] << 24;
}

// The text at `value` and its length, without a terminator; NULL if it is not a string.
static inline const char *workflow_read_string(const void *value, size_t *length) {
    const uint8_t *bytes = (const uint8_t *)value;
    if (bytes == NULL) return NULL;
    if (bytes[0] == 0x07) {
        *length = bytes[1];
        return (const char *)bytes + 2;
    }
    if (bytes[0] == 0x08) {
        *length = workflow_read_u32(bytes + 1);
        return (const char *)bytes + 5;
    }
    return NULL;
}

// True if `value` is an integer, which is then stored in `number`.
static inline bool workflow_read_int(const void *value, int64_t *number) {
    const uint8_t *bytes = (const uint8_t *)value;
    if (bytes == NULL) return false;
    switch (bytes[0]) {
    case 0x03: *number = (int8_t)bytes[1]; return true;
    case 0x04: *number = (int32_t)workflow_read_u32(bytes + 1); return true;
    case 0x05:
        *number = (int64_t)((uint64_t)workflow_read_u32(bytes + 1)
                            | (uint64_t)workflow_read_u32(bytes + 5) << 32);
        return true;
    default: return false;
    }
}

// The value for `key` in the record at `value`, or NULL.
static inline const void *workflow_find(const void *value, const char *key) {
    const uint8_t *bytes = (const uint8_t *)value;
    if (bytes == NULL || bytes[0] != 0x0A) return NULL;
    uint32_t size = workflow_read_u32(bytes + 1), count = workflow_read_u32(bytes + 5);
    const uint8_t *offsets = bytes + size - 4 * (size_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = bytes + workflow_read_u32(offsets + 4 * (size_t)i);
        size_t length = 0;
        const char *name = workflow_read_string(entry, &length);
        if (name == NULL) return NULL;
        if (length == strlen(key) && memcmp(name, key, length) == 0) return name + length;
    }
    return NULL;
}

// Writes UTF-8 text as a string to `buffer`. Returns the bytes written; 0 beyond `capacity`.
static inline size_t workflow_write_string(
    void *buffer, size_t capacity, const char *text, size_t length) {
    uint8_t *bytes = (uint8_t *)buffer;
    size_t head = length <= 255 ? 2 : 5;
    if (length > UINT32_MAX - head || capacity < head + length) return 0;
    if (head == 2) {
        bytes[0] = 0x07;
        bytes[1] = (uint8_t)length;
    } else {
        bytes[0] = 0x08;
        for (int i = 0; i < 4; i++) bytes[1 + i] = (uint8_t)(length >> 8 * i);
    }
    memcpy(bytes + head, text, length);
    return head + length;
}

// Writes an integer to `buffer`, which has room for 9 bytes. Returns the bytes written.
static inline size_t workflow_write_int(void *buffer, int64_t number) {
    uint8_t *bytes = (uint8_t *)buffer;
    size_t width = number == (int8_t)number ? 1 : number == (int32_t)number ? 4 : 8;
    bytes[0] = width == 1 ? 0x03 : width == 4 ? 0x04 : 0x05;
    for (size_t i = 0; i < width; i++) bytes[1 + i] = (uint8_t)((uint64_t)number >> 8 * i);
    return 1 + width;
}

#ifdef __cplusplus
}
#endif

#endif
