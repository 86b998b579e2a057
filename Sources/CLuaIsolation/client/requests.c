// The functions of the bridge for a state whose scripts run in a process of their own.

#include "client/client.h"

#if defined(__linux__)

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// MARK: The process

bool client_is_gone(lb_state *b) {
    if (b->remote->nesting == 0) client_look(b);
    return b->remote->gone;
}

lb_status client_try_forbidden(lb_state *b, uint32_t what) {
    reader r;
    writer w = client_begin(b, ASK_TRY);
    wire_put_u32(&w, what);
    lb_status status = client_ask(b, &w, ASK_TRY, &r);
    return status == LB_OK ? client_finish(b, &r) : status;
}

// MARK: Notes

bool note(lb_state *b, wire_note note, int32_t slot, const void *bytes, size_t length) {
    remote *r = b->remote;
    writer w = {.to = &r->notes};
    size_t before = r->notes.length;
    if (r->gone) return false;
    wire_put_u8(&w, note);
    if (note != NOTE_RANDOM && note != NOTE_FIELDS_END) wire_put_u32(&w, (uint32_t)slot);
    wire_put(&w, bytes, length);
    // Without the memory for it a reference stays for longer than it need.
    if (w.failed) r->notes.length = before;
    return !w.failed;
}

void client_release(lb_state *b, int32_t reference) {
    int32_t slot = slot_of(b->remote, reference);
    if (slot == 0) return;
    note(b, NOTE_RELEASE, slot, NULL, 0);
    slot_give_back(b->remote, slot);
}

void client_object_set_usable(lb_state *b, int32_t object, bool usable) {
    uint8_t byte = usable;
    int32_t slot = slot_of(b->remote, object);
    if (slot != 0) note(b, NOTE_USABLE, slot, &byte, 1);
}

void client_object_recall(lb_state *b, int32_t object) {
    int32_t slot = slot_of(b->remote, object);
    if (slot != 0) note(b, NOTE_RECALL, slot, NULL, 0);
}

void client_set_random(lb_state *b) { note(b, NOTE_RANDOM, 0, b->sandbox.random, sizeof b->sandbox.random); }

// MARK: References

lb_type client_reference_type(lb_state *b, int32_t reference) {
    int32_t slot = slot_of(b->remote, reference);
    return slot == 0 ? LB_TYPE_NIL : b->remote->slots[slot].type;
}

const void *client_reference_identity(lb_state *b, int32_t reference) {
    int32_t slot = slot_of(b->remote, reference);
    return slot == 0 ? NULL : b->remote->slots[slot].identity;
}

static lb_type get_type(reader *r) {
    lb_type type = (lb_type)wire_get_u8(r);
    if (type > LB_TYPE_USERDATA) r->failed = true;
    return type;
}

static const void *get_identity(reader *r) { return (const void *)(uintptr_t)wire_get_u64(r); }

lb_status take_new(lb_state *b, writer *w, wire_request request, int32_t slot, int32_t *reference) {
    remote *remote = b->remote;
    reader r;
    lb_status status = slot == 0 ? LB_MEMORY : client_ask(b, w, request, &r);
    if (status == LB_OK) {
        lb_type type = get_type(&r);
        const void *identity = get_identity(&r);
        status = client_finish(b, &r);
        if (status == LB_OK) {
            *reference = slot_take(remote, slot, type, identity);
            return status;
        }
    }
    slot_give_back(remote, slot);
    return status;
}

// A request whose first part is the slot for what it makes.
static writer begin_new(lb_state *b, wire_request request, int32_t *slot) {
    *slot = slot_reserve(b->remote);
    writer w = client_begin(b, request);
    wire_put_u32(&w, (uint32_t)*slot);
    return w;
}

static void put_reference(lb_state *b, writer *w, int32_t reference) {
    int32_t slot = slot_of(b->remote, reference);
    if (reference != 0 && slot == 0) w->is_absent = true;
    wire_put_u32(w, (uint32_t)slot);
}

void put_argument(lb_state *b, writer *w, const lb_argument *argument) {
    bool refers = argument->kind == LB_ARGUMENT_REFERENCE;
    int32_t slot = refers ? slot_of(b->remote, argument->reference) : 0;
    if (refers && slot == 0) w->is_absent = true;
    wire_put_argument(w, argument, slot);
}

lb_status client_retain(lb_state *b, int32_t reference, int32_t *copy) {
    int32_t slot;
    if (b->remote->gone) return LB_GONE;
    if (slot_of(b->remote, reference) == 0) return LB_ABSENT;
    writer w = begin_new(b, ASK_RETAIN, &slot);
    put_reference(b, &w, reference);
    return take_new(b, &w, ASK_RETAIN, slot, copy);
}

