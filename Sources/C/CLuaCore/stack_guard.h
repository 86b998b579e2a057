// The promises of functions about Lua's stack and errors. Only debug builds contain and check them.
//
// Each function that moves values on a Lua stack makes one, unless it has nothing to promise. It
// returns the number of its results, so that Lua cuts the stack; or adds to its caller's
// luaL_Buffer, which may take a slot; or may leave more values after a failure, as said at its
// head; or makes a state of its own; or never returns. Scripts/layers refuses others without one.

#ifndef LB_STACK_GUARD_H
#define LB_STACK_GUARD_H

#include <lua.h>

// The errors that may leave a function by longjmp: none, those for want of memory, or any.
typedef enum { RAISES_nothing, RAISES_memory, RAISES_anything } raises;

#ifdef DEBUG

// Stands at the beginning of a function that changes the height of L's stack by `pushed`.
#define STACK(L, pushed, raised) STACK_EITHER(L, pushed, pushed, raised)
// Stands in a function that changes it in one of two ways.
#define STACK_EITHER(L, pushed, or_pushed, raised)                                                 \
    __attribute__((cleanup(lb_stack_guard_end))) stack_guard guard_of_stack =                      \
        lb_stack_guard_begin(__func__, L, pushed, or_pushed, RAISES_##raised)

// In a protected call anything may raise. After it the caller's promise holds again, errors or not.
#define PROTECTED(call)                                                                            \
    ({                                                                                             \
        raises outer = lb_may_raise;                                                               \
        lb_may_raise = RAISES_anything;                                                            \
        int code_of_call = call;                                                                   \
        lb_may_raise = outer;                                                                      \
        code_of_call;                                                                              \
    })
#define lua_pcallk(...) PROTECTED(lua_pcallk(__VA_ARGS__))
#define lua_resume(...) PROTECTED(lua_resume(__VA_ARGS__))
#define lua_load(...) PROTECTED(lua_load(__VA_ARGS__))
#define lua_resetthread(...) PROTECTED(lua_resetthread(__VA_ARGS__))
// Stands where Lua itself calls a function right after an error.
#define CONTINUED() (lb_may_raise = RAISES_anything)

typedef struct {
    const char *function;
    lua_State *L;
    int top, other_top;
    raises outer;
} stack_guard;

// The promise of this thread's innermost function. Swift calls only functions that raise nothing.
extern _Thread_local raises lb_may_raise;
stack_guard lb_stack_guard_begin(
    const char *function, lua_State *L, int pushed, int or_pushed, raises raised);
void lb_stack_guard_end(const stack_guard *guard);

#else

#define STACK(L, pushed, raised) ((void)0)
#define STACK_EITHER(L, pushed, or_pushed, raised) ((void)0)
#define CONTINUED() ((void)0)

#endif
#endif
