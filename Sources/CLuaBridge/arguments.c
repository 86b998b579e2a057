// Pushing what the host hands in.

#include "internal.h"
#include "isolation/remote.h"

/* Pushes an argument that cannot fail; false: it can. [-0, +1 or 0, never raises] */
static bool push_simple(lua_State *L, const lb_argument *argument) {
    switch (argument->kind) {
        case LB_ARGUMENT_NIL: lua_pushnil(L); return true;
        case LB_ARGUMENT_NULL: lua_pushlightuserdata(L, NULL); return true;
        case LB_ARGUMENT_BOOLEAN: lua_pushboolean(L, argument->integer != 0); return true;
        case LB_ARGUMENT_INTEGER: lua_pushinteger(L, argument->integer); return true;
        case LB_ARGUMENT_NUMBER: lua_pushnumber(L, argument->number); return true;
        case LB_ARGUMENT_REFERENCE: reference_push(L, argument->reference); return true;
        case LB_ARGUMENT_STRING:
        case LB_ARGUMENT_ENCODED: return false;
    }
    return false;
}

void argument_push_other(lua_State *L, const lb_argument *argument) {
    if (push_simple(L, argument)) return;
    if (argument->kind == LB_ARGUMENT_STRING)
        lua_pushlstring(L, argument->bytes, argument->length);
    else
        decode_push(L, argument->bytes);
}

bool argument_push_easily(lb_state *b, lua_State *L, const lb_argument *argument) {
    if (push_simple(L, argument)) return true;
    return argument->kind == LB_ARGUMENT_ENCODED && decode_push_easily(b, L, argument->bytes);
}

static int push_body(lua_State *L) {
    argument_push(L, lua_touserdata(L, 1));
    return 1;
}

lb_status argument_push_protected(lb_state *b, lua_State *L, const lb_argument *argument) {
    if (push_simple(L, argument)) return LB_OK;
    lb_status status = protect(b, push_body, (void *)argument, 1);
    if (status == LB_OK && L != b->desk) lua_xmove(b->desk, L, 1);
    return status;
}

/* [-0, +0, never raises] */
lb_status lb_make_reference(lb_state *b, const lb_argument *value, int32_t *reference) {
    if (b->remote != NULL) return remote_make_reference(b, value, reference);
    lb_status status = reference_prepare(b);
    if (status == LB_OK) status = argument_push_protected(b, b->desk, value);
    if (status == LB_OK) *reference = reference_take(b, b->desk);
    return status;
}

static int record_body(lua_State *L) {
    lua_createtable(L, 0, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    lua_setmetatable(L, -2);
    return 1;
}

/* [-0, +0, never raises] */
lb_status lb_make_record(lb_state *b, int32_t *reference) {
    if (b->remote != NULL) return remote_make_record(b, reference);
    lb_status status = reference_prepare(b);
    if (status == LB_OK) status = protect(b, record_body, NULL, 1);
    if (status == LB_OK) *reference = reference_take(b, b->desk);
    return status;
}
