// Encodes Lua values without Lua's functions, by reading them from Lua's memory. See layout.h.
//
// This covers nearly all values. For anything else, above all mistakes, it gives up. Then encode.c
// starts again with Lua's functions, and either succeeds or finds the error.

#include "direct/layout.h"
#include "direct/shapes.h"
#include "values/encode.h"

static bool put(encoder *e, const held *v, int depth);

static bool put_string(encoder *e, const held_string *s, uint8_t tag) {
    return output_text(e->b, s->bytes, held_length(s, tag)) == LB_ISSUE_NONE;
}

// MARK: Lists

static bool put_list(encoder *e, const held_table *t, size_t places, size_t start, int depth) {
    size_t first = e->b->values.offset_count, count = 0;
    for (; count < places && !held_is_nil(t->elements[count].tag); count++) {
        if (!output_element(e->b, start)) return false;
        if (!put(e, &t->elements[count], depth)) return false;
    }
    for (; count < places; count++)
        if (!held_is_nil(t->elements[count].tag)) return false;
    for (const held_field *f = t->fields, *end = held_fields_end(t); f < end; f++)
        if (!held_is_nil(f->tag)) return false;
    return output_list_end(e->b, start, first) == LB_ISSUE_NONE;
}

// MARK: Records

static bool put_shaped(
    encoder *e, const shape *s, int count, const held *const *values, size_t start, int depth) {
    lb_state *b = e->b;
    uint32_t offsets[SHAPE_FIELDS];
    for (int rank = 0; rank < count; rank++) {
        if (!output_reserve(e->b, SHAPE_KEY)) return false;
        // The length is in a register, because writing to bytes could change it in memory.
        size_t length = b->values.encoding.length;
        offsets[rank] = (uint32_t)(length - start);
        memcpy(b->values.encoding.bytes + length, s->key_bytes[rank], SHAPE_KEY);
        b->values.encoding.length = length + s->key_lengths[rank];
        if (!put(e, values[s->positions[rank]], depth)) return false;
    }
    if (!output_bytes(b, offsets, (size_t)count * sizeof(uint32_t))) return false;
    output_header(b, start, TAG_RECORD, (size_t)count);
    return true;
}

static bool put_entries(encoder *e, const held_table *t, size_t start, int depth) {
    lb_state *b = e->b;
    const void *keys[SHAPE_FIELDS];
    size_t first = b->values.entry_count;
    bool sorted = true;
    for (const held_field *f = t->fields, *end = held_fields_end(t); f < end; f++) {
        if (held_is_nil(f->tag)) continue;
        if ((f->key_tag & 0x0F) != LUA_TSTRING) return false;
        size_t position = b->values.entry_count - first, offset = b->values.encoding.length;
        if (position < SHAPE_FIELDS) keys[position] = f->key.object;
        if (!put_string(e, f->key.object, f->key_tag)) return false;
        if (!put(e, (const held *)f, depth)) return false;
        size_t length = held_length(f->key.object, f->key_tag);
        if (!output_entry(b, start, first, offset, length, &sorted)) return false;
    }
    if (lb_output_record_end(b, start, first, sorted) != LB_ISSUE_NONE) return false;
    lb_shape_learn(b, keys, start, first);
    b->values.entry_count = first;
    return true;
}

static bool put_record(encoder *e, const held_table *t, size_t start, int depth) {
    lb_state *b = e->b;
    const held *values[SHAPE_FIELDS];
    int index = lb_shape_find(b, t, values);
    if (index < 0) return put_entries(e, t, start, depth);
    b->direct.users[index]++;
    bool done =
        put_shaped(e, b->direct.shapes[index], b->direct.counts[index], values, start, depth);
    b->direct.users[index]--;
    return done;
}

// MARK: Tables and views

static const held_field *first_field(const held_table *t) {
    for (const held_field *f = t->fields, *end = held_fields_end(t); f < end; f++)
        if (!held_is_nil(f->tag)) return f;
    return NULL;
}

static bool put_table(encoder *e, const held_table *t, int depth) {
    lb_state *b = e->b;
    for (int i = depth; i-- > 0;)
        if (e->ancestors[i] == t) return false;
    // An empty table can have a large capacity, so the time limit is checked for each table.
    if ((uint32_t)depth >= b->core.configuration.value_depth || b->limits.stop) return false;
    e->ancestors[depth] = t;
    meet_table(b, t);
    size_t start, places = held_element_places(t);
    if (!output_begin(b, &start)) return false;
    if (t->metatable == NULL && places > 0 && !held_is_nil(t->elements[0].tag))
        return put_list(e, t, places, start, depth + 1);
    for (size_t i = 0; i < places; i++)
        if (!held_is_nil(t->elements[i].tag)) return false;
    bool empty = first_field(t) == NULL;
    if (t->metatable != NULL && !(empty && t->metatable == b->core.record_metatable)) return false;
    if (!empty) return put_record(e, t, start, depth + 1);
    output_header(b, start, t->metatable != NULL ? TAG_RECORD : TAG_LIST, 0);
    return true;
}

static bool put_view(encoder *e, const held_userdata *u, int depth) {
    if (u->metatable != e->b->core.view_metatable) return false;
    e->b->values.met_view = true;
    size_t length;
    const void *bytes = view_bytes(u->values + u->value_count, &length);
    if (bytes == NULL) {
        const held *table = &u->values[VIEW_TABLE - 1];
        return table->tag == HELD_TABLE && put_table(e, table->is.object, depth);
    }
    return output_bytes(e->b, bytes, length);
}

static bool put(encoder *e, const held *v, int depth) {
    buffer *out = &e->b->values.encoding;
    if (e->left == 0 || out->length > e->b->core.configuration.value_size) return false;
    if (!output_reserve(e->b, LARGEST_SCALAR)) return false;
    e->left--;
    switch (v->tag) {
        case HELD_INTEGER: output_integer(e->b, v->is.integer); return true;
        case HELD_FLOAT: return output_double(e->b, v->is.number) == LB_ISSUE_NONE;
        case HELD_FALSE: output_byte(e->b, TAG_FALSE); return true;
        case HELD_TRUE: output_byte(e->b, TAG_TRUE); return true;
        case HELD_POINTER: output_byte(e->b, TAG_NULL); return v->is.object == NULL;
        case HELD_SHORT_STRING:
        case HELD_LONG_STRING: return put_string(e, v->is.object, v->tag);
        case HELD_TABLE: return put_table(e, v->is.object, depth);
        case HELD_USERDATA: return put_view(e, v->is.object, depth);
        default: return false;
    }
}

static bool read_directly(encoder *e, const void *table, int depth) {
    if (e->left == 0) return false;
    e->left--;
    return put_table(e, table, depth);
}

// MARK: Interface

static size_t table_places(const void *table) { return held_places(table); }

void lb_direct_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    if (!lb_layout_is_known()) return;
    b->core.table_places = table_places;
    if (b->core.configuration.reads_through_lua) return;
    lb_shapes_open(b);
    b->values.read_directly = read_directly;
}

void lb_direct_close(lb_state *b) { lb_shapes_close(b); }
