// The operations of an interpreter, requested from the script process.

#include "client/client.h"

#if defined(__linux__)

#include <math.h>
#include <stdarg.h>

// MARK: Notes

bool lb_client_note(lb_state *b, wire_note note, int32_t slot, const void *bytes, size_t length) {
    remote *r = b->remote;
    wire w = wire_writer(&r->notes);
    size_t before = r->notes.length;
    if (r->gone) return false;
    wire_put_u8(&w, note);
    if (note != NOTE_RANDOM && note != NOTE_FIELDS_END) wire_put_u32(&w, (uint32_t)slot);
    lb_wire_bytes(&w, (void *)bytes, length);
    // Without memory for the note, a reference lives longer than necessary.
    if (w.failed) r->notes.length = before;
    return !w.failed;
}

void lb_client_release(lb_state *b, int32_t reference) {
    int32_t slot = lb_slot_of(b->remote, reference);
    if (slot == 0) return;
    lb_client_note(b, NOTE_RELEASE, slot, NULL, 0);
    lb_slot_give_back(b->remote, slot);
}

void lb_client_object_set_usable(lb_state *b, int32_t object, bool usable, bool shows_input) {
    uint8_t bytes[] = {usable, shows_input};
    int32_t slot = lb_slot_of(b->remote, object);
    if (slot != 0) lb_client_note(b, NOTE_USABLE, slot, bytes, sizeof bytes);
}

void lb_client_object_recall(lb_state *b, int32_t object) {
    int32_t slot = lb_slot_of(b->remote, object);
    if (slot != 0) lb_client_note(b, NOTE_RECALL, slot, NULL, 0);
}

void lb_client_set_random(lb_state *b) {
    lb_client_note(b, NOTE_RANDOM, 0, b->sandbox.random, sizeof b->sandbox.random);
}

void lb_client_note_lines(lb_state *b) {
    for (size_t i = 0; i < b->trace.line_count; i++) {
        uint64_t next = b->trace.lines[i].next;
        if (next == b->remote->nexts[i]) continue;
        if (lb_client_note(b, NOTE_NEXT, (int32_t)i, &next, sizeof next))
            b->remote->nexts[i] = next;
    }
}

// MARK: Parts and results of requests

static void put_reference(lb_state *b, wire *w, int32_t reference) {
    int32_t slot = lb_slot_of(b->remote, reference);
    if (reference != 0 && slot == 0) w->is_absent = true;
    wire_put_u32(w, (uint32_t)slot);
}

void lb_put_argument(lb_state *b, wire *w, const lb_argument *argument) {
    lb_argument copy = *argument;
    if (copy.kind == LB_ARGUMENT_REFERENCE) {
        copy.reference = lb_slot_of(b->remote, argument->reference);
        if (copy.reference == 0) w->is_absent = true;
    }
    lb_wire_argument(w, &copy);
}

// Reads a value that must be plain.
static void get_plain(lb_state *b, wire *r, lb_value *value) {
    const lb_configuration *c = &b->core.configuration;
    lb_wire_value(r, value);
    switch (value->type) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL:
        case LB_TYPE_BOOLEAN:
        case LB_TYPE_INTEGER: return;
        case LB_TYPE_NUMBER:
            if (!isfinite(value->number)) r->failed = true;
            return;
        case LB_TYPE_STRING:
            if (value->bytes == NULL || value->length > c->value_size
                || !utf8_is_valid(value->bytes, value->length))
                r->failed = true;
            return;
        default: break;
    }
    bool is_plain = value->bytes != NULL && value->length >= HEADER && c->validate != NULL
        && c->validate(value->bytes, value->length, c);
    if (!is_plain) r->failed = true;
}

void lb_get_variable(lb_state *b, wire *r, lb_variable *variable) {
    variable->name = lb_wire_get_text(r);
    variable->is_plain = lb_wire_get_bool(r);
    get_plain(b, r, &variable->value);
    if (r->failed) variable->value = (lb_value){.type = LB_TYPE_NIL};
}

// The steps of places are those of the path that is followed.
static void get_places(lb_state *b, wire *r, remote_places *to) {
    int32_t steps = to->source == LB_REACHABLE ? 1 : b->trace.steps;
    to->count = lb_wire_get_u32(r);
    for (size_t i = 0; i < to->count && i < to->capacity && !r->failed; i++) {
        lb_place *place = &to->places[i];
        lb_wire_place(r, place);
        // A view may lie at its end.
        if (place->step > steps || (place->step == steps && place->table != NULL)) r->failed = true;
    }
}

