// The functions of the string library, except patterns, that need a guard: rep can loop endlessly
// over empty strings, and format can show addresses and take long for each of its arguments.

#include "sandbox.h"

#include <stdio.h>
#include <string.h>

OFFERED_TEXT(string_rep) {
    size_t length, gap;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = check_integer(L, 2);
    const char *between = luaL_optlstring(L, 3, "", &gap);
    if (count <= 0 || length + gap == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (length + gap < length || length + gap > (size_t)LUA_MAXINTEGER / (size_t)count)
        return luaL_error(L, "resulting string too large");
    size_t total = (size_t)count * length + (size_t)(count - 1) * gap;
    luaL_Buffer buffer;
    char *to = luaL_buffinitsize(L, &buffer, total);
    memcpy(to, text, length);
    // Writes the first text and separator, then doubles what is there.
    size_t done = length;
    if (count > 1) {
        memcpy(to + length, between, gap);
        done += gap;
    }
    for (; done < total; done *= 2)
        memcpy(to + done, to, done < total - done ? done : total - done);
    luaL_pushresultsize(&buffer, total);
    return 1;
}

static bool is_address(lua_State *L, int index) {
    int type = lua_type(L, index);
    return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA
        || type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA;
}

// A string in the form of %q, with checks of the limits. `work` counts the bytes of all.
static void quoted_push(lua_State *L, int index, size_t *work) {
    STACK(L, +1, anything);
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    luaL_Buffer quoted;
    luaL_buffinit(L, &quoted);
    luaL_addchar(&quoted, '"');
    for (size_t i = 0; i < length; i++) {
        budget_look_at(L, (*work)++);
        unsigned char c = (unsigned char)text[i];
        // A zero byte follows the last one.
        bool digit_follows = text[i + 1] >= '0' && text[i + 1] <= '9';
        if (c == '"' || c == '\\' || c == '\n') luaL_addchar(&quoted, '\\');
        if ((c < ' ' && c != '\n') || c == 0x7F) {
            char code[8];
            snprintf(code, sizeof code, digit_follows ? "\\%03d" : "\\%d", c);
            luaL_addstring(&quoted, code);
        } else {
            luaL_addchar(&quoted, (char)c);
        }
    }
    luaL_addchar(&quoted, '"');
    luaL_pushresult(&quoted);
}

// Lua's own format does the work. Before that, arguments that it would show as addresses become
// texts, as do long strings for %q, which it would write without checks; numerals become numbers.
OFFERED_TEXT(string_format) {
    // A directive can take ten microseconds.
    enum { MOST_DIRECTIVES = 4096 };
    size_t length, work = 0, quotable = LOOK_AT, quoted_bytes = 0;
    int count = lua_gettop(L), argument = 1;
    const char *form = luaL_checklstring(L, 1, &length), *end = form + length;
    luaL_Buffer clean;
    lb_require_stack(L);
    lua_pushcfunction(L, lb_stock_format());
    lua_insert(L, 1);  // the format is at 2 now, the first argument at 3
    luaL_buffinit(L, &clean);
    for (const char *p = form; p < end; p++) {
        budget_look_at(L, (size_t)(end - p));
        luaL_addchar(&clean, *p);
        if (*p != '%') continue;
        if (p + 1 < end && p[1] == '%') {
            luaL_addchar(&clean, *++p);
            continue;
        }
        luaL_argcheck(L, argument++ <= MOST_DIRECTIVES, 1, "format has too many directives");
        for (p++; p < end && strchr("-+ #0123456789.", *p) != NULL && *p != '\0'; p++)
            luaL_addchar(&clean, *p);
        if (p == end) break;
        bool pointer = *p == 'p' && argument <= count && lua_topointer(L, argument + 1) != NULL;
        bool quoted = *p == 'q' && p[-1] == '%' && argument <= count
            && lua_type(L, argument + 1) == LUA_TSTRING;
        // As many bytes as Lua may quote; the rest is quoted here.
        size_t size = quoted ? lua_rawlen(L, argument + 1) : 0;
        quoted = size > quotable;
        if (!quoted) quotable -= size;
        luaL_addchar(&clean, pointer || quoted ? 's' : *p);
        if (quoted) {
            quoted_push(L, argument + 1, &quoted_bytes);
            lua_replace(L, argument + 1);
        } else if (pointer || (*p == 's' && argument <= count && is_address(L, argument + 1))) {
            lb_budget_check(state_of(L), L);
            lb_text_push(L, argument + 1);
            lua_replace(L, argument + 1);
        } else if (argument <= count && *p != 's' && *p != 'q') {
            numeral_read(L, argument + 1, &work);
        }
    }
    luaL_pushresult(&clean);
    lua_replace(L, 2);
    int code = lua_pcall(L, count, 1, 0);
    if (code == LUA_OK) return 1;
    lb_budget_check(state_of(L), L);
    if (code == LUA_ERRMEM || lua_type(L, -1) != LUA_TSTRING) return lua_error(L);
    // Called from C, it knows neither its name nor its caller's place.
    luaL_where(L, 1);
    lua_pushstring(L, luaL_gsub(L, lua_tostring(L, -2), "'?'", "'format'"));
    lua_remove(L, -2);
    lua_concat(L, 2);
    return lua_error(L);
}

const luaL_Reg lb_string_functions[] = {
    {"format", string_format}, {"rep", string_rep}, {NULL, NULL}};
