// A host that makes any request, with values and all that host functions can ask, by its orders.

#define _GNU_SOURCE
#include "CPeer.h"
#include "CLuaBridge.h"

#if defined(__linux__)

enum { DEEPEST = 6, MOST_FIELDS = 300, MOST_ORDERS = 40 };

typedef struct {
    lb_state *state;
    const uint8_t *orders;
    size_t count;
    int32_t depth;
    int32_t function, record, object;
    lb_traced_line line;
    unsigned sum;  // of all bytes that were read, so that none is left out
} host;

static uint8_t order(host *h) {
    if (h->count == 0) return 0;
    h->count--;
    return *h->orders++;
}

static void read_bytes(host *h, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) h->sum += ((const unsigned char *)bytes)[i];
}

static void read_value(host *h, const lb_value *value) {
    if (value->bytes != NULL) read_bytes(h, value->bytes, value->length);
}

static void keep_or_release(host *h, int32_t *kept, int32_t reference) {
    if (reference == 0) return;
    if (order(h) % 2 == 0) {
        lb_release(h->state, *kept);
        *kept = reference;
    } else {
        lb_release(h->state, reference);
    }
}

static void read_error(host *h) {
    const lb_error *e = lb_last_error(h->state);
    const lb_issue *issue = lb_last_issue(h->state);
    read_bytes(h, e->message.bytes, e->message.length);
    read_bytes(h, e->location.chunk, e->location.chunk_length);
    for (int32_t i = 0; i < e->frame_count; i++) {
        read_bytes(h, e->frames[i].chunk.bytes, e->frames[i].chunk.length);
        read_bytes(h, e->frames[i].name.bytes, e->frames[i].name.length);
    }
    for (int32_t i = 0; i < e->local_count; i++) {
        read_bytes(h, e->locals[i].name.bytes, e->locals[i].name.length);
        read_bytes(h, e->locals[i].value.bytes, e->locals[i].value.length);
    }
    read_bytes(h, issue->text.bytes, issue->text.length);
    read_bytes(h, issue->path.bytes, issue->path.length);
}

static void read_fields(host *h, lb_status begun) {
    lb_value key, value;
    if (begun != LB_OK) return;
    int most = order(h) % 2 == 0 ? MOST_FIELDS : order(h) % 70;
    for (int i = 0; i < most && lb_fields_next(h->state, &key, &value) == LB_OK; i++) {
        read_value(h, &key);
        read_value(h, &value);
        if (value.reference != 0) lb_release(h->state, value.reference);
    }
    lb_fields_end(h->state);
}

static void call(host *h, int32_t wants) {
    lb_argument argument = {.kind = LB_ARGUMENT_INTEGER, .integer = h->depth};
    lb_value result;
    lb_status status = lb_call_function(h->state, h->function, &argument, 1, wants, &result);
    if (status == LB_OK) read_value(h, &result);
    else read_error(h);
    keep_or_release(h, &h->record, result.reference);
}

static void call_changing(host *h) {
    static const char old[] = "abcdefgh";
    lb_argument table = {.kind = LB_ARGUMENT_REFERENCE, .reference = h->record};
    lb_value result, changed;
    lb_status status = lb_call_changing(
        h->state, h->function, &table, 1, LB_WANT_VALUE, old, sizeof old - 1, &result, &changed);
    if (status == LB_OK) {
        read_value(h, &result);
        read_value(h, &changed);
    } else {
        read_error(h);
    }
}

// MARK: A host function

static void ask_about(host *h, const lb_call *call, int32_t index) {
    lb_value value;
    lb_location location = {NULL, 0, 0};
    int64_t tag;
    int32_t reference = 0;
    lb_call_scalar(call, index, &value);
    read_value(h, &value);
    (void)lb_call_type(call, index);
    (void)lb_call_identity(call, index);
    (void)lb_call_object(call, index, &tag);
    switch (order(h) % 8) {
        case 0:
            if (lb_call_encode(call, index, &value) == LB_OK) read_value(h, &value);
            break;
        case 1: read_fields(h, lb_call_fields_begin(call, index)); break;
        case 2:
            if (lb_call_field(call, index, "a", 1, &value) != LB_OK) break;
            read_value(h, &value);
            lb_release(h->state, value.reference);
            break;
        case 3:
            if (lb_call_reference(call, index, &reference) == LB_OK)
                lb_release(h->state, reference);
            break;
        case 4:
            if (lb_remembered_location(call, index, &location))
                read_bytes(h, location.chunk, location.chunk_length);
            break;
        default: break;
    }
}

