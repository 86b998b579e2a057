// Records: their entries are sorted by key, while Lua gives them in an order of its own.
//
// Tables made by the same code give the same keys in the same order. So the encoder remembers the
// shapes it has met: which keys, where they belong, and how they are encoded. Keys are told by their
// addresses, so they are kept from being collected as long as a shape knows them.

#include "encode.h"

#include <stdlib.h>

static entry *push_entry(lb_state *b) {
    if (b->entry_count == b->entry_capacity) {
        size_t capacity = b->entry_capacity == 0 ? 128 : b->entry_capacity * 2;
        entry *entries = realloc(b->entries, capacity * sizeof(entry));
        if (entries == NULL) return NULL;
        b->entries = entries;
        b->entry_capacity = capacity;
    }
    return &b->entries[b->entry_count++];
}

// The key bytes lie in the encoding, after a head of 2 or 5 bytes.
static inline const unsigned char *key_bytes(const entry *k, const unsigned char *start) {
    return start + k->offset + (k->key_length < 256 ? 2 : 5);
}

static int compare(const entry *x, const entry *y, const unsigned char *start) {
    if (x->prefix != y->prefix) return x->prefix < y->prefix ? -1 : 1;
    size_t shorter = x->key_length < y->key_length ? x->key_length : y->key_length;
    int order = memcmp(key_bytes(x, start), key_bytes(y, start), shorter);
    if (order != 0) return order;
    return x->key_length < y->key_length ? -1 : x->key_length > y->key_length;
}

static void insertion_sort(entry *k, size_t count, const unsigned char *start) {
    for (size_t i = 1; i < count; i++) {
        entry moving = k[i];
        size_t j = i;
        for (; j > 0 && compare(&moving, &k[j - 1], start) < 0; j--) k[j] = k[j - 1];
        k[j] = moving;
    }
}

static void merge_sort(entry *k, entry *spare, size_t count, const unsigned char *start) {
    if (count <= 12) {
        insertion_sort(k, count, start);
        return;
    }
    size_t half = count / 2, i = 0, j = half;
    merge_sort(k, spare, half, start);
    merge_sort(k + half, spare, count - half, start);
    memcpy(spare, k, half * sizeof(entry));
    for (size_t to = 0; i < half; to++)
        k[to] = j < count && compare(&k[j], &spare[i], start) < 0 ? k[j++] : spare[i++];
}

// Puts the entries' bytes into the order of their keys.
static lb_issue_kind sort_record(encoder *e, size_t start, size_t first, size_t count) {
    lb_state *b = e->b;
    for (size_t i = 0; i < count; i++)
        if (push_entry(b) == NULL) return LB_ISSUE_MEMORY;
    b->entry_count -= count;
    entry *k = b->entries + first;
    merge_sort(k, k + count, count, b->encoding.bytes + start);

    size_t body = b->encoding.length - start;
    b->scratch.length = 0;
    if (!buffer_reserve(&b->scratch, body)) return LB_ISSUE_MEMORY;
    unsigned char *old = b->scratch.bytes, *to = b->encoding.bytes + start;
    memcpy(old, to, body);
    uint32_t offset = HEADER;
    for (size_t i = 0; i < count; i++) {
        memcpy(to + offset, old + k[i].offset, k[i].length);
        k[i].offset = offset;
        offset += k[i].length;
    }
    return LB_ISSUE_NONE;
}

static lb_issue_kind finish_record(encoder *e, size_t start, size_t first, bool sorted) {
    lb_state *b = e->b;
    size_t count = b->entry_count - first;
    if (!sorted) {
        lb_issue_kind issue = sort_record(e, start, first, count);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    if (!encoder_reserve(e, count * 4)) return LB_ISSUE_MEMORY;
    const entry *k = b->entries + first;
    for (size_t i = 0; i < count; i++) {
        put_u32(b->encoding.bytes + b->encoding.length, k[i].offset);
        b->encoding.length += 4;
    }
    finish_header(e, start, TAG_RECORD, count);
    return LB_ISSUE_NONE;
}

static inline uint64_t prefix_of(const unsigned char *bytes, size_t length) {
    uint64_t word = 0;
    if (length >= 8) {
        memcpy(&word, bytes, 8);
        return __builtin_bswap64(word);
    }
    for (size_t i = 0; i < length; i++) word |= (uint64_t)bytes[i] << (56 - 8 * i);
    return word;
}

// MARK: Shapes

enum { GATHER_DEPTH = 100 };  // stack slots in use above which fields are not gathered

// The first of two neighbouring places where a shape with this first key may be.
static int shape_index(const void *first) { return (int)(((uintptr_t)first >> 4) % SHAPES) & ~1; }

static int shape_slot(int index, int field) { return index * SHAPE_FIELDS + field + 1; }

/* [-0, +0, memory] */
void shapes_open(lb_state *b) {
    lua_State *L = b->desk;
    lua_createtable(L, SHAPES * SHAPE_FIELDS, 0);
    for (int i = 1; i <= SHAPES * SHAPE_FIELDS; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, -2, i);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_SHAPES);
}

// The place for a new shape: a free one of the two, else that which was not learnt last; -1: in use.
static int place_for(lb_state *b, const void *first) {
    int index = shape_index(first);
    if (b->shape_counts[index] != 0 && (b->shape_counts[index + 1] == 0 || !b->shape_second[index / 2]))
        index++;
    b->shape_second[index / 2] = index % 2 != 0;
    return b->shape_users[index] == 0 ? index : -1;
}

