// Read-only stand-ins for the sandbox's own tables: an empty table whose metatable reads from the real one and refuses
// writes. Plain Lua reads through it at full speed. The raw functions for scripts call readonly_push_table first.

#include "sandbox.h"

#include <string.h>

static const char readonly_mark;

static int raise_write(lua_State *L) {
    const char *what = lua_tolstring(L, lua_upvalueindex(1), NULL);
    if (what != NULL) return luaL_error(L, "%s is read-only", what);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, NULL) : "?";
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    if (!lua_isnil(L, -1)) return luaL_error(L, "assignment to global '%s', which is read-only", name);
    return luaL_error(L, "assignment to undefined global '%s'; declare it local", name);
}

// Names that some version of Lua has, or LuaJIT. Code that is to run anywhere asks for them first, as in
// `unpack or table.unpack`, so they are nil.
static const char *const names_elsewhere[] = {
    "arg", "bit", "bit32", "collectgarbage", "dofile", "gcinfo", "getfenv", "jit", "load", "loadfile", "loadlib",
    "loadstring", "module", "newproxy", "setfenv", "unpack", "warn",
};

// A global that does not exist is a mistake in its name, because scripts cannot make one.
static int raise_read(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *name = lua_tolstring(L, 2, NULL);
    if (late_push(L, name)) return 1;
    for (int i = 0; i < COUNT_OF(names_elsewhere); i++)
        if (strcmp(name, names_elsewhere[i]) == 0) return 0;
    return luaL_error(L, "there is no global '%s'", name);
}

void readonly_refuse_unknown(lua_State *L) {
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, raise_read);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

void readonly_wrap(lua_State *L, const char *name) {
    int real = lua_gettop(L);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, real);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, name);
    lua_pushvalue(L, real);
    lua_pushcclosure(L, raise_write, 2);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, real);
    lua_rawsetp(L, -2, &readonly_mark);
    lua_setmetatable(L, -2);
    lua_replace(L, real);
}

bool readonly_push_table(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
    if (lua_rawgetp(L, -1, &readonly_mark) == LUA_TTABLE) {
        lua_remove(L, -2);
        return true;
    }
    lua_pop(L, 2);
    return false;
}
