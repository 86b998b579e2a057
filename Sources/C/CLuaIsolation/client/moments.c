// Traces of scripts in another process. A moment has its innermost call; the rest is requested.

#include "client/client.h"

#if defined(__linux__)

#include <stdlib.h>

// Lua stops earlier.
enum { MOST_DEPTH = 1 << 24, MOST_VARIABLES = 255 };

// A moment, with the lb_moment for the host.
typedef struct {
    lb_moment base;
    int32_t depth, depth_in_thread;
    lb_level innermost;
} remote_moment;

static const remote_moment *remote_moment_of(const lb_moment *moment) {
    return (const remote_moment *)(const void *)moment;
}

// MARK: Traces

void lb_client_forget_trace(lb_state *b) {
    b->trace = (trace_state){.callback = NULL};
    free(b->remote->nexts);
    b->remote->nexts = NULL;
}

lb_status lb_client_trace(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count) {
    remote *remote = b->remote;
    if (lines == NULL) count = 0;
    uint64_t *nexts = calloc(count + 1, sizeof(uint64_t));
    if (nexts == NULL) return LB_MEMORY;
    lb_client_forget_trace(b);
    wire r, w = lb_client_begin(b, ASK_TRACE);
    wire_put_u8(&w, callback != NULL);
    wire_put_u32(&w, (uint32_t)told);
    wire_put_u32(&w, patience);
    wire_put_u8(&w, lines != NULL);
    if (lines != NULL) wire_put_u32(&w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        lb_wire_line(&w, &lines[i]);
        nexts[i] = lines[i].next;
    }
    lb_status status = lb_client_ask(b, &w, ASK_TRACE, &r);
    if (status == LB_OK) status = lb_client_finish(b, &r);
    if (status != LB_OK || callback == NULL) {
        free(nexts);
        // A process that has ended tells nothing.
        return callback == NULL && status == LB_GONE ? LB_OK : status;
    }
    remote->nexts = nexts;
    b->trace = (trace_state){
        .callback = callback, .patience = patience, .lines = lines, .line_count = count};
    return LB_OK;
}

void lb_client_trace_follow(lb_state *b, int32_t path, int32_t steps) {
    b->trace.path = path;
    b->trace.steps = steps;
    (void)lb_client_request(b, ASK_trace_follow, path, steps);
}

// MARK: Telling

// False: the frame is invalid.
static bool read_moment(lb_state *b, wire *r, remote_moment *m) {
    const trace_state *t = &b->trace;
    *m = (remote_moment){.base = {.state = b}};
    m->base.traced = (int32_t)lb_wire_get_u32(r);
    m->base.is_return = lb_wire_get_bool(r);
    m->base.is_caught = lb_wire_get_bool(r);
    m->base.thread = wire_get_identity(r);
    m->depth = (int32_t)lb_wire_get_u32(r);
    m->depth_in_thread = (int32_t)lb_wire_get_u32(r);
    lb_wire_level(r, &m->innermost);
    bool is_chosen = m->base.traced >= 0;
    return !r->failed && r->at == r->end && m->base.traced >= -1
        && (!is_chosen || (size_t)m->base.traced < t->line_count) && m->depth >= 0
        && m->depth <= MOST_DEPTH && m->depth_in_thread >= 0 && m->depth_in_thread <= m->depth;
}

bool lb_client_tell(lb_state *b, wire *r, remote_level *level, wire *answer) {
    remote *remote = b->remote;
    remote_moment moment;
    if (!read_moment(b, r, &moment)) return lb_client_break(b, "a moment of a trace is none");
    if (!lb_level_enter(remote, level))
        return lb_client_lose(b, "there is not enough memory for a moment");
    b->trace.callback(b->core.owner, &moment.base);
    lb_level_leave(remote, level);
    lb_client_note_lines(b);
    *answer = lb_client_begin(b, ASK_ANSWER);
    return !remote->gone;
}

// MARK: Asking

int32_t lb_client_moment_depth(const lb_moment *moment, bool all) {
    const remote_moment *m = remote_moment_of(moment);
    return all ? m->depth : m->depth_in_thread;
}

bool lb_client_moment_level(const lb_moment *moment, int32_t level, lb_level *told) {
    const remote_moment *m = remote_moment_of(moment);
    if (level < 0 || level >= m->depth) return false;
    if (level == 0) {
        *told = m->innermost;
        return true;
    }
    return lb_client_request(moment->state, ASK_moment_level, level, told) == LB_OK;
}

bool lb_client_moment_caught(const lb_moment *moment, lb_variable *error) {
    return moment->is_caught && lb_client_request(moment->state, ASK_moment_caught, error) == LB_OK;
}

bool lb_client_moment_variable(
    const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,
    lb_variable *variable) {
    lb_state *b = moment->state;
    if (kind == LB_REFERENCE)
        return lb_client_request(b, ASK_moment_value, index, variable) == LB_OK;
    if (index > MOST_VARIABLES) return false;
    return lb_client_request(b, ASK_moment_variable, level, (int32_t)kind, index, variable)
        == LB_OK;
}

lb_found lb_client_moment_read(
    const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable) {
    lb_state *b = moment->state;
    lb_found found = LB_NO_PATH;
    *variable = (lb_variable){.name = read->name};
    wire r, w = lb_client_begin(b, ASK_MOMENT_READ);
    wire_put_u32(&w, (uint32_t)level);
    wire_put_text(&w, read->name.bytes, read->name.length);
    wire_put_u8(&w, read->is_length);
    wire_put_u32(&w, (uint32_t)read->count);
    for (int32_t i = 0; i < read->count; i++) {
        lb_value step = read->steps[i];
        lb_wire_value(&w, &step);
    }
    if (lb_client_ask(b, &w, ASK_MOMENT_READ, &r) != LB_OK) return LB_NO_PATH;
    uint8_t code = lb_wire_get_u8(&r);
    if (code > LB_NO_PATH) r.failed = true;
    else found = (lb_found)code;
    if (found == LB_FOUND) lb_get_variable(b, &r, variable);
    variable->name = read->name;
    return lb_client_finish(b, &r) == LB_OK ? found : LB_NO_PATH;
}

size_t lb_client_moment_places(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index,
    lb_place *places, size_t capacity) {
    lb_state *b = moment->state;
    remote_places found = {source, places, capacity < INT32_MAX ? capacity : INT32_MAX, 0};
    int32_t room = (int32_t)found.capacity;
    if (b->trace.path == 0) return 0;
    lb_status status = source == LB_TABLE
        ? lb_client_request(b, ASK_moment_places_of, index, room, &found)
        : lb_client_request(b, ASK_moment_places, level, (int32_t)source, index, room, &found);
    return status == LB_OK ? found.count : 0;
}

uint64_t lb_client_moment_token(const lb_moment *moment, int32_t level, int32_t index) {
    uint64_t token = 0;
    lb_status status = lb_client_request(moment->state, ASK_moment_token, level, index, &token);
    return status == LB_OK ? token : 0;
}

#endif
