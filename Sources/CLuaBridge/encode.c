// From Lua to the binary encoding of plain values, in one pass and without a path: on failure, diagnose.c walks again
// to tell where. Nearly all values are read where they lie, by direct.c; what is left goes by the book, that is by Lua's
// functions: access is raw, no metamethod runs, nothing raises. That happens on the desk, whose stack gets room for the
// deepest value the first time.
//
// Every value is a tag byte and its payload. Lists and records are: tag, u32 size, u32 count, the
// elements or the sorted entries (key, value), and a table of u32 offsets from the tag.

#include "encode.h"
#include "isolation/remote.h"

#include <math.h>
#include <stdlib.h>

// MARK: Scalars

lb_issue_kind put_double(encoder *e, lua_Number value) {
    if (isnan(value)) return LB_ISSUE_NAN;
    if (isinf(value)) return LB_ISSUE_INFINITY;
    unsigned char *to = e->b->encoding.bytes + e->b->encoding.length;
    to[0] = TAG_DOUBLE;
    memcpy(to + 1, &value, 8);
    e->b->encoding.length += 9;
    return LB_ISSUE_NONE;
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

lb_issue_kind encode_text(encoder *e, const unsigned char *bytes, size_t length) {
    if (!is_utf8(bytes, length)) return LB_ISSUE_TEXT;
    if (length > e->b->configuration.value_size) return LB_ISSUE_SIZE;
    if (!encoder_reserve(e, length + 5)) return LB_ISSUE_MEMORY;
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

lb_issue_kind encode_string(encoder *e, int index) {
    size_t length;
    const char *bytes = lua_tolstring(e->L, index, &length);
    return encode_text(e, (const unsigned char *)bytes, length);
}

// MARK: Containers

static bool reserve_offset(lb_state *b) {
    if (b->offset_capacity > b->offset_count) return true;
    size_t capacity = b->offset_capacity == 0 ? 32 : b->offset_capacity * 2;
    uint32_t *offsets = realloc(b->offsets, capacity * sizeof(uint32_t));
    if (offsets == NULL) return false;
    b->offsets = offsets;
    b->offset_capacity = capacity;
    return true;
}

bool push_offset(lb_state *b, uint32_t offset) {
    if (!reserve_offset(b)) return false;
    b->offsets[b->offset_count++] = offset;
    return true;
}

lb_issue_kind finish_list(encoder *e, size_t start, size_t first) {
    lb_state *b = e->b;
    size_t count = b->offset_count - first;
    if (!encoder_reserve(e, count * 4)) return LB_ISSUE_MEMORY;
    memcpy(b->encoding.bytes + b->encoding.length, b->offsets + first, count * 4);
    b->encoding.length += count * 4;
    finish_header(e, start, TAG_LIST, count);
    b->offset_count = first;
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
    return finish_list(e, start, first);
}

// A record's mark matters only while it is empty: a restored value has none, so the mark is dropped
// from a table that has fields, that both may behave alike from then on.
static lb_issue_kind put_marked(encoder *e, bool *marked) {
    lua_State *L = e->L;
    *marked = lua_topointer(L, -1) == e->b->record_metatable;
    lua_pop(L, 1);
    return *marked ? LB_ISSUE_NONE : LB_ISSUE_METATABLE;
}

/* Replaces the table on top by the one that is encoded for it, if there is one. */
static void substitute(lua_State *L, int substitutes) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, substitutes) == LUA_TTABLE)
        lua_replace(L, -2);
    else
        lua_pop(L, 1);
}

static lb_issue_kind put_table(encoder *e, int depth) {
    lua_State *L = e->L;
    if (e->b->substitutes != 0) substitute(L, e->b->substitutes);
    bool marked = false;
    if (lua_getmetatable(L, -1)) {
        lb_issue_kind issue = put_marked(e, &marked);
        if (issue != LB_ISSUE_NONE) return issue;
    }
    const void *identity = lua_topointer(L, -1);
    for (int i = depth; i-- > 0;)
        if (e->ancestors[i] == identity) return LB_ISSUE_CYCLE;
    if ((uint32_t)depth >= e->b->configuration.value_depth) return LB_ISSUE_DEPTH;
    if (e->b->stop) return LB_ISSUE_INSIDE;
    e->ancestors[depth] = identity;

    size_t start = e->b->encoding.length;
    if (!encoder_reserve(e, HEADER)) return LB_ISSUE_MEMORY;
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
        case LUA_TSTRING: return encode_record(e, start, depth + 1);
        case LUA_TNUMBER: return put_list(e, start, depth + 1);
        default: return LB_ISSUE_KEY;
    }
}

/* What stands for a draft in the plain part of its state. */
static lb_issue_kind put_number(encoder *e, int depth) {
    uint32_t number = draft_number(e->b, e->L, depth);
    if (number == 0) return LB_ISSUE_TYPE;
    put_byte(e, TAG_DRAFT);
    put_u32(e->b->encoding.bytes + e->b->encoding.length, number);
    e->b->encoding.length += 4;
    return LB_ISSUE_NONE;
}

