// A value in few characters, for the locals of an error: plain, bounded, without an address and
// without running any Lua code.

#include "internal.h"

#include <stdio.h>
#include <string.h>

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

// A table's size is counted up to a bound, since an error must be told soon.
static void put_table(writer *w, lua_State *L, int index) {
    enum { COUNTED = 1000 };
    int count = 0;
    char text[32];
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (++count < COUNTED) continue;
        lua_pop(L, 1);
        break;
    }
    bool list = lua_rawgeti(L, index, 1) != LUA_TNIL;
    lua_pop(L, 1);
    const char *more = count == COUNTED ? "+" : "";
    const char *form = list ? "{ %d%s items }" : "{ %d%s fields }";
    if (count == 0) form = "{}";
    put(w, text, (size_t)snprintf(text, sizeof text, form, count, more));
}

size_t describe(lb_state *b, lua_State *L, int index, char *text, size_t capacity) {
    writer w = {text, 0, capacity};
    size_t length;
    switch (type_at(b, L, index)) {
        case LB_TYPE_NIL: put(&w, LITERAL("nil")); break;
        case LB_TYPE_BOOLEAN:
            if (lua_toboolean(L, index))
                put(&w, LITERAL("true"));
            else
                put(&w, LITERAL("false"));
            break;
        case LB_TYPE_INTEGER:
        case LB_TYPE_NUMBER: put_number(&w, L, index); break;
        case LB_TYPE_STRING: {
            const char *bytes = lua_tolstring(L, index, &length);
            put_string(&w, bytes, length);
            break;
        }
        case LB_TYPE_TABLE: put_table(&w, L, index); break;
        default: {
            const char *name = type_name_at(b, L, index);
            put(&w, name, strlen(name));
        }
    }
    return w.length;
}
