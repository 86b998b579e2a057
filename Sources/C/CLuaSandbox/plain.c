// `workflow.plain`: a copy of a value without the metatables of scripts, for objects that are to
// become part of a state, a rendering or an output. What is contained twice is copied once, so the
// copy takes no more than the value.

#include "sandbox.h"

enum { COPIES = 2, DEEPEST = MAXIMUM_VALUE_DEPTH };

// Replaces the value on top by its copy.
static void copy_top(lua_State *L, int depth) {
    STACK(L, 0, anything);
    lb_state *b = state_of(L);
    if (lua_type(L, -1) != LUA_TTABLE && lua_type(L, -1) != LUA_TUSERDATA) return;
    lb_budget_charge(b, L, 1);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, COPIES) != LUA_TNIL) {
        lua_replace(L, -2);
        return;
    }
    lua_pop(L, 1);
    if (depth > DEEPEST) luaL_error(L, "a value is nested deeper than %d levels", DEEPEST);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    int value = lua_gettop(L);
    if (lb_read_push(L, value) == READ_NONE) return;
    int table = lua_gettop(L);
    lua_createtable(L, (int)(lua_rawlen(L, table) & 0xFFFF), 0);
    int copy = lua_gettop(L);
    lua_pushvalue(L, value);
    lua_pushvalue(L, copy);
    lua_rawset(L, COPIES);
    // An empty record is one by its metatable.
    if (lua_getmetatable(L, table)) {
        if (lua_topointer(L, -1) == b->core.record_metatable)
            lua_setmetatable(L, copy);
        else
            lua_pop(L, 1);
    }
    lua_pushnil(L);
    while (lua_next(L, table)) {
        copy_top(L, depth + 1);
        copy_field(L, copy);
    }
    lua_replace(L, value);
    lua_settop(L, value);
}

OFFERED(plain) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    lb_require_stack(L);
    lua_createtable(L, 0, 0);
    lua_pushvalue(L, 1);
    copy_top(L, 1);
    return 1;
}

void lb_plain_open(lua_State *L) {
    STACK(L, 0, memory);
    lua_pushcfunction(L, plain);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_PLAIN);
}
