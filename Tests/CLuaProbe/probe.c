#include "CLuaProbe.h"
#include "limits/limits.h"

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
        budget_arm(b, L);
        b->limits.stop = STOP_NONE;
        if (call->trap != 1) return false;
        call->trap = 0;
        return true;
    }
    return false;
}
