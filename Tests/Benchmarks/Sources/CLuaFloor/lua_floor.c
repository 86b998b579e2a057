#include "lua_floor.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>

struct lua_floor {
    lua_State *lua;
    int state, apply, render;
};

lua_floor *lua_floor_open(const char *source) {
    lua_floor *floor = malloc(sizeof *floor);
    lua_State *L = luaL_newstate();
    if (floor == NULL || L == NULL) return NULL;
    luaL_openlibs(L);
    if (luaL_dostring(L, source) != LUA_OK) return NULL;
    floor->lua = L;
    lua_getfield(L, -1, "state");
    floor->state = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, -1, "apply");
    lua_getfield(L, -1, "inc");
    floor->apply = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pop(L, 1);
    lua_getfield(L, -1, "render");
    floor->render = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 0);
    return floor;
}

void lua_floor_close(lua_floor *floor) {
    if (floor == NULL) return;
    lua_close(floor->lua);
    free(floor);
}

int lua_floor_apply(lua_floor *floor) {
    lua_State *L = floor->lua;
    lua_rawgeti(L, LUA_REGISTRYINDEX, floor->apply);
    lua_rawgeti(L, LUA_REGISTRYINDEX, floor->state);
    lua_createtable(L, 0, 2);
    lua_pushliteral(L, "inc");
    lua_setfield(L, -2, "type");
    lua_pushinteger(L, 1);
    lua_setfield(L, -2, "by");
    int ok = lua_pcall(L, 2, 1, 0) == LUA_OK;
    lua_settop(L, 0);
    return ok;
}

/* [-0, +0] The values in the one at the top: itself and all below it. */
static size_t walk(lua_State *L) {
    size_t count = 1;
    switch (lua_type(L, -1)) {
    case LUA_TTABLE:
        lua_pushnil(L);
        while (lua_next(L, -2) != 0) {
            count += walk(L);
            lua_pop(L, 1);
        }
        return count;
    case LUA_TSTRING: {
        size_t length;
        return lua_tolstring(L, -1, &length) != NULL ? count : 0;
    }
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1)) return lua_tointegerx(L, -1, NULL) != LUA_MININTEGER ? count : 0;
        return lua_tonumberx(L, -1, NULL) >= 0 ? count : 1;
    case LUA_TBOOLEAN: return lua_toboolean(L, -1) ? count : 1;
    default: return count;
    }
}

size_t lua_floor_render(lua_floor *floor) {
    lua_State *L = floor->lua;
    lua_rawgeti(L, LUA_REGISTRYINDEX, floor->render);
    lua_rawgeti(L, LUA_REGISTRYINDEX, floor->state);
    lua_pushnil(L);
    size_t count = lua_pcall(L, 2, 1, 0) == LUA_OK ? walk(L) : 0;
    lua_settop(L, 0);
    return count;
}
