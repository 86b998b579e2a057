// Calls functions, each level of nesting on its own Lua thread.

#include "calls/calls.h"
#include "values/arguments.h"

typedef struct {
    int32_t function;
    const lb_argument *arguments;
    int32_t count, wanted;  // results
} call_request;

enum { EASY_ARGUMENTS = 12 };  // an idle Lua thread has room for 20 values

// Pushes the function and its arguments, which may fail.
static int push_body(lua_State *L) {
    const call_request *r = lua_touserdata(L, 1);
    STACK(L, 1 + r->count, memory);
    if (r->count > EASY_ARGUMENTS) luaL_checkstack(L, r->count + 4, NULL);
    reference_push(L, r->function);
    for (int32_t i = 0; i < r->count; i++) argument_push(L, &r->arguments[i]);
    return r->count + 1;
}

// Pushes the function and its arguments if that cannot fail.
static bool push_easily(lb_state *b, lua_State *L, const call_request *r) {
    STACK_EITHER(L, 0, 1 + r->count, nothing);
    if (r->count > EASY_ARGUMENTS) return false;
    int top = lua_gettop(L);
    reference_push(L, r->function);
    for (int32_t i = 0; i < r->count; i++) {
        if (lb_argument_push_easily(b, L, &r->arguments[i])) continue;
        lua_settop(L, top);
        return false;
    }
    return true;
}

// The message handler is below.
static int protected_call(lb_state *b, lua_State *L, const call_request *r) {
    STACK_EITHER(L, r->wanted, 1, nothing);
    if (!push_easily(b, L, r)) {
        lua_pushcfunction(L, push_body);
        lua_pushlightuserdata(L, (void *)r);
        // Lua sees to room on the stack only for as many results as there are.
        int code = lua_pcall(L, 1, LUA_MULTRET, 1);
        if (code != LUA_OK) return code;
    }
    // The same call in both cases, because scripts can see its depth.
    return lua_pcall(L, r->count, r->wanted, 1);
}

static lb_status take_result(lb_state *b, lua_State *L, int32_t wants, lb_value *result) {
    STACK(b->core.main, 0, nothing);
    wants &= LB_WANT_VALUE | LB_WANT_REFERENCE;
    if (wants == 0) return LB_OK;
    if (wants == LB_WANT_VALUE && lua_type(L, -1) == LUA_TNIL) return LB_OK;
    lb_status status = LB_OK;
    if (wants & LB_WANT_VALUE) {
        if (wants & LB_WANT_REFERENCE) lua_pushvalue(L, -1);
        lua_xmove(L, b->core.main, 1);
        status = lb_encode_top(b, result);
        lua_pop(b->core.main, 1);
    } else {
        result->type = lb_type_at(b, L, -1);
    }
    if (status == LB_OK && (wants & LB_WANT_REFERENCE)) {
        status = lb_reference_prepare(b);
        if (status == LB_OK) result->reference = lb_reference_take(b, L);
    }
    return status;
}

// A collection in a hook treats all slots of the current frame as live, including values that
// earlier calls left there. When memory is scarce, that would keep garbage alive.
static void wipe(lb_state *b, lua_State *L) {
    STACK(L, -lua_gettop(L), nothing);
    enum { WIPED = 1000 };
    lua_settop(L, 0);
    if (b->limits.memory_in_use <= b->core.configuration.memory_limit / 2) return;
    if (lua_checkstack(L, WIPED)) lua_settop(L, WIPED);
    lua_settop(L, 0);
}

// The text of an error value, if it is a table with `__tostring`.
static int text_body(lua_State *L) {
    if (!lua_getmetatable(L, 1)) return 0;
    if (lua_rawgeti(L, -1, METATABLE_OF_SCRIPT) != LUA_TTABLE) return 0;
    lua_pushliteral(L, "__tostring");
    if (lua_rawget(L, -2) == LUA_TNIL) return 0;
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return lua_type(L, -1) == LUA_TSTRING ? 1 : 0;
}

// Has an error say what its value says of itself, within the limits of the call. The error is
// described already, so that one that cannot is still told. The error value is on top.
static void ask_for_text(lb_state *b, lua_State *L) {
    STACK(L, 0, nothing);
    if (lua_type(L, -1) != LUA_TTABLE || b->core.error_is_captured || !lua_checkstack(L, 3)) return;
    lua_pushcfunction(L, text_body);
    lua_pushvalue(L, -2);
    b->core.error_is_captured = true;  // calls within do not replace the description
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(L, -1, &length);
        lb_error_set_message(b, text, length);
    }
    lua_pop(L, 1);
    if (!b->limits.stop) b->core.error_is_captured = false;
}

