// The binary encoding of plain values; PlainValue implements the same in Swift.
//
// Every value is a tag byte and its payload. A list or record: tag, u32 size, u32 count, elements
// or sorted entries (key, value), u32 offsets from the tag. Little-endian.

#ifndef LB_WIRE_H
#define LB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    TAG_NULL = 0x00,
    TAG_FALSE = 0x01,
    TAG_TRUE = 0x02,
    TAG_INT8 = 0x03,
    TAG_INT32 = 0x04,
    TAG_INT64 = 0x05,
    TAG_DOUBLE = 0x06,
    TAG_SHORT_STRING = 0x07,  // u8 length
    TAG_STRING = 0x08,        // u32 length
    TAG_LIST = 0x09,
    TAG_RECORD = 0x0A,
    TAG_DRAFT = 0x0B,  // only in the plain part of a state: the u32 number of a draft
    HEADER = 9,        // of a list or a record: tag, size, count
    LARGEST_SCALAR = 9,
};

static inline uint32_t get_u32(const unsigned char *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

static inline void put_u32(unsigned char *to, uint32_t value) { memcpy(to, &value, 4); }

static inline bool is_container(const unsigned char *value) {
    return value[0] == TAG_LIST || value[0] == TAG_RECORD;
}
static inline uint32_t container_size(const unsigned char *value) { return get_u32(value + 1); }
static inline uint32_t container_count(const unsigned char *value) { return get_u32(value + 5); }
// The table of offsets of a list or a record with `count` elements or entries.
static inline const unsigned char *container_offsets(const unsigned char *value, uint32_t count) {
    return value + container_size(value) - 4 * (size_t)count;
}

// The number of bytes before a string's text.
static inline size_t string_head(size_t length) { return length < 256 ? 2 : 5; }
static inline size_t string_length(const unsigned char *value) {
    return value[0] == TAG_SHORT_STRING ? value[1] : get_u32(value + 1);
}
static inline const unsigned char *string_bytes(const unsigned char *value) {
    return value + (value[0] == TAG_SHORT_STRING ? 2 : 5);
}
static inline const unsigned char *string_end(const unsigned char *value) {
    return string_bytes(value) + string_length(value);
}

static inline int64_t integer_of(const unsigned char *value) {
    int64_t integer;
    if (value[0] == TAG_INT8) return (int8_t)value[1];
    if (value[0] == TAG_INT32) return (int32_t)get_u32(value + 1);
    memcpy(&integer, value + 1, 8);
    return integer;
}
static inline double double_of(const unsigned char *value) {
    double number;
    memcpy(&number, value + 1, 8);
    return number;
}
// The end of a value, which must not be a draft.
static inline const unsigned char *value_end(const unsigned char *value) {
    static const unsigned char sizes[] = {1, 1, 1, 2, 5, 9, 9};  // of the tags before strings
    if (value[0] < TAG_SHORT_STRING) return value + sizes[value[0]];
    return is_container(value) ? value + container_size(value) : string_end(value);
}

#endif
