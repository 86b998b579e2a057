// The remaining machine stack, which all nested calls share.

#define _GNU_SOURCE
#include "limits/limits.h"

// The minimum for a nested call, and for a C function that calls back into Lua or Swift. Lua itself
// allows 200 nested C calls per Lua thread, regardless of their stack use.
enum { CALL_RESERVE = 320 * 1024, CALLBACK_RESERVE = 192 * 1024 };

void lb_stack_use(size_t size) {
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

bool lb_stack_is_short(void) { return workflow_stack_room() < CALL_RESERVE; }

void lb_require_stack(lua_State *L) {
    STACK(L, 0, anything);
    if (workflow_stack_room() < CALLBACK_RESERVE) lb_budget_raise_depth(state_of(L), L);
}