static lb_status run(
    lb_state *b, lua_State *L, const call_request *r, int32_t wants, lb_value *result) {
    STACK(b->core.main, 0, nothing);
    lua_pushcfunction(L, lb_error_handler);
    int code = protected_call(b, L, r);
    if (b->limits.stop) return lb_budget_status(b);
    if (code == LUA_OK) return take_result(b, L, wants, result);
    if (code == LUA_ERRMEM) return LB_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_HOST_ERROR);
    bool from_host = !lua_isnil(L, -1) && lua_rawequal(L, -1, -2);
    if (from_host) return LB_HOST;
    lua_pop(L, 1);
    ask_for_text(b, L);
    return b->limits.stop ? lb_budget_status(b) : LB_ERROR;
}

typedef lb_status (*after_call)(lb_state *b, void *context);

// Encodes another value and keeps the encoding of the result.
static lb_status encode_beside(lb_state *b, lb_value *result, after_call encode, void *context) {
    buffer kept = b->values.encoding;
    b->values.encoding = b->values.changed;
    lb_status status = encode(b, context);
    b->values.changed = b->values.encoding;
    b->values.encoding = kept;
    if (status == LB_OK) return LB_OK;
    lb_reference_release(b, result->reference);
    result->reference = 0;
    return status;
}

// Calls a function and then, if it succeeded, encodes what it changed, within the same limits.
static lb_status call_and_then(
    lb_state *b, const call_request *r, int32_t wants, lb_value *result, after_call after,
    void *context) {
    *result = (lb_value){.type = LB_TYPE_NIL};
    error_begin(b);
    if (b->limits.stop) return lb_budget_status(b);
    if (b->protection.depth > 0
        && (b->protection.depth >= b->core.configuration.depth_limit || lb_stack_is_short())) {
        // The depth differs between machines, so no script may catch it.
        lb_budget_stop(b, STOP_DEPTH);
        if (b->limits.running != NULL) lb_budget_capture(b, b->limits.running, true);
        return LB_DEPTH;
    }
    lb_status status = LB_OK;
    lua_State *L = call_thread(b, &status);
    if (L == NULL) return status;

    lua_State *caller = b->limits.running;
    // How often a reading call runs depends on what was looked at, undone and restored.
    static const uint64_t same_numbers[4] = {  // as of the seed 0
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC};
    uint64_t random[4];
    bool only_reads = (wants & LB_CALL_READS) != 0;
    memcpy(random, b->sandbox.random, sizeof random);
    if (only_reads) memcpy(b->sandbox.random, same_numbers, sizeof random);
    if (b->protection.depth++ == 0) lb_outermost_begin(b);
    b->limits.running = L;
    lb_budget_enter(b, L);
    status = run(b, L, r, wants, result);
    wipe(b, L);
    if (status == LB_OK && after != NULL) status = encode_beside(b, result, after, context);
    if (only_reads) memcpy(b->sandbox.random, random, sizeof random);
    b->limits.running = caller;
    if (--b->protection.depth == 0)
        lb_outermost_end(b);
    else if (b->limits.stop)
        lb_budget_arm(b, caller);
    return status;
}

lb_status lb_interpreter_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result) {
    STACK(b->core.main, 0, nothing);
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    return call_and_then(b, &request, wants, result, NULL, NULL);
}

// MARK: Calls that change a table

typedef struct {
    int32_t table;
    const void *old;
    size_t old_length;
    lb_value *changed;
} change_request;

static lb_status encode_change(lb_state *b, void *context) {
    STACK(b->core.main, 0, nothing);
    const change_request *r = context;
    reference_push(b->core.main, r->table);
    lb_status status = lb_encode_top(b, r->changed);
    lua_pop(b->core.main, 1);
    if (status != LB_OK) return status == LB_CONVERSION ? LB_CHANGED_CONVERSION : status;
    if (met_strangers(b, r->table)) r->changed->has_strangers = true;
    bool same = r->old != NULL && r->changed->length == r->old_length
        && memcmp(r->changed->bytes, r->old, r->old_length) == 0;
    if (same) r->changed->type = LB_TYPE_NIL;
    return LB_OK;
}

lb_status lb_interpreter_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed) {
    STACK(b->core.main, 0, nothing);
    *changed = (lb_value){.type = LB_TYPE_NIL};
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    change_request change = {arguments[0].reference, old, old_length, changed};
    return call_and_then(b, &request, wants, result, encode_change, &change);
}

// MARK: Calls with drafts

typedef struct {
    const lb_drafts *drafts;
    drafted_state *state;
    lb_drafts_change *change;
} drafting_request;

static lb_status commit(lb_state *b, void *context) {
    const drafting_request *r = context;
    return lb_drafts_commit(b, r->drafts, r->state, r->change);
}

lb_status lb_interpreter_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change) {
    STACK(b->core.main, 0, nothing);
    *change = (lb_drafts_change){.kind = LB_DRAFTS_UNCHANGED};
    drafted_state *state = lb_drafts_begin(b, drafts, writes);
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    drafting_request after = {drafts, state, change};
    lb_status status = call_and_then(b, &request, wants, result, commit, &after);
    lb_drafts_end(b, drafts, state, status, change);
    return status;
}