// Remembers the record on top, which was just encoded and whose keys came in the order of `keys`. The slots
// for the keys are there, so keeping them needs no memory. [-0, +0, never raises]
static void learn(lb_state *b, const void *const *keys, size_t start, size_t first) {
    lua_State *L = b->desk;
    size_t count = b->entry_count - first;
    int index = place_for(b, keys[0]);
    if (index < 0) return;
    shape *s = &b->shapes[index];
    b->shape_counts[index] = 0;
    for (size_t rank = 0; rank < count; rank++) {
        const entry *k = &b->entries[first + rank];
        size_t length = k->key_length + 2;
        if (length > SHAPE_KEY) return;
        memcpy(s->key_bytes[rank], b->encoding.bytes + start + k->offset, length);
        s->key_lengths[rank] = (uint8_t)length;
        s->positions[rank] = (uint8_t)k->position;
        s->keys[rank] = keys[rank];
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_SHAPES);
    lua_pushnil(L);
    for (int field = 0; lua_next(L, -3); field++) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, shape_slot(index, field));
    }
    lua_pop(L, 1);
    b->shape_counts[index] = (uint8_t)count;
}

// Gathers key and value of all fields on the stack, the first of which is there already at `first`.
// False: the record has another shape.
static bool gather(lua_State *L, const shape *s, int count, int first) {
    for (int i = 1; i < count; i++) {
        lua_pushvalue(L, -2);
        if (!lua_next(L, first - 1) || lua_topointer(L, -2) != s->keys[i]) return false;
    }
    lua_pushvalue(L, -2);
    return !lua_next(L, first - 1);
}

static lb_issue_kind put_gathered(
    encoder *e, const shape *s, int count, size_t start, int first, int depth) {
    lb_state *b = e->b;
    uint32_t offsets[SHAPE_FIELDS];
    for (int rank = 0; rank < count; rank++) {
        if (!encoder_reserve(e, SHAPE_KEY + LARGEST_SCALAR)) return LB_ISSUE_MEMORY;
        // The length is in a register: what is written to bytes could change it in memory.
        size_t length = b->encoding.length;
        offsets[rank] = (uint32_t)(length - start);
        memcpy(b->encoding.bytes + length, s->key_bytes[rank], SHAPE_KEY);
        b->encoding.length = length + s->key_lengths[rank];
        int value = first + 2 * s->positions[rank] + 1;
        int type = lua_type(e->L, value);
        // As encode_value does, but for what is sure already.
        if (e->left > 0 && put_simple(e, value, type)) {
            e->left--;
            continue;
        }
        lb_issue_kind issue = encode_value(e, value, type, depth);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    size_t size = (size_t)count * sizeof(uint32_t);
    if (!encoder_reserve(e, size)) return LB_ISSUE_MEMORY;
    memcpy(b->encoding.bytes + b->encoding.length, offsets, size);
    b->encoding.length += size;
    finish_header(e, start, TAG_RECORD, (size_t)count);
    return LB_ISSUE_NONE;
}

// MARK: The whole

static lb_issue_kind put_entries(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    lb_state *b = e->b;
    const void *keys[SHAPE_FIELDS];
    size_t first = b->entry_count;
    bool sorted = true;
    lb_issue_kind issue;
    do {
        if (lua_type(L, -2) != LUA_TSTRING) return LB_ISSUE_KEY;
        size_t position = b->entry_count - first;
        if (position < SHAPE_FIELDS) keys[position] = lua_topointer(L, -2);
        size_t offset = b->encoding.length, key_length = lua_rawlen(L, -2);
        if ((issue = encode_string(e, -2)) != LB_ISSUE_NONE) return issue;
        const unsigned char *key = b->encoding.bytes + b->encoding.length - key_length;
        uint64_t prefix = prefix_of(key, key_length);
        if ((issue = encode_value(e, -1, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        entry *k = push_entry(b);
        if (k == NULL) return LB_ISSUE_MEMORY;
        *k = (entry){
            .prefix = prefix,
            .offset = (uint32_t)(offset - start),
            .length = (uint32_t)(b->encoding.length - offset),
            .key_length = (uint32_t)key_length,
            .position = (uint32_t)position,
        };
        if (sorted && position > 0) sorted = compare(k - 1, k, b->encoding.bytes + start) < 0;
        lua_pop(L, 1);
    } while (lua_next(L, -2));
    issue = finish_record(e, start, first, sorted);
    if (issue == LB_ISSUE_NONE && b->entry_count - first <= SHAPE_FIELDS)
        learn(b, keys, start, first);
    b->entry_count = first;
    return issue;
}

lb_issue_kind encode_record(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    lb_state *b = e->b;
    int first = lua_gettop(L) - 1;
    const void *key = lua_topointer(L, first);
    int index = shape_index(key);
    for (int end = index + 2; index < end && first < GATHER_DEPTH; index++) {
        int count = b->shape_counts[index];
        const shape *s = &b->shapes[index];
        if (count == 0 || s->keys[0] != key) continue;
        if (gather(L, s, count, first)) {
            b->shape_users[index]++;
            lb_issue_kind issue = put_gathered(e, s, count, start, first, depth);
            b->shape_users[index]--;
            lua_settop(L, first - 1);
            return issue;
        }
        lua_settop(L, first + 1);
    }
    return put_entries(e, start, depth);
}
