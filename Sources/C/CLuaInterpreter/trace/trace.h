// The lines that scripts run, and the variables at these lines.

#ifndef LB_TRACE_H
#define LB_TRACE_H

#include "objects/objects.h"
#include "operations.h"

struct lb_moment {
    lb_state *state;
    lua_State *L;  // NULL: of another process
    const void *thread;  // identifies it
    ptrdiff_t traced;  // the index of the line among the chosen ones; -1: all lines are reported
    bool is_return;
    bool is_caught;  // the error value is on top of L
};

// MARK: levels.c
// The Lua thread with the call at a level. NULL: there are fewer levels.
lua_State *lb_trace_find(const lb_moment *moment, int32_t level, lua_Debug *ar);

// MARK: trace.c; see CLuaBridge.h. Nothing here raises.
lb_status lb_trace_begin(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count);
// Reports the error value on top of L, which a script has caught.
void lb_trace_catch(lb_state *b, lua_State *L);
// Returns the value on top of the main thread, or a plain likeness of it, and pops it.
void lb_trace_take(lb_state *b, lb_variable *variable);

// MARK: variables.c
// Pushes the variable of this name that is visible to the code at a level, on its own thread.
bool lb_trace_push_variable(lua_State *L, lua_Debug *ar, lb_text name);
// Pushes a scalar, such as a key. [memory]
void lb_trace_push_key(lua_State *L, const lb_value *key);

// MARK: places.c; see CLuaBridge.h. Nothing here raises.
void lb_trace_follow_path(lb_state *b, int32_t path, int32_t steps);

// MARK: tests.c
// True if a condition is known not to hold in the call of `ar`. [memory, regardless of its limit]
bool lb_trace_excludes(lb_state *b, lua_State *L, lua_Debug *ar, const lb_condition *condition);

// MARK: copies.c; see CLuaBridge.h. Nothing here raises.
lb_status lb_trace_copy(
    const lb_moment *moment, int32_t level, const lb_text *names, int32_t count,
    int32_t *references);
lb_status lb_trace_call(
    const lb_moment *moment, int32_t function, const lb_argument *arguments, int32_t count,
    uint64_t instructions, lb_variable *result);

// MARK: likeness.c
// Replaces the value on top of the main thread by a plain likeness. False: no memory; it is gone.
bool lb_likeness_make(lb_state *b);

#endif
