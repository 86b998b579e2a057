// Globals that few flows use: they are made when first read, so that others do not pay for them and
// loops over all globals do not show them. Code written for plain Lua finds its names there.

#include "sandbox.h"

#include <string.h>

// Pushes a new table with functions.
static void push_functions(lua_State *L, const luaL_Reg *functions) {
    STACK(L, +1, memory);
    lua_createtable(L, 0, 16);
    luaL_setfuncs(L, functions, 0);
}

// Pushes what the package has under a name, for scripts to read.
static void push_part(lua_State *L, const char *name, const char *shown) {
    STACK(L, +1, memory);
    lb_package_push(L, name);
    if (lua_type(L, -1) == LUA_TTABLE) lb_readonly_wrap(L, shown);
}

static void push_package(lua_State *L) {
    STACK(L, +1, memory);
    lua_createtable(L, 0, 8);
    push_part(L, "loaded", "package.loaded");
    lua_setfield(L, -2, "loaded");
    push_part(L, "preload", "package.preload");
    lua_setfield(L, -2, "preload");
    lb_package_set_texts(L);
}

void lb_package_set_texts(lua_State *L) {
    STACK(L, 0, memory);
    lua_pushliteral(L, "/\n;\n?\n!\n-\n");
    lua_setfield(L, -2, "config");
    lua_pushliteral(L, "?.lua;?/init.lua");
    lua_setfield(L, -2, "path");
    lua_pushliteral(L, "");
    lua_setfield(L, -2, "cpath");
}

static void push_io(lua_State *L) { push_functions(L, lb_io_functions); lb_io_set_files(L); }
static void push_os(lua_State *L) { push_functions(L, lb_os_functions); }
static void push_debug(lua_State *L) {
    STACK(L, +1, memory);
    push_functions(L, lb_debug_functions);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    lua_getfield(L, -1, "getmetatable");
    lua_setfield(L, -3, "getmetatable");
    lua_pop(L, 1);
}

static const struct {
    const char *name;
    void (*push)(lua_State *L);
} tables[] = {{"package", push_package}, {"io", push_io}, {"os", push_os}, {"debug", push_debug}};

// Makes a table at its first use.
static void push_table(lua_State *L, int i) {
    STACK(L, +1, memory);
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_LATE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, COUNT_OF(tables));
        lua_pushvalue(L, -1);
        lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_LATE);
    }
    if (lua_getfield(L, -1, tables[i].name) == LUA_TNIL) {
        lua_pop(L, 1);
        tables[i].push(L);
        lb_readonly_wrap(L, tables[i].name);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, tables[i].name);
    }
    lua_remove(L, -2);
}

bool lb_late_push(lua_State *L, const char *name) {
    STACK_EITHER(L, +1, 0, memory);
    if (strcmp(name, LUA_GNAME) == 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
        return true;
    }
    if (strcmp(name, "_VERSION") == 0) {
        lua_pushliteral(L, LUA_VERSION);
        return true;
    }
    for (int i = 0; i < COUNT_OF(tables); i++) {
        if (strcmp(name, tables[i].name) != 0) continue;
        push_table(L, i);
        return true;
    }
    return false;
}

// MARK: Globals that do not exist

// Names that some version of Lua has, or LuaJIT. Code that is to run anywhere asks for them first,
// as in `unpack or table.unpack`, so they are nil.
static const char *const names_elsewhere[] = {
    "arg", "bit", "bit32", "collectgarbage", "dofile", "gcinfo", "getfenv", "jit", "load",
    "loadfile", "loadlib", "loadstring", "module", "newproxy", "setfenv", "unpack", "warn",
};

// A global that does not exist is a mistake in its name, because scripts cannot make one.
static int raise_read(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *name = lua_tolstring(L, 2, NULL);
    if (lb_late_push(L, name)) return 1;
    for (int i = 0; i < COUNT_OF(names_elsewhere); i++)
        if (strcmp(name, names_elsewhere[i]) == 0) return 0;
    return luaL_error(L, "there is no global '%s'", name);
}

void lb_late_refuse_unknown(lua_State *L) {
    STACK(L, 0, memory);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, raise_read);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}
