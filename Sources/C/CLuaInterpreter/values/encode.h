// Writes the encoding of a value. The functions that run for each value are inline.

#ifndef LB_ENCODE_H
#define LB_ENCODE_H

#include "values/values.h"

#include <math.h>
#include <stdlib.h>

typedef struct encoder {
    lb_state *b;
    lua_State *L;
    const void **ancestors;  // the enclosing tables
    uint64_t left;           // the number of values that may still follow
} encoder;

static inline bool output_reserve(lb_state *b, size_t more) {
    return buffer_reserve(&b->values.encoding, more);
}

// MARK: Scalars; the caller has reserved room for one

static inline void output_byte(lb_state *b, unsigned char byte) {
    b->values.encoding.bytes[b->values.encoding.length++] = byte;
}

__attribute__((always_inline)) static inline void output_integer(
    lb_state *b, lua_Integer value) {
    buffer *out = &b->values.encoding;
    unsigned char *to = out->bytes + out->length;
    if (value == (int8_t)value) {
        to[0] = TAG_INT8;
        to[1] = (unsigned char)value;
        out->length += 2;
    } else if (value == (int32_t)value) {
        to[0] = TAG_INT32;
        put_u32(to + 1, (uint32_t)value);
        out->length += 5;
    } else {
        to[0] = TAG_INT64;
        memcpy(to + 1, &value, 8);
        out->length += 9;
    }
}

static inline lb_issue_kind output_double(lb_state *b, lua_Number value) {
    if (isnan(value)) return LB_ISSUE_NAN;
    if (isinf(value)) return LB_ISSUE_INFINITY;
    buffer *out = &b->values.encoding;
    unsigned char *to = out->bytes + out->length;
    to[0] = TAG_DOUBLE;
    memcpy(to + 1, &value, 8);
    out->length += 9;
    return LB_ISSUE_NONE;
}

// MARK: Texts and bytes

static inline bool is_utf8(const unsigned char *bytes, size_t length) {
    size_t i = 0;
    uint64_t word;
    for (; i + 8 <= length; i += 8) {
        memcpy(&word, bytes + i, 8);
        if (word & 0x8080808080808080u) return utf8_is_valid(bytes, length);
    }
    unsigned char high = 0;
    for (; i < length; i++) high |= bytes[i];
    return high < 0x80 || utf8_is_valid(bytes, length);
}

static inline lb_issue_kind output_text(lb_state *b, const unsigned char *bytes, size_t length) {
    if (!is_utf8(bytes, length)) return LB_ISSUE_TEXT;
    if (length > b->core.configuration.value_size) return LB_ISSUE_SIZE;
    if (!output_reserve(b, length + 5)) return LB_ISSUE_MEMORY;
    unsigned char *to = b->values.encoding.bytes + b->values.encoding.length;
    size_t head = string_head(length);
    to[0] = length < 256 ? TAG_SHORT_STRING : TAG_STRING;
    if (length < 256)
        to[1] = (unsigned char)length;
    else
        put_u32(to + 1, (uint32_t)length);
    memcpy(to + head, bytes, length);
    b->values.encoding.length += head + length;
    return LB_ISSUE_NONE;
}

// Copies encoded bytes. False: out of memory.
static inline bool output_bytes(lb_state *b, const void *bytes, size_t length) {
    if (!output_reserve(b, length)) return false;
    memcpy(b->values.encoding.bytes + b->values.encoding.length, bytes, length);
    b->values.encoding.length += length;
    return true;
}

// MARK: Lists and records

// Reserves room for the header, which is written at the end. False: out of memory.
static inline bool output_begin(lb_state *b, size_t *start) {
    *start = b->values.encoding.length;
    if (!output_reserve(b, HEADER)) return false;
    b->values.encoding.length += HEADER;
    return true;
}

static inline void output_header(lb_state *b, size_t start, unsigned char tag, size_t count) {
    unsigned char *to = b->values.encoding.bytes + start;
    to[0] = tag;
    put_u32(to + 1, (uint32_t)(b->values.encoding.length - start));
    put_u32(to + 5, (uint32_t)count);
    if (count > b->core.configuration.large_count) b->values.met_large = true;
}

// Records where the next element of a list begins; false: out of memory.
static inline bool output_element(lb_state *b, size_t start) {
    values_state *v = &b->values;
    if (v->offset_count == v->offset_capacity) {
        size_t capacity = v->offset_capacity == 0 ? 32 : v->offset_capacity * 2;
        uint32_t *offsets = realloc(v->offsets, capacity * sizeof(uint32_t));
        if (offsets == NULL) return false;
        v->offsets = offsets;
        v->offset_capacity = capacity;
    }
    v->offsets[v->offset_count++] = (uint32_t)(v->encoding.length - start);
    return true;
}

// Ends a list whose elements were recorded from `first` on.
static inline lb_issue_kind output_list_end(lb_state *b, size_t start, size_t first) {
    size_t count = b->values.offset_count - first;
    if (!output_bytes(b, b->values.offsets + first, count * 4)) return LB_ISSUE_MEMORY;
    output_header(b, start, TAG_LIST, count);
    b->values.offset_count = first;
    return LB_ISSUE_NONE;
}

// MARK: Entries of records; they come in Lua's order and are sorted by key

entry *lb_entry_push(lb_state *b);  // NULL: out of memory
// True if the entry before this one has a smaller key.
bool lb_entry_is_after(const entry *k, const unsigned char *record);

static inline uint64_t prefix_of(const unsigned char *bytes, size_t length) {
    uint64_t word = 0;
    if (length >= 8) {
        memcpy(&word, bytes, 8);
        return __builtin_bswap64(word);
    }
    for (size_t i = 0; i < length; i++) word |= (uint64_t)bytes[i] << (56 - 8 * i);
    return word;
}

// Records an entry that was just encoded, from `offset` on; false: out of memory.
static inline bool output_entry(
    lb_state *b, size_t start, size_t first, size_t offset, size_t key_length, bool *sorted) {
    values_state *v = &b->values;
    bool has_room = v->entry_count < v->entry_capacity;
    entry *k = has_room ? &v->entries[v->entry_count++] : lb_entry_push(b);
    if (k == NULL) return false;
    const unsigned char *record = v->encoding.bytes + start;
    k->offset = (uint32_t)(offset - start);
    k->length = (uint32_t)(v->encoding.length - offset);
    k->key_length = (uint32_t)key_length;
    k->position = (uint32_t)(k - v->entries - first);
    k->prefix = prefix_of(v->encoding.bytes + offset + string_head(key_length), key_length);
    if (!*sorted || k->position == 0) return true;
    *sorted = k[-1].prefix != k->prefix ? k[-1].prefix < k->prefix : lb_entry_is_after(k, record);
    return true;
}

// Ends a record with the entries from `first` on, which stay recorded.
lb_issue_kind lb_output_record_end(lb_state *b, size_t start, size_t first, bool sorted);

#endif
