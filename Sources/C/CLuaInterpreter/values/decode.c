// Converts the binary encoding to Lua values. The bytes were validated on entering the process.
//
// The same few names occur again and again: those of fields and of action types. Lua hashes a
// string and looks it up each time it is pushed. So the last ones are kept in the registry, where
// comparing two words finds them.

#include "values/values.h"

enum { LONGEST_RECENT = 16 };

static const unsigned char *push(lua_State *L, const unsigned char *from);

static uint64_t u64(const unsigned char *from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
}

// Three words that identify a string of 1 to 16 bytes.
static recent_string recent_of(const unsigned char *bytes, size_t length) {
    if (length >= 8) return (recent_string){u64(bytes), u64(bytes + length - 8), length};
    if (length >= 4) return (recent_string){get_u32(bytes), get_u32(bytes + length - 4), length};
    return (recent_string){bytes[0], (uint64_t)bytes[length / 2] << 8 | bytes[length - 1], length};
}

static int place_of(recent_string w) {
    return (int)((w.head * 0x9E3779B97F4A7C15u + w.tail + w.length) * 0x9E3779B97F4A7C15u >> 58);
}

static bool is_same(const recent_string *a, recent_string b) {
    return a->head == b.head && a->tail == b.tail && a->length == b.length;
}

// Storing a string in an existing slot of the registry needs no memory.
static void push_recent(lua_State *L, const unsigned char *bytes, size_t length) {
    STACK(L, +1, memory);
    recent_string w = recent_of(bytes, length);
    int place = place_of(w);
    recent_string *known = &state_of(L)->values.recent[place];
    if (is_same(known, w)) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, FIRST_RECENT + place);
        return;
    }
    lua_pushlstring(L, (const char *)bytes, length);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, FIRST_RECENT + place);
    *known = w;
}

static const unsigned char *push_string(lua_State *L, const unsigned char *from) {
    STACK(L, +1, memory);
    size_t length = string_length(from);
    const unsigned char *bytes = string_bytes(from);
    if (length - 1 < LONGEST_RECENT)
        push_recent(L, bytes, length);
    else
        lua_pushlstring(L, (const char *)bytes, length);
    return bytes + length;
}

static int presize(uint32_t count) { return count < (1u << 26) ? (int)count : 0; }

static void push_list(lua_State *L, const unsigned char *from) {
    STACK(L, +1, memory);
    uint32_t count = container_count(from);
    luaL_checkstack(L, 4, NULL);
    lua_createtable(L, presize(count), 0);
    meet_table(state_of(L), lua_topointer(L, -1));
    from += HEADER;
    for (uint32_t i = 1; i <= count; i++) {
        from = push(L, from);
        lua_rawseti(L, -2, i);
    }
}

static void push_record(lua_State *L, const unsigned char *from) {
    STACK(L, +1, memory);
    uint32_t count = container_count(from);
    luaL_checkstack(L, 5, NULL);
    lua_createtable(L, 0, presize(count));
    meet_table(state_of(L), lua_topointer(L, -1));
    if (count == 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
        lua_setmetatable(L, -2);
    }
    from += HEADER;
    for (uint32_t i = 0; i < count; i++) {
        from = push_string(L, from);
        from = push(L, from);
        lua_rawset(L, -3);
    }
}

// Pushes a value that needs no memory; NULL: not such a value. Returns the end of the value.
static inline const unsigned char *push_scalar(lua_State *L, const unsigned char *from) {
    STACK_EITHER(L, +1, 0, nothing);
    int64_t integer;
    double number;
    switch (from[0]) {
        case TAG_NULL: lua_pushlightuserdata(L, NULL); return from + 1;
        case TAG_FALSE: lua_pushboolean(L, 0); return from + 1;
        case TAG_TRUE: lua_pushboolean(L, 1); return from + 1;
        case TAG_INT8: lua_pushinteger(L, (int8_t)from[1]); return from + 2;
        case TAG_INT32: lua_pushinteger(L, (int32_t)get_u32(from + 1)); return from + 5;
        case TAG_INT64:
            memcpy(&integer, from + 1, 8);
            lua_pushinteger(L, integer);
            return from + 9;
        case TAG_DOUBLE:
            memcpy(&number, from + 1, 8);
            lua_pushnumber(L, number);
            return from + 9;
        default: return NULL;
    }
}

// Returns the end of the value.
static const unsigned char *push(lua_State *L, const unsigned char *from) {
    STACK(L, +1, memory);
    const unsigned char *end = push_scalar(L, from);
    if (end != NULL) return end;
    switch (from[0]) {
        case TAG_SHORT_STRING:
        case TAG_STRING: return push_string(L, from);
        case TAG_LIST: push_list(L, from); break;
        case TAG_DRAFT:
            lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_DRAFT_ROOTS);
            lua_rawgeti(L, -1, get_u32(from + 1));
            lua_remove(L, -2);
            return from + 5;
        default: push_record(L, from); break;
    }
    return from + container_size(from);
}

void lb_decode_push(lua_State *L, const void *bytes) {
    STACK(L, +1, memory);
    push(L, bytes);
}

// MARK: Decoding that cannot fail

// Most actions are small records of names and numbers. Such a record needs memory for one table
// only. If that is certain, it is pushed without a protected call, which would cost more.

enum { EASY_FIELDS = 8 };

static const unsigned char *push_known(lb_state *b, lua_State *L, const unsigned char *from) {
    STACK_EITHER(L, +1, 0, nothing);
    if (from[0] != TAG_SHORT_STRING || from[1] == 0 || from[1] > LONGEST_RECENT) return NULL;
    recent_string w = recent_of(from + 2, from[1]);
    int place = place_of(w);
    if (!is_same(&b->values.recent[place], w)) return NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, FIRST_RECENT + place);
    return from + 2 + w.length;
}

bool lb_decode_push_easily(lb_state *b, lua_State *L, const void *bytes) {
    STACK_EITHER(L, +1, 0, nothing);
    const unsigned char *from = bytes;
    if (from[0] != TAG_RECORD) return false;
    uint32_t count = container_count(from);
    if (count == 0 || count > EASY_FIELDS || !lb_is_table_sure(b, count)) return false;
    int top = lua_gettop(L);
    lua_createtable(L, 0, (int)count);
    from += HEADER;
    for (uint32_t i = 0; i < count; i++) {
        from = push_known(b, L, from);
        const unsigned char *value = from;
        if (value != NULL && (from = push_scalar(L, value)) == NULL) from = push_known(b, L, value);
        if (from == NULL) {
            lua_settop(L, top);
            return false;
        }
        lua_rawset(L, -3);
    }
    return true;
}