lb_status client_make_reference(lb_state *b, const lb_argument *value, int32_t *reference) {
    int32_t slot;
    writer w = begin_new(b, ASK_MAKE_REFERENCE, &slot);
    put_argument(b, &w, value);
    return take_new(b, &w, ASK_MAKE_REFERENCE, slot, reference);
}

lb_status client_make_record(lb_state *b, int32_t *reference) {
    int32_t slot;
    writer w = begin_new(b, ASK_MAKE_RECORD, &slot);
    return take_new(b, &w, ASK_MAKE_RECORD, slot, reference);
}

lb_status client_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference) {
    int32_t slot;
    if (length > b->core.configuration.source_limit) return LB_SOURCE;
    writer w = begin_new(b, ASK_LOAD, &slot);
    wire_put_text(&w, source, length);
    wire_put_text(&w, chunk, strlen(chunk) + 1);
    return take_new(b, &w, ASK_LOAD, slot, reference);
}

lb_status client_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference) {
    int32_t slot;
    if (b->remote->gone) return LB_GONE;
    if (!functions_add(b->remote, function)) return LB_MEMORY;
    writer w = begin_new(b, ASK_MAKE_FUNCTION, &slot);
    wire_put_u32(&w, (uint32_t)function);
    wire_put_u8(&w, remembers);
    lb_status status = take_new(b, &w, ASK_MAKE_FUNCTION, slot, reference);
    if (status != LB_OK) b->remote->alive[function] = false;
    return status;
}

lb_status client_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference) {
    int32_t slot;
    if (b->remote->gone) return LB_GONE;
    if (table != 0 && client_reference_type(b, table) != LB_TYPE_TABLE) return LB_ABSENT;
    writer w = begin_new(b, ASK_MAKE_VIEW, &slot);
    put_reference(b, &w, table);
    wire_put_text(&w, label, label_length);
    wire_put_u8(&w, encoding != NULL);
    if (encoding != NULL) wire_put_text(&w, encoding, length);
    return take_new(b, &w, ASK_MAKE_VIEW, slot, reference);
}

lb_status client_make_object_type(
    lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference) {
    int32_t slot;
    writer w = begin_new(b, ASK_MAKE_TYPE, &slot);
    put_reference(b, &w, methods);
    wire_put_text(&w, name, length);
    return take_new(b, &w, ASK_MAKE_TYPE, slot, reference);
}

lb_status client_make_object(lb_state *b, int32_t object_type, int64_t tag, int32_t *reference) {
    int32_t slot;
    writer w = begin_new(b, ASK_MAKE_OBJECT, &slot);
    put_reference(b, &w, object_type);
    wire_put_u64(&w, (uint64_t)tag);
    return take_new(b, &w, ASK_MAKE_OBJECT, slot, reference);
}

bool client_take_dead_function(lb_state *b, int32_t *function) {
    remote *r = b->remote;
    if (r->dead_count == 0) return false;
    *function = r->dead[--r->dead_count];
    return true;
}

// MARK: Values

void get_plain(lb_state *b, reader *r, lb_value *value) {
    wire_get_value(r, value);
    switch (value->type) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL:
        case LB_TYPE_BOOLEAN:
        case LB_TYPE_INTEGER: return;
        case LB_TYPE_NUMBER:
            if (!isfinite(value->number)) r->failed = true;
            return;
        case LB_TYPE_STRING:
            if (value->bytes == NULL || value->length > b->core.configuration.value_size
                || utf8_valid_prefix(value->bytes, value->length) != value->length)
                r->failed = true;
            return;
        default: break;
    }
    lb_validate_callback validate = b->core.configuration.validate;
    bool is_plain = value->bytes != NULL && value->length >= 9 && validate != NULL
        && validate(value->bytes, value->length, &b->core.configuration);
    if (!is_plain) r->failed = true;
}

static lb_status take_plain(lb_state *b, writer *w, wire_request request, lb_value *value) {
    reader r;
    lb_status status = client_ask(b, w, request, &r);
    if (status != LB_OK) return status;
    get_plain(b, &r, value);
    status = client_finish(b, &r);
    if (status != LB_OK) *value = (lb_value){.type = LB_TYPE_NIL};
    return status;
}

lb_status client_encode(lb_state *b, int32_t reference, lb_value *value) {
    *value = (lb_value){.type = LB_TYPE_NIL};
    writer w = client_begin(b, ASK_ENCODE);
    put_reference(b, &w, reference);
    return take_plain(b, &w, ASK_ENCODE, value);
}

lb_status client_call_encode(const lb_call *call, int32_t index, lb_value *value) {
    lb_state *b = call->state;
    *value = (lb_value){.type = LB_TYPE_NIL};
    writer w = client_begin(b, ASK_CALL_ENCODE);
    wire_put_u32(&w, (uint32_t)index);
    return take_plain(b, &w, ASK_CALL_ENCODE, value);
}

