// Loading source text, and calling functions, each level of nesting on its own Lua thread.

#include "internal.h"
#include "isolation/remote.h"

#include <string.h>

enum { EASY_ARGUMENTS = 12 };  // a Lua thread at rest has room for 20 values

/* [-0, +0, never raises] */
lb_status lb_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference) {
    if (b->remote != NULL) return remote_load(b, source, length, chunk, reference);
    error_begin(b);
    // The compiler runs no hook and takes quadratic time on some texts: only their length bounds it.
    if (length > b->configuration.source_limit) return LB_SOURCE;
    lb_status status = reference_prepare(b);
    if (status != LB_OK) return status;
    lua_State *L = b->desk;
    const char *text = source_code(source, &length);
    int code = luaL_loadbufferx(L, text, length, chunk, "t");
    if (code == LUA_ERRSYNTAX) {
        error_set_syntax(b, L, chunk + 1);
        lua_pop(L, 1);
        status = LB_SYNTAX;
    } else {
        status = protect_status(b, L, code);
    }
    if (status == LB_OK)
        *reference = reference_take(b, L);
    else if (code == LUA_OK)
        lua_pop(L, 1);
    protect_settle(b);
    return status;
}

/* Pushes function and arguments, the making of which may fail. [-1, +1 + count, raises] */
static int push_body(lua_State *L) {
    const call_request *r = lua_touserdata(L, 1);
    if (r->count > EASY_ARGUMENTS) luaL_checkstack(L, r->count + 4, NULL);
    reference_push(L, r->function);
    for (int32_t i = 0; i < r->count; i++) argument_push(L, &r->arguments[i]);
    return r->count + 1;
}

/* Pushes function and arguments where that is sure to succeed. [-0, +1 + count or 0, never raises] */
static bool push_easily(lb_state *b, lua_State *L, const call_request *r) {
    if (r->count > EASY_ARGUMENTS) return false;
    int top = lua_gettop(L);
    reference_push(L, r->function);
    for (int32_t i = 0; i < r->count; i++) {
        if (argument_push_easily(b, L, &r->arguments[i])) continue;
        lua_settop(L, top);
        return false;
    }
    return true;
}

/* The message handler lies below. [-0, +wanted or 1 error, never raises] */
static int protected_call(lb_state *b, lua_State *L, const call_request *r) {
    if (!push_easily(b, L, r)) {
        lua_pushcfunction(L, push_body);
        lua_pushlightuserdata(L, (void *)r);
        int code = lua_pcall(L, 1, r->count + 1, 1);
        if (code != LUA_OK) return code;
    }
    // The same call in both cases, since scripts can see how deep it is.
    return lua_pcall(L, r->count, r->wanted, 1);
}

static lb_status take_result(lb_state *b, lua_State *L, int32_t wants, lb_value *result) {
    if (wants == 0) return LB_OK;
    if (wants == LB_WANT_VALUE && lua_type(L, -1) == LUA_TNIL) return LB_OK;
    lb_status status = LB_OK;
    if (wants & LB_WANT_VALUE) {
        if (wants & LB_WANT_REFERENCE) lua_pushvalue(L, -1);
        lua_xmove(L, b->desk, 1);
        status = encode_top(b, result);
        lua_pop(b->desk, 1);
    } else {
        result->type = type_at(b, L, -1);
    }
    if (status == LB_OK && (wants & LB_WANT_REFERENCE)) {
        status = reference_prepare(b);
        if (status == LB_OK) result->reference = reference_take(b, L);
    }
    return status;
}

// A collection in a hook takes all slots of the current frame for live, also those that hold what
// earlier calls left there. When memory gets scarce, that would keep garbage alive.
static void wipe(lb_state *b, lua_State *L) {
    enum { WIPED = 1000 };
    lua_settop(L, 0);
    if (b->memory_in_use <= b->configuration.memory_limit / 2) return;
    if (lua_checkstack(L, WIPED)) lua_settop(L, WIPED);
    lua_settop(L, 0);
}

static lb_status run(
    lb_state *b, lua_State *L, const call_request *r, int32_t wants, lb_value *result) {
    lua_pushcfunction(L, error_handler);
    int code = protected_call(b, L, r);
    if (b->stop) return stop_status(b);
    if (code == LUA_OK) return take_result(b, L, wants, result);
    if (code == LUA_ERRMEM) return LB_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_HOST_ERROR);
    bool from_host = !lua_isnil(L, -1) && lua_rawequal(L, -1, -2);
    return from_host ? LB_HOST : LB_ERROR;
}

lb_status call_and_then(
    lb_state *b, const call_request *r, int32_t wants, lb_value *result, after_call after,
    void *context) {
    *result = (lb_value){.type = LB_TYPE_NIL};
    error_begin(b);
    if (b->stop) return stop_status(b);
    if (b->depth > 0 && (b->depth >= b->configuration.depth_limit || stack_is_short())) {
        // How deep is deep differs between machines, so it ends the outermost call: no script can see it.
        budget_stop(b, STOP_DEPTH);
        if (b->running != NULL) budget_capture(b, b->running, true);
        return LB_DEPTH;
    }
    lb_status status = LB_OK;
    lua_State *L = next_level(b, &status);
    if (L == NULL) return status;

    lua_State *caller = b->running;
    if (b->depth++ == 0) budget_begin(b);
    b->running = L;
    budget_enter(b, L);
    status = run(b, L, r, wants, result);
    wipe(b, L);
    if (status == LB_OK && after != NULL) status = after(b, context);
    b->running = caller;
    if (--b->depth == 0)
        budget_end(b);
    else if (b->stop)
        budget_arm(b, caller);
    return status;
}

/* [-0, +0, never raises] */
lb_status lb_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result) {
    if (b->remote != NULL) return remote_call_function(b, function, arguments, count, wants, result);
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    return call_and_then(b, &request, wants, result, NULL, NULL);
}

typedef struct {
    int32_t table;
    const void *old;
    size_t old_length;
    lb_value *result, *changed;
} change_request;

static lb_status take_change(lb_state *b, void *context) {
    const change_request *r = context;
    // What the result was encoded to stays where it is.
    buffer kept = b->encoding;
    b->encoding = b->changed;
    reference_push(b->desk, r->table);
    lb_status status = encode_top(b, r->changed);
    lua_pop(b->desk, 1);
    b->changed = b->encoding;
    b->encoding = kept;
    if (status != LB_OK) {
        lb_release(b, r->result->reference);
        r->result->reference = 0;
        return status == LB_CONVERSION ? LB_CHANGED_CONVERSION : status;
    }
    bool same = r->old != NULL && r->changed->length == r->old_length
        && memcmp(r->changed->bytes, r->old, r->old_length) == 0;
    if (same) r->changed->type = LB_TYPE_NIL;
    return LB_OK;
}

/* [-0, +0, never raises] */
lb_status lb_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed) {
    if (b->remote != NULL) {
        return remote_call_changing(
            b, function, arguments, count, wants, old, old_length, result, changed);
    }
    *changed = (lb_value){.type = LB_TYPE_NIL};
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    change_request change = {arguments[0].reference, old, old_length, result, changed};
    return call_and_then(b, &request, wants, result, take_change, &change);
}

int32_t lb_depth(const lb_state *b) { return b->depth; }
