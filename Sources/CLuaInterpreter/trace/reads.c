// Reads a single value for an expression: the end of a path from a variable. Uses raw access, also in views and drafts,
// and runs no script.

#include "trace/trace.h"

#include <string.h>

static bool is_text(const char *known, lb_text text) {
    return strlen(known) == text.length && memcmp(known, text.bytes, text.length) == 0;
}

// A local hides an upvalue, and a later local an earlier one.
bool trace_push_variable(lua_State *L, lua_Debug *ar, lb_text name) {
    const char *known;
    int found = 0;
    for (int i = 1; (known = lua_getlocal(L, ar, i)) != NULL; i++) {
        if (is_text(known, name)) found = i;
        lua_pop(L, 1);
    }
    if (found > 0) return lua_getlocal(L, ar, found) != NULL;
    if (!lua_getinfo(L, "f", ar)) return false;
    for (int i = 1; !lua_iscfunction(L, -1) && (known = lua_getupvalue(L, -1, i)) != NULL; i++) {
        if (is_text(known, name)) found = i;
        lua_pop(L, 1);
    }
    if (found > 0) lua_getupvalue(L, -1, found);
    lua_remove(L, found > 0 ? -2 : -1);
    return found > 0;
}

typedef struct {
    lb_state *b;
    const lb_read *read;
    bool found;
} walk;

// Replaces the value on top by the table that contains its fields. False: it has none. [-0, +0, memory]
static bool open_table(lb_state *b, lua_State *L) {
    switch (type_at(b, L, -1)) {
        case LB_TYPE_TABLE: return true;
        case LB_TYPE_VIEW: view_open(L, -1); break;
        case LB_TYPE_OBJECT:
            if (object_push_fields(L, -1)) break;
            return false;
        default: return false;
    }
    lua_remove(L, -2);
    return true;
}

// [-0, +1, memory]
static void push_key(lua_State *L, const lb_value *key) {
    switch (key->type) {
        case LB_TYPE_BOOLEAN: lua_pushboolean(L, key->integer != 0); break;
        case LB_TYPE_INTEGER: lua_pushinteger(L, (lua_Integer)key->integer); break;
        case LB_TYPE_NUMBER: lua_pushnumber(L, key->number); break;
        case LB_TYPE_STRING: lua_pushlstring(L, key->bytes, key->length); break;
        default: lua_pushnil(L);
    }
}

/* [-0, +1, memory] */
static int walk_body(lua_State *L) {
    walk *w = lua_touserdata(L, 1);
    const lb_read *read = w->read;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    for (int32_t i = 0; i < read->count; i++) {
        if (!open_table(w->b, L)) return 1;
        push_key(L, &read->steps[i]);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    w->found = true;
    if (!read->is_length) return 1;
    bool is_string = lua_type(L, -1) == LUA_TSTRING;
    w->found = is_string || open_table(w->b, L);
    if (w->found) lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

lb_found trace_read(
    const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable) {
    lb_state *b = moment->state;
    *variable = (lb_variable){.name = read->name};
    lua_Debug ar;
    lua_State *L = trace_find(moment, level, &ar);
    if (L == NULL || !trace_push_variable(L, &ar, read->name)) return LB_NO_VARIABLE;
    lua_xmove(L, b->core.main, 1);
    if (read->count > 0 || read->is_length) {
        walk w = {b, read, false};
        lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
        bool ran = protect_privileged(b, walk_body, &w, 1);
        lua_pushboolean(b->core.main, 0);
        lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
        if (ran && !w.found) lua_pop(b->core.main, 1);
        if (!ran || !w.found) return LB_NO_PATH;
    }
    trace_take(b, variable);
    return LB_FOUND;
}
