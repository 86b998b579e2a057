// Opens and closes a state.

#include "calls/calls.h"

#include <stdlib.h>

enum { MAIN_ROOM = 100 };  // slots of the main thread that are reserved permanently

typedef void (*furnish_function)(lb_state *b);

static int open_body(lua_State *L) {
    lb_state *b = state_of(L);
    const furnish_function *furnish = lua_touserdata(L, 1);
    lua_gc(L, LUA_GCSTOP);
    lb_measure_tables(b);
    lua_gc(L, LUA_GCRESTART);
    lua_createtable(L, 16, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_CALL_THREADS);
    for (int key = KEPT_HOST_ERROR; key < FIRST_REFERENCE; key++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, key);
    }
    lb_reference_reserve(b, 1);
    lb_direct_open(b);
    lb_views_open(b);
    lb_drafts_open(b);
    lb_host_functions_open(b);
    (*furnish)(b);
    return 0;
}

// [never raises]
lb_status lb_interpreter_open(
    const lb_configuration *configuration, void (*furnish)(lb_state *b), lb_state **state) {
    *state = NULL;
    if (!lb_watch_start()) return LB_ERROR;
    lb_state *b = calloc(1, sizeof(lb_state));
    if (b == NULL) return LB_MEMORY;
    b->core.configuration = *configuration;
    if (b->core.configuration.value_depth > MAXIMUM_VALUE_DEPTH)
        b->core.configuration.value_depth = MAXIMUM_VALUE_DEPTH;
    error_begin(b);
    b->limits.interrupt = lb_interrupt_open();
    b->core.main = b->limits.interrupt == NULL ? NULL : lua_newstate(lb_allocator_resize, b);
    if (b->core.main == NULL) {
        lb_interrupt_close(b->limits.interrupt);
        lb_pool_close(&b->limits.pool);
        free(b);
        return LB_MEMORY;
    }
    *marks_of(b->core.main) = (thread_marks){0};
    lb_status status = lua_checkstack(b->core.main, MAIN_ROOM)
        ? lb_protect(b, open_body, &furnish, 0)
        : LB_MEMORY;
    if (status != LB_OK) {
        lb_interpreter_close(b);
        return status;
    }
    *state = b;
    return LB_OK;
}

// [never raises]
void lb_interpreter_close(lb_state *b) {
    int32_t function;
    b->limits.closing = true;
    b->core.host = NULL;
    b->core.print = NULL;
    b->core.confirm = NULL;
    lua_close(b->core.main);
    while (lb_interpreter_take_dead_function(b, &function)) {}
    lb_interrupt_close(b->limits.interrupt);
    lb_pool_close(&b->limits.pool);
    lb_direct_close(b);
    free(b->protection.threads);
    free(b->protection.free_references);
    free(b->protection.reference_tables);
    free(b->values.encoding.bytes);
    free(b->values.scratch.bytes);
    free(b->values.changed.bytes);
    free(b->values.entries);
    free(b->values.offsets);
    free(b);
}

void lb_interpreter_collect_garbage(lb_state *b) {
    STACK(b->core.main, 0, nothing);
    lua_gc(b->core.main, LUA_GCCOLLECT);
}
