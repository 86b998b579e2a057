// Pushes the host's arguments.

#include "values/arguments.h"

// Pushes an argument if that cannot fail; false: it may fail.
static bool push_simple(lua_State *L, const lb_argument *argument) {
    STACK_EITHER(L, +1, 0, nothing);
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

void lb_argument_push_other(lua_State *L, const lb_argument *argument) {
    STACK(L, +1, memory);
    if (push_simple(L, argument)) return;
    if (argument->kind == LB_ARGUMENT_STRING)
        lua_pushlstring(L, argument->bytes, argument->length);
    else
        lb_decode_push(L, argument->bytes);
}

bool lb_argument_push_easily(lb_state *b, lua_State *L, const lb_argument *argument) {
    STACK_EITHER(L, +1, 0, nothing);
    if (push_simple(L, argument)) return true;
    return argument->kind == LB_ARGUMENT_ENCODED && lb_decode_push_easily(b, L, argument->bytes);
}

static int push_body(lua_State *L) {
    argument_push(L, lua_touserdata(L, 1));
    return 1;
}

lb_status lb_argument_push_protected(lb_state *b, lua_State *L, const lb_argument *argument) {
    STACK_EITHER(L, +1, 0, nothing);
    if (push_simple(L, argument)) return LB_OK;
    lb_status status = lb_protect(b, push_body, (void *)argument, 1);
    if (status == LB_OK && L != b->core.main) lua_xmove(b->core.main, L, 1);
    return status;
}
