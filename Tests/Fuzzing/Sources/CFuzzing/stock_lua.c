#include "CFuzzing.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

static void stop(lua_State *L, lua_Debug *unused) {
    (void)unused;
    luaL_error(L, "too many instructions");
}

bool stock_lua_run(
    const char *source, size_t source_length, const char *first, size_t first_length,
    const char *second, size_t second_length, char *result, size_t *result_length) {
    static lua_State *L;
    if (L == NULL) {
        L = luaL_newstate();
        if (L == NULL) return false;
        luaL_openlibs(L);
    }
    lua_settop(L, 0);
    lua_sethook(L, stop, LUA_MASKCOUNT, 1000000);
    if (luaL_loadbufferx(L, source, source_length, "=stock", "t") != LUA_OK) return false;
    lua_pushlstring(L, first, first_length);
    lua_pushlstring(L, second, second_length);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK || lua_type(L, -1) != LUA_TSTRING) return false;
    const char *text = lua_tolstring(L, -1, result_length);
    if (*result_length > STOCK_LUA_RESULT) return false;
    memcpy(result, text, *result_length);
    return true;
}
