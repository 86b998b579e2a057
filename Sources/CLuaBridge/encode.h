// What the files of the encoder share.

#ifndef CLUABRIDGE_ENCODE_H
#define CLUABRIDGE_ENCODE_H

#include "internal.h"
#include "layout.h"

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

// The same.
static inline void put_integer(encoder *e, lua_Integer value) {
    buffer *out = &e->b->encoding;
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

// Encodes the value on top, of Lua's type `type`. On failure more may lie on the stack.
lb_issue_kind encode_value(encoder *e, int type, int depth);
lb_issue_kind encode_string(encoder *e, int index);
lb_issue_kind encode_text(encoder *e, const unsigned char *bytes, size_t length);
lb_issue_kind put_double(encoder *e, lua_Number value);  // there is room for it

// Notes where an element of a list begins; false: out of memory.
bool push_offset(lb_state *b, uint32_t offset);
lb_issue_kind finish_list(encoder *e, size_t start, size_t first);

// MARK: records.c
// Encodes the record whose first key and value are on the stack; its header starts at `start`.
lb_issue_kind encode_record(encoder *e, size_t start, int depth);
// Notes an entry that was just encoded, from `offset` on; false: out of memory.
bool note_entry(
    lb_state *b, size_t start, size_t first, size_t offset, size_t key_length, bool *sorted);
// Ends a record whose entries are those from `first` on.
lb_issue_kind finish_record(encoder *e, size_t start, size_t first, bool sorted);

// MARK: direct.c
// Encodes a table without Lua's functions; false: it takes these, and what was done so far is of no use.
bool encode_directly(encoder *e, const void *table, int depth);

// MARK: shapes.c
// The shape of a record that has fields, and where their values are; -1: it is not known.
int shape_find(const lb_state *b, const held_table *t, const held **values);
// Remembers a record that was just encoded, with the entries from `first` on, whose keys came in the order of `keys`.
// [-0, +0, never raises], but Lua may collect garbage.
void shape_learn(lb_state *b, const void *const *keys, size_t start, size_t first);

#endif
