// A short text of a value, for the locals of an error: bounded, without addresses, and without running Lua code.

#include "core/core.h"
#include "core/describe_bytes.h"

#include <stdio.h>
#include <string.h>

static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth);

// Counts a table's fields up to a bound, because an error must be reported soon.
static int count_fields(lua_State *L, int index, int bound) {
    int count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (++count < bound) continue;
        lua_pop(L, 1);
        break;
    }
    return count;
}

// The first elements of a list.
static void put_elements(
    writer *w, lb_state *b, lua_State *L, int index, int depth, int count) {
    put(w, "{ ", 2);
    for (int i = 1; i <= count && i <= w->shown && !w->full; i++) {
        if (i > 1) put(w, ", ", 2);
        lua_rawgeti(L, index, i);
        put_value(w, b, L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    if (count > w->shown) put(w, ", …", 5);
    put(w, " }", 2);
}

typedef struct {
    const char *bytes;
    size_t length;
} field_name;

static int order(field_name a, field_name b) {
    int sign = memcmp(a.bytes, b.bytes, a.length < b.length ? a.length : b.length);
    return sign != 0 ? sign : (a.length > b.length) - (a.length < b.length);
}

// Prints the field whose name follows `last` in byte order. Each call walks the table again, so that no memory is
// needed.
static bool put_next_field(
    writer *w, lb_state *b, lua_State *L, int index, int depth, field_name *last, bool is_first) {
    field_name best = {NULL, 0};
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        field_name name;
        name.bytes = lua_tolstring(L, -1, &name.length);
        if (!is_first && order(name, *last) <= 0) continue;
        if (best.bytes == NULL || order(name, best) < 0) best = name;
    }
    if (best.bytes == NULL) return false;
    if (!is_first) put(w, ", ", 2);
    put_name(w, best.bytes, best.length);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        size_t length;
        if (lua_tolstring(L, -2, &length) == best.bytes) {
            put_value(w, b, L, lua_gettop(L), depth + 1);
            lua_pop(L, 2);
            break;
        }
        lua_pop(L, 1);
    }
    *last = best;
    return true;
}

static void put_fields(
    writer *w, lb_state *b, lua_State *L, int index, int depth, int count) {
    field_name last = {NULL, 0};
    put(w, "{ ", 2);
    for (int i = 0; i < w->shown && !w->full; i++)
        if (!put_next_field(w, b, L, index, depth, &last, i == 0)) break;
    if (count > w->shown) put(w, ", …", 5);
    put(w, " }", 2);
}

static bool has_names_only(lua_State *L, int index) {
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) continue;
        lua_pop(L, 1);
        return false;
    }
    return true;
}

static void put_table(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    // Fields are shown in the order of their names, which takes several walks. Even an empty table can have a large
    // capacity, which makes a walk expensive.
    enum { COUNTED = 1000, PLACES = 1 << 14 };
    bool wide = b->core.table_places != NULL
        && b->core.table_places(lua_topointer(L, index)) > PLACES;
    int count = count_fields(L, index, COUNTED);
    bool list = lua_rawgeti(L, index, 1) != LUA_TNIL;
    lua_pop(L, 1);
    bool shown = is_written_out(w, (size_t)count, depth) && count < COUNTED;
    if (shown && list && (size_t)count == lua_rawlen(L, index))
        put_elements(w, b, L, index, depth, count);
    else if (shown && !list && !wide && has_names_only(L, index))
        put_fields(w, b, L, index, depth, count);
    else
        put_count(w, (size_t)count, count == COUNTED, list);
}

// A read-only table, or a draft, whose table may not exist yet. [-0, +0, never raises]
static void put_view(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    size_t length;
    if (view_push_table(b, L, index)) {
        put_table(w, b, L, lua_gettop(L), depth);
        lua_pop(L, 1);
        return;
    }
    const void *bytes = view_bytes(lua_touserdata(L, index), &length);
    if (bytes != NULL) put_encoded(w, bytes, depth);
}

// Never converts a number to a string, and reads no field through a metatable. [-0, +0, never raises]
static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    size_t length;
    lb_type type = type_at(b, L, index);
    switch (type) {
        case LB_TYPE_NIL: put(w, LITERAL("nil")); break;
        case LB_TYPE_BOOLEAN:
            if (lua_toboolean(L, index))
                put(w, LITERAL("true"));
            else
                put(w, LITERAL("false"));
            break;
        case LB_TYPE_INTEGER: put_integer(w, lua_tointegerx(L, index, NULL)); break;
        case LB_TYPE_NUMBER: put_number(w, lua_tonumberx(L, index, NULL)); break;
        case LB_TYPE_STRING: {
            const char *bytes = lua_tolstring(L, index, &length);
            put_string(w, bytes, length);
            break;
        }
        case LB_TYPE_TABLE:
        case LB_TYPE_VIEW:
            // Room for a view's table, a key and two values. Without it, only the type is printed.
            if (!lua_checkstack(L, 8))
                put(w, LITERAL("table"));
            else if (type == LB_TYPE_TABLE)
                put_table(w, b, L, index, depth);
            else
                put_view(w, b, L, index, depth);
            break;
        default: {
            const char *name = type_name_at(b, L, index);
            put(w, name, strlen(name));
        }
    }
}

size_t describe(lb_state *b, lua_State *L, int index, char *text, size_t capacity) {
    writer w = writer_on(text, capacity);
    while (writer_tries(&w)) put_value(&w, b, L, index, 0);
    return writer_end(&w);
}
