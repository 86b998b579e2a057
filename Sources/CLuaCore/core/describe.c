// A value in few characters, for the locals of an error: plain, bounded, without an address and
// without running any Lua code.

#include "core/core.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_FIELDS = 8, SHOWN_NAME = 40 };

typedef struct {
    char *text;
    size_t length, capacity;
} writer;

static void put(writer *w, const char *bytes, size_t length) {
    size_t room = w->capacity - w->length;
    if (length > room) length = room;
    memcpy(w->text + w->length, bytes, length);
    w->length += length;
}

static void put_string(writer *w, const char *bytes, size_t length) {
    enum { SHOWN = 60 };
    size_t shown = length < SHOWN ? length : SHOWN;
    while (shown < length && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80) shown--;
    put(w, "\"", 1);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char escaped[8];
        if (c == '"' || c == '\\') {
            put(w, "\\", 1);
            put(w, bytes + i, 1);
        } else if (c == '\n') {
            put(w, "\\n", 2);
        } else if (c < 0x20 || c == 0x7f) {
            put(w, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%03d", c));
        } else {
            put(w, bytes + i, 1);
        }
    }
    if (shown < length) put(w, "…", 3);
    put(w, "\"", 1);
}

static void put_number(writer *w, lua_State *L, int index) {
    char text[64];
    int length;
    if (lua_isinteger(L, index)) {
        length = snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointegerx(L, index, NULL));
    } else {
        length = snprintf(text, sizeof text, LUA_NUMBER_FMT, lua_tonumberx(L, index, NULL));
        if (text[strspn(text, "-0123456789")] == '\0') length = (int)strlen(strcat(text, ".0"));
    }
    put(w, text, (size_t)length);
}

static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth);

// A table's size is counted up to a bound, since an error must be told soon.
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
static void put_elements(writer *w, lb_state *b, lua_State *L, int index, int count) {
    put(w, "{ ", 2);
    for (int i = 1; i <= count && i <= SHOWN_FIELDS; i++) {
        if (i > 1) put(w, ", ", 2);
        lua_rawgeti(L, index, i);
        put_value(w, b, L, lua_gettop(L), 1);
        lua_pop(L, 1);
    }
    if (count > SHOWN_FIELDS) put(w, ", …", 5);
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

// The field whose name comes next after `last` in the order of bytes; its value is printed. The
// table is walked anew for each, which needs no memory.
static bool put_next_field(
    writer *w, lb_state *b, lua_State *L, int index, field_name *last, bool is_first) {
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
    put(w, best.bytes, best.length < SHOWN_NAME ? best.length : SHOWN_NAME);
    put(w, " = ", 3);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        size_t length;
        if (lua_tolstring(L, -2, &length) == best.bytes) {
            put_value(w, b, L, lua_gettop(L), 1);
            lua_pop(L, 2);
            break;
        }
        lua_pop(L, 1);
    }
    *last = best;
    return true;
}

static void put_fields(writer *w, lb_state *b, lua_State *L, int index, int count) {
    field_name last = {NULL, 0};
    put(w, "{ ", 2);
    for (int i = 0; i < SHOWN_FIELDS; i++)
        if (!put_next_field(w, b, L, index, &last, i == 0)) break;
    if (count > SHOWN_FIELDS) put(w, ", …", 5);
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
    // Fields are shown in the order of their names, for which the table is walked as often as there
    // are some; it can have room for much and nothing in it.
    enum { COUNTED = 1000, PLACES = 1 << 14 };
    bool wide = b->core.table_places != NULL
        && b->core.table_places(lua_topointer(L, index)) > PLACES;
    int count = count_fields(L, index, COUNTED);
    bool list = lua_rawgeti(L, index, 1) != LUA_TNIL;
    lua_pop(L, 1);
    if (count == 0) {
        put(w, "{}", 2);
    } else if (depth == 0 && count < COUNTED && list && (size_t)count == lua_rawlen(L, index)) {
        put_elements(w, b, L, index, count);
    } else if (depth == 0 && count < COUNTED && !list && !wide && has_names_only(L, index)) {
        put_fields(w, b, L, index, count);
    } else {
        char text[32];
        const char *more = count == COUNTED ? "+" : "";
        const char *noun = list ? "item" : "field";
        const char *plural = count == 1 ? "" : "s";
        int length = snprintf(text, sizeof text, "{ %d%s %s%s }", count, more, noun, plural);
        put(w, text, (size_t)length);
    }
}

// [-0, +0, never raises]; a string is never made from a number, and no field through a metatable
static void put_value(writer *w, lb_state *b, lua_State *L, int index, int depth) {
    size_t length;
    switch (type_at(b, L, index)) {
        case LB_TYPE_NIL: put(w, LITERAL("nil")); break;
        case LB_TYPE_BOOLEAN:
            if (lua_toboolean(L, index))
                put(w, LITERAL("true"));
            else
                put(w, LITERAL("false"));
            break;
        case LB_TYPE_INTEGER:
        case LB_TYPE_NUMBER: put_number(w, L, index); break;
        case LB_TYPE_STRING: {
            const char *bytes = lua_tolstring(L, index, &length);
            put_string(w, bytes, length);
            break;
        }
        case LB_TYPE_TABLE:
            // A key, a value and one level below; without room the table stays a word.
            if (lua_checkstack(L, 8)) {
                put_table(w, b, L, index, depth);
                break;
            }
            put(w, LITERAL("table"));
            break;
        default: {
            const char *name = type_name_at(b, L, index);
            put(w, name, strlen(name));
        }
    }
}

size_t describe(lb_state *b, lua_State *L, int index, char *text, size_t capacity) {
    writer w = {text, 0, capacity - 4};
    put_value(&w, b, L, index, 0);
    if (w.length < w.capacity) return w.length;
    // Cut: back to the beginning of a character, and the mark of an omission.
    while (w.length > 0 && ((unsigned char)text[w.length - 1] & 0xc0) == 0x80) w.length--;
    if (w.length > 0 && ((unsigned char)text[w.length - 1] & 0x80) != 0) w.length--;
    memcpy(text + w.length, "…", 3);
    return w.length + 3;
}
