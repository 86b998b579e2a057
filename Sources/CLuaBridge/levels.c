// One Lua thread for each level of nested calls, since Lua allows about 200 nested C calls on one
// thread; and a look at the machine stack, which all levels share.

#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

// What a nested call needs at least, and what a C function needs that calls back into Lua or Swift. Lua
// itself allows 200 nested C calls on each Lua thread, whatever these take.
enum { CALL_RESERVE = 320 * 1024, CALLBACK_RESERVE = 192 * 1024 };

static _Thread_local char *stack_low;

static char *find_stack_low(void) {
#if defined(__APPLE__)
    pthread_t self = pthread_self();
    return (char *)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#else
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return NULL;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return low;
#endif
}

size_t lb_stack_room(void) {
    if (stack_low == NULL) stack_low = find_stack_low();
    return (size_t)((char *)__builtin_frame_address(0) - stack_low);
}

void lb_use_stack(size_t size) {
#if defined(__GLIBC__)
    pthread_attr_t attributes;
    size_t now = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &now) == 0 && now < size
        && pthread_attr_setstacksize(&attributes, size) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
#else
    (void)size;
#endif
}

bool stack_is_short(void) { return lb_stack_room() < CALL_RESERVE; }

void require_stack(lua_State *L) {
    if (lb_stack_room() < CALLBACK_RESERVE) budget_raise_depth(state_of(L), L);
}

static int make_body(lua_State *L) {
    lb_state *b = state_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_LEVELS);
    lua_State *thread = lua_newthread(L);
    lua_rawseti(L, -2, b->level_count + 1);
    *(uintptr_t *)lua_getextraspace(thread) |= 1;
    b->levels[b->level_count++] = thread;
    return 0;
}

/* [-0, +0, never raises] */
lua_State *level_thread(lb_state *b, lb_status *status) {
    if (b->level_count == b->level_capacity) {
        int32_t capacity = b->level_capacity == 0 ? 16 : b->level_capacity * 2;
        lua_State **levels = realloc(b->levels, (size_t)capacity * sizeof(lua_State *));
        if (levels == NULL) {
            *status = LB_MEMORY;
            return NULL;
        }
        b->levels = levels;
        b->level_capacity = capacity;
    }
    *status = protect(b, make_body, NULL, 0);
    return *status == LB_OK ? b->levels[b->depth] : NULL;
}