static bool answer(host *h, lb_call *call) {
    lb_argument text = {.kind = LB_ARGUMENT_STRING, .bytes = "hi", .length = 2};
    lb_argument record = {.kind = LB_ARGUMENT_REFERENCE, .reference = h->record};
    switch (order(h) % 4) {
        case 0: (void)lb_reply(call, &text); return true;
        case 1: (void)lb_reply(call, &record); return true;
        case 2: (void)lb_remember(call, 7, h->record); return true;
        default: lb_reply_error(call, "no", 2); return false;
    }
}

static bool run_function(void *owner, int32_t function, lb_call *active) {
    host *h = owner;
    lb_location location = {NULL, 0, 0};
    int32_t count = lb_call_count(active);
    (void)function;
    if (count > 300) count = 300;
    for (int32_t i = -1; i <= count + 1; i++) ask_about(h, active, i);
    if (lb_call_location(active, &location)) read_bytes(h, location.chunk, location.chunk_length);
    if (h->depth < DEEPEST && order(h) % 3 == 0) {
        h->depth++;
        call(h, order(h) % 4);
        h->depth--;
    }
    return answer(h, active);
}

static void print(void *owner, const char *text, size_t length, lb_location location) {
    read_bytes(owner, text, length);
    read_bytes(owner, location.chunk, location.chunk_length);
}

static bool confirm(void *owner, int64_t token) {
    (void)token;
    return order(owner) % 2 == 0;
}

static bool validate(const void *bytes, size_t length, const lb_configuration *configuration) {
    unsigned sum = 0;
    (void)configuration;
    for (size_t i = 0; i < length; i++) sum += ((const unsigned char *)bytes)[i];
    return sum % 2 == 0;
}

// MARK: Traces

static void read_variable(host *h, const lb_variable *variable) {
    read_bytes(h, variable->name.bytes, variable->name.length);
    read_value(h, &variable->value);
}

static void meet(void *owner, const lb_moment *moment) {
    enum { LEVELS = 5, PLACES = 2 };
    host *h = owner;
    lb_level level;
    lb_variable variable;
    lb_place places[PLACES];
    const lb_value step = {.type = LB_TYPE_STRING, .bytes = "key", .length = 3};
    const lb_read read = {.name = {"name", 4}, .steps = &step, .count = 1};
    if (lb_moment_traced(moment) == 0) h->line.next = h->line.hits + order(h) % 3;
    (void)lb_moment_thread(moment);
    switch (order(h) % 7) {
        case 0:
            if (lb_moment_caught(moment, &variable)) read_variable(h, &variable);
            break;
        case 1:
            if (lb_moment_variable(moment, 0, LB_LOCAL, 1, &variable)) read_variable(h, &variable);
            break;
        case 2:
            if (lb_moment_variable(moment, 0, LB_REFERENCE, h->record, &variable))
                read_variable(h, &variable);
            break;
        case 3:
            if (lb_moment_read(moment, 0, &read, &variable) == LB_FOUND)
                read_variable(h, &variable);
            break;
        case 4: h->sum += (unsigned)lb_moment_token(moment, 0, 1); break;
        case 5: {
            int32_t depth = lb_moment_depth(moment, true);
            for (int32_t i = 0; i < depth && i < LEVELS && lb_moment_level(moment, i, &level);
                 i++) {
                read_bytes(h, level.chunk.bytes, level.chunk.length);
                read_bytes(h, level.name.bytes, level.name.length);
            }
            break;
        }
        default: {
            lb_place_source source = order(h) % 2 == 0 ? LB_REGISTERS : LB_TABLE;
            size_t count = lb_moment_places(moment, 0, source, h->record, places, PLACES);
            for (size_t i = 0; i < count && i < PLACES; i++) {
                if (places[i].step < 0 || places[i].step > 1) __builtin_trap();
                h->sum += (unsigned)places[i].token;
            }
            break;
        }
    }
}

