// Records: their entries are sorted by key, while Lua gives them in an order of its own.

#include "encode.h"

#include <stdlib.h>

static entry *push_entry(lb_state *b) {
    if (b->entry_count == b->entry_capacity) {
        size_t capacity = b->entry_capacity == 0 ? 16 : b->entry_capacity * 2;
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

lb_issue_kind finish_record(encoder *e, size_t start, size_t first, bool sorted) {
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

bool note_entry(
    lb_state *b, size_t start, size_t first, size_t offset, size_t key_length, bool *sorted) {
    entry *k = push_entry(b);
    if (k == NULL) return false;
    const unsigned char *record = b->encoding.bytes + start;
    k->offset = (uint32_t)(offset - start);
    k->length = (uint32_t)(b->encoding.length - offset);
    k->key_length = (uint32_t)key_length;
    k->position = (uint32_t)(k - b->entries - first);
    k->prefix = prefix_of(key_bytes(k, record), key_length);
    if (*sorted && k->position > 0) *sorted = compare(k - 1, k, record) < 0;
    return true;
}

lb_issue_kind encode_record(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    lb_state *b = e->b;
    size_t first = b->entry_count;
    bool sorted = true;
    lb_issue_kind issue;
    do {
        if (lua_type(L, -2) != LUA_TSTRING) return LB_ISSUE_KEY;
        size_t offset = b->encoding.length, key_length = lua_rawlen(L, -2);
        if ((issue = encode_string(e, -2)) != LB_ISSUE_NONE) return issue;
        if ((issue = encode_value(e, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        if (!note_entry(b, start, first, offset, key_length, &sorted)) return LB_ISSUE_MEMORY;
        lua_pop(L, 1);
    } while (lua_next(L, -2));
    issue = finish_record(e, start, first, sorted);
    b->entry_count = first;
    return issue;
}
