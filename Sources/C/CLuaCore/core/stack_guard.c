// The checks of the promises in debug builds.

#include "stack_guard.h"

#ifdef DEBUG

#include <stdio.h>
#include <stdlib.h>

_Thread_local raises lb_may_raise = RAISES_nothing;

stack_guard lb_stack_guard_begin(
    const char *function, lua_State *L, int pushed, int or_pushed, raises raised) {
    if (raised > lb_may_raise) {
        fprintf(stderr, "%s may raise an error, and its caller has promised not to\n", function);
        abort();
    }
    int top = lua_gettop(L);
    stack_guard guard = {function, L, top + pushed, top + or_pushed, lb_may_raise};
    lb_may_raise = raised;
    return guard;
}

void lb_stack_guard_end(const stack_guard *guard) {
    lb_may_raise = guard->outer;
    int top = lua_gettop(guard->L);
    if (top == guard->top || top == guard->other_top) return;
    fprintf(
        stderr, "%s left %d values on the stack in place of %d or %d\n", guard->function, top,
        guard->top, guard->other_top);
    abort();
}

#endif