// MARK: Calls

static lb_status begin_call(lb_state *b) {
    if (b->remote->gone) return LB_GONE;
    bool is_deep = b->protection.depth > 0 && (b->protection.depth >= b->core.configuration.depth_limit || stack_is_short());
    if (is_deep) b->remote->is_too_deep = true;
    return is_deep ? LB_DEPTH : LB_OK;
}

static writer put_call(
    lb_state *b, wire_request request, int32_t function, const lb_argument *arguments,
    int32_t count, int32_t wants, int32_t slot) {
    writer w = client_begin(b, request);
    put_reference(b, &w, function);
    wire_put_u32(&w, (uint32_t)wants);
    wire_put_u32(&w, (uint32_t)slot);
    wire_put_u32(&w, (uint32_t)count);
    for (int32_t i = 0; i < count; i++) put_argument(b, &w, &arguments[i]);
    return w;
}

static lb_status take_call(
    lb_state *b, writer *w, wire_request request, int32_t wants, int32_t slot, lb_value *result,
    lb_value *changed) {
    reader r;
    const void *identity = NULL;
    b->protection.depth++;
    lb_status status = client_ask(b, w, request, &r);
    if (--b->protection.depth == 0) b->remote->is_too_deep = false;
    if (status == LB_OK) {
        if (wants & LB_WANT_VALUE)
            get_plain(b, &r, result);
        else
            wire_get_value(&r, result);
        if (wants & LB_WANT_REFERENCE) identity = get_identity(&r);
        if (changed != NULL) get_plain(b, &r, changed);
        status = client_finish(b, &r);
    }
    if (status == LB_OK && (wants & LB_WANT_REFERENCE)) {
        result->reference = slot_take(b->remote, slot, result->type, identity);
        return status;
    }
    if (slot != 0) slot_give_back(b->remote, slot);
    if (status == LB_OK) return status;
    *result = (lb_value){.type = LB_TYPE_NIL};
    if (changed != NULL) *changed = *result;
    return status;
}

lb_status client_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result) {
    *result = (lb_value){.type = LB_TYPE_NIL};
    lb_status status = begin_call(b);
    if (status != LB_OK) return status;
    int32_t slot = 0;
    if (wants & LB_WANT_REFERENCE) {
        slot = slot_reserve(b->remote);
        if (slot == 0) return LB_MEMORY;
    }
    writer w = put_call(b, ASK_CALL, function, arguments, count, wants, slot);
    return take_call(b, &w, ASK_CALL, wants, slot, result, NULL);
}

lb_status client_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed) {
    *result = *changed = (lb_value){.type = LB_TYPE_NIL};
    lb_status status = begin_call(b);
    if (status != LB_OK) return status;
    int32_t slot = 0;
    if (wants & LB_WANT_REFERENCE) {
        slot = slot_reserve(b->remote);
        if (slot == 0) return LB_MEMORY;
    }
    writer w = put_call(b, ASK_CALL_CHANGING, function, arguments, count, wants, slot);
    // The table crosses only if it is another one now.
    wire_put_u8(&w, old != NULL);
    if (old != NULL) {
        wire_sum sum = wire_sum_of(old, old_length);
        wire_put_u64(&w, old_length);
        wire_put_u64(&w, sum.first);
        wire_put_u64(&w, sum.second);
    }
    return take_call(b, &w, ASK_CALL_CHANGING, wants, slot, result, changed);
}

// MARK: Fields

// A value that was read raw. One that is no scalar gets the slot.
static bool get_field(lb_state *b, reader *r, int32_t slot, lb_value *value) {
    wire_get_value(r, value);
    if (value->type < LB_TYPE_TABLE) {
        if (value->type == LB_TYPE_STRING && value->bytes == NULL) r->failed = true;
        return false;
    }
    value->bytes = NULL;
    value->length = 0;
    const void *identity = get_identity(r);
    if (r->failed) return false;
    value->reference = slot_take(b->remote, slot, value->type, identity);
    return true;
}

lb_status take_field(lb_state *b, writer *w, wire_request request, int32_t slot, lb_value *value) {
    reader r;
    *value = (lb_value){.type = LB_TYPE_NIL};
    lb_status status = slot == 0 ? LB_MEMORY : client_ask(b, w, request, &r);
    bool taken = false;
    if (status == LB_OK) {
        taken = get_field(b, &r, slot, value);
        status = client_finish(b, &r);
    }
    if (!taken) slot_give_back(b->remote, slot);
    if (status != LB_OK) *value = (lb_value){.type = LB_TYPE_NIL};
    return status;
}

lb_status client_get_field(
    lb_state *b, int32_t table, const void *name, size_t length, lb_value *value) {
    int32_t slot;
    writer w = begin_new(b, ASK_GET_FIELD, &slot);
    put_reference(b, &w, table);
    wire_put_text(&w, name, length);
    return take_field(b, &w, ASK_GET_FIELD, slot, value);
}

