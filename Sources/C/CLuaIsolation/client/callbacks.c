// Calls of host functions from another process. The arguments come with the call; everything else
// is requested.

#include "client/client.h"

#if defined(__linux__)

#include <stdlib.h>

static remote_call *remote_call_of(const lb_call *call) { return (remote_call *)(void *)call; }

static remote_level *level_of(const lb_call *call) {
    char *c = (char *)(void *)call;
    return (remote_level *)(void *)(c - offsetof(remote_level, call));
}

static const remote_argument *argument_at(const lb_call *call, int32_t index) {
    const remote_call *c = remote_call_of(call);
    return index >= 1 && index <= c->carried ? &c->arguments[index - 1] : NULL;
}

// MARK: Running

static bool reserve_arguments(remote_call *c, int32_t count) {
    if (count <= c->capacity) return true;
    remote_argument *more = realloc(c->arguments, (size_t)count * sizeof(remote_argument));
    if (more == NULL) return false;
    c->arguments = more;
    c->capacity = count;
    return true;
}

static void get_call_argument(wire *r, remote_argument *a) {
    *a = (remote_argument){.tag = 0};
    lb_wire_value(r, &a->value);
    if (a->value.type >= LB_TYPE_TABLE) a->value.bytes = NULL;
    a->identity = wire_get_identity(r);
    a->is_object = lb_wire_get_bool(r);
    if (a->is_object) a->tag = (int64_t)lb_wire_get_u64(r);
    if (a->is_object != (a->value.type == LB_TYPE_OBJECT)) r->failed = true;
}

// False: the frame is invalid, or there is no memory for it.
static bool read_call(lb_state *b, wire *r, remote_call *c, int32_t *function) {
    *function = (int32_t)lb_wire_get_u32(r);
    uint32_t count = lb_wire_get_u32(r);
    c->is_placed = lb_wire_get_bool(r);
    lb_wire_location(r, &c->location);
    if (c->location.line == 0) c->is_placed = false;
    if (r->failed || count > INT32_MAX || !lb_functions_has(b->remote, *function)) return false;
    c->base = (lb_call){b, NULL, (int32_t)count, 0, 0};
    c->carried = count < CARRIED_ARGUMENTS ? (int32_t)count : CARRIED_ARGUMENTS;
    if (!reserve_arguments(c, c->carried)) return false;
    for (int32_t i = 0; i < c->carried; i++) get_call_argument(r, &c->arguments[i]);
    return !r->failed && r->at == r->end;
}

static void put_text_answer(buffer *answer, const void *message, size_t length) {
    wire w = wire_writer(answer);
    answer->length = 0;
    wire_put_u8(&w, ANSWER_ERROR);
    wire_put_text(&w, message, length);
    if (w.failed) answer->length = 0;
}

// There can be as many levels as calls may be nested, so one that is not in use keeps little.
static void rest(remote_level *level) {
    enum { KEPT = 4096 };
    if (level->in.capacity > KEPT) lb_buffer_shrink(&level->in);
    if (level->answer.capacity > KEPT) lb_buffer_shrink(&level->answer);
}

bool lb_level_enter(remote *r, remote_level *level) {
    if (level->next == NULL) level->next = calloc(1, sizeof(remote_level));
    if (level->next == NULL) return false;
    r->innermost = level->next;
    return true;
}

void lb_level_leave(remote *r, remote_level *level) {
    r->innermost = level;
    rest(level->next);
}

static bool host_runs(lb_state *b, remote_level *level, int32_t function) {
    remote *r = b->remote;
    if (b->core.host == NULL) {
        put_text_answer(&level->answer, LITERAL("the host is gone"));
        return true;
    }
    if (lb_stack_is_short() || r->held > r->frame_limit || !lb_level_enter(r, level)) {
        r->is_too_deep = true;
        return true;
    }
    size_t held = level->in.length;
    r->held += held;
    bool fine = b->core.host(b->core.owner, function, &level->call.base);
    r->held -= held;
    lb_level_leave(r, level);
    if (!fine && level->answer.length == 0)
        put_text_answer(&level->answer, LITERAL("not enough memory"));
    return !r->gone;
}

