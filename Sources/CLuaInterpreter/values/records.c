// Records: their entries are sorted by key, while Lua gives them in an order of its own.

#include "values/output.h"

entry *entry_push(lb_state *b) {
    if (b->values.entry_count == b->values.entry_capacity) {
        size_t capacity = b->values.entry_capacity == 0 ? 16 : b->values.entry_capacity * 2;
        entry *entries = realloc(b->values.entries, capacity * sizeof(entry));
        if (entries == NULL) return NULL;
        b->values.entries = entries;
        b->values.entry_capacity = capacity;
    }
    return &b->values.entries[b->values.entry_count++];
}

// The key bytes lie in the encoding, after a head of 2 or 5 bytes.
static inline const unsigned char *key_bytes(const entry *k, const unsigned char *start) {
    return start + k->offset + string_head(k->key_length);
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
static lb_issue_kind sort_record(lb_state *b, size_t start, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (entry_push(b) == NULL) return LB_ISSUE_MEMORY;
    b->values.entry_count -= count;
    entry *k = b->values.entries + first;
    merge_sort(k, k + count, count, b->values.encoding.bytes + start);

    size_t body = b->values.encoding.length - start;
    b->values.scratch.length = 0;
    if (!buffer_reserve(&b->values.scratch, body)) return LB_ISSUE_MEMORY;
    unsigned char *old = b->values.scratch.bytes, *to = b->values.encoding.bytes + start;
    memcpy(old, to, body);
    uint32_t offset = HEADER;
    for (size_t i = 0; i < count; i++) {
        memcpy(to + offset, old + k[i].offset, k[i].length);
        k[i].offset = offset;
        offset += k[i].length;
    }
    return LB_ISSUE_NONE;
}

bool entry_is_after(const entry *k, const unsigned char *record) {
    return compare(k - 1, k, record) < 0;
}

lb_issue_kind output_record_end(lb_state *b, size_t start, size_t first, bool sorted) {
    size_t count = b->values.entry_count - first;
    if (!sorted) {
        lb_issue_kind issue = sort_record(b, start, first, count);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    if (!output_reserve(b, count * 4)) return LB_ISSUE_MEMORY;
    const entry *k = b->values.entries + first;
    for (size_t i = 0; i < count; i++) {
        put_u32(b->values.encoding.bytes + b->values.encoding.length, k[i].offset);
        b->values.encoding.length += 4;
    }
    output_header(b, start, TAG_RECORD, count);
    return LB_ISSUE_NONE;
}
