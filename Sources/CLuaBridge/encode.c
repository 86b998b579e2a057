// From Lua to the binary encoding of plain values, in one pass and without a path: on failure,
// diagnose.c walks again to tell where. Access is raw, no metamethod runs, nothing raises. The work
// happens on the desk, whose stack has room for the deepest value.
//
// Every value is a tag byte and its payload. Lists and records are: tag, u32 size, u32 count, the
// elements or the sorted entries (key, value), and a table of u32 offsets from the tag.

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG_NULL,
    TAG_FALSE,
    TAG_TRUE,
    TAG_INT8,
    TAG_INT32,
    TAG_INT64,
    TAG_DOUBLE,
    TAG_SHORT_STRING,
    TAG_STRING,
    TAG_LIST,
    TAG_RECORD,
    HEADER = 9,
    LARGEST_SCALAR = 9,
};

typedef struct {
    lb_state *b;
    lua_State *L;
    const void **ancestors;  // the tables around this value
    uint64_t left;           // values that may still come
} encoder;

static lb_issue_kind encode_value(encoder *e, int type, int depth);

static inline bool reserve(encoder *e, size_t more) {
    buffer *out = &e->b->encoding;
    return out->capacity - out->length >= more || buffer_reserve(out, more);
}

static inline void put_u32(unsigned char *to, uint32_t value) { memcpy(to, &value, 4); }

// MARK: Scalars

static inline lb_issue_kind put_integer(encoder *e, lua_Integer value) {
    unsigned char *to = e->b->encoding.bytes + e->b->encoding.length;
    if (value == (int8_t)value) {
        to[0] = TAG_INT8;
        to[1] = (unsigned char)value;
        e->b->encoding.length += 2;
    } else if (value == (int32_t)value) {
        to[0] = TAG_INT32;
        put_u32(to + 1, (uint32_t)value);
        e->b->encoding.length += 5;
    } else {
        to[0] = TAG_INT64;
        memcpy(to + 1, &value, 8);
        e->b->encoding.length += 9;
    }
    return LB_ISSUE_NONE;
}

static lb_issue_kind put_double(encoder *e, lua_Number value) {
    if (isnan(value)) return LB_ISSUE_NAN;
    if (isinf(value)) return LB_ISSUE_INFINITY;
    unsigned char *to = e->b->encoding.bytes + e->b->encoding.length;
    to[0] = TAG_DOUBLE;
    memcpy(to + 1, &value, 8);
    e->b->encoding.length += 9;
    return LB_ISSUE_NONE;
}

static inline void put_byte(encoder *e, unsigned char byte) {
    e->b->encoding.bytes[e->b->encoding.length++] = byte;
}

static inline bool is_utf8(const unsigned char *bytes, size_t length) {
    size_t i = 0;
    uint64_t word;
    for (; i + 8 <= length; i += 8) {
        memcpy(&word, bytes + i, 8);
        if (word & 0x8080808080808080u) return utf8_valid_prefix(bytes, length) == length;
    }
    unsigned char high = 0;
    for (; i < length; i++) high |= bytes[i];
    return high < 0x80 || utf8_valid_prefix(bytes, length) == length;
}

static inline lb_issue_kind put_string(encoder *e, int index) {
    size_t length;
    const char *bytes = lua_tolstring(e->L, index, &length);
    if (!is_utf8((const unsigned char *)bytes, length)) return LB_ISSUE_TEXT;
    if (length > e->b->configuration.value_size) return LB_ISSUE_SIZE;
    if (!reserve(e, length + 5)) return LB_ISSUE_MEMORY;
    unsigned char *to = e->b->encoding.bytes + e->b->encoding.length;
    size_t head = length < 256 ? 2 : 5;
    to[0] = length < 256 ? TAG_SHORT_STRING : TAG_STRING;
    if (length < 256)
        to[1] = (unsigned char)length;
    else
        put_u32(to + 1, (uint32_t)length);
    memcpy(to + head, bytes, length);
    e->b->encoding.length += head + length;
    return LB_ISSUE_NONE;
}

// MARK: Containers

static bool push_offset(lb_state *b, uint32_t offset) {
    if (b->offset_count == b->offset_capacity) {
        size_t capacity = b->offset_capacity == 0 ? 256 : b->offset_capacity * 2;
        uint32_t *offsets = realloc(b->offsets, capacity * sizeof(uint32_t));
        if (offsets == NULL) return false;
        b->offsets = offsets;
        b->offset_capacity = capacity;
    }
    b->offsets[b->offset_count++] = offset;
    return true;
}

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