bool lb_client_run(lb_state *b, wire *r, remote_level *level, wire *answer) {
    int32_t function;
    if (!read_call(b, r, &level->call, &function))
        return lb_client_break(b, "a call of a host function is none");
    buffer_trim(&level->answer);
    if (!host_runs(b, level, function)) return false;
    *answer = lb_client_begin(b, ASK_ANSWER);
    if (b->remote->is_too_deep)
        wire_put_u8(answer, ANSWER_TOO_DEEP);
    else if (level->answer.length == 0)
        wire_put_u8(answer, ANSWER_NOTHING);
    else
        lb_wire_bytes(answer, level->answer.bytes, level->answer.length);
    return true;
}

// MARK: Reading arguments

lb_type lb_client_call_type(const lb_call *call, int32_t index) {
    const remote_argument *a = argument_at(call, index);
    return a == NULL ? LB_TYPE_NIL : a->value.type;
}

const void *lb_client_call_identity(const lb_call *call, int32_t index) {
    const remote_argument *a = argument_at(call, index);
    return a == NULL ? NULL : a->identity;
}

void lb_client_call_scalar(const lb_call *call, int32_t index, lb_value *value) {
    const remote_argument *a = argument_at(call, index);
    *value = a == NULL ? (lb_value){.type = LB_TYPE_NIL} : a->value;
    if (value->type != LB_TYPE_STRING || value->bytes != NULL) return;
    // A long text does not come with the call.
    lb_text text = {"", 0};
    (void)lb_client_request(call->state, ASK_call_text, index, &text);
    value->bytes = text.bytes;
    value->length = text.length;
}

bool lb_client_call_object(const lb_call *call, int32_t index, int64_t *tag) {
    const remote_argument *a = argument_at(call, index);
    if (a == NULL || !a->is_object) return false;
    *tag = a->tag;
    return true;
}

bool lb_client_call_location(const lb_call *call, lb_location *location) {
    const remote_call *c = remote_call_of(call);
    if (c->is_placed) *location = c->location;
    return c->is_placed;
}

#define ASK(call, ...) lb_client_request(call->state, request, __VA_ARGS__)
#define ASK_FOR(result, name, parameters, arguments, ...)                                          \
    result lb_client_##name parameters {                                                           \
        const wire_request request = ASK_##name;                                                   \
        return ASK arguments;                                                                      \
    }
ASKED_CALL_OPERATIONS(ASK_FOR)

lb_status lb_client_call_fields_begin(const lb_call *call, int32_t index) {
    return lb_client_begin_fields(call->state, ASK_CALL_FIELDS, index);
}

bool lb_client_remembered_location(const lb_call *call, int64_t token, lb_location *location) {
    return lb_client_request(call->state, ASK_remembered_location, token, location) == LB_OK;
}

// MARK: Answering

lb_status lb_client_reply(lb_call *call, const lb_argument *value) {
    buffer *answer = &level_of(call)->answer;
    wire w = wire_writer(answer);
    answer->length = 0;
    if (value->kind == LB_ARGUMENT_REFERENCE) {
        int32_t slot = lb_slot_of(call->state->remote, value->reference);
        if (slot == 0) return LB_ABSENT;
        return lb_client_note(call->state, NOTE_REPLY, slot, NULL, 0) ? LB_OK : LB_MEMORY;
    }
    wire_put_u8(&w, ANSWER_VALUE);
    lb_put_argument(call->state, &w, value);
    if (w.failed) answer->length = 0;
    return w.failed ? LB_MEMORY : LB_OK;
}

void lb_client_reply_error(lb_call *call, const void *message, size_t length) {
    put_text_answer(&level_of(call)->answer, message, length);
}

lb_status lb_client_remember(lb_call *call, int64_t token, int32_t reply) {
    int32_t slot = lb_slot_of(call->state->remote, reply);
    if (reply == 0 || slot != 0)
        lb_client_note(call->state, NOTE_REMEMBER, slot, &token, sizeof token);
    return LB_OK;
}

#endif
