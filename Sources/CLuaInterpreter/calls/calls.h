// Opens and closes an interpreter, and calls functions: each level of nesting on its own Lua thread.

#ifndef LB_CALLS_H
#define LB_CALLS_H

#include "objects/objects.h"
#include "operations.h"

// MARK: open.c
// `furnish` puts the values for scripts into the state. [-0, +0, raises]
lb_status interpreter_open(
    const lb_configuration *configuration, void (*furnish)(lb_state *b), lb_state **state);

// MARK: load.c
// The length of a source text's byte order mark; 0: none.
size_t source_mark_length(const void *source, size_t length);

// MARK: call.c; not available in another process
lb_status interpreter_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change);

#endif
