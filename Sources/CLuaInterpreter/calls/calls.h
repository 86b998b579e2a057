// Opening and closing an interpreter, and calling functions: each level of nesting on its own Lua
// thread.

#ifndef LB_CALLS_H
#define LB_CALLS_H

#include "objects/objects.h"
#include "operations.h"

// MARK: open.c
// `furnish` puts what scripts get into the state. [it: -0, +0, raises]
lb_status interpreter_open(
    const lb_configuration *configuration, void (*furnish)(lb_state *b), lb_state **state);

// MARK: load.c
// The length of the byte order mark that a source text begins with; 0: there is none.
size_t source_mark_length(const void *source, size_t length);

// MARK: call.c; this has no counterpart in another process
lb_status interpreter_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change);

#endif