static void finish_header(encoder *e, size_t start, unsigned char tag, size_t count) {
    unsigned char *to = e->b->encoding.bytes + start;
    to[0] = tag;
    put_u32(to + 1, (uint32_t)(e->b->encoding.length - start));
    put_u32(to + 5, (uint32_t)count);
}

static lb_issue_kind finish_list(encoder *e, size_t start, size_t first) {
    lb_state *b = e->b;
    size_t count = b->offset_count - first;
    if (!reserve(e, count * 4)) return LB_ISSUE_MEMORY;
    memcpy(b->encoding.bytes + b->encoding.length, b->offsets + first, count * 4);
    b->encoding.length += count * 4;
    finish_header(e, start, TAG_LIST, count);
    return LB_ISSUE_NONE;
}

// The elements from `index` on, when their keys do not come in order: exactly 1…n must be there,
// counted. What was encoded before stays, so that nesting does not multiply the work.
static lb_issue_kind put_scattered(encoder *e, size_t start, lua_Integer index, int depth) {
    lua_State *L = e->L;
    lua_Integer count = 0, largest = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        if (!lua_isinteger(L, -1) || lua_tointegerx(L, -1, NULL) < 1) return LB_ISSUE_KEY;
        if (lua_tointegerx(L, -1, NULL) > largest) largest = lua_tointegerx(L, -1, NULL);
        count++;
    }
    if (count != largest) return LB_ISSUE_HOLE;
    for (; index <= count; index++) {
        if (!push_offset(e->b, (uint32_t)(e->b->encoding.length - start))) return LB_ISSUE_MEMORY;
        lb_issue_kind issue = encode_value(e, lua_rawgeti(L, -1, index), depth);
        if (issue != LB_ISSUE_NONE) return issue;
        lua_pop(L, 1);
    }
    return LB_ISSUE_NONE;
}

