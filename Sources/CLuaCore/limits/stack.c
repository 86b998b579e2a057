// The room that is left on the machine stack, which all nested calls share.

#define _GNU_SOURCE
#include "limits/limits.h"

// The least that a nested call needs, and a C function that calls back into Lua or Swift. Lua
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

size_t stack_room(void) {
    if (stack_low == NULL) stack_low = find_stack_low();
    return (size_t)((char *)__builtin_frame_address(0) - stack_low);
}

void stack_use(size_t size) {
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

bool stack_is_short(void) { return stack_room() < CALL_RESERVE; }

void require_stack(lua_State *L) {
    if (stack_room() < CALLBACK_RESERVE) budget_raise_depth(state_of(L), L);
}
