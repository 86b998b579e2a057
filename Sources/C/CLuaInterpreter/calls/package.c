// The modules of the files in force. A package is a table with these fields:
//
// - `loaded`: what the modules returned, by name, and the libraries of Lua;
// - `preload`: the functions that library files offer as modules;
// - `environment`: the globals of library files, made for the first one;
// - `now`: the host's function that gives the time;
// - `plain`: the function that copies a value without its metatables.
//
// Another set of files gets another package, so that code that is loaded anew begins anew. The
// libraries read it when they are called, and scripts cannot reach it.

#include "calls/calls.h"
#include "operations.h"

#include <string.h>

static int make_body(lua_State *L) {
    static const char *const libraries[] = {"string", "table", "math", "utf8", "coroutine"};
    lua_createtable(L, 0, 4);
    lua_createtable(L, 0, COUNT_OF(libraries) + 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_setfield(L, -2, LUA_GNAME);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    for (int i = 0; i < COUNT_OF(libraries); i++) {
        lua_pushstring(L, libraries[i]);
        lua_pushvalue(L, -1);
        lua_rawget(L, -3);
        lua_rawset(L, -4);
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, "loaded");
    lua_createtable(L, 0, 0);
    lua_setfield(L, -2, "preload");
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_PLAIN);
    lua_setfield(L, -2, "plain");
    return 1;
}

lb_status lb_interpreter_make_package(lb_state *b, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    return lb_reference_make(b, make_body, NULL, reference);
}

static int use_body(lua_State *L) {
    const int32_t *package = lua_touserdata(L, 1);
    reference_push(L, *package);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_PACKAGE);
    // The global `package` shows the one in force.
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_LATE) != LUA_TTABLE) return 0;
    lua_pushnil(L);
    lua_setfield(L, -2, "package");
    return 0;
}

lb_status lb_interpreter_use_package(lb_state *b, int32_t package) {
    STACK(b->core.main, 0, nothing);
    return lb_protect(b, use_body, &package, 0);
}

void lb_package_push(lua_State *L, const char *name) {
    STACK(L, +1, nothing);
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_PACKAGE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushnil(L);
        return;
    }
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    lua_remove(L, -2);
}

void lb_package_push_environment(lua_State *L) {
    STACK(L, +1, anything);
    lb_package_push(L, "environment");
    if (lua_type(L, -1) == LUA_TTABLE) return;
    lua_pop(L, 1);
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_PACKAGE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushcfunction(L, make_body);
        lua_call(L, 0, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_PACKAGE);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_LIBRARY_MAKER);
    lua_call(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "environment");
    lua_remove(L, -2);
}
