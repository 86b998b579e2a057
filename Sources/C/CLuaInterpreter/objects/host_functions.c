// Host functions: Lua calls host_trampoline, which calls Swift. Errors are raised only after Swift
// has returned, so that Lua's longjmp never crosses a Swift frame.

#include "objects/objects.h"
#include "operations.h"
#include "values/arguments.h"

#include <stdlib.h>

typedef struct {
    dead_function *node;  // made with the function, so that its end needs no memory
    bool remembers;
} function_box;

static int host_trampoline(lua_State *L) {
    lb_state *b = state_of(L);
    const function_box *box = lua_touserdata(L, lua_upvalueindex(1));
    lb_call call = {b, L, lua_gettop(L), 0, -1};
    if (b->limits.stop) return lb_budget_raise(b, L);
    if (b->core.host == NULL) return luaL_error(L, "the host is gone");
    if (box->remembers) {
        memo *m = lb_object_memo(L, 1);
        if (m != NULL && lb_memo_reply(L, m, &call.place)) return 1;
    }
    lb_require_stack(L);
    bool fine = b->core.host(b->core.owner, box->node->function, &call);
    if (b->limits.stop) return lb_budget_raise(b, L);
    if (fine) return call.results;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_HOST_ERROR);
    return lua_error(L);
}

// MARK: Creating and releasing

static int box_gc(lua_State *L) {
    function_box *box = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    if (box->node == NULL) return 0;
    box->node->next = b->objects.dead;
    b->objects.dead = box->node;
    box->node = NULL;
    return 0;
}

void lb_host_functions_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, box_gc);
    lua_setfield(L, -2, "__gc");
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_FUNCTION_NUMBER);
}

typedef struct {
    int32_t function;
    bool remembers;
} function_request;

static int make_body(lua_State *L) {
    const function_request *r = lua_touserdata(L, 1);
    function_box *box = lua_newuserdatauv(L, sizeof(function_box), 0);
    *box = (function_box){NULL, r->remembers};
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_FUNCTION_NUMBER);
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, host_trampoline, 1);
    // Last, so that after an earlier failure no function number has two owners.
    box->node = malloc(sizeof(dead_function));
    if (box->node == NULL) return luaL_error(L, "not enough memory");
    *box->node = (dead_function){NULL, r->function};
    return 1;
}

lb_status lb_interpreter_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    function_request request = {function, remembers};
    return lb_reference_make(b, make_body, &request, reference);
}

bool lb_interpreter_take_dead_function(lb_state *b, int32_t *function) {
    dead_function *node = b->objects.dead;
    if (node == NULL) return false;
    b->objects.dead = node->next;
    *function = node->function;
    free(node);
    return true;
}

// MARK: The view of a host function; nothing here raises

static bool in_range(const lb_call *call, int32_t index) {
    return index >= 1 && index <= call->count;
}

lb_type lb_interpreter_call_type(const lb_call *call, int32_t index) {
    return in_range(call, index) ? lb_type_at(call->state, call->L, index) : LB_TYPE_NIL;
}

const void *lb_interpreter_call_identity(const lb_call *call, int32_t index) {
    return in_range(call, index) ? lua_topointer(call->L, index) : NULL;
}

void lb_interpreter_call_scalar(const lb_call *call, int32_t index, lb_value *value) {
    if (in_range(call, index))
        lb_scalar_at(call->state, call->L, index, value);
    else
        *value = (lb_value){.type = LB_TYPE_NIL};
}

// Copies an argument to the main thread, which has room.
static void push_on_main(const lb_call *call, int32_t index) {
    STACK(call->state->core.main, +1, nothing);
    lua_State *main = call->state->core.main;
    if (!in_range(call, index)) {
        lua_pushnil(main);
        return;
    }
    lua_pushvalue(call->L, index);
    lua_xmove(call->L, main, 1);
}

lb_status lb_interpreter_call_reference(const lb_call *call, int32_t index, int32_t *reference) {
    lb_status status = lb_reference_prepare(call->state);
    if (status != LB_OK) return status;
    push_on_main(call, index);
    *reference = lb_reference_take(call->state, call->state->core.main);
    return LB_OK;
}

lb_status lb_interpreter_call_encode(const lb_call *call, int32_t index, lb_value *value) {
    STACK(call->state->core.main, 0, nothing);
    push_on_main(call, index);
    lb_status status = lb_encode_top(call->state, value);
    lua_pop(call->state->core.main, 1);
    return status;
}

bool lb_interpreter_call_object(const lb_call *call, int32_t index, int64_t *tag) {
    const object *o = in_range(call, index) ? lb_object_at(call->L, index) : NULL;
    if (o != NULL) *tag = o->tag;
    return o != NULL;
}

bool lb_interpreter_call_location(const lb_call *call, lb_location *location) {
    return lb_error_place(call->L, 1, location);
}

lb_status lb_interpreter_call_field(
    const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value) {
    push_on_main(call, index);
    return lb_field_of_top(call->state, name, length, value);
}

lb_status lb_interpreter_call_fields_begin(const lb_call *call, int32_t index) {
    push_on_main(call, index);
    return lb_fields_begin_top(call->state);
}

lb_status lb_interpreter_reply(lb_call *call, const lb_argument *value) {
    lb_status status = lb_argument_push_protected(call->state, call->L, value);
    if (status == LB_OK) call->results++;
    return status;
}

typedef struct {
    const void *message;
    size_t length;
} reply_request;

static int error_body(lua_State *L) {
    const reply_request *r = lua_touserdata(L, 1);
    lua_pushlstring(L, r->message, r->length);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_HOST_ERROR);
    return 0;
}

void lb_interpreter_reply_error(lb_call *call, const void *message, size_t length) {
    lb_state *b = call->state;
    reply_request request = {message, length};
    if (lb_protect(b, error_body, &request, 0) != LB_OK && !b->limits.stop)
        lb_budget_stop(b, STOP_MEMORY);
}
