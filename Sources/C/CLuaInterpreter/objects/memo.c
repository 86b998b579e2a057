// Host functions whose replies an object remembers. A render asks for the same children with the
// same arguments again and again. Then the host only confirms that a reply is still valid, and
// neither reads the arguments nor makes a value.
//
// Replies are remembered by their position in the order of the calls. A call matches if its second
// argument is identical and the further ones are equal plain values.

#include "objects/objects.h"
#include "operations.h"

enum { COMPARED = 2 };  // the arguments compared by value, from the third one on
enum {
    ANCHOR_SECOND = 1,
    ANCHOR_ARGUMENTS,
    ANCHOR_REPLY = ANCHOR_ARGUMENTS + COMPARED,
    ANCHOR_CHUNK,
};
enum { ANCHORS = ANCHOR_CHUNK, FIRST_ENTRIES = 8 };

// The anchors keep what entries point to: a table of ANCHORS elements for each, at 0 their block.
struct memo_entry {
    int64_t token;       // set by the host
    const void *second;  // NULL: only the place of the call in the script is known
    const unsigned char *arguments[COMPARED];  // encoded; NULL: nil
    const char *chunk;   // NULL: unknown
    int32_t line;
};

static int anchor(int32_t entry, int slot) { return entry * ANCHORS + slot; }

// MARK: Comparing

static bool is_string(lua_State *L, int index, const unsigned char *bytes) {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    return length == string_length(bytes) && memcmp(text, string_bytes(bytes), length) == 0;
}

static bool is_number(lua_State *L, int index, const unsigned char *bytes) {
    if (!lua_isinteger(L, index)) {
        lua_Number number = lua_tonumberx(L, index, NULL);
        return bytes[0] == TAG_DOUBLE && memcmp(&number, bytes + 1, 8) == 0;
    }
    return bytes[0] >= TAG_INT8 && bytes[0] <= TAG_INT64
        && lua_tointegerx(L, index, NULL) == integer_of(bytes);
}

static bool is_equal(lb_state *b, lua_State *L, const unsigned char *bytes);

// The start of the value for the key at `key`; NULL: there is no such key.
static const unsigned char *find_field(lua_State *L, int key, const unsigned char *record) {
    size_t length;
    const char *name = lua_tolstring(L, key, &length);
    uint32_t low = 0, high = container_count(record);
    const unsigned char *offsets = container_offsets(record, high);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const unsigned char *entry = record + get_u32(offsets + 4 * (size_t)middle);
        size_t other = string_length(entry), shorter = other < length ? other : length;
        int order = memcmp(string_bytes(entry), name, shorter);
        if (order == 0 && other == length) return string_end(entry);
        if (order < 0 || (order == 0 && other < length))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// Compares the table on top with a list or a record. If they differ, extra values may stay there.
static bool is_table(lb_state *b, lua_State *L, const unsigned char *bytes) {
    uint32_t count = container_count(bytes), found = 0;
    bool marked = false;
    // An empty table can have a large capacity.
    if (b->limits.stop) return false;
    if (lua_getmetatable(L, -1)) {
        marked = lua_topointer(L, -1) == b->core.record_metatable;
        lua_pop(L, 1);
        if (!marked) return false;
    }
    if (!lua_checkstack(L, 4)) return false;
    const unsigned char *element = bytes + HEADER;
    bool record = bytes[0] == TAG_RECORD;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (++found > count) return false;
        if (record) {
            if (lua_type(L, -2) != LUA_TSTRING) return false;
            element = find_field(L, -2, bytes);
            if (element == NULL) return false;
        } else {
            if (!lua_isinteger(L, -2) || lua_tointegerx(L, -2, NULL) != found) return false;
            element = bytes + get_u32(container_offsets(bytes, count - found + 1));
        }
        if (!is_equal(b, L, element)) return false;
    }
    if (found != count) return false;
    return count > 0 || marked == record;
}

