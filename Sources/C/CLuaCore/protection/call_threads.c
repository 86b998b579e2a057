// One Lua thread for each level of nested calls, because Lua allows one about 200 nested C calls.

#include "protection/protection.h"

#include <stdlib.h>

static int make_body(lua_State *L) {
    lb_state *b = state_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_CALL_THREADS);
    lua_State *thread = lua_newthread(L);
    lua_rawseti(L, -2, b->protection.thread_count + 1);
    marks_of(thread)->is_for_call = true;
    b->protection.threads[b->protection.thread_count++] = thread;
    return 0;
}

lua_State *lb_call_thread_make(lb_state *b, lb_status *status) {
    STACK(b->core.main, 0, nothing);
    if (b->protection.thread_count == b->protection.thread_capacity) {
        int32_t capacity =
            b->protection.thread_capacity == 0 ? 16 : b->protection.thread_capacity * 2;
        lua_State **levels = realloc(b->protection.threads, (size_t)capacity * sizeof(lua_State *));
        if (levels == NULL) {
            *status = LB_MEMORY;
            return NULL;
        }
        b->protection.threads = levels;
        b->protection.thread_capacity = capacity;
    }
    *status = lb_protect(b, make_body, NULL, 0);
    return *status == LB_OK ? b->protection.threads[b->protection.depth] : NULL;
}
