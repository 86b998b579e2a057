// Host functions: Lua calls host_trampoline, it calls Swift, Swift returns, and only then may an error
// be raised, so that no Swift frame is on the stack when Lua jumps.

#include "internal.h"
#include "isolation/remote.h"

#include <stdlib.h>

typedef struct {
    dead_function *node;  // made with the function, so that its end needs no memory
    bool remembers;
} host_box;

int host_trampoline(lua_State *L) {
    lb_state *b = state_of(L);
    const host_box *box = lua_touserdata(L, lua_upvalueindex(1));
    lb_call call = {b, L, lua_gettop(L), 0, -1};
    if (b->stop) return budget_raise(b, L);
    if (b->host == NULL) return luaL_error(L, "the host is gone");
    if (box->remembers) {
        memory *m = object_memory(L, 1);
        if (m != NULL && remembered_reply(L, m, &call.place)) return 1;
    }
    require_stack(L);
    bool fine = b->host(b->owner, box->node->function, &call);
    if (b->stop) return budget_raise(b, L);
    if (fine) return call.results;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_HOST_ERROR);
    return lua_error(L);
}

// MARK: Making and ending

static int box_gc(lua_State *L) {
    host_box *box = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    if (box->node == NULL) return 0;
    box->node->next = b->dead;
    b->dead = box->node;
    box->node = NULL;
    return 0;
}

void host_open(lb_state *b) {
    lua_State *L = b->desk;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, box_gc);
    lua_setfield(L, -2, "__gc");
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_HOST_BOX);
}

typedef struct {
    int32_t function;
    bool remembers;
} function_request;

static int make_body(lua_State *L) {
    const function_request *r = lua_touserdata(L, 1);
    host_box *box = lua_newuserdatauv(L, sizeof(host_box), 0);
    *box = (host_box){NULL, r->remembers};
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_HOST_BOX);
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, host_trampoline, 1);
    // Last, so that a failure before leaves no function number with two owners.
    box->node = malloc(sizeof(dead_function));
    if (box->node == NULL) return luaL_error(L, "not enough memory");
    *box->node = (dead_function){NULL, r->function};
    return 1;
}

/* [-0, +0, never raises] */
lb_status lb_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference) {
    if (b->remote != NULL) return remote_make_function(b, function, remembers, reference);
    function_request request = {function, remembers};
    lb_status status = reference_prepare(b);
    if (status == LB_OK) status = protect(b, make_body, &request, 1);
    if (status == LB_OK) *reference = reference_take(b, b->desk);
    return status;
}

bool lb_has_dead_functions(const lb_state *b) {
    return b->dead != NULL || (b->remote != NULL && b->remote->dead_count > 0);
}

bool lb_take_dead_function(lb_state *b, int32_t *function) {
    if (b->remote != NULL) return remote_take_dead_function(b, function);
    dead_function *node = b->dead;
    if (node == NULL) return false;
    b->dead = node->next;
    *function = node->function;
    free(node);
    return true;
}

// MARK: What a host function sees; nothing here raises

int32_t lb_call_count(const lb_call *call) { return call->count; }

static bool in_range(const lb_call *call, int32_t index) {
    return index >= 1 && index <= call->count;
}

lb_type lb_call_type(const lb_call *call, int32_t index) {
    if (call->state->remote != NULL) return remote_call_type(call, index);
    return in_range(call, index) ? type_at(call->state, call->L, index) : LB_TYPE_NIL;
}

const void *lb_call_identity(const lb_call *call, int32_t index) {
    if (call->state->remote != NULL) return remote_call_identity(call, index);
    return in_range(call, index) ? lua_topointer(call->L, index) : NULL;
}

void lb_call_scalar(const lb_call *call, int32_t index, lb_value *value) {
    if (call->state->remote != NULL) return remote_call_scalar(call, index, value);
    if (in_range(call, index))
        scalar_at(call->state, call->L, index, value);
    else
        *value = (lb_value){.type = LB_TYPE_NIL};
}

// Copies an argument to the desk, where there is room and nothing else is going on.
static void push_on_desk(const lb_call *call, int32_t index) {
    lua_State *desk = call->state->desk;
    if (!in_range(call, index)) {
        lua_pushnil(desk);
        return;
    }
    lua_pushvalue(call->L, index);
    lua_xmove(call->L, desk, 1);
}

lb_status lb_call_reference(const lb_call *call, int32_t index, int32_t *reference) {
    if (call->state->remote != NULL) return remote_call_reference(call, index, reference);
    lb_status status = reference_prepare(call->state);
    if (status != LB_OK) return status;
    push_on_desk(call, index);
    *reference = reference_take(call->state, call->state->desk);
    return LB_OK;
}

lb_status lb_call_encode(const lb_call *call, int32_t index, lb_value *value) {
    if (call->state->remote != NULL) return remote_call_encode(call, index, value);
    push_on_desk(call, index);
    lb_status status = encode_top(call->state, value);
    lua_pop(call->state->desk, 1);
    return status;
}

bool lb_call_object(const lb_call *call, int32_t index, int64_t *tag) {
    if (call->state->remote != NULL) return remote_call_object(call, index, tag);
    return in_range(call, index) && is_object(call->L, index, tag);
}

bool lb_call_location(const lb_call *call, lb_location *location) {
    if (call->state->remote != NULL) return remote_call_location(call, location);
    return error_place(call->L, 1, location);
}

lb_status lb_call_field(
    const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value) {
    if (call->state->remote != NULL) return remote_call_field(call, index, name, length, value);
    push_on_desk(call, index);
    return field_of_top(call->state, name, length, value);
}

lb_status lb_call_fields_begin(const lb_call *call, int32_t index) {
    if (call->state->remote != NULL) return remote_call_fields_begin(call, index);
    push_on_desk(call, index);
    return fields_begin_top(call->state);
}

lb_status lb_reply(lb_call *call, const lb_argument *value) {
    if (call->state->remote != NULL) return remote_reply(call, value);
    lb_status status = argument_push_protected(call->state, call->L, value);
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

void lb_reply_error(lb_call *call, const void *message, size_t length) {
    if (call->state->remote != NULL) return remote_reply_error(call, message, length);
    lb_state *b = call->state;
    reply_request request = {message, length};
    if (protect(b, error_body, &request, 0) != LB_OK && !b->stop) budget_stop(b, STOP_MEMORY);
}
