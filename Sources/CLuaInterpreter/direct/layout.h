// The layout of tables, strings and userdata in Lua 5.4, for reading whole values where Lua keeps
// them. Through Lua's functions each field would take half a dozen calls.
//
// Lua promises none of this. Before it is used, layout.c compares it with the Lua that the process
// has; when that is another one, values are read by Lua's functions. Nothing is ever written here.

#ifndef LB_LAYOUT_H
#define LB_LAYOUT_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The low four bits are Lua's type; a value in a table or on a stack has COLLECTABLE too if it is
// an object.
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

// A field of a table, or a place for one: then its value is nil.
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
    uint8_t flags, field_bits;  // FLAG_NOT_SIZE; places for fields, as a power of two
    uint32_t limit;
    const held *elements;
    const held_field *fields;  // never NULL
    const held_field *last_free;
    const void *metatable;
    const void *list;
} held_table;

enum { FLAG_NOT_SIZE = 1 << 7 };  // `limit` is not the number of elements, but the next power of two is

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
    held values[];  // then the userdata's own memory
} held_userdata;

// True if all of this is so in this process.
bool layout_is_known(void);

static inline bool held_is_nil(uint8_t tag) { return (tag & 0x0F) == LUA_TNIL; }

// Places for elements, empty or not.
static inline size_t held_element_places(const held_table *t) {
    uint32_t size = t->limit;
    if (!(t->flags & FLAG_NOT_SIZE) || (size & (size - 1)) == 0) return size;
    return (size_t)1 << (32 - __builtin_clz(size));
}

// Places for elements and fields, empty or not.
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
