// Running a C function that may raise, on the desk, and turning what comes of it into a status.

#include "internal.h"

lb_status stop_status(const lb_state *b) {
    switch ((stop_reason)b->stop) {
        case STOP_NONE: return LB_OK;
        case STOP_TIME: return LB_TIME;
        case STOP_INSTRUCTIONS: return LB_INSTRUCTIONS;
        case STOP_MEMORY: return LB_MEMORY;
        case STOP_OUTPUT: return LB_OUTPUT;
        case STOP_INTERRUPT: return LB_INTERRUPTED;
        case STOP_DEPTH: return LB_DEPTH;
    }
    return LB_ERROR;
}

lb_status protect_status(lb_state *b, lua_State *L, int code) {
    if (code != LUA_OK) lua_pop(L, 1);
    if (b->stop) return stop_status(b);
    if (code == LUA_OK) return LB_OK;
    return code == LUA_ERRMEM ? LB_MEMORY : LB_ERROR;
}

lb_status protect(lb_state *b, lua_CFunction body, void *context, int results) {
    lua_State *L = b->desk;
    lua_pushcfunction(L, error_handler);
    int handler = lua_gettop(L);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, context);
    int code = lua_pcall(L, 1, results, handler);
    lua_remove(L, handler);
    lb_status status = protect_status(b, L, code);
    if (status != LB_OK && code == LUA_OK) lua_pop(L, results);
    protect_settle(b);
    return status;
}

void protect_settle(lb_state *b) {
    if (b->depth == 0 && b->stop) budget_clear(b);
}
