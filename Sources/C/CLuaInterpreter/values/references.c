// The references that the host holds.

#include "operations.h"
#include "values/arguments.h"

lb_status lb_interpreter_make_reference(lb_state *b, const lb_argument *value, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    lb_status status = lb_reference_prepare(b);
    b->values.met_tables = 0;
    if (status == LB_OK) status = lb_argument_push_protected(b, b->core.main, value);
    if (status != LB_OK) return status;
    *reference = lb_reference_take(b, b->core.main);
    *reference_tables(b, *reference) = b->values.met_tables;
    return LB_OK;
}

static int record_body(lua_State *L) {
    lua_createtable(L, 0, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    lua_setmetatable(L, -2);
    return 1;
}

lb_status lb_interpreter_make_record(lb_state *b, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    return lb_reference_make(b, record_body, NULL, reference);
}

void lb_interpreter_release(lb_state *b, int32_t reference) {
    STACK(b->core.main, 0, nothing);
    lb_reference_release(b, reference);
}

lb_status lb_interpreter_retain(lb_state *b, int32_t reference, int32_t *copy) {
    STACK(b->core.main, 0, nothing);
    lb_status status = lb_reference_prepare(b);
    if (status != LB_OK) return status;
    reference_push(b->core.main, reference);
    *copy = lb_reference_take(b, b->core.main);
    return LB_OK;
}

lb_type lb_interpreter_reference_type(lb_state *b, int32_t reference) {
    STACK(b->core.main, 0, nothing);
    reference_push(b->core.main, reference);
    lb_type type = lb_type_at(b, b->core.main, -1);
    lua_pop(b->core.main, 1);
    return type;
}

const void *lb_interpreter_reference_identity(lb_state *b, int32_t reference) {
    STACK(b->core.main, 0, nothing);
    reference_push(b->core.main, reference);
    const void *identity = lua_topointer(b->core.main, -1);
    lua_pop(b->core.main, 1);
    return identity;
}
