// The layout of tables, strings and userdata in Lua 5.4, for reading whole values from Lua's
// memory. With Lua's functions, each field would take half a dozen calls.
//
// Lua does not guarantee this layout. Before it is used, layout.c checks it against the loaded Lua.
// If it differs, values are read with Lua's functions. Nothing is ever written here.

#ifndef LB_LAYOUT_H
#define LB_LAYOUT_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The low four bits are Lua's type. In a table or on a stack, objects have COLLECTABLE too.
enum { COLLECTABLE = 1 << 6 };
typedef enum {
    HELD_FALSE = LUA_TBOOLEAN,
    HELD_TRUE = LUA_TBOOLEAN | 1 << 4,
    HELD_POINTER = LUA_TLIGHTUSERDATA,
    HELD_INTEGER = LUA_TNUMBER,
    HELD_FLOAT = LUA_TNUMBER | 1 << 4,
    HELD_SHORT_STRING = LUA_TSTRING | COLLECTABLE,
    HELD_LONG_STRING = LUA_TSTRING | 1 << 4 | COLLECTABLE,
    HELD_TABLE = LUA_TTABLE | COLLECTABLE,
    HELD_USERDATA = LUA_TUSERDATA | COLLECTABLE,
} held_tag;

typedef union {
    const void *object;
    lua_Integer integer;
    lua_Number number;
} held_payload;

typedef struct {
    held_payload is;
    uint8_t tag;
} held;

// A field of a table, or an empty place for one, whose value is nil.
typedef struct {
    held_payload is;
    uint8_t tag, key_tag;
    int32_t next;
    held_payload key;
} held_field;

#define HELD_HEAD                                                                                  \
    const void *next_object;                                                                       \
    uint8_t object_tag, marks

typedef struct {
    HELD_HEAD;
    uint8_t flags, field_bits;  // FLAG_NOT_SIZE; there are 2 to the power of field_bits places
    uint32_t limit;
    const held *elements;
    const held_field *fields;  // never NULL
    const held_field *last_free;
    const void *metatable;
    const void *list;
} held_table;

// The number of elements is not `limit`, but the next power of two.
enum { FLAG_NOT_SIZE = 1 << 7 };

typedef struct {
    HELD_HEAD;
    uint8_t extra, short_length;
    uint32_t hash;
    size_t long_length;
    unsigned char bytes[];
} held_string;

typedef struct {
    HELD_HEAD;
    uint16_t value_count;
    size_t size;
    const void *metatable;
    const void *list;
    held values[];  // followed by the userdata's own memory
} held_userdata;

// True if this process has this layout.
bool lb_layout_is_known(void);

static inline bool held_is_nil(uint8_t tag) { return (tag & 0x0F) == LUA_TNIL; }

// The number of places for elements, including empty ones.
static inline size_t held_element_places(const held_table *t) {
    uint32_t size = t->limit;
    if (!(t->flags & FLAG_NOT_SIZE) || (size & (size - 1)) == 0) return size;
    return (size_t)1 << (32 - __builtin_clz(size));
}

// The number of places for elements and fields, including empty ones.
static inline size_t held_places(const held_table *t) {
    return held_element_places(t) + ((size_t)1 << t->field_bits);
}

static inline const held_field *held_fields_end(const held_table *t) {
    return t->fields + ((size_t)1 << t->field_bits);
}

static inline size_t held_length(const held_string *s, uint8_t tag) {
    return (tag | COLLECTABLE) == HELD_SHORT_STRING ? s->short_length : s->long_length;
}

#endif
