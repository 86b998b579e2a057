// Opens and closes an interpreter, and calls functions, each level of nesting on a Lua thread.

#ifndef LB_CALLS_H
#define LB_CALLS_H

#include "objects/objects.h"
#include "operations.h"

// MARK: open.c
// `furnish` puts the values for scripts into the state. [raises]
lb_status lb_interpreter_open(
    const lb_configuration *configuration, void (*furnish)(lb_state *b), lb_state **state);

// MARK: load.c
// The length of a source text's byte order mark; 0: none.
size_t lb_source_mark_length(const void *source, size_t length);
// A chunk of a library has a name that begins with '@', one of a flow a name that begins with '='.
static inline bool is_library_chunk(const char *chunk) { return chunk[0] == '@'; }
// The most bytes of a source text. One of a library beyond the limit of others is scanned first.
enum { LIBRARY_SOURCE = 1 << 20 };
static inline size_t source_limit(const lb_state *b, const char *chunk) {
    size_t limit = b->core.configuration.source_limit;
    return is_library_chunk(chunk) && limit < LIBRARY_SOURCE ? LIBRARY_SOURCE : limit;
}

// MARK: scan.c
// The reason, as a clause, why the compiler could take long; NULL: none. [never raises]
const char *lb_source_obstacle(const char *source, size_t length, int32_t *line);

// MARK: package.c
// Makes the environment of library files at their first use, and pushes it. [raises]
void lb_package_push_environment(lua_State *L);
// Pushes a field of the package in force; nil if there is none.
void lb_package_push(lua_State *L, const char *name);

// MARK: call.c; not available in another process
lb_status lb_interpreter_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change);

#endif
