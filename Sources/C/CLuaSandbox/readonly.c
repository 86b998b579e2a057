// Read-only stand-ins for the sandbox's own tables: an empty table whose metatable reads from the
// real one and refuses writes. Plain Lua reads through it at full speed. The raw functions for
// scripts call lb_readonly_push_table first.

#include "sandbox.h"

static const char readonly_mark;

static int raise_write(lua_State *L) {
    const char *what = lua_tolstring(L, lua_upvalueindex(1), NULL);
    if (what != NULL) return luaL_error(L, "%s is read-only", what);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, NULL) : "?";
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    if (!lua_isnil(L, -1))
        return luaL_error(L, "assignment to global '%s', which is read-only", name);
    return luaL_error(L, "assignment to undefined global '%s'; declare it local", name);
}

void lb_readonly_wrap(lua_State *L, const char *name) {
    STACK(L, 0, memory);
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

bool lb_readonly_push_table(lua_State *L, int index) {
    STACK_EITHER(L, +1, 0, nothing);
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
    if (lua_rawgetp(L, -1, &readonly_mark) == LUA_TTABLE) {
        lua_remove(L, -2);
        return true;
    }
    lua_pop(L, 2);
    return false;
}
