// Writing and reading what frames are made of.

#include "frames.h"

#include <math.h>

enum { LONGEST_FRAME = 0x7ffffff0 };

size_t wire_frame_limit(const lb_configuration *c) {
    // A call gives a result and a changed table; a string that is read raw may take all the memory there is.
    size_t limit = 1 << 20;
    const size_t parts[] = {c->value_size, c->value_size, c->memory_limit, c->print_limit};
    for (int i = 0; i < COUNT_OF(parts); i++)
        if (__builtin_add_overflow(limit, parts[i], &limit)) return LONGEST_FRAME;
    return limit < LONGEST_FRAME ? limit : LONGEST_FRAME;
}

// MARK: Writing

void wire_put(writer *w, const void *bytes, size_t length) {
    buffer *to = w->to;
    if (w->failed || length == 0) return;
    if (length > LONGEST_FRAME - to->length || !buffer_reserve(to, length)) {
        w->failed = true;
        return;
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

void wire_put_text(writer *w, const void *bytes, size_t length) {
    if (length > LONGEST_FRAME) {
        w->failed = true;
        return;
    }
    wire_put_u32(w, (uint32_t)length);
    wire_put(w, bytes, length);
}

void wire_put_argument(writer *w, const lb_argument *argument, int32_t slot) {
    wire_put_u8(w, (uint8_t)argument->kind);
    switch (argument->kind) {
        case LB_ARGUMENT_NIL:
        case LB_ARGUMENT_NULL: return;
        case LB_ARGUMENT_BOOLEAN:
        case LB_ARGUMENT_INTEGER: wire_put_u64(w, (uint64_t)argument->integer); return;
        case LB_ARGUMENT_NUMBER: wire_put(w, &argument->number, 8); return;
        case LB_ARGUMENT_STRING:
        case LB_ARGUMENT_ENCODED: wire_put_text(w, argument->bytes, argument->length); return;
        case LB_ARGUMENT_REFERENCE: wire_put_u32(w, (uint32_t)slot); return;
    }
}

void wire_put_value(writer *w, const lb_value *value) {
    wire_put_u8(w, (uint8_t)value->type);
    switch (value->type) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL: return;
        case LB_TYPE_BOOLEAN:
        case LB_TYPE_INTEGER: wire_put_u64(w, (uint64_t)value->integer); return;
        case LB_TYPE_NUMBER: wire_put(w, &value->number, 8); return;
        default: break;
    }
    wire_put_u8(w, value->bytes != NULL);
    if (value->bytes != NULL) wire_put_text(w, value->bytes, value->length);
}

void wire_put_location(writer *w, const lb_location *location) {
    wire_put_text(w, location->chunk, location->chunk_length);
    wire_put_u32(w, (uint32_t)location->line);
}

static void put_text(writer *w, lb_text text) { wire_put_text(w, text.bytes, text.length); }

void wire_put_failure(writer *w, const lb_state *b) {
    const lb_error *e = &b->core.error;
    const lb_issue *i = &b->values.issue;
    put_text(w, e->message);
    wire_put_location(w, &e->location);
    wire_put_u32(w, (uint32_t)e->frame_count);
    for (int32_t n = 0; n < e->frame_count; n++) {
        put_text(w, e->frames[n].chunk);
        put_text(w, e->frames[n].name);
        wire_put_u32(w, (uint32_t)e->frames[n].line);
    }
    wire_put_u32(w, (uint32_t)e->local_count);
    for (int32_t n = 0; n < e->local_count; n++) {
        put_text(w, e->locals[n].name);
        put_text(w, e->locals[n].value);
    }
    wire_put_u8(w, (uint8_t)i->kind);
    wire_put_u8(w, (uint8_t)i->type);
    wire_put_u64(w, (uint64_t)i->integer);
    wire_put(w, &i->number, 8);
    put_text(w, i->text);
    put_text(w, i->path);
}

void wire_begin(writer *w, buffer *to, uint8_t kind) {
    *w = (writer){.to = to};
    buffer_trim(to);
    wire_put_u32(w, 0);
    wire_put_u8(w, kind);
}

void wire_end(writer *w) {
    uint32_t length = (uint32_t)(w->to->length - 4);
    if (!w->failed) memcpy(w->to->bytes, &length, 4);
}

// MARK: Reading

const void *wire_get(reader *r, size_t length) {
    if (r->failed || length > (size_t)(r->end - r->at)) {
        r->failed = true;
        r->at = r->end;
        return NULL;
    }
    const void *found = r->at;
    r->at += length;
    return found;
}

static void get(reader *r, void *to, size_t length) {
    const void *from = wire_get(r, length);
    if (from != NULL)
        memcpy(to, from, length);
    else
        memset(to, 0, length);
}

uint8_t wire_get_u8(reader *r) {
    uint8_t value;
    get(r, &value, 1);
    return value;
}

uint32_t wire_get_u32(reader *r) {
    uint32_t value;
    get(r, &value, 4);
    return value;
}

uint64_t wire_get_u64(reader *r) {
    uint64_t value;
    get(r, &value, 8);
    return value;
}

bool wire_get_bool(reader *r) {
    uint8_t value = wire_get_u8(r);
    if (value > 1) r->failed = true;
    return value == 1;
}

lb_text wire_get_text(reader *r) {
    size_t length = wire_get_u32(r);
    const void *bytes = wire_get(r, length);
    return bytes == NULL ? (lb_text){"", 0} : (lb_text){bytes, length};
}

void wire_get_argument(reader *r, lb_argument *argument) {
    *argument = (lb_argument){.kind = (lb_argument_kind)wire_get_u8(r)};
    switch (argument->kind) {
        case LB_ARGUMENT_NIL:
        case LB_ARGUMENT_NULL: return;
        case LB_ARGUMENT_BOOLEAN:
        case LB_ARGUMENT_INTEGER: argument->integer = (int64_t)wire_get_u64(r); return;
        case LB_ARGUMENT_NUMBER: get(r, &argument->number, 8); return;
        case LB_ARGUMENT_STRING:
        case LB_ARGUMENT_ENCODED: {
            lb_text text = wire_get_text(r);
            argument->bytes = text.bytes;
            argument->length = text.length;
            return;
        }
        case LB_ARGUMENT_REFERENCE: argument->reference = (int32_t)wire_get_u32(r); return;
    }
    r->failed = true;
}

void wire_get_value(reader *r, lb_value *value) {
    *value = (lb_value){.type = (lb_type)wire_get_u8(r)};
    switch (value->type) {
        case LB_TYPE_NIL:
        case LB_TYPE_NULL: return;
        case LB_TYPE_BOOLEAN: value->integer = wire_get_u64(r) != 0; return;
        case LB_TYPE_INTEGER: value->integer = (int64_t)wire_get_u64(r); return;
        case LB_TYPE_NUMBER: get(r, &value->number, 8); return;
        default: break;
    }
    if (value->type < LB_TYPE_NIL || value->type > LB_TYPE_USERDATA) r->failed = true;
    if (!wire_get_bool(r)) return;
    lb_text text = wire_get_text(r);
    value->bytes = text.bytes;
    value->length = text.length;
}

static int32_t get_line(reader *r) {
    uint32_t line = wire_get_u32(r);
    if (line > INT32_MAX) r->failed = true;
    return line > INT32_MAX ? 0 : (int32_t)line;
}

void wire_get_location(reader *r, lb_location *location) {
    lb_text chunk = wire_get_text(r);
    *location = (lb_location){chunk.bytes, chunk.length, 0};
    location->line = get_line(r);
}

static lb_text get_kept(reader *r, lb_state *b) {
    lb_text text = wire_get_text(r);
    return error_keep(b, text.bytes, text.length);
}

// What an issue says has a block of its own.
static lb_text get_of_issue(reader *r, lb_state *b) {
    lb_text text = wire_get_text(r);
    size_t room = ISSUE_TEXT - b->values.issue_length;
    if (text.length > room) text.length = room;
    char *kept = b->values.issue_text + b->values.issue_length;
    memcpy(kept, text.bytes, text.length);
    b->values.issue_length += text.length;
    return (lb_text){kept, text.length};
}

void wire_get_failure(reader *r, lb_state *b) {
    lb_error *e = &b->core.error;
    b->core.error_is_captured = false;
    error_begin(b);
    e->message = get_kept(r, b);
    lb_text chunk = get_kept(r, b);
    e->location = (lb_location){chunk.bytes, chunk.length, 0};
    e->location.line = get_line(r);
    uint32_t frames = wire_get_u32(r);
    if (frames > LB_MAXIMUM_FRAMES) r->failed = true;
    while (!r->failed && frames-- > 0) {
        lb_frame *frame = &e->frames[e->frame_count++];
        frame->chunk = get_kept(r, b);
        frame->name = get_kept(r, b);
        frame->line = get_line(r);
    }
    uint32_t locals = wire_get_u32(r);
    if (locals > LB_MAXIMUM_LOCALS) r->failed = true;
    while (!r->failed && locals-- > 0) {
        lb_local *local = &e->locals[e->local_count++];
        local->name = get_kept(r, b);
        local->value = get_kept(r, b);
    }
    b->values.issue_length = 0;
    b->values.issue.kind = (lb_issue_kind)wire_get_u8(r);
    b->values.issue.type = (lb_type)wire_get_u8(r);
    b->values.issue.integer = (int64_t)wire_get_u64(r);
    get(r, &b->values.issue.number, 8);
    b->values.issue.text = get_of_issue(r, b);
    b->values.issue.path = get_of_issue(r, b);
    if (b->values.issue.kind > LB_ISSUE_INSIDE || b->values.issue.type > LB_TYPE_USERDATA) r->failed = true;
}

// MARK: Sums

static uint64_t mix(uint64_t sum, uint64_t word, uint64_t factor) {
    sum = (sum ^ word) * factor;
    return sum ^ (sum >> 29);
}

wire_sum wire_sum_of(const void *bytes, size_t length) {
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