// Reads a raw value. If it is not a scalar, it gets the slot, and the result is true.
static bool get_field(lb_state *b, wire *r, int32_t slot, lb_value *value) {
    lb_wire_value(r, value);
    if (value->type < LB_TYPE_TABLE) {
        if (value->type == LB_TYPE_STRING && value->bytes == NULL) r->failed = true;
        return false;
    }
    value->bytes = NULL;
    value->length = 0;
    const void *identity = wire_get_identity(r);
    if (r->failed) return false;
    value->reference = lb_slot_take(b->remote, slot, value->type, identity);
    return true;
}

static void put_parts(lb_state *b, wire *w, const char *parts, va_list *given) {
    for (; *parts != '\0'; parts++) {
        switch (*parts) {
            case 'R':
            case 'r': {
                int32_t reference = va_arg(*given, int32_t);
                if (reference == 0 && *parts == 'R') w->is_absent = true;
                put_reference(b, w, reference);
                break;
            }
            case 'a': lb_put_argument(b, w, va_arg(*given, const lb_argument *)); break;
            case 'i': wire_put_u32(w, (uint32_t)va_arg(*given, int32_t)); break;
            case 'q': wire_put_u64(w, (uint64_t)va_arg(*given, int64_t)); break;
            case 'o':
            case 't': {
                const void *bytes = va_arg(*given, const void *);
                size_t length = va_arg(*given, size_t);
                if (*parts == 'o') wire_put_u8(w, bytes != NULL);
                if (*parts == 't' || bytes != NULL) wire_put_text(w, bytes, length);
                break;
            }
            default: break;
        }
    }
}

// Reads the result of a request into the caller's variable. True: it uses the slot.
static bool get_result(
    lb_state *b, wire *r, char result, int32_t slot, void *to, lb_status *status) {
    bool taken = false;
    lb_value value = {.type = LB_TYPE_NIL};
    const void *identity = NULL;
    switch (result) {
        case 'N': {
            uint8_t type = lb_wire_get_u8(r);
            if (type > LB_TYPE_USERDATA) r->failed = true;
            value.type = (lb_type)type;
            identity = wire_get_identity(r);
            break;
        }
        case 'F': taken = get_field(b, r, slot, to); break;
        case 'P': get_plain(b, r, to); break;
        case 'L': lb_wire_location(r, to); break;
        case 'C': lb_wire_level(r, to); break;
        case 'V': lb_get_variable(b, r, to); break;
        case 'Q': *(uint64_t *)to = lb_wire_get_u64(r); break;
        case 'S': get_places(b, r, to); break;
        case 'T':
            lb_wire_value(r, &value);
            if (value.type != LB_TYPE_STRING || value.bytes == NULL) r->failed = true;
            break;
        default: break;
    }
    *status = lb_client_finish(b, r);
    if (*status != LB_OK) return taken;
    if (result == 'T') *(lb_text *)to = (lb_text){value.bytes, value.length};
    if (result != 'N') return taken;
    *(int32_t *)to = lb_slot_take(b->remote, slot, value.type, identity);
    return true;
}

lb_status lb_client_request(lb_state *b, wire_request request, ...) {
    const request_form *form = &lb_request_forms[request];
    char result = form->result;
    int32_t slot = has_slot(result) ? lb_slot_reserve(b->remote) : 0;
    va_list given;
    wire r;
    wire w = lb_client_begin(b, request);
    if (has_slot(result)) wire_put_u32(&w, (uint32_t)slot);
    va_start(given, request);
    put_parts(b, &w, form->parts, &given);
    void *to = result == '-' ? NULL : va_arg(given, void *);
    va_end(given);
    if (result == 'P' || result == 'F') *(lb_value *)to = (lb_value){.type = LB_TYPE_NIL};
    lb_status status =
        has_slot(result) && slot == 0 ? LB_MEMORY : lb_client_ask(b, &w, request, &r);
    bool taken = status == LB_OK && get_result(b, &r, result, slot, to, &status);
    if (!taken) lb_slot_give_back(b->remote, slot);
    if (status != LB_OK && (result == 'P' || result == 'F'))
        *(lb_value *)to = (lb_value){.type = LB_TYPE_NIL};
    return status;
}