static lb_issue_kind put_userdata(encoder *e, int depth) {
    lua_State *L = e->L;
    size_t length;
    if (!is_view(e->b, L, -1)) return LB_ISSUE_TYPE;
    const void *bytes = view_bytes(lua_touserdata(L, -1), &length);
    if (bytes == NULL) {
        if (e->b->drafts != DRAFTS_FOLLOWED && is_draft(e->b, L, -1)) return put_number(e, depth);
        view_push_table(e->b, L, -1);
        lb_issue_kind issue = put_table(e, depth);
        if (issue == LB_ISSUE_NONE) lua_pop(L, 1);
        return issue;
    }
    if (!encoder_reserve(e, length)) return LB_ISSUE_MEMORY;
    memcpy(e->b->encoding.bytes + e->b->encoding.length, bytes, length);
    e->b->encoding.length += length;
    return LB_ISSUE_NONE;
}

lb_issue_kind encode_value(encoder *e, int type, int depth) {
    lua_State *L = e->L;
    if (e->left == 0) return LB_ISSUE_COUNT;
    e->left--;
    if (e->b->encoding.length > e->b->configuration.value_size) return LB_ISSUE_SIZE;
    if (!encoder_reserve(e, LARGEST_SCALAR)) return LB_ISSUE_MEMORY;
    switch (type) {
        case LUA_TBOOLEAN: put_byte(e, lua_toboolean(L, -1) ? TAG_TRUE : TAG_FALSE); break;
        case LUA_TNIL: put_byte(e, TAG_NULL); break;
        case LUA_TLIGHTUSERDATA:
            if (lua_touserdata(L, -1) != NULL) return LB_ISSUE_TYPE;
            put_byte(e, TAG_NULL);
            break;
        case LUA_TNUMBER:
            if (!lua_isinteger(L, -1)) return put_double(e, lua_tonumberx(L, -1, NULL));
            put_integer(e, lua_tointegerx(L, -1, NULL));
            break;
        case LUA_TSTRING: return encode_string(e, -1);
        case LUA_TTABLE: return put_table(e, depth);
        case LUA_TUSERDATA: return put_userdata(e, depth);
        default: return LB_ISSUE_TYPE;
    }
    return LB_ISSUE_NONE;
}

static encoder begin(lb_state *b, const void **ancestors) {
    b->encoding.length = b->offset_count = b->entry_count = 0;
    b->met_large = false;
    return (encoder){b, b->desk, ancestors, b->configuration.value_count};
}

/* [-0, +0, never raises] */
static lb_issue_kind encode_by_the_book(encoder *e, int depth) {
    if (!lua_checkstack(e->L, ENCODING_ROOM)) return LB_ISSUE_MEMORY;
    int top = lua_gettop(e->L);
    lb_issue_kind issue = encode_value(e, lua_type(e->L, -1), depth);
    lua_settop(e->L, top);
    return issue;
}

lb_issue_kind encode_at(lb_state *b, const void **ancestors, int depth) {
    lb_issue_kind issue = LB_ISSUE_NONE;
    encoder e = begin(b, ancestors);
    bool direct = b->reads_directly && b->drafts != DRAFTS_NUMBERED && b->substitutes == 0
        && lua_type(b->desk, -1) == LUA_TTABLE;
    if (!direct || !encode_directly(&e, lua_topointer(b->desk, -1), depth)) {
        e = begin(b, ancestors);
        issue = encode_by_the_book(&e, depth);
    }
    b->encoded_values = b->configuration.value_count - e.left;
    if (issue != LB_ISSUE_NONE) return issue;
    return b->encoding.length > b->configuration.value_size ? LB_ISSUE_SIZE : LB_ISSUE_NONE;
}

lb_status encode_top(lb_state *b, lb_value *value) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    if (lua_type(b->desk, -1) == LUA_TTABLE) {
        *value = (lb_value){.type = LB_TYPE_TABLE};
    } else {
        scalar_at(b, b->desk, -1, value);
        if (value->type <= LB_TYPE_INTEGER) return LB_OK;
    }
    buffer_trim(&b->encoding);
    buffer_trim(&b->scratch);
    lb_issue_kind issue = encode_at(b, ancestors, 0);
    if (issue != LB_ISSUE_NONE && !b->stop) diagnose(b, issue, ancestors);
    if (issue != LB_ISSUE_NONE) return b->stop ? stop_status(b) : LB_CONVERSION;
    // The bytes of a string are those of the encoding, which stay when the string is collected.
    size_t head = value->type != LB_TYPE_STRING ? 0 : value->length < 256 ? 2 : 5;
    value->bytes = b->encoding.bytes + head;
    value->length = b->encoding.length - head;
    value->is_large = b->met_large;
    return LB_OK;
}

/* [-0, +0, never raises] */
lb_status lb_encode(lb_state *b, int32_t reference, lb_value *value) {
    if (b->remote != NULL) return remote_encode(b, reference, value);
    if (b->depth++ == 0) budget_begin(b);
    reference_push(b->desk, reference);
    lb_status status = encode_top(b, value);
    lua_pop(b->desk, 1);
    if (--b->depth == 0) budget_end(b);
    return status;
}
