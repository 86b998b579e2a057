// What the files of the encoder share.

#ifndef CLUABRIDGE_ENCODE_H
#define CLUABRIDGE_ENCODE_H

#include "internal.h"

#include <string.h>

enum {
    TAG_NULL,
    TAG_FALSE,
    TAG_TRUE,
    TAG_INT8,
    TAG_INT32,
    TAG_INT64,
    TAG_DOUBLE,
    TAG_SHORT_STRING,
    TAG_STRING,
    TAG_LIST,
    TAG_RECORD,
    TAG_DRAFT,  // only in the plain part of a state: the number of a draft
    HEADER = 9,
    LARGEST_SCALAR = 9,
};

typedef struct {
    lb_state *b;
    lua_State *L;
    const void **ancestors;  // the tables around this value
    uint64_t left;           // values that may still come
} encoder;

static inline bool encoder_reserve(encoder *e, size_t more) {
    buffer *out = &e->b->encoding;
    return out->capacity - out->length >= more || buffer_reserve(out, more);
}

static inline void put_u32(unsigned char *to, uint32_t value) { memcpy(to, &value, 4); }

static inline void finish_header(encoder *e, size_t start, unsigned char tag, size_t count) {
    unsigned char *to = e->b->encoding.bytes + start;
    to[0] = tag;
    put_u32(to + 1, (uint32_t)(e->b->encoding.length - start));
    put_u32(to + 5, (uint32_t)count);
    if (count > e->b->configuration.large_count) e->b->met_large = true;
}

// There is room for a scalar.
static inline void put_byte(encoder *e, unsigned char byte) {
    e->b->encoding.bytes[e->b->encoding.length++] = byte;
}

// Returns where the next value goes.
static inline unsigned char *put_integer(unsigned char *to, lua_Integer value) {
    if (value == (int8_t)value) {
        to[0] = TAG_INT8;
        to[1] = (unsigned char)value;
        return to + 2;
    }
    if (value == (int32_t)value) {
        to[0] = TAG_INT32;
        put_u32(to + 1, (uint32_t)value);
        return to + 5;
    }
    to[0] = TAG_INT64;
    memcpy(to + 1, &value, 8);
    return to + 9;
}

// Encodes an integer or a boolean, for which there is room; false: the value is neither.
static inline bool put_simple(encoder *e, int index, int type) {
    if (type == LUA_TBOOLEAN) {
        put_byte(e, lua_toboolean(e->L, index) ? TAG_TRUE : TAG_FALSE);
        return true;
    }
    if (type != LUA_TNUMBER || !lua_isinteger(e->L, index)) return false;
    lua_Integer value = lua_tointegerx(e->L, index, NULL);
    buffer *out = &e->b->encoding;
    unsigned char *bytes = out->bytes;
    out->length = (size_t)(put_integer(bytes + out->length, value) - bytes);
    return true;
}

// What encode_value leaves.
lb_issue_kind encode_other(encoder *e, int index, int type, int depth);

// Encodes the value at `index`, of Lua's type `type`. On failure more may lie on the stack.
static inline lb_issue_kind encode_value(encoder *e, int index, int type, int depth) {
    if (e->left == 0) return LB_ISSUE_COUNT;
    e->left--;
    if (e->b->encoding.length > e->b->configuration.value_size) return LB_ISSUE_SIZE;
    if (!encoder_reserve(e, LARGEST_SCALAR)) return LB_ISSUE_MEMORY;
    return put_simple(e, index, type) ? LB_ISSUE_NONE : encode_other(e, index, type, depth);
}

lb_issue_kind encode_string(encoder *e, int index);

// Encodes the record whose first key and value are on the stack; its header starts at `start`.
lb_issue_kind encode_record(encoder *e, size_t start, int depth);

#endif