// MARK: Requests from the table

#define ASK(b, ...) lb_client_request(b, request, __VA_ARGS__)
#define ASK_FOR(result, name, parameters, arguments, ...)                                          \
    result lb_client_##name parameters {                                                           \
        const wire_request request = ASK_##name;                                                   \
        return ASK arguments;                                                                      \
    }
ASKED_STATE_OPERATIONS(ASK_FOR)

bool lb_client_is_gone(lb_state *b) {
    if (b->remote->nesting == 0) lb_client_look(b);
    return b->remote->gone;
}

#ifdef DEBUG
lb_status lb_client_try_forbidden(lb_state *b, uint32_t what) {
    return lb_client_request(b, ASK_try, (int32_t)what);
}
#endif

void lb_client_collect_garbage(lb_state *b) { (void)lb_client_request(b, ASK_collect_garbage); }

lb_type lb_client_reference_type(lb_state *b, int32_t reference) {
    int32_t slot = lb_slot_of(b->remote, reference);
    return slot == 0 ? LB_TYPE_NIL : b->remote->slots[slot].type;
}

const void *lb_client_reference_identity(lb_state *b, int32_t reference) {
    int32_t slot = lb_slot_of(b->remote, reference);
    return slot == 0 ? NULL : b->remote->slots[slot].identity;
}

lb_status lb_client_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference) {
    if (length > source_limit(b, chunk)) return LB_SOURCE;
    return lb_client_request(b, ASK_load, source, length, chunk, strlen(chunk) + 1, reference);
}

lb_status lb_client_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference) {
    if (b->remote->gone) return LB_GONE;
    if (!lb_functions_add(b->remote, function)) return LB_MEMORY;
    lb_status status =
        lb_client_request(b, ASK_make_function, function, (int32_t)remembers, reference);
    if (status != LB_OK) b->remote->alive[function] = false;
    return status;
}

bool lb_client_take_dead_function(lb_state *b, int32_t *function) {
    remote *r = b->remote;
    if (r->dead_count == 0) return false;
    *function = r->dead[--r->dead_count];
    return true;
}

lb_status lb_client_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference) {
    if (b->remote->gone) return LB_GONE;
    if (table != 0 && lb_client_reference_type(b, table) != LB_TYPE_TABLE) return LB_ABSENT;
    return lb_client_request(
        b, ASK_make_view, table, label, label_length, encoding, length, reference);
}

lb_status lb_client_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value) {
    if (table == 0) return lb_client_request(b, ASK_set_global, name, length, value);
    return lb_client_request(b, ASK_set_field, table, name, length, value);
}

// MARK: Calls

// Calls a function. With `changed`, its first argument is a table, sent back if not as `old`.
static lb_status ask_call(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed) {
    remote *remote = b->remote;
    wire_request request = changed == NULL ? ASK_CALL : ASK_CALL_CHANGING;
    *result = (lb_value){.type = LB_TYPE_NIL};
    if (changed != NULL) *changed = *result;
    if (remote->gone) return LB_GONE;
    int32_t depth = b->protection.depth;
    if (depth > 0 && (depth >= b->core.configuration.depth_limit || lb_stack_is_short())) {
        remote->is_too_deep = true;
        return LB_DEPTH;
    }
    bool refers = wants & LB_WANT_REFERENCE;
    int32_t slot = refers ? lb_slot_reserve(remote) : 0;
    if (refers && slot == 0) return LB_MEMORY;
    lb_client_note_lines(b);
    wire w = lb_client_begin(b, request);
    put_reference(b, &w, function);
    wire_put_u32(&w, (uint32_t)wants);
    wire_put_u32(&w, (uint32_t)slot);
    wire_put_u32(&w, (uint32_t)count);
    for (int32_t i = 0; i < count; i++) lb_put_argument(b, &w, &arguments[i]);
    if (changed != NULL) wire_put_u8(&w, old != NULL);
    if (changed != NULL && old != NULL) {
        wire_sum sum = lb_wire_sum_of(old, old_length);
        wire_put_u64(&w, old_length);
        lb_wire_bytes(&w, &sum, sizeof sum);
    }

    wire r;
    const void *identity = NULL;
    b->protection.depth++;
    lb_status status = lb_client_ask(b, &w, request, &r);
    if (--b->protection.depth == 0) remote->is_too_deep = false;
    if (status == LB_OK) {
        if (wants & LB_WANT_VALUE)
            get_plain(b, &r, result);
        else
            lb_wire_value(&r, result);
        if (refers) identity = wire_get_identity(&r);
        if (changed != NULL) get_plain(b, &r, changed);
        status = lb_client_finish(b, &r);
    }
    if (status == LB_OK && refers) {
        result->reference = lb_slot_take(remote, slot, result->type, identity);
        return status;
    }
    if (slot != 0) lb_slot_give_back(remote, slot);
    if (status == LB_OK) return status;
    *result = (lb_value){.type = LB_TYPE_NIL};
    if (changed != NULL) *changed = *result;
    return status;
}

