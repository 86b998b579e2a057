// Records with the same keys. Tables made by the same code have the same keys in the same order. So
// the encoder remembers the shapes it has met: the keys, their sorted order and their encodings.
// Keys are compared by address, so a shape keeps its keys from being collected.

#include "direct/shapes.h"

#include <stdlib.h>

// The first of the two neighbouring places for a shape with this first key.
static int shape_index(const void *first) { return (int)(((uintptr_t)first >> 4) % SHAPES) & ~1; }

void lb_shapes_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_createtable(b->core.main, SHAPES, 0);
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_SHAPES);
}

void lb_shapes_close(lb_state *b) {
    for (int index = 0; index < SHAPES; index++) free(b->direct.shapes[index]);
}

// MARK: Finding

// True if the fields from the first on are exactly those of the shape. Stores their values' places.
static bool matches(
    const shape *s, int count, const held_field *f, const held_field *end, const held **values) {
    int found = 0;
    for (; f < end; f++) {
        if (held_is_nil(f->tag)) continue;
        // An integer could equal an address.
        bool same = f->key_tag == HELD_SHORT_STRING && found < count
            && f->key.object == s->keys[found];
        if (!same) return false;
        values[found++] = (const held *)f;
    }
    return found == count;
}

int lb_shape_find(const lb_state *b, const held_table *t, const held **values) {
    const held_field *f = t->fields, *end = held_fields_end(t);
    while (held_is_nil(f->tag)) f++;
    int index = shape_index(f->key.object);
    for (int last = index + 1; index <= last; index++) {
        int count = b->direct.counts[index];
        if (count != 0 && matches(b->direct.shapes[index], count, f, end, values)) return index;
    }
    return -1;
}

// MARK: Learning

// The place for a new shape: a free one of the two, otherwise the one learnt earlier; -1: in use.
static int place_for(lb_state *b, const void *first) {
    int index = shape_index(first);
    if (b->direct.counts[index] != 0
        && (b->direct.counts[index + 1] == 0 || !b->direct.second[index / 2]))
        index++;
    b->direct.second[index / 2] = index % 2 != 0;
    return b->direct.users[index] == 0 ? index : -1;
}

typedef struct {
    const shape *shape;
    size_t count;
    int index;
} keep_request;

// Keeps the keys of a shape alive. Lua may collect garbage here, which does not move the record.
static int keep_body(lua_State *L) {
    const keep_request *r = lua_touserdata(L, 1);
    const shape *s = r->shape;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_SHAPES);
    lua_createtable(L, (int)r->count, 0);
    for (size_t rank = 0; rank < r->count; rank++) {
        // This is the same key object, because Lua has only one short string with these bytes.
        lua_pushlstring(L, (const char *)s->key_bytes[rank] + 2, s->key_lengths[rank] - 2u);
        lua_rawseti(L, -2, (lua_Integer)rank + 1);
    }
    lua_rawseti(L, -2, r->index + 1);
    return 0;
}

// The place for a new shape; NULL: out of memory.
static shape *make_room(lb_state *b, int index) {
    if (b->direct.shapes[index] == NULL) b->direct.shapes[index] = malloc(sizeof(shape));
    b->direct.counts[index] = 0;
    return b->direct.shapes[index];
}

void lb_shape_learn(lb_state *b, const void *const *keys, size_t start, size_t first) {
    STACK(b->core.main, 0, nothing);
    size_t count = b->values.entry_count - first;
    if (count > SHAPE_FIELDS) return;
    int index = place_for(b, keys[0]);
    shape *s = index < 0 ? NULL : make_room(b, index);
    if (s == NULL) return;
    for (size_t rank = 0; rank < count; rank++) {
        const entry *k = &b->values.entries[first + rank];
        size_t length = k->key_length + 2;
        if (length > SHAPE_KEY) return;
        memcpy(s->key_bytes[rank], b->values.encoding.bytes + start + k->offset, length);
        s->key_lengths[rank] = (uint8_t)length;
        s->positions[rank] = (uint8_t)k->position;
        s->keys[k->position] = keys[k->position];
    }
    keep_request request = {s, count, index};
    if (lb_protect(b, keep_body, &request, 0) == LB_OK) b->direct.counts[index] = (uint8_t)count;
}