static lb_status take_nothing(lb_state *b, writer *w, wire_request request) {
    reader r;
    lb_status status = client_ask(b, w, request, &r);
    return status == LB_OK ? client_finish(b, &r) : status;
}

lb_status client_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value) {
    writer w = client_begin(b, ASK_SET_FIELD);
    put_reference(b, &w, table);
    wire_put_u8(&w, table == 0);
    wire_put_text(&w, name, length);
    put_argument(b, &w, value);
    return take_nothing(b, &w, ASK_SET_FIELD);
}

lb_status client_object_set(
    lb_state *b, int32_t object, const void *name, size_t length, const lb_argument *value) {
    writer w = client_begin(b, ASK_OBJECT_SET);
    put_reference(b, &w, object);
    wire_put_text(&w, name, length);
    put_argument(b, &w, value);
    return take_nothing(b, &w, ASK_OBJECT_SET);
}

void client_collect_garbage(lb_state *b) {
    writer w = client_begin(b, ASK_COLLECT);
    (void)take_nothing(b, &w, ASK_COLLECT);
}

lb_status client_function_location(lb_state *b, int32_t function, lb_location *location) {
    reader r;
    writer w = client_begin(b, ASK_FUNCTION_LOCATION);
    put_reference(b, &w, function);
    lb_status status = client_ask(b, &w, ASK_FUNCTION_LOCATION, &r);
    if (status != LB_OK) return status;
    wire_get_location(&r, location);
    return client_finish(b, &r);
}

// MARK: All fields

// Reads a batch, whose references get the slots after the last.
static lb_status read_ahead(lb_state *b, writer *w, wire_request request) {
    remote *remote = b->remote;
    reader r;
    lb_status status = client_ask(b, w, request, &r);
    if (status != LB_OK) return status;
    remote->fields_are_over = wire_get_bool(&r);
    remote->fields_left = wire_get_u32(&r);
    if (r.failed || remote->fields_left > FIELD_BATCH
        || (remote->fields_left == 0 && !remote->fields_are_over)) {
        client_break(b, "a table has impossible fields");
        return LB_GONE;
    }
    remote->fields = r;
    return LB_OK;
}

lb_status begin_fields(lb_state *b, wire_request request, int32_t what) {
    remote *remote = b->remote;
    remote->fields_left = 0;
    remote->fields_are_over = true;
    if (remote->gone) return LB_GONE;
    if (!slots_reserve(remote, FIELD_BATCH)) return LB_MEMORY;
    writer w = client_begin(b, request);
    wire_put_u32(&w, (uint32_t)remote->top + 1);
    wire_put_u32(&w, (uint32_t)what);
    return read_ahead(b, &w, request);
}

lb_status client_fields_begin(lb_state *b, int32_t table) {
    if (!b->remote->gone && slot_of(b->remote, table) == 0) return LB_ABSENT;
    return begin_fields(b, ASK_FIELDS, slot_of(b->remote, table));
}

lb_status client_fields_next(lb_state *b, lb_value *key, lb_value *value) {
    remote *r = b->remote;
    *key = *value = (lb_value){.type = LB_TYPE_NIL};
    if (r->gone) return LB_GONE;
    if (r->fields_left == 0) {
        if (r->fields_are_over) return LB_ABSENT;
        if (!slots_reserve(r, FIELD_BATCH)) return LB_MEMORY;
        writer w = client_begin(b, ASK_MORE_FIELDS);
        wire_put_u32(&w, (uint32_t)r->top + 1);
        lb_status status = read_ahead(b, &w, ASK_MORE_FIELDS);
        if (status != LB_OK) {
            r->fields_are_over = true;
            return status;
        }
        if (r->fields_left == 0) return LB_ABSENT;
    }
    r->fields_left--;
    wire_get_value(&r->fields, key);
    if (key->type == LB_TYPE_STRING && key->bytes == NULL) r->fields.failed = true;
    if (get_field(b, &r->fields, r->top + 1, value)) r->top++;
    bool is_last = r->fields_left == 0;
    if (r->fields.failed || (is_last && r->fields.at != r->fields.end)) {
        client_break(b, "a table has impossible fields");
        return LB_GONE;
    }
    return LB_OK;
}

void client_fields_end(lb_state *b) {
    remote *r = b->remote;
    lb_value key, value;
    // What was read ahead has references too.
    while (r->fields_left > 0 && client_fields_next(b, &key, &value) == LB_OK)
        if (value.reference != 0) client_release(b, value.reference);
    if (!r->fields_are_over) note(b, NOTE_FIELDS_END, 0, NULL, 0);
    r->fields_left = 0;
    r->fields_are_over = true;
}

#endif
