// Opening and closing a state.

#include "internal.h"
#include "layout.h"
#include "isolation/remote.h"

#include <stdlib.h>

static int open_body(lua_State *L) {
    lb_state *b = state_of(L);
    lua_gc(L, LUA_GCSTOP);
    measure_tables(b);
    lua_gc(L, LUA_GCRESTART);
    lua_createtable(L, 16, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_LEVELS);
    for (int key = KEPT_HOST_ERROR; key < FIRST_REFERENCE; key++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, key);
    }
    reference_reserve(b, 1);
    shapes_open(b);
    views_open(b);
    drafts_open(b);
    host_open(b);
    metatables_open(b);
    sandbox_open(b);
    return 0;
}

/* [never raises] */
lb_status lb_open(const lb_configuration *configuration, lb_state **state) {
    if (configuration->isolated) return remote_open(configuration, state);
    *state = NULL;
    if (!watch_start()) return LB_ERROR;
    lb_state *b = calloc(1, sizeof(lb_state));
    if (b == NULL) return LB_MEMORY;
    b->configuration = *configuration;
    b->knows_layout = layout_is_known();
    b->reads_directly = b->knows_layout && !configuration->reads_by_functions;
    if (b->configuration.value_depth > MAXIMUM_VALUE_DEPTH)
        b->configuration.value_depth = MAXIMUM_VALUE_DEPTH;
    error_begin(b);
    b->interrupt = interrupt_open();
    b->desk = b->interrupt == NULL ? NULL : lua_newstate(lb_allocate, b);
    if (b->desk == NULL) {
        interrupt_close(b->interrupt);
        pool_close(&b->pool);
        free(b);
        return LB_MEMORY;
    }
    *(void **)lua_getextraspace(b->desk) = b;
    lb_status status = lua_checkstack(b->desk, DESK_ROOM) ? protect(b, open_body, NULL, 0) : LB_MEMORY;
    if (status != LB_OK) {
        lb_close(b);
        return status;
    }
    *state = b;
    return LB_OK;
}

/* [never raises] */
void lb_close(lb_state *b) {
    if (b->remote != NULL) return remote_close(b);
    int32_t function;
    b->closing = true;
    b->host = NULL;
    b->print = NULL;
    b->confirm = NULL;
    lua_close(b->desk);
    while (lb_take_dead_function(b, &function)) {}
    interrupt_close(b->interrupt);
    pool_close(&b->pool);
    shapes_close(b);
    free(b->levels);
    free(b->free_references);
    free(b->encoding.bytes);
    free(b->scratch.bytes);
    free(b->changed.bytes);
    free(b->entries);
    free(b->offsets);
    free(b);
}

void lb_set_callbacks(
    lb_state *b, void *owner, lb_host_callback host, lb_print_callback print,
    lb_confirm_callback confirm) {
    b->owner = owner;
    b->confirm = confirm;
    b->host = host;
    b->print = print;
}

bool lb_reads_directly(const lb_state *b) { return b->reads_directly; }
