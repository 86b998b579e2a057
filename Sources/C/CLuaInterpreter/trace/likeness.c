// A plain copy of a value that is not plain, with texts such as `<function a.lua:3>` for the parts
// without a plain form. It uses raw access and runs no script.

#include "trace/trace.h"

#include <stdio.h>

enum { DEPTH = 12, COUNT = 4000, TEXT = 256 };

typedef struct {
    lb_state *b;
    const void *around[DEPTH];  // the enclosing tables
    int left;                   // the number of values that may still be copied
} copier;

static void copy(copier *c, lua_State *L, int index, int depth);

static void push_word(copier *c, lua_State *L, int index) {
    STACK(L, +1, memory);
    char text[TEXT];
    lua_Debug ar;
    if (lua_isfunction(L, index) && !lua_iscfunction(L, index)) {
        lua_pushvalue(L, index);
        lua_getinfo(L, ">S", &ar);
        const char *chunk = ar.source[0] == '=' ? ar.source + 1 : ar.short_src;
        snprintf(text, sizeof text, "<function %.200s:%d>", chunk, ar.linedefined);
    } else if (lua_type(L, index) == LUA_TNUMBER) {
        lua_Number number = lua_tonumberx(L, index, NULL);
        const char *word = number > 0 ? "inf" : number < 0 ? "-inf" : "nan";
        snprintf(text, sizeof text, "<%s>", word);
    } else {
        snprintf(text, sizeof text, "<%.200s>", lb_type_name_at(c->b, L, index));
    }
    lua_pushstring(L, text);
}

// Bytes that are not UTF-8, as Lua writes them in a key: `["\xff"]`, and only the first ones.
static void push_bytes(lua_State *L, const char *bytes, size_t length) {
    STACK(L, +1, memory);
    char text[TEXT];
    size_t count = 0;
    for (size_t i = 0; i < length && count < sizeof text - 8; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool is_plain = byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
        count += (size_t)snprintf(
            text + count, sizeof text - count, is_plain ? "%c" : "\\x%02x", byte);
    }
    lua_pushlstring(L, text, count);
    lua_pushfstring(L, "[\"%s\"]", lua_tolstring(L, -1, NULL));
    lua_remove(L, -2);
}

// The text of a key: unchanged, or `[3]`.
static void push_key(copier *c, lua_State *L, int index) {
    STACK(L, +1, memory);
    size_t length;
    const char *bytes = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    if (bytes != NULL && utf8_is_valid(bytes, length))
        lua_pushvalue(L, index);
    else if (bytes != NULL)
        push_bytes(L, bytes, length);
    else if (lua_isinteger(L, index))
        lua_pushfstring(L, "[%I]", (LUAI_UACINT)lua_tointegerx(L, index, NULL));
    else if (lua_type(L, index) == LUA_TNUMBER)
        lua_pushfstring(L, "[%f]", (LUAI_UACNUMBER)lua_tonumberx(L, index, NULL));
    else if (lua_type(L, index) == LUA_TBOOLEAN)
        lua_pushstring(L, lua_toboolean(L, index) ? "[true]" : "[false]");
    else
        push_word(c, L, index);
}

static bool is_list(lua_State *L, int index) {
    STACK(L, 0, nothing);
    lua_Integer count = 0, length = (lua_Integer)lua_rawlen(L, index);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        count++;
    }
    return count > 0 && count == length;
}

static void copy_list(copier *c, lua_State *L, int index, int depth) {
    STACK(L, +1, memory);
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    lua_newtable(L);
    int made = lua_gettop(L);
    for (lua_Integer i = 1; i <= count && c->left > 0; i++) {
        lua_rawgeti(L, index, i);
        copy(c, L, made + 1, depth + 1);
        lua_rawseti(L, made, i);
        lua_settop(L, made);
    }
}

static void copy_record(copier *c, lua_State *L, int index, int depth) {
    STACK(L, +1, memory);
    lua_newtable(L);
    int made = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    lua_setmetatable(L, made);
    lua_pushnil(L);
    while (c->left > 0 && lua_next(L, index)) {
        int value = lua_gettop(L), key = value - 1;
        push_key(c, L, key);
        copy(c, L, value, depth + 1);
        lua_rawset(L, made);
        lua_settop(L, key);
    }
    lua_settop(L, made);
}

static void copy_table(copier *c, lua_State *L, int index, int depth) {
    STACK(L, +1, memory);
    const void *table = lua_topointer(L, index);
    for (int i = 0; i < depth; i++) {
        if (c->around[i] != table) continue;
        lua_pushliteral(L, "<cycle>");
        return;
    }
    if (depth == DEPTH || c->left <= 0) {
        lua_pushliteral(L, "<table>");
        return;
    }
    c->around[depth] = table;
    if (is_list(L, index))
        copy_list(c, L, index, depth);
    else
        copy_record(c, L, index, depth);
}

static void copy(copier *c, lua_State *L, int index, int depth) {
    STACK(L, +1, memory);
    c->left--;
    luaL_checkstack(L, 12, NULL);
    switch (lb_type_at(c->b, L, index)) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL:
        case LB_TYPE_BOOLEAN:
        case LB_TYPE_INTEGER:
        case LB_TYPE_VIEW: lua_pushvalue(L, index); break;
        case LB_TYPE_NUMBER: {
            lua_Number number = lua_tonumberx(L, index, NULL);
            if (number - number == 0)
                lua_pushvalue(L, index);
            else
                push_word(c, L, index);
            break;
        }
        case LB_TYPE_STRING: {
            size_t length;
            const char *bytes = lua_tolstring(L, index, &length);
            if (utf8_is_valid(bytes, length))
                lua_pushvalue(L, index);
            else
                lua_pushfstring(L, "<%I bytes>", (LUAI_UACINT)length);
            break;
        }
        case LB_TYPE_TABLE: copy_table(c, L, index, depth); break;
        case LB_TYPE_OBJECT:
            if (lb_object_push_fields(L, index)) {
                copy_table(c, L, lua_gettop(L), depth);
                lua_remove(L, -2);
                break;
            }
            push_word(c, L, index);
            break;
        default: push_word(c, L, index);
    }
}

static int copy_body(lua_State *L) {
    copier c = {.b = state_of(L), .left = COUNT};
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    copy(&c, L, lua_gettop(L), 0);
    return 1;
}

bool lb_likeness_make(lb_state *b) {
    STACK_EITHER(b->core.main, 0, -1, nothing);
    lua_State *L = b->core.main;
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    bool made = lb_protect_privileged(b, copy_body, NULL, 1);
    lua_pushboolean(L, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    return made;
}