static void trace(host *h) {
    if (order(h) % 4 == 0) {
        (void)lb_trace(h->state, NULL, LB_TRACED_LINES, 1, NULL, 0);
        return;
    }
    bool chooses = order(h) % 2 == 0;
    lb_status status =
        lb_trace(h->state, meet, LB_TRACED_CATCHES, 2, chooses ? &h->line : NULL, chooses);
    if (status == LB_OK && order(h) % 2 == 0) lb_trace_follow(h->state, h->record, 1);
}

// MARK: Requests

static void ask(host *h) {
    lb_state *b = h->state;
    lb_value value;
    int32_t made = 0;
    lb_argument object = {.kind = LB_ARGUMENT_REFERENCE, .reference = h->object};
    lb_location location = {NULL, 0, 0};
    switch (order(h) % 17) {
        case 0: (void)lb_load(b, "return 1", 8, "=c", &made); break;
        case 1: (void)lb_make_view(b, h->record, "view", 4, NULL, 0, &made); break;
        case 2: (void)lb_retain(b, h->record, &made); break;
        case 3:
            if (lb_encode(b, h->record, &value) == LB_OK) read_value(h, &value);
            else read_error(h);
            break;
        case 4: read_fields(h, lb_fields_begin(b, h->record)); break;
        case 5:
            if (lb_get_field(b, h->record, "b", 1, &value) == LB_OK) made = value.reference;
            break;
        case 6: (void)lb_set_field(b, h->record, "c", 1, &object); break;
        case 7:
            if (lb_make_object_type(b, "kind", 4, h->record, &made) == LB_OK)
                (void)lb_make_object(b, made, 77, &h->object);
            break;
        case 8: (void)lb_object_set(b, h->object, "d", 1, &object, (int32_t)(order(h) % 2)); break;
        case 9: lb_object_recall(b, h->object); break;
        case 10: {
            uint32_t flags = order(h);
            lb_object_set_usable(b, h->object, flags % 2 == 0, flags % 4 < 2);
            break;
        }
        case 11:
            if (lb_function_location(b, h->function, &location) == LB_OK)
                read_bytes(h, location.chunk, location.chunk_length);
            break;
        case 12: lb_collect_garbage(b); break;
        case 13: call_changing(h); break;
        case 16: trace(h); break;
        default: call(h, order(h) % 4); break;
    }
    while (lb_take_dead_function(b, &made)) h->sum += (unsigned)made;
    keep_or_release(h, &h->record, made);
}

bool peer_play(
    const uint8_t *hosted, size_t host_count, const uint8_t *process, size_t process_count) {
    enum { MILLISECOND = 1000000, MEMORY = 1 << 20 };
    host h = {
        .orders = hosted, .count = host_count, .line = {.chunk = {"c", 1}, .line = 7}};
    peer_plan plan = {.orders = process, .count = process_count};
    lb_configuration c = {
        .memory_limit = MEMORY, .value_size = MEMORY, .value_depth = 16, .value_count = 1000,
        .source_limit = 1000, .depth_limit = 20, .print_limit = 10000,
        .time_limit = 20 * MILLISECOND, .grace = 5 * MILLISECOND, .isolated = true,
        .validate = validate};
    peer *p = peer_start(&plan, &c, &h.state);
    if (p == NULL) return false;
    if (h.state != NULL) {
        lb_set_callbacks(h.state, &h, run_function, print, confirm);
        (void)lb_make_function(h.state, 3, order(&h) % 2 == 0, &h.function);
        (void)lb_make_record(h.state, &h.record);
        for (int i = 0; i < MOST_ORDERS && h.count > 0 && !lb_is_gone(h.state); i++) ask(&h);
        lb_close(h.state);
    }
    peer_end(p);
    return true;
}

#endif