lb_status lb_client_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result) {
    return ask_call(b, function, arguments, count, wants, NULL, 0, result, NULL);
}

lb_status lb_client_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed) {
    return ask_call(b, function, arguments, count, wants, old, old_length, result, changed);
}

// MARK: All fields

// Reads a batch, whose references get the slots after the last one.
static lb_status read_batch(lb_state *b, wire *w, wire_request request) {
    remote *remote = b->remote;
    wire r;
    lb_status status = lb_client_ask(b, w, request, &r);
    if (status != LB_OK) return status;
    remote->fields_are_over = lb_wire_get_bool(&r);
    remote->fields_left = lb_wire_get_u32(&r);
    size_t length = (size_t)(r.end - r.at);
    if (r.failed || remote->fields_left > FIELD_BATCH || length > remote->fields_room
        || (remote->fields_left == 0 && !remote->fields_are_over)) {
        lb_client_break(b, "a table has impossible fields");
        return LB_GONE;
    }
    remote->fields_room -= length;
    remote->fields = r;
    return LB_OK;
}

lb_status lb_client_begin_fields(lb_state *b, wire_request request, int32_t what) {
    remote *remote = b->remote;
    remote->fields_left = 0;
    remote->fields_are_over = true;
    if (remote->gone) return LB_GONE;
    if (!lb_slots_reserve(remote, FIELD_BATCH)) return LB_MEMORY;
    remote->fields_room = remote->frame_limit;
    wire w = lb_client_begin(b, request);
    wire_put_u32(&w, (uint32_t)remote->top + 1);
    wire_put_u32(&w, (uint32_t)what);
    return read_batch(b, &w, request);
}

lb_status lb_client_fields_begin(lb_state *b, int32_t table) {
    if (!b->remote->gone && lb_slot_of(b->remote, table) == 0) return LB_ABSENT;
    return lb_client_begin_fields(b, ASK_FIELDS, lb_slot_of(b->remote, table));
}

lb_status lb_client_fields_next(lb_state *b, lb_value *key, lb_value *value) {
    remote *r = b->remote;
    *key = *value = (lb_value){.type = LB_TYPE_NIL};
    if (r->gone) return LB_GONE;
    if (r->fields_left == 0) {
        if (r->fields_are_over) return LB_ABSENT;
        if (!lb_slots_reserve(r, FIELD_BATCH)) return LB_MEMORY;
        wire w = lb_client_begin(b, ASK_MORE_FIELDS);
        wire_put_u32(&w, (uint32_t)r->top + 1);
        lb_status status = read_batch(b, &w, ASK_MORE_FIELDS);
        if (status != LB_OK) {
            r->fields_are_over = true;
            return status;
        }
        if (r->fields_left == 0) return LB_ABSENT;
    }
    r->fields_left--;
    lb_wire_value(&r->fields, key);
    if (key->type == LB_TYPE_STRING && key->bytes == NULL) r->fields.failed = true;
    if (get_field(b, &r->fields, r->top + 1, value)) r->top++;
    bool is_last = r->fields_left == 0;
    if (r->fields.failed || (is_last && r->fields.at != r->fields.end)) {
        lb_client_break(b, "a table has impossible fields");
        return LB_GONE;
    }
    return LB_OK;
}

void lb_client_fields_end(lb_state *b) {
    remote *r = b->remote;
    lb_value key, value;
    // Fields that were read ahead have references too.
    while (r->fields_left > 0 && lb_client_fields_next(b, &key, &value) == LB_OK)
        if (value.reference != 0) lb_client_release(b, value.reference);
    if (!r->fields_are_over) lb_client_note(b, NOTE_FIELDS_END, 0, NULL, 0);
    r->fields_left = 0;
    r->fields_are_over = true;
}

#endif
