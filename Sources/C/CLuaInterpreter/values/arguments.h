// Pushes the host's arguments.

#ifndef LB_ARGUMENTS_H
#define LB_ARGUMENTS_H

#include "values/values.h"

// Pushes an argument. [memory]
void lb_argument_push_other(lua_State *L, const lb_argument *argument);
static inline void argument_push(lua_State *L, const lb_argument *argument) {
    if (argument->kind == LB_ARGUMENT_REFERENCE)
        reference_push(L, argument->reference);
    else
        lb_argument_push_other(L, argument);
}
// Pushes an argument if that cannot fail; false: it may fail.
bool lb_argument_push_easily(lb_state *b, lua_State *L, const lb_argument *argument);
lb_status lb_argument_push_protected(lb_state *b, lua_State *L, const lb_argument *argument);

#endif
