// Runs C functions that may raise on the main thread, and converts the result to a status.

#include "protection/protection.h"

lb_status lb_protect_status(lb_state *b, lua_State *L, int code) {
    STACK(L, code == LUA_OK ? 0 : -1, nothing);
    if (code != LUA_OK) lua_pop(L, 1);
    if (b->limits.stop) return lb_budget_status(b);
    if (code == LUA_OK) return LB_OK;
    return code == LUA_ERRMEM ? LB_MEMORY : LB_ERROR;
}

lb_status lb_protect(lb_state *b, lua_CFunction body, void *context, int results) {
    STACK_EITHER(b->core.main, 0, results, nothing);
    lua_State *L = b->core.main;
    lua_pushcfunction(L, lb_error_handler);
    int handler = lua_gettop(L);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, context);
    int code = lua_pcall(L, 1, results, handler);
    lua_remove(L, handler);
    lb_status status = lb_protect_status(b, L, code);
    if (status != LB_OK && code == LUA_OK) lua_pop(L, results);
    lb_protect_finish(b);
    return status;
}

void lb_protect_finish(lb_state *b) {
    if (b->protection.depth == 0 && b->limits.stop) lb_budget_clear(b);
}

bool lb_protect_privileged(lb_state *b, lua_CFunction body, void *context, int results) {
    STACK_EITHER(b->core.main, 0, results, nothing);
    lua_State *L = b->core.main;
    bool outer = b->limits.privileged;
    b->limits.privileged = true;
    b->limits.refused_size = 0;
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, context);
    int code = lua_pcall(L, 1, results, 0);
    if (code != LUA_OK) lua_pop(L, 1);
    b->limits.privileged = outer;
    lb_protect_finish(b);
    return code == LUA_OK;
}
