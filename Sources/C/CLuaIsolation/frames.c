// Writes and reads the parts of frames.

#include "frames.h"

#include <sys/socket.h>

enum { LONGEST_FRAME = 0x7ffffff0 };

#define REQUEST_FORM(unused, name, parameters, arguments, parts, result, serve) {parts, result},
const request_form lb_request_forms[REQUESTS_IN_TABLE] = {REQUESTS(REQUEST_FORM)};

size_t lb_frame_limit_of(const lb_configuration *c) {
    // A call returns a result and a changed table. A raw string may take all available memory.
    size_t limit = 1 << 20;
    const size_t parts[] = {c->value_size, c->value_size, c->memory_limit, c->print_limit};
    for (int i = 0; i < COUNT_OF(parts); i++)
        if (__builtin_add_overflow(limit, parts[i], &limit)) return LONGEST_FRAME;
    return limit < LONGEST_FRAME ? limit : LONGEST_FRAME;
}

// MARK: Bytes

static void put(wire *w, const void *bytes, size_t length) {
    buffer *to = w->to;
    if (w->failed || length == 0) return;
    if (length > LONGEST_FRAME - to->length || !buffer_reserve(to, length)) {
        w->failed = true;
        return;
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

const void *lb_wire_get(wire *w, size_t length) {
    if (w->failed || length > (size_t)(w->end - w->at)) {
        w->failed = true;
        w->at = w->end;
        return NULL;
    }
    const void *found = w->at;
    w->at += length;
    return found;
}

void lb_wire_bytes(wire *w, void *bytes, size_t length) {
    if (w->to != NULL) return put(w, bytes, length);
    const void *from = lb_wire_get(w, length);
    if (from != NULL)
        memcpy(bytes, from, length);
    else
        memset(bytes, 0, length);
}

void lb_wire_text(wire *w, lb_text *text) {
    if (w->to == NULL) {
        size_t length = lb_wire_get_u32(w);
        const void *bytes = lb_wire_get(w, length);
        *text = bytes == NULL ? (lb_text){"", 0} : (lb_text){bytes, length};
    } else if (text->length > LONGEST_FRAME) {
        w->failed = true;
    } else {
        wire_put_u32(w, (uint32_t)text->length);
        put(w, text->bytes, text->length);
    }
}

#define WIRE_GET(name, type)                    \
    type name(wire *w) {                        \
        type value;                             \
        lb_wire_bytes(w, &value, sizeof value); \
        return value;                           \
    }
WIRE_GET(lb_wire_get_u8, uint8_t)
WIRE_GET(lb_wire_get_u32, uint32_t)
WIRE_GET(lb_wire_get_u64, uint64_t)

bool lb_wire_get_bool(wire *w) {
    uint8_t value = lb_wire_get_u8(w);
    if (value > 1) w->failed = true;
    return value == 1;
}

lb_text lb_wire_get_text(wire *w) {
    lb_text text;
    lb_wire_text(w, &text);
    return text;
}

// MARK: Writing or reading

// A number in one byte, at most `largest`.
static int32_t wire_kind(wire *w, int32_t kind, int32_t largest) {
    uint8_t byte = (uint8_t)kind;
    lb_wire_bytes(w, &byte, 1);
    if (byte > largest) w->failed = true;
    return byte > largest ? 0 : byte;
}

static void wire_bytes_of_text(wire *w, const void **bytes, size_t *length) {
    lb_text text = {*bytes, *length};
    lb_wire_text(w, &text);
    *bytes = text.bytes;
    *length = text.length;
}

void lb_wire_argument(wire *w, lb_argument *argument) {
    if (w->to == NULL) *argument = (lb_argument){.kind = LB_ARGUMENT_NIL};
    argument->kind = (lb_argument_kind)wire_kind(w, argument->kind, LB_ARGUMENT_REFERENCE);
    switch (argument->kind) {
        case LB_ARGUMENT_NIL:
        case LB_ARGUMENT_NULL: return;
        case LB_ARGUMENT_BOOLEAN:
        case LB_ARGUMENT_INTEGER: lb_wire_bytes(w, &argument->integer, 8); return;
        case LB_ARGUMENT_NUMBER: lb_wire_bytes(w, &argument->number, 8); return;
        case LB_ARGUMENT_STRING:
        case LB_ARGUMENT_ENCODED:
            wire_bytes_of_text(w, &argument->bytes, &argument->length);
            return;
        case LB_ARGUMENT_REFERENCE: lb_wire_bytes(w, &argument->reference, 4); return;
    }
}

void lb_wire_value(wire *w, lb_value *value) {
    if (w->to == NULL) *value = (lb_value){.type = LB_TYPE_NIL};
    value->type = (lb_type)wire_kind(w, value->type, LB_TYPE_USERDATA);
    value->has_strangers = wire_kind(w, value->has_strangers, 1) != 0;
    switch (value->type) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL: return;
        case LB_TYPE_BOOLEAN:
        case LB_TYPE_INTEGER: lb_wire_bytes(w, &value->integer, 8); break;
        case LB_TYPE_NUMBER: lb_wire_bytes(w, &value->number, 8); return;
        default: {
            bool has_bytes = wire_kind(w, value->bytes != NULL, 1) != 0;
            if (has_bytes) wire_bytes_of_text(w, &value->bytes, &value->length);
            return;
        }
    }
    if (value->type == LB_TYPE_BOOLEAN) value->integer = value->integer != 0;
}

static void wire_count(wire *w, int32_t *count, int32_t largest) {
    lb_wire_bytes(w, count, 4);
    if (*count >= 0 && *count <= largest) return;
    w->failed = true;
    *count = 0;
}

void lb_wire_location(wire *w, lb_location *location) {
    lb_text chunk = {location->chunk, location->chunk_length};
    lb_wire_text(w, &chunk);
    location->chunk = chunk.bytes;
    location->chunk_length = chunk.length;
    wire_count(w, &location->line, INT32_MAX);
}

void lb_wire_level(wire *w, lb_level *level) {
    lb_wire_text(w, &level->chunk);
    lb_wire_text(w, &level->name);
    wire_count(w, &level->line, INT32_MAX);
    wire_count(w, &level->first_line, INT32_MAX);
    wire_count(w, &level->last_line, INT32_MAX);
}

static void wire_identity(wire *w, const void **identity) {
    uint64_t number = (uint64_t)(uintptr_t)*identity;
    lb_wire_bytes(w, &number, sizeof number);
    *identity = (const void *)(uintptr_t)number;
}

void lb_wire_place(wire *w, lb_place *place) {
    if (w->to == NULL) *place = (lb_place){.step = 0};
    wire_identity(w, &place->table);
    wire_identity(w, &place->view);
    lb_wire_bytes(w, &place->token, sizeof place->token);
    wire_count(w, &place->step, INT32_MAX);
    wire_count(w, &place->variable, INT32_MAX);
    place->is_variable = wire_kind(w, place->is_variable, 1) != 0;
}

void lb_wire_line(wire *w, lb_traced_line *line) {
    lb_wire_text(w, &line->chunk);
    wire_count(w, &line->line, INT32_MAX);
    lb_wire_bytes(w, &line->hits, sizeof line->hits);
    lb_wire_bytes(w, &line->next, sizeof line->next);
}

// A text of the error description. When it is read, it is stored there.
static void wire_kept(wire *w, lb_state *b, lb_text *text) {
    lb_wire_text(w, text);
    if (w->to == NULL) *text = lb_error_keep(b, text->bytes, text->length);
}

// A text of an issue, which has a block of its own.
static void wire_of_issue(wire *w, values_state *v, lb_text *text) {
    lb_wire_text(w, text);
    if (w->to != NULL) return;
    size_t room = ISSUE_TEXT - v->issue_length;
    if (text->length > room) text->length = room;
    text->bytes = memcpy(v->issue_text + v->issue_length, text->bytes, text->length);
    v->issue_length += text->length;
}

void lb_wire_failure(wire *w, lb_state *b) {
    lb_error *e = &b->core.error;
    lb_issue *i = &b->values.issue;
    if (w->to == NULL) {
        b->core.error_is_captured = false;
        error_begin(b);
        b->values.issue_length = 0;
    }
    wire_kept(w, b, &e->message);
    lb_text chunk = {e->location.chunk, e->location.chunk_length};
    wire_kept(w, b, &chunk);
    e->location.chunk = chunk.bytes;
    e->location.chunk_length = chunk.length;
    wire_count(w, &e->location.line, INT32_MAX);
    wire_count(w, &e->frame_count, LB_MAXIMUM_FRAMES);
    for (int32_t n = 0; n < e->frame_count; n++) {
        wire_kept(w, b, &e->frames[n].chunk);
        wire_kept(w, b, &e->frames[n].name);
        wire_count(w, &e->frames[n].line, INT32_MAX);
    }
    wire_count(w, &e->local_count, LB_MAXIMUM_LOCALS);
    for (int32_t n = 0; n < e->local_count; n++) {
        wire_kept(w, b, &e->locals[n].name);
        wire_kept(w, b, &e->locals[n].value);
    }
    i->kind = (lb_issue_kind)wire_kind(w, i->kind, LB_ISSUE_INSIDE);
    i->type = (lb_type)wire_kind(w, i->type, LB_TYPE_USERDATA);
    lb_wire_bytes(w, &i->integer, 8);
    lb_wire_bytes(w, &i->number, 8);
    wire_of_issue(w, &b->values, &i->text);
    wire_of_issue(w, &b->values, &i->path);
}

// MARK: Frames

wire lb_frame_begin(buffer *to, uint8_t kind) {
    wire w = wire_writer(to);
    buffer_trim(to);
    wire_put_u32(&w, 0);
    wire_put_u8(&w, kind);
    return w;
}

void lb_frame_end(wire *w) {
    uint32_t length = (uint32_t)(w->to->length - 4);
    if (!w->failed) memcpy(w->to->bytes, &length, 4);
}

ssize_t lb_receive(int socket, read_ahead *ahead, unsigned char *to, size_t length, int flags) {
    if (!has_read_ahead(ahead)) {
        if (length >= READ_AHEAD) return recv(socket, to, length, flags);
        ssize_t count = recv(socket, ahead->bytes, READ_AHEAD, flags);
        if (count <= 0) return count;
        ahead->start = 0;
        ahead->end = (size_t)count;
    }
    size_t known = ahead->end - ahead->start, step = known < length ? known : length;
    memcpy(to, ahead->bytes + ahead->start, step);
    ahead->start += step;
    return (ssize_t)step;
}

// MARK: Digests

static uint64_t mix(uint64_t sum, uint64_t word, uint64_t factor) {
    sum = (sum ^ word) * factor;
    return sum ^ (sum >> 29);
}

wire_sum lb_wire_sum_of(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    wire_sum sum = {0x9e3779b97f4a7c15 ^ length, 0xc2b2ae3d27d4eb4f + length};
    for (size_t left = length; left > 0;) {
        size_t step = left < 8 ? left : 8;
        uint64_t word = 0;
        memcpy(&word, at, step);
        sum.first = mix(sum.first, word, 0xff51afd7ed558ccd);
        sum.second = mix(sum.second, word, 0x9fb21c651e98df25);
        at += step;
        left -= step;
    }
    return sum;
}
