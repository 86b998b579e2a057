// The active calls, across all Lua threads that wait for each other.

#include "trace/trace.h"

static int32_t count_calls(lua_State *L) {
    lua_Debug ar;
    int32_t count = 0, above = 1;
    while (lua_getstack(L, above, &ar)) {
        count = above;
        above *= 2;
    }
    while (count < above) {
        int32_t middle = (count + above) / 2;
        if (lua_getstack(L, middle, &ar))
            count = middle + 1;
        else
            above = middle;
    }
    return count;
}

lua_State *lb_trace_find(const lb_moment *moment, int32_t level, lua_Debug *ar) {
    STACK(moment->L, 0, nothing);
    lua_State *L = moment->L;
    const resumption *r = moment->state->limits.resumed;
    while (!lua_getstack(L, level, ar)) {
        if (r == NULL || is_call_thread(L)) return NULL;
        level -= count_calls(L);
        L = r->waits;
        r = r->outer;
    }
    return L;
}

int32_t lb_trace_depth(const lb_moment *moment, bool all) {
    lua_State *L = moment->L;
    const resumption *r = moment->state->limits.resumed;
    int32_t count = count_calls(L);
    for (; all && r != NULL && !is_call_thread(L); r = r->outer) {
        L = r->waits;
        count += count_calls(L);
    }
    return count;
}