// Compares the table of the view on top with a list or a record. If they differ, extra values may
// stay on the stack.
static bool is_in_view(lb_state *b, lua_State *L, const unsigned char *bytes) {
    if (!lua_checkstack(L, 2) || !lb_view_push_table(b, L, -1)) return false;
    if (!is_table(b, L, bytes)) return false;
    lua_pop(L, 1);
    return true;
}

// Compares the value on top. If they differ, extra values may stay on the stack.
static bool is_equal(lb_state *b, lua_State *L, const unsigned char *bytes) {
    size_t length;
    switch (lua_type(L, -1)) {
        case LUA_TBOOLEAN: return bytes[0] == (lua_toboolean(L, -1) ? TAG_TRUE : TAG_FALSE);
        case LUA_TNUMBER: return is_number(L, -1, bytes);
        case LUA_TSTRING:
            return (bytes[0] == TAG_SHORT_STRING || bytes[0] == TAG_STRING)
                && is_string(L, -1, bytes);
        case LUA_TTABLE: return bytes[0] >= TAG_LIST && is_table(b, L, bytes);
        case LUA_TLIGHTUSERDATA: return bytes[0] == TAG_NULL && lua_touserdata(L, -1) == NULL;
        case LUA_TUSERDATA: {
            if (bytes[0] < TAG_LIST || !lb_is_view(b, L, -1)) return false;
            const void *encoding = view_bytes(lua_touserdata(L, -1), &length);
            if (encoding == NULL) return is_in_view(b, L, bytes);
            return length == container_size(bytes) && memcmp(encoding, bytes, length) == 0;
        }
        default: return false;
    }
}

static bool matches(lb_state *b, lua_State *L, const memo_entry *e, int count) {
    STACK(L, 0, nothing);
    if (e->second == NULL || lua_topointer(L, 2) != e->second || count > 2 + COMPARED) return false;
    for (int i = 0; i < COMPARED; i++) {
        if (3 + i > count || lua_isnil(L, 3 + i)) {
            if (e->arguments[i] != NULL) return false;
            continue;
        }
        if (e->arguments[i] == NULL) return false;
        lua_pushvalue(L, 3 + i);
        if (!is_equal(b, L, e->arguments[i])) {
            lua_settop(L, count);
            return false;
        }
        lua_pop(L, 1);
    }
    return true;
}

bool lb_memo_reply(lua_State *L, memo *m, int32_t *place) {
    STACK_EITHER(L, +2, 0, nothing);
    lb_state *b = state_of(L);
    *place = m->next++;
    if (*place >= m->count) return false;
    memo_entry *e = &m->entries[*place];
    if (b->core.confirm != NULL && matches(b, L, e, lua_gettop(L))
        && b->core.confirm(b->core.owner, e->token)) {
        lua_getiuservalue(L, 1, OBJECT_MEMO);
        lua_rawgeti(L, -1, anchor(*place, ANCHOR_REPLY));
        return true;
    }
    *e = (memo_entry){0};
    return false;
}

// MARK: Remembering

typedef struct {
    lb_call *call;
    int64_t token;
    int32_t remembered;
} remember_request;

// The anchors are on top.
static void reserve_entry(lua_State *L, memo *m, int32_t place) {
    STACK(L, 0, memory);
    if (place >= m->capacity) {
        int32_t capacity = m->capacity == 0 ? FIRST_ENTRIES : m->capacity * 2;
        while (capacity <= place) capacity *= 2;
        memo_entry *entries = lua_newuserdatauv(L, (size_t)capacity * sizeof(memo_entry), 0);
        if (m->count > 0) memcpy(entries, m->entries, (size_t)m->count * sizeof(memo_entry));
        lua_rawseti(L, -2, 0);
        m->entries = entries;
        m->capacity = capacity;
    }
    for (; m->count <= place; m->count++) m->entries[m->count] = (memo_entry){0};
}

static void push_argument(lua_State *L, const lb_call *call, int index) {
    STACK(L, +1, nothing);
    if (index > call->count) {
        lua_pushnil(L);
        return;
    }
    lua_pushvalue(call->L, index);
    lua_xmove(call->L, L, 1);
}

