// Converts Lua values to the encoding of plain values, in one pass and without a path. After a
// failure, diagnose.c finds the place. The folder `direct` reads nearly all values in place. Lua's
// functions read the rest: access is raw, no metamethod runs, and nothing raises. That happens on
// the main thread, whose stack gets room for the deepest value the first time.

#include "values/encode.h"

// MARK: Records, whose entries are sorted by key

entry *lb_entry_push(lb_state *b) {
    if (b->values.entry_count == b->values.entry_capacity) {
        size_t capacity = b->values.entry_capacity == 0 ? 16 : b->values.entry_capacity * 2;
        entry *entries = realloc(b->values.entries, capacity * sizeof(entry));
        if (entries == NULL) return NULL;
        b->values.entries = entries;
        b->values.entry_capacity = capacity;
    }
    return &b->values.entries[b->values.entry_count++];
}

// The key's bytes are in the encoding, after a head of 2 or 5 bytes.
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

// Sorts the bytes of the entries by key.
static lb_issue_kind sort_record(lb_state *b, size_t start, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (lb_entry_push(b) == NULL) return LB_ISSUE_MEMORY;
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

bool lb_entry_is_after(const entry *k, const unsigned char *record) {
    return compare(k - 1, k, record) < 0;
}

lb_issue_kind lb_output_record_end(lb_state *b, size_t start, size_t first, bool sorted) {
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

// MARK: Values

// Encodes the value on top, of Lua's type `type`. On failure, extra values may stay on the stack.
static lb_issue_kind put(encoder *e, int type, int depth);

static lb_issue_kind put_string(encoder *e, int index) {
    size_t length;
    const char *bytes = lua_tolstring(e->L, index, &length);
    return output_text(e->b, (const unsigned char *)bytes, length);
}

// MARK: Containers; on failure, extra values may stay on the stack

// Encodes the elements from `index` on when the keys are not in order: they must be exactly 1…n,
// which counting checks. Elements encoded so far are kept, so that nesting does not multiply work.
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
        if (!output_element(e->b, start)) return LB_ISSUE_MEMORY;
        lb_issue_kind issue = put(e, lua_rawgeti(L, -1, index), depth);
        if (issue != LB_ISSUE_NONE) return issue;
        lua_pop(L, 1);
    }
    return LB_ISSUE_NONE;
}

