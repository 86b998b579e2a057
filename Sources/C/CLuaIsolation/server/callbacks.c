// Calls from scripts to the host.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <stdlib.h>
#include <unistd.h>

static level *innermost = &lb_server.bottom;

// Sends the frame in `lb_server.out`, and returns the host's answer.
static wire ask_host(wire *w, lb_call *call, const lb_moment *moment) {
    if (w->failed) _exit(3);
    lb_frame_end(w);
    level *l = innermost->next;
    if (l == NULL) {
        l = innermost->next = calloc(1, sizeof(level));
        if (l == NULL) _exit(3);
    }
    level *outer = innermost;
    innermost = l;
    l->call = call;
    l->moment = moment;
    lb_send_out();
    wire answer = lb_serve_level(l);
    l->call = NULL;
    l->moment = NULL;
    innermost = outer;
    return answer;
}

static void put_call_argument(wire *w, const lb_call *call, int32_t index) {
    lb_value value;
    int64_t tag = 0;
    lb_interpreter_call_scalar(call, index, &value);
    // A text that is sent later has no bytes.
    if (value.type == LB_TYPE_STRING && value.length > CARRIED_TEXT) value.bytes = NULL;
    lb_wire_value(w, &value);
    wire_put_identity(w, lb_interpreter_call_identity(call, index));
    bool is_object = value.type == LB_TYPE_OBJECT && lb_interpreter_call_object(call, index, &tag);
    wire_put_u8(w, is_object);
    if (is_object) wire_put_u64(w, (uint64_t)tag);
}

static bool run_host_function(void *owner, int32_t function, lb_call *call) {
    (void)owner;
    lb_location location = {NULL, 0, 0};
    int32_t count = call->count;
    int32_t carried = count < CARRIED_ARGUMENTS ? count : CARRIED_ARGUMENTS;
    wire w = lb_frame_begin(&lb_server.out, TELL_CALL);
    wire_put_u32(&w, (uint32_t)function);
    wire_put_u32(&w, (uint32_t)count);
    wire_put_u8(&w, lb_interpreter_call_location(call, &location));
    lb_wire_location(&w, &location);
    for (int32_t i = 1; i <= carried; i++) put_call_argument(&w, call, i);
    wire answer = ask_host(&w, call, NULL);
    switch ((wire_answer)lb_wire_get_u8(&answer)) {
        case ANSWER_NOTHING: return true;
        case ANSWER_TOO_DEEP:
            lb_budget_stop(call->state, STOP_DEPTH);
            return true;
        case ANSWER_VALUE: {
            lb_argument argument;
            lb_get_argument(&answer, &argument);
            if (lb_interpreter_reply(call, &argument) == LB_OK) return true;
            lb_interpreter_reply_error(call, "not enough memory", 17);
            return false;
        }
        case ANSWER_ERROR: {
            lb_text message = lb_wire_get_text(&answer);
            lb_interpreter_reply_error(call, message.bytes, message.length);
            return false;
        }
    }
    _exit(3);
}

static bool confirm(void *owner, int64_t token) {
    (void)owner;
    wire w = lb_frame_begin(&lb_server.out, TELL_CONFIRM);
    wire_put_u64(&w, (uint64_t)token);
    wire answer = ask_host(&w, NULL, NULL);
    return lb_wire_get_bool(&answer);
}

static void print(void *owner, const char *text, size_t length, lb_location location) {
    (void)owner;
    wire w = lb_frame_begin(&lb_server.out, TELL_PRINT);
    wire_put_text(&w, text, length);
    lb_wire_location(&w, &location);
    if (w.failed) return;
    lb_frame_end(&w);
    lb_send_out();
}

static void tell_moment(void *owner, const lb_moment *moment) {
    (void)owner;
    lb_level innermost = {.line = 0};
    (void)lb_trace_level(moment, 0, &innermost);
    lb_tell_hits();
    wire w = lb_frame_begin(&lb_server.out, TELL_MOMENT);
    wire_put_u32(&w, (uint32_t)moment->traced);
    wire_put_u8(&w, moment->is_return);
    wire_put_u8(&w, moment->is_caught);
    wire_put_identity(&w, moment->thread);
    wire_put_u32(&w, (uint32_t)lb_trace_depth(moment, true));
    wire_put_u32(&w, (uint32_t)lb_trace_depth(moment, false));
    lb_wire_level(&w, &innermost);
    (void)ask_host(&w, NULL, moment);
}

void lb_callbacks_open(lb_state *state) {
    state->core.host = run_host_function;
    state->core.print = print;
    state->core.confirm = confirm;
    lb_server.tell_moment = tell_moment;
}

#endif