// The first key and value are on the stack.
static lb_issue_kind put_list(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    size_t first = e->b->offset_count;
    lb_issue_kind issue = LB_ISSUE_NONE;
    lua_Integer index = 1;
    do {
        if (!lua_isinteger(L, -2) || lua_tointegerx(L, -2, NULL) != index) {
            lua_pop(L, 2);
            if ((issue = put_scattered(e, start, index, depth)) != LB_ISSUE_NONE) return issue;
            break;
        }
        if (!push_offset(e->b, (uint32_t)(e->b->encoding.length - start))) return LB_ISSUE_MEMORY;
        if ((issue = encode_value(e, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        lua_pop(L, 1);
        index++;
    } while (lua_next(L, -2));
    issue = finish_list(e, start, first);
    e->b->offset_count = first;
    return issue;
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
    if (!reserve(e, count * 4)) return LB_ISSUE_MEMORY;
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

// The first key and value are on the stack.
static lb_issue_kind put_record(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    lb_state *b = e->b;
    size_t first = b->entry_count;
    bool sorted = true;
    lb_issue_kind issue;
    do {
        if (lua_type(L, -2) != LUA_TSTRING) return LB_ISSUE_KEY;
        size_t offset = b->encoding.length, key_length = lua_rawlen(L, -2);
        if ((issue = put_string(e, -2)) != LB_ISSUE_NONE) return issue;
        const unsigned char *key = b->encoding.bytes + b->encoding.length - key_length;
        uint64_t prefix = prefix_of(key, key_length);
        if ((issue = encode_value(e, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        entry *k = push_entry(b);
        if (k == NULL) return LB_ISSUE_MEMORY;
        *k = (entry){
            .prefix = prefix,
            .offset = (uint32_t)(offset - start),
            .length = (uint32_t)(b->encoding.length - offset),
            .key_length = (uint32_t)key_length,
        };
        if (sorted && b->entry_count - first > 1)
            sorted = compare(k - 1, k, b->encoding.bytes + start) < 0;
        lua_pop(L, 1);
    } while (lua_next(L, -2));
    issue = finish_record(e, start, first, sorted);
    b->entry_count = first;
    return issue;
}

// A record's mark matters only while it is empty: a restored value has none, so the mark is dropped
// from a table that has fields, that both may behave alike from then on.
static lb_issue_kind put_marked(encoder *e, bool *marked) {
    lua_State *L = e->L;
    *marked = lua_topointer(L, -1) == e->b->record_metatable;
    lua_pop(L, 1);
    return *marked ? LB_ISSUE_NONE : LB_ISSUE_METATABLE;
}

static lb_issue_kind put_table(encoder *e, int depth) {
    lua_State *L = e->L;
    bool marked = false;
    if (lua_getmetatable(L, -1)) {
        lb_issue_kind issue = put_marked(e, &marked);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    const void *identity = lua_topointer(L, -1);
    for (int i = depth; i-- > 0;)
        if (e->ancestors[i] == identity) return LB_ISSUE_CYCLE;
    if ((uint32_t)depth >= e->b->configuration.value_depth) return LB_ISSUE_DEPTH;
    e->ancestors[depth] = identity;

    size_t start = e->b->encoding.length;
    if (!reserve(e, HEADER)) return LB_ISSUE_MEMORY;
    e->b->encoding.length += HEADER;
    lua_pushnil(L);
    if (!lua_next(L, -2)) {
        finish_header(e, start, marked ? TAG_RECORD : TAG_LIST, 0);
        return LB_ISSUE_NONE;
    }
    if (marked) {
        lua_pushnil(L);
        lua_setmetatable(L, -4);
    }
    switch (lua_type(L, -2)) {
        case LUA_TSTRING: return put_record(e, start, depth + 1);
        case LUA_TNUMBER: return put_list(e, start, depth + 1);
        default: return LB_ISSUE_KEY;
    }
}

static lb_issue_kind put_userdata(encoder *e, int depth) {
    lua_State *L = e->L;
    size_t length;
    if (!is_view(e->b, L, -1)) return LB_ISSUE_TYPE;
    const void *bytes = view_encoding(L, -1, &length);
    if (bytes == NULL) {
        view_push_table(e->b, L, -1);
        lb_issue_kind issue = put_table(e, depth);
        if (issue == LB_ISSUE_NONE) lua_pop(L, 1);
        return issue;
    }
    if (!reserve(e, length)) return LB_ISSUE_MEMORY;
    memcpy(e->b->encoding.bytes + e->b->encoding.length, bytes, length);
    e->b->encoding.length += length;
    return LB_ISSUE_NONE;
}

// The value is on top of the stack and stays there; on failure more may lie above it.
static lb_issue_kind encode_value(encoder *e, int type, int depth) {
    lua_State *L = e->L;
    if (e->left-- == 0) {
        e->left = 0;
        return LB_ISSUE_COUNT;
    }
    if (e->b->encoding.length > e->b->configuration.value_size) return LB_ISSUE_SIZE;
    if (!reserve(e, LARGEST_SCALAR)) return LB_ISSUE_MEMORY;
    switch (type) {
        case LUA_TSTRING: return put_string(e, -1);
        case LUA_TNUMBER:
            if (lua_isinteger(L, -1)) return put_integer(e, lua_tointegerx(L, -1, NULL));
            return put_double(e, lua_tonumberx(L, -1, NULL));
        case LUA_TBOOLEAN:
            put_byte(e, lua_toboolean(L, -1) ? TAG_TRUE : TAG_FALSE);
            return LB_ISSUE_NONE;
        case LUA_TTABLE: return put_table(e, depth);
        case LUA_TUSERDATA: return put_userdata(e, depth);
        case LUA_TLIGHTUSERDATA:
            if (lua_touserdata(L, -1) != NULL) return LB_ISSUE_TYPE;
            put_byte(e, TAG_NULL);
            return LB_ISSUE_NONE;
        case LUA_TNIL: put_byte(e, TAG_NULL); return LB_ISSUE_NONE;
        default: return LB_ISSUE_TYPE;
    }
}

lb_issue_kind encode_at(lb_state *b, const void **ancestors, int depth) {
    lua_State *L = b->desk;
    int top = lua_gettop(L);
    b->encoding.length = b->offset_count = b->entry_count = 0;
    encoder e = {b, L, ancestors, b->configuration.value_count};
    lb_issue_kind issue = encode_value(&e, lua_type(L, -1), depth);
    lua_settop(L, top);
    if (issue != LB_ISSUE_NONE) return issue;
    return b->encoding.length > b->configuration.value_size ? LB_ISSUE_SIZE : LB_ISSUE_NONE;
}

lb_status encode_top(lb_state *b, lb_value *value) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    buffer_trim(&b->encoding);
    buffer_trim(&b->scratch);
    lb_issue_kind issue = encode_at(b, ancestors, 0);
    if (issue != LB_ISSUE_NONE) {
        diagnose(b, issue, ancestors);
        return LB_CONVERSION;
    }
    scalar_at(b, b->desk, -1, value);
    // The bytes of a string are those of the encoding, which stay when the string is collected.
    size_t head = value->type != LB_TYPE_STRING ? 0 : value->length < 256 ? 2 : 5;
    value->bytes = b->encoding.bytes + head;
    value->length = b->encoding.length - head;
    return LB_OK;
}

/* [-0, +0, never raises] */
lb_status lb_encode(lb_state *b, int32_t reference, lb_value *value) {
    reference_push(b->desk, reference);
    lb_status status = encode_top(b, value);
    lua_pop(b->desk, 1);
    return status;
}
