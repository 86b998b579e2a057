// Checks layout.h against the loaded Lua, once per process. It makes a few objects with Lua's
// functions, in a separate state whose memory blocks it knows, and checks that they are where they
// should be. It only reads inside known blocks.

#include "direct/layout.h"
#include "stack_guard.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64, NUMBERED = 4 };

typedef struct {
    const void *start;
    size_t size;
} known_block;

// The last blocks that Lua has allocated.
typedef struct {
    known_block blocks[BLOCKS];
    int next;
} known_blocks;

static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
    known_blocks *known = context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    void *made = realloc(block, new_size);
    if (made == NULL) return NULL;
    known->blocks[known->next] = (known_block){made, new_size};
    known->next = (known->next + 1) % BLOCKS;
    return made;
}

// The size of the block that starts here; 0: there is none.
static size_t block_size(lua_State *L, const void *start) {
    void *context;
    lua_getallocf(L, &context);
    const known_blocks *known = context;
    for (int age = 1; age <= BLOCKS; age++) {
        const known_block *b = &known->blocks[(known->next - age + BLOCKS) % BLOCKS];
        if (b->start == start) return b->size;
    }
    return 0;
}

static bool is_block(lua_State *L, const void *start, size_t size) {
    return block_size(L, start) == size;
}

// The table on top, if it looks like a table.
static const held_table *table_on_top(lua_State *L) {
    STACK(L, 0, nothing);
    const held_table *t = lua_topointer(L, -1);
    return is_block(L, t, sizeof *t) ? t : NULL;
}

static bool is_string(
    lua_State *L, held_payload value, const char *text, size_t length, bool is_short) {
    const held_string *s = value.object;
    size_t size = offsetof(held_string, bytes) + length + 1;
    return is_block(L, s, size) && memcmp(s->bytes, text, length + 1) == 0
        && (is_short ? s->short_length : s->long_length) == length;
}

static bool elements_are_known(lua_State *L) {
    STACK(L, 0, memory);
    lua_createtable(L, 6, 0);
    lua_pushinteger(L, -5);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, 1.5);
    lua_rawseti(L, -2, 2);
    lua_pushboolean(L, 1);
    lua_rawseti(L, -2, 3);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, 4);
    lua_pushlightuserdata(L, NULL);
    lua_rawseti(L, -2, 5);
    const held_table *t = table_on_top(L);
    if (t == NULL || t->limit != 6 || t->metatable != NULL || t->field_bits != 0) return false;
    const held *e = t->elements;
    if (!is_block(L, e, 6 * sizeof *e)) return false;
    bool same = e[0].tag == HELD_INTEGER && e[0].is.integer == -5 && e[1].tag == HELD_FLOAT
        && e[1].is.number == 1.5 && e[2].tag == HELD_TRUE && e[3].tag == HELD_FALSE
        && e[4].tag == HELD_POINTER && e[4].is.object == NULL && held_is_nil(e[5].tag)
        && held_element_places(t) == 6;
    // All tables without fields share one place for a field.
    same = same && t->fields != NULL && held_is_nil(t->fields->tag);
    lua_pop(L, 1);
    return same;
}

// After Lua has computed the length, the limit is no longer the size.
static bool limits_are_known(lua_State *L) {
    STACK(L, 0, memory);
    lua_createtable(L, 8, 0);
    for (int i = 1; i <= 5; i++) {
        lua_pushinteger(L, i);
        lua_rawseti(L, -2, i);
    }
    const held_table *t = table_on_top(L);
    bool same = t != NULL && t->limit == 8 && !(t->flags & FLAG_NOT_SIZE) && lua_rawlen(L, -1) == 5
        && t->limit == 5 && (t->flags & FLAG_NOT_SIZE) != 0 && held_element_places(t) == 8;
    lua_pop(L, 1);
    return same;
}

static bool fields_are_known(lua_State *L) {
    STACK(L, 0, memory);
    static const char longer[] =
        "0123456789-0123456789-0123456789-0123456789-more-than-a-short-string";
    lua_createtable(L, 0, 4);
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "short");
    lua_pushliteral(L, "value");
    lua_setfield(L, -2, longer);
    lua_pushstring(L, longer);
    lua_rawseti(L, -2, 7);
    lua_createtable(L, 0, 0);
    const void *inner = lua_topointer(L, -1), *outer = lua_topointer(L, -2);
    lua_pushvalue(L, -1);
    lua_setmetatable(L, -3);
    lua_setfield(L, -2, "table");
    const held_table *t = table_on_top(L);
    if (t == NULL || t != outer || t->field_bits != 2 || t->limit != 0 || t->metatable != inner)
        return false;
    const held_field *f = t->fields;
    if (!is_block(L, f, 4 * sizeof *f) || held_fields_end(t) != f + 4) return false;
    int found = 0;
    for (; f < held_fields_end(t); f++) {
        if (f->tag == HELD_TRUE)
            found += f->key_tag == HELD_SHORT_STRING && is_string(L, f->key, "short", 5, true);
        else if (f->tag == HELD_SHORT_STRING)
            found += f->key_tag == HELD_LONG_STRING && is_string(L, f->is, "value", 5, true)
                && is_string(L, f->key, longer, sizeof longer - 1, false);
        else if (f->tag == HELD_LONG_STRING)
            found += f->key_tag == HELD_INTEGER && f->key.integer == 7
                && is_string(L, f->is, longer, sizeof longer - 1, false);
        else if (f->tag == HELD_TABLE)
            found += f->key_tag == HELD_SHORT_STRING && f->is.object == inner;
    }
    lua_pushnil(L);
    lua_setfield(L, -2, "short");
    for (f = t->fields; f < held_fields_end(t); f++) found += held_is_nil(f->tag);
    lua_pop(L, 1);
    return found == 5;
}

static bool userdata_is_known(lua_State *L) {
    STACK(L, 0, memory);
    const void *memory = lua_newuserdatauv(L, 24, NUMBERED);
    lua_createtable(L, 0, 0);
    const void *table = lua_topointer(L, -1);
    lua_pushvalue(L, -1);
    lua_setmetatable(L, -3);
    lua_setiuservalue(L, -2, 1);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, 1);
    const held_table *t = table_on_top(L);
    if (t == NULL || !is_block(L, t->elements, sizeof(held))) return false;
    if (t->elements->tag != HELD_USERDATA) return false;
    const held_userdata *u = t->elements->is.object;
    bool same = is_block(L, u, sizeof *u + NUMBERED * sizeof(held) + 24)
        && u->metatable == table && u->value_count == NUMBERED && u->size == 24
        && u->values[0].tag == HELD_TABLE && u->values[0].is.object == table
        && held_is_nil(u->values[1].tag) && memory == (const void *)(u->values + NUMBERED);
    lua_pop(L, 2);
    return same;
}

static int examine(lua_State *L) {
    lua_gc(L, LUA_GCSTOP);
    bool same = elements_are_known(L) && limits_are_known(L) && fields_are_known(L)
        && userdata_is_known(L);
    lua_pushboolean(L, same);
    return 1;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_known;

static void compare(void) {
    known_blocks known = {.next = 0};
    lua_State *L = lua_newstate(allocate, &known);
    if (L == NULL) return;
    lua_pushcfunction(L, examine);
    is_known = lua_pcall(L, 0, 1, 0) == LUA_OK && lua_toboolean(L, -1);
    lua_close(L);
}

bool lb_layout_is_known(void) {
    pthread_once(&once, compare);
    return is_known;
}