// Pushes the anchors of the object on top, and creates them if necessary.
static void push_anchors(lua_State *L) {
    STACK(L, +1, memory);
    if (lua_getiuservalue(L, -1, OBJECT_MEMO) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_createtable(L, ANCHORS * FIRST_ENTRIES, 1);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, -3, OBJECT_MEMO);
}

// Anchors the value on top.
static void anchor_value(lua_State *L, int32_t place, int slot) {
    STACK(L, -1, memory);
    lua_rawseti(L, -2, anchor(place, slot));
}

// The anchors are on top. False: an argument cannot be encoded.
static bool keep_arguments(lua_State *L, const lb_call *call, memo_entry *e) {
    STACK(L, 0, memory);
    lb_state *b = call->state;
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    for (int i = 0; i < COMPARED; i++) {
        e->arguments[i] = NULL;
        push_argument(L, call, 3 + i);
        bool fine = lua_isnil(L, -1) || lb_encode_at(b, ancestors, 0) == LB_ISSUE_NONE;
        bool none = lua_isnil(L, -1);
        lua_pop(L, 1);
        if (!fine) return false;
        if (none) continue;
        const char *bytes = (const char *)b->values.encoding.bytes;
        e->arguments[i] =
            (const unsigned char *)lua_pushlstring(L, bytes, b->values.encoding.length);
        anchor_value(L, call->place, ANCHOR_ARGUMENTS + i);
    }
    push_argument(L, call, 2);
    e->second = lua_topointer(L, -1);
    anchor_value(L, call->place, ANCHOR_SECOND);
    return true;
}

static int remember_body(lua_State *L) {
    const remember_request *r = lua_touserdata(L, 1);
    lb_location location = {NULL, 0, 0};
    memo_entry made = {.token = r->token};
    int32_t place = r->call->place;
    push_argument(L, r->call, 1);
    memo *m = lb_object_memo(L, -1);
    push_anchors(L);
    reserve_entry(L, m, place);
    m->entries[place] = (memo_entry){0};
    if (lb_error_place(r->call->L, 1, &location)) {
        made.line = location.line;
        made.chunk = lua_pushlstring(L, location.chunk, location.chunk_length);
        anchor_value(L, place, ANCHOR_CHUNK);
    }
    if (r->remembered != 0 && keep_arguments(L, r->call, &made)) {
        reference_push(L, r->remembered);
        anchor_value(L, place, ANCHOR_REPLY);
    }
    m->entries[place] = made;
    return 0;
}

lb_status lb_interpreter_remember(lb_call *call, int64_t token, int32_t remembered) {
    STACK(call->L, 0, nothing);
    if (call->place < 0) return LB_ABSENT;
    remember_request request = {call, token, remembered};
    return lb_protect(call->state, remember_body, &request, 0);
}

bool lb_interpreter_remembered_location(const lb_call *call, int64_t token, lb_location *location) {
    const memo *m = call->place < 0 ? NULL : lb_object_memo(call->L, 1);
    for (int32_t i = 0; m != NULL && i < m->count && i < call->place; i++) {
        const memo_entry *e = &m->entries[i];
        if (e->token != token || e->chunk == NULL) continue;
        *location = (lb_location){e->chunk, strlen(e->chunk), e->line};
        return true;
    }
    return false;
}

void lb_interpreter_object_recall(lb_state *b, int32_t object) {
    STACK(b->core.main, 0, nothing);
    lua_State *L = b->core.main;
    reference_push(L, object);
    memo *m = lb_object_memo(L, -1);
    if (m != NULL && m->next < m->count) {
        // Releases replies that the last render did not ask for. These slots exist.
        lua_getiuservalue(L, -1, OBJECT_MEMO);
        for (int i = anchor(m->next, ANCHOR_SECOND); i <= anchor(m->count - 1, ANCHOR_CHUNK); i++) {
            lua_pushboolean(L, 0);
            lua_rawseti(L, -2, i);
        }
        m->count = m->next;
        lua_pop(L, 1);
    }
    if (m != NULL) m->next = 0;
    lua_pop(L, 1);
}
