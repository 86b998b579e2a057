// A short text of a value, for the locals of an error: bounded, without addresses, and without
// running code. No limit can stop this, so all bytes that it reads for an error are counted.

#include "core/core.h"
#include "core/describe_bytes.h"

#include <stdio.h>
#include <string.h>

static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth);

// Counts bytes that are about to be read. False: they are too many.
static bool may_read(lb_state *b, size_t bytes) {
    if (bytes > b->core.description_left) return false;
    b->core.description_left -= bytes;
    return true;
}

// The places of a table, which a walk visits even if empty, and the bytes of one; 0: unknown.
enum { PLACE_SIZE = 16 };
static size_t places_of(lb_state *b, lua_State *L, int index) {
    return b->core.table_places == NULL ? 0 : b->core.table_places(lua_topointer(L, index));
}

// The bytes that a walk through a table reads. They are at most all that the state has.
static size_t walk_size(lb_state *b, lua_State *L, int index) {
    return b->core.table_places == NULL ? b->limits.memory_in_use
                                        : PLACE_SIZE * (1 + places_of(b, L, index));
}

// Counts a table's fields up to a bound, because an error must be reported soon.
static int count_fields(lua_State *L, int index, int bound, bool *has_names_only) {
    STACK(L, 0, nothing);
    int count = 0;
    *has_names_only = true;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) *has_names_only = false;
        if (++count < bound) continue;
        lua_pop(L, 1);
        break;
    }
    return count;
}

// The first elements of a list.
static void put_elements(
    writer *w, lb_state *b, lua_State *L, int index, int depth, int count) {
    STACK(L, 0, nothing);
    lb_put(w, "{ ", 2);
    for (int i = 1; i <= count && i <= w->shown && !w->full; i++) {
        if (i > 1) lb_put(w, ", ", 2);
        lua_rawgeti(L, index, i);
        put_value(w, b, L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    if (count > w->shown) lb_put(w, ", …", 5);
    lb_put(w, " }", 2);
}

typedef struct {
    const char *bytes;
    size_t length;
} field_name;

// True if x comes before y. Gives up if finding out takes too long.
static bool precedes(lb_state *b, field_name x, field_name y, bool *gives_up) {
    size_t shorter = x.length < y.length ? x.length : y.length;
    if (!may_read(b, shorter)) *gives_up = true;
    if (*gives_up) return false;
    int order = memcmp(x.bytes, y.bytes, shorter);
    return order != 0 ? order < 0 : x.length < y.length;
}

// Finds the name that follows `last` in byte order, or the first one, and pushes it. Each call
// walks the table again, so that no memory is needed. False: none, or finding it takes too long.
static bool push_next_name(
    lb_state *b, lua_State *L, int index, const field_name *last, field_name *found) {
    STACK_EITHER(L, +1, 0, nothing);
    int top = lua_gettop(L);
    bool gives_up = !may_read(b, walk_size(b, L, index));
    *found = (field_name){NULL, 0};
    lua_pushnil(L);
    lua_pushnil(L);
    while (!gives_up && lua_next(L, index)) {
        lua_pop(L, 1);
        field_name name;
        name.bytes = lua_tolstring(L, -1, &name.length);
        if (last->bytes != NULL && !precedes(b, *last, name, &gives_up)) continue;
        if (found->bytes != NULL && !precedes(b, name, *found, &gives_up)) continue;
        *found = name;
        lua_copy(L, -1, top + 1);
    }
    bool is_found = found->bytes != NULL && !gives_up;
    lua_settop(L, is_found ? top + 1 : top);
    return is_found;
}

// Prints the field after `last`, if there is one.
static bool put_next_field(
    writer *w, lb_state *b, lua_State *L, int index, int depth, field_name *last) {
    STACK(L, 0, nothing);
    field_name name;
    if (!push_next_name(b, L, index, last, &name)) return false;
    if (last->bytes != NULL) lb_put(w, ", ", 2);
    lb_put_name(w, name.bytes, name.length);
    lua_rawget(L, index);
    put_value(w, b, L, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
    *last = name;
    return true;
}

static void put_fields(
    writer *w, lb_state *b, lua_State *L, int index, int depth, int count) {
    field_name last = {NULL, 0};
    int written = 0;
    lb_put(w, "{ ", 2);
    while (written < w->shown && !w->full && put_next_field(w, b, L, index, depth, &last))
        written++;
    if (written == 0)
        lb_put(w, "…", 3);
    else if (written < count)
        lb_put(w, ", …", 5);
    lb_put(w, " }", 2);
}

static void put_table(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    STACK(L, 0, nothing);
    // Fields are shown in the order of their names, which takes several walks. Even an empty table
    // can have a large capacity, which makes a walk expensive.
    enum { COUNTED = 1000, PLACES = 1 << 14 };
    if (!may_read(b, walk_size(b, L, index))) {
        lb_put(w, LITERAL("table"));
        return;
    }
    bool wide = places_of(b, L, index) > PLACES, has_names_only;
    int count = count_fields(L, index, COUNTED, &has_names_only);
    bool list = lua_rawgeti(L, index, 1) != LUA_TNIL;
    lua_pop(L, 1);
    bool shown = is_written_out(w, (size_t)count, depth) && count < COUNTED;
    if (shown && list && (size_t)count == lua_rawlen(L, index))
        put_elements(w, b, L, index, depth, count);
    else if (shown && !list && !wide && has_names_only)
        put_fields(w, b, L, index, depth, count);
    else
        lb_put_count(w, (size_t)count, count == COUNTED, list);
}

// A read-only table, or a draft, whose table may not exist yet.
static void put_view(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    STACK(L, 0, nothing);
    size_t length;
    if (lb_view_push_table(b, L, index)) {
        put_table(w, b, L, lua_gettop(L), depth);
        lua_pop(L, 1);
        return;
    }
    const void *bytes = view_bytes(lua_touserdata(L, index), &length);
    if (bytes != NULL) lb_put_encoded(w, bytes, depth);
}

// Never converts a number to a string, and reads no field through a metatable.
static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    STACK(L, 0, nothing);
    size_t length;
    lb_type type = lb_type_at(b, L, index);
    switch (type) {
        case LB_TYPE_NIL: lb_put(w, LITERAL("nil")); break;
        case LB_TYPE_BOOLEAN:
            if (lua_toboolean(L, index))
                lb_put(w, LITERAL("true"));
            else
                lb_put(w, LITERAL("false"));
            break;
        case LB_TYPE_INTEGER: lb_put_integer(w, lua_tointegerx(L, index, NULL)); break;
        case LB_TYPE_NUMBER: lb_put_number(w, lua_tonumberx(L, index, NULL)); break;
        case LB_TYPE_STRING: {
            const char *bytes = lua_tolstring(L, index, &length);
            lb_put_string(w, bytes, length);
            break;
        }
        case LB_TYPE_TABLE:
        case LB_TYPE_VIEW:
            // Room for a view's table, a key and two values. Without it, only the type is printed.
            if (!lua_checkstack(L, 8))
                lb_put(w, LITERAL("table"));
            else if (type == LB_TYPE_TABLE)
                put_table(w, b, L, index, depth);
            else
                put_view(w, b, L, index, depth);
            break;
        default: {
            const char *name = lb_type_name_at(b, L, index);
            lb_put(w, name, strlen(name));
        }
    }
}

size_t lb_describe_at(lb_state *b, lua_State *L, int index, char *text, size_t capacity) {
    writer w = writer_on(text, capacity);
    while (lb_writer_tries(&w)) put_value(&w, b, L, index, 0);
    return lb_writer_end(&w);
}