// The first key and value are on the stack.
static lb_issue_kind put_list(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    size_t first = e->b->values.offset_count;
    lb_issue_kind issue = LB_ISSUE_NONE;
    lua_Integer index = 1;
    do {
        if (!lua_isinteger(L, -2) || lua_tointegerx(L, -2, NULL) != index) {
            lua_pop(L, 2);
            if ((issue = put_scattered(e, start, index, depth)) != LB_ISSUE_NONE) return issue;
            break;
        }
        if (!output_element(e->b, start)) return LB_ISSUE_MEMORY;
        if ((issue = put(e, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        lua_pop(L, 1);
        index++;
    } while (lua_next(L, -2));
    return output_list_end(e->b, start, first);
}

// The first key and value are on the stack.
static lb_issue_kind put_record(encoder *e, size_t start, int depth) {
    lua_State *L = e->L;
    lb_state *b = e->b;
    size_t first = b->values.entry_count;
    bool sorted = true;
    lb_issue_kind issue;
    do {
        if (lua_type(L, -2) != LUA_TSTRING) return LB_ISSUE_KEY;
        size_t offset = b->values.encoding.length, key_length = lua_rawlen(L, -2);
        if ((issue = put_string(e, -2)) != LB_ISSUE_NONE) return issue;
        if ((issue = put(e, lua_type(L, -1), depth)) != LB_ISSUE_NONE) return issue;
        if (!output_entry(b, start, first, offset, key_length, &sorted)) return LB_ISSUE_MEMORY;
        lua_pop(L, 1);
    } while (lua_next(L, -2));
    issue = lb_output_record_end(b, start, first, sorted);
    b->values.entry_count = first;
    return issue;
}

// A record's mark only matters while it is empty. A restored value has no mark, so a table with
// fields loses its mark, and both then behave the same.
static lb_issue_kind put_marked(encoder *e, bool *marked) {
    STACK(e->L, -1, nothing);
    lua_State *L = e->L;
    *marked = lua_topointer(L, -1) == e->b->core.record_metatable;
    lua_pop(L, 1);
    return *marked ? LB_ISSUE_NONE : LB_ISSUE_METATABLE;
}

// Replaces the table on top by its substitute, if it has one.
static void substitute(lua_State *L, int substitutes) {
    STACK(L, 0, nothing);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, substitutes) == LUA_TTABLE)
        lua_replace(L, -2);
    else
        lua_pop(L, 1);
}

static lb_issue_kind put_table(encoder *e, int depth) {
    lua_State *L = e->L;
    if (e->b->values.substitutes != 0) substitute(L, e->b->values.substitutes);
    bool marked = false;
    if (lua_getmetatable(L, -1)) {
        lb_issue_kind issue = put_marked(e, &marked);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    const void *identity = lua_topointer(L, -1);
    for (int i = depth; i-- > 0;)
        if (e->ancestors[i] == identity) return LB_ISSUE_CYCLE;
    if ((uint32_t)depth >= e->b->core.configuration.value_depth) return LB_ISSUE_DEPTH;
    if (e->b->limits.stop) return LB_ISSUE_INSIDE;
    e->ancestors[depth] = identity;
    meet_table(e->b, identity);

    size_t start;
    if (!output_begin(e->b, &start)) return LB_ISSUE_MEMORY;
    lua_pushnil(L);
    if (!lua_next(L, -2)) {
        output_header(e->b, start, marked ? TAG_RECORD : TAG_LIST, 0);
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

// In the plain part of a state, a root's number represents its draft.
static lb_issue_kind put_draft(encoder *e, int depth) {
    values_state *v = &e->b->values;
    draft *d = lua_touserdata(e->L, -1);
    if (v->drafts != DRAFTS_NUMBERED || d->state != v->numbering) return LB_ISSUE_TYPE;
    // A draft in two places, or at another depth, is no longer in its tree.
    if (d->depth != (uint32_t)depth || d->round == v->round) return LB_ISSUE_TYPE;
    d->round = v->round;
    if (d->number == 0) return LB_ISSUE_TYPE;
    output_byte(e->b, TAG_DRAFT);
    put_u32(v->encoding.bytes + v->encoding.length, d->number);
    v->encoding.length += 4;
    return LB_ISSUE_NONE;
}

static lb_issue_kind put_userdata(encoder *e, int depth) {
    bool follows_drafts = e->b->values.drafts == DRAFTS_FOLLOWED;
    const void *bytes;
    size_t length;
    switch (lb_view_look(e->b, e->L, follows_drafts, &bytes, &length)) {
        case VIEW_NONE: return LB_ISSUE_TYPE;
        case VIEW_OF_DRAFT: return put_draft(e, depth);
        case VIEW_OF_BYTES:
            e->b->values.met_view = true;
            return output_bytes(e->b, bytes, length) ? LB_ISSUE_NONE : LB_ISSUE_MEMORY;
        case VIEW_OF_TABLE: e->b->values.met_view = true; break;
    }
    lb_issue_kind issue = put_table(e, depth);
    if (issue == LB_ISSUE_NONE) lua_pop(e->L, 1);
    return issue;
}

static lb_issue_kind put(encoder *e, int type, int depth) {
    lua_State *L = e->L;
    if (e->left == 0) return LB_ISSUE_COUNT;
    e->left--;
    if (e->b->values.encoding.length > e->b->core.configuration.value_size) return LB_ISSUE_SIZE;
    if (!output_reserve(e->b, LARGEST_SCALAR)) return LB_ISSUE_MEMORY;
    switch (type) {
        case LUA_TBOOLEAN: output_byte(e->b, lua_toboolean(L, -1) ? TAG_TRUE : TAG_FALSE); break;
        case LUA_TNIL: output_byte(e->b, TAG_NULL); break;
        case LUA_TLIGHTUSERDATA:
            if (lua_touserdata(L, -1) != NULL) return LB_ISSUE_TYPE;
            output_byte(e->b, TAG_NULL);
            break;
        case LUA_TNUMBER:
            if (!lua_isinteger(L, -1)) return output_double(e->b, lua_tonumberx(L, -1, NULL));
            output_integer(e->b, lua_tointegerx(L, -1, NULL));
            break;
        case LUA_TSTRING: return put_string(e, -1);
        case LUA_TTABLE: return put_table(e, depth);
        case LUA_TUSERDATA: return put_userdata(e, depth);
        default: return LB_ISSUE_TYPE;
    }
    return LB_ISSUE_NONE;
}

static encoder begin(lb_state *b, const void **ancestors) {
    b->values.encoding.length = b->values.offset_count = b->values.entry_count = 0;
    b->values.met_large = b->values.met_view = false;
    b->values.met_tables = 0;
    return (encoder){b, b->core.main, ancestors, b->core.configuration.value_count};
}

static lb_issue_kind encode_through_lua(encoder *e, int depth) {
    STACK(e->L, 0, nothing);
    if (!lua_checkstack(e->L, ENCODING_ROOM)) return LB_ISSUE_MEMORY;
    int top = lua_gettop(e->L);
    lb_issue_kind issue = put(e, lua_type(e->L, -1), depth);
    lua_settop(e->L, top);
    return issue;
}

lb_issue_kind lb_encode_at(lb_state *b, const void **ancestors, int depth) {
    lb_issue_kind issue = LB_ISSUE_NONE;
    encoder e = begin(b, ancestors);
    bool direct = b->values.read_directly != NULL && b->values.drafts != DRAFTS_NUMBERED
        && b->values.substitutes == 0 && lua_type(b->core.main, -1) == LUA_TTABLE;
    if (!direct || !b->values.read_directly(&e, lua_topointer(b->core.main, -1), depth)) {
        e = begin(b, ancestors);
        issue = encode_through_lua(&e, depth);
    }
    b->values.encoded_values = b->core.configuration.value_count - e.left;
    if (issue != LB_ISSUE_NONE) return issue;
    bool is_too_large = b->values.encoding.length > b->core.configuration.value_size;
    return is_too_large ? LB_ISSUE_SIZE : LB_ISSUE_NONE;
}
