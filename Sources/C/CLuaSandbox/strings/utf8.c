// utf8.len as in the manual, with checks of the limits: megabytes take a tenth of a second.

#include "sandbox.h"

// The end of the character at a place; NULL: not UTF-8. `lax` allows the old six bytes for 31 bits.
static const char *character_end(const char *at, const char *end, bool lax) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    unsigned char first = (unsigned char)*at;
    if (first < 0x80) return at + 1;
    int length = 0;
    while (length < 8 && (first << length & 0x80) != 0) length++;
    if (length < 2 || length > 6 || end - at < length) return NULL;
    uint32_t code = first & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        unsigned char next = (unsigned char)at[i];
        if ((next & 0xC0) != 0x80) return NULL;
        code = code << 6 | (next & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < least[length] || (!lax && (code > 0x10FFFF || surrogate))) return NULL;
    return at + length;
}

// A position counted from 1, or from the end if it is negative; 0: before the beginning.
static lua_Integer position_of(lua_Integer position, size_t length) {
    if (position >= 0) return position;
    return 0u - (size_t)position > length ? 0 : (lua_Integer)length + position + 1;
}

OFFERED_TEXT(utf8_len) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length), *end = text + length;
    lua_Integer first = position_of(lb_opt_integer(L, 2, 1), length);
    lua_Integer last = position_of(lb_opt_integer(L, 3, -1), length), count = 0;
    luaL_argcheck(
        L, first >= 1 && first - 1 <= (lua_Integer)length, 2, "initial position out of bounds");
    luaL_argcheck(L, last - 1 < (lua_Integer)length, 3, "final position out of bounds");
    bool lax = lua_toboolean(L, 4);
    for (const char *at = text + first - 1; at < text + last; count++) {
        budget_look_at(L, (size_t)count);
        const char *next = character_end(at, end, lax);
        if (next == NULL) {
            lua_pushnil(L);
            lua_pushinteger(L, at - text + 1);
            return 2;
        }
        at = next;
    }
    lua_pushinteger(L, count);
    return 1;
}

const luaL_Reg lb_utf8_length_functions[] = {{"len", utf8_len}, {NULL, NULL}};
