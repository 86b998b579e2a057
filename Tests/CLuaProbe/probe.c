#include "CLuaProbe.h"
#include "limits/limits.h"

#include <lauxlib.h>

// The beginning of Lua's own struct of a call, as of Lua 5.4.
typedef struct {
    void *function, *top, *previous, *next;
    const void *position;
    volatile sig_atomic_t trap;
} call_info;

bool probe_lose_hook(void *state) {
    lb_state *b = state;
    lua_State *L = b->limits.running;
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "S", &ar) || *ar.what == 'C') continue;
        call_info *call = (call_info *)(void *)ar.i_ci;
        if (call->trap != 0) return false;
        b->limits.stop = STOP_TIME;
        lb_budget_arm(b, L);
        b->limits.stop = STOP_NONE;
        if (call->trap != 1) return false;
        call->trap = 0;
        return true;
    }
    return false;
}

static void push_two(lua_State *L) {
    STACK(L, +1, nothing);
    lua_pushinteger(L, 1);
    lua_pushinteger(L, 2);
}

static void push_table(lua_State *L) {
    STACK(L, +1, memory);
    lua_newtable(L);
}

static void push_nothing(lua_State *L) {
    STACK(L, 0, nothing);
    push_table(L);
    lua_pop(L, 1);
}

static int raise_body(lua_State *L) {
    STACK(L, 0, memory);
    push_table(L);
    return luaL_error(L, "not enough memory");
}

// An error that is caught leaves nothing of the promises of what it has skipped.
static void catch_error(lua_State *L) {
    STACK(L, 0, nothing);
    lua_pushcfunction(L, raise_body);
    lua_pcall(L, 0, 0, 0);
    lua_pop(L, 1);
}

void probe_promise(probed_promise promise) {
    static void (*const functions[])(lua_State *L) = {catch_error, push_two, push_nothing};
    lua_State *L = luaL_newstate();
    functions[promise](L);
    lua_close(L);
}
