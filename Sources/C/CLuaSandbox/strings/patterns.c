// string.find, match, gmatch and gsub.

#define _GNU_SOURCE
#include "strings/matcher.h"

#include <string.h>

// The offset where a search begins; beyond the end: no search.
static size_t start_offset(lua_State *L, int index, size_t length) {
    lua_Integer start = lb_opt_integer(L, index, 1);
    if (start > 0) return (size_t)start - 1;
    if (start == 0 || start < -(lua_Integer)length) return 0;
    return length + (size_t)start;
}

static bool is_plain(lua_State *L, const char *pattern, size_t length) {
    STACK(L, 0, anything);
    for (size_t i = 0; i < length; i++) {
        budget_look_at(L, i);
        if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
    }
    return true;
}

// MARK: find, match

static int find_plain(
    lua_State *L, const char *text, size_t length, size_t start, const char *wanted, size_t size) {
    const char *found =
        size == 0 ? text + start : memmem(text + start, length - start, wanted, size);
    lb_budget_check(state_of(L), L);
    if (found == NULL) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)size);
    return 2;
}

static int search(lua_State *L, bool find) {
    size_t length, size;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    size_t start = start_offset(L, 3, length);
    if (start > length) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || is_plain(L, pattern, size)))
        return find_plain(L, text, length, start, pattern, size);
    bool anchored = size > 0 && pattern[0] == '^';
    matcher m;
    lb_match_begin(&m, L, text, length, pattern + size);
    pattern += anchored;
    const char *at = text + start;
    do {
        const char *end = lb_match_at(&m, at, pattern);
        if (end == NULL) continue;
        if (!find) return lb_match_push_captures(&m, at, end);
        lua_pushinteger(L, at - text + 1);
        lua_pushinteger(L, end - text);
        return 2 + lb_match_push_captures(&m, NULL, NULL);
    } while (!anchored && at++ < m.text_end);
    lua_pushnil(L);
    return 1;
}

OFFERED_TEXT(string_find) { return search(L, true); }

OFFERED_TEXT(string_match) { return search(L, false); }

// MARK: gmatch

enum { UP_TEXT = 1, UP_PATTERN, UP_NEXT, UP_LAST, UP_COUNT = UP_LAST };

OFFERED(next_match) {
    size_t length, size;
    const char *text = lua_tolstring(L, lua_upvalueindex(UP_TEXT), &length);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(UP_PATTERN), &size);
    lua_Integer next = lua_tointegerx(L, lua_upvalueindex(UP_NEXT), NULL);
    // The end of the last match, where an empty match would repeat it.
    lua_Integer last = lua_tointegerx(L, lua_upvalueindex(UP_LAST), NULL);
    matcher m;
    lb_match_begin(&m, L, text, length, pattern + size);
    for (; next <= (lua_Integer)length; next++) {
        const char *end = lb_match_at(&m, text + next, pattern);
        if (end == NULL || end - text == last) continue;
        lua_pushinteger(L, end - text);
        lua_copy(L, -1, lua_upvalueindex(UP_NEXT));
        lua_replace(L, lua_upvalueindex(UP_LAST));
        return lb_match_push_captures(&m, text + next, end);
    }
    lua_pushinteger(L, next);
    lua_replace(L, lua_upvalueindex(UP_NEXT));
    return 0;
}

OFFERED_TEXT(string_gmatch) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaL_checkstring(L, 2);
    size_t start = start_offset(L, 3, length);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)(start > length ? length + 1 : start));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, UP_COUNT);
    return 1;
}

// MARK: gsub

static void add_template(matcher *m, luaL_Buffer *out, const char *start, const char *end) {
    lua_State *L = m->L;
    size_t length;
    const char *p = lua_tolstring(L, 3, &length), *last = p + length;
    lb_match_charge(m, length / 16);
    for (; p < last; p++) {
        budget_look_at(L, (size_t)(last - p));
        if (*p != '%') {
            luaL_addchar(out, *p);
            continue;
        }
        p++;
        lb_match_step(m);
        if (p < last && *p == '%') {
            luaL_addchar(out, '%');
        } else if (p < last && *p == '0') {
            luaL_addlstring(out, start, (size_t)(end - start));
        } else if (p < last && *p >= '1' && *p <= '9') {
            int i = *p - '1';
            if (i >= m->count && i != 0)
                luaL_error(L, "invalid capture index %%%d in replacement string", i + 1);
            lb_match_push_capture(m, i, start, end);
            luaL_tolstring(L, -1, NULL);
            lua_remove(L, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

// Replaces the key on top by its value in a table with a metatable, as Lua does, which charges
// nothing for following a chain of thousands of __index.
static void replace_by_field(matcher *m, int index) {
    STACK(m->L, 0, anything);
    enum { LONGEST_CHAIN = 2000 };
    lua_State *L = m->L;
    lua_pushvalue(L, index);
    for (int i = 0; lua_type(L, -1) == LUA_TTABLE; i++) {
        if (i == LONGEST_CHAIN) luaL_error(L, "'__index' chain too long; possibly a loop");
        lua_pushvalue(L, -2);
        bool found = lua_rawget(L, -2) != LUA_TNIL;
        int next = found ? LUA_TNIL : luaL_getmetafield(L, -2, "__index");
        if (next == LUA_TNIL) {
            lua_replace(L, -3);
            lua_pop(L, 1);
            return;
        }
        lb_match_step(m);
        lua_replace(L, -2);  // above the table is the nil that it has
        if (next == LUA_TFUNCTION) {
            lua_insert(L, -3);
            lua_insert(L, -2);
            lua_call(L, 2, 1);
            return;
        }
        lua_remove(L, -2);
    }
    lua_insert(L, -2);
    lua_gettable(L, -2);
    lua_remove(L, -2);
}

static void add_replacement(matcher *m, luaL_Buffer *out, const char *start, const char *end) {
    lua_State *L = m->L;
    int type = lua_type(L, 3);
    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        add_template(m, out, start, end);
        return;
    }
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, lb_match_push_captures(m, start, end), 1);
    } else {
        lb_match_push_capture(m, 0, start, end);
        if (m->has_metatable)
            replace_by_field(m, 3);
        else
            lua_gettable(L, 3);
    }
    number_normalize(L, -1);
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, start, (size_t)(end - start));
    } else if (!lua_isstring(L, -1)) {
        luaL_error(
            L, "invalid replacement value (a %s)", lb_type_name_at(state_of(L), L, -1));
    } else {
        luaL_addvalue(out);
    }
}

OFFERED_TEXT(string_gsub) {
    size_t length, size;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    int type = lua_type(L, 3);
    bool usable = type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TFUNCTION
        || type == LUA_TTABLE || lb_is_view(state_of(L), L, 3);
    luaL_argexpected(L, usable, 3, "string/function/table");
    if (type == LUA_TNUMBER) lua_tolstring(L, 3, NULL);
    lua_Integer limit = lb_opt_integer(L, 4, LUA_MAXINTEGER), count = 0;
    bool anchored = size > 0 && pattern[0] == '^';
    const char *at = text, *last = NULL;
    lb_require_stack(L);
    luaL_Buffer out;
    matcher m;
    lb_match_begin(&m, L, text, length, pattern + size);
    m.has_metatable = type == LUA_TTABLE && lua_getmetatable(L, 3);
    lua_settop(L, 4);
    pattern += anchored;
    luaL_buffinit(L, &out);
    while (count < limit) {
        const char *end = lb_match_at(&m, at, pattern);
        if (end != NULL && end != last) {
            count++;
            add_replacement(&m, &out, at, end);
            at = last = end;
        } else if (at < m.text_end) {
            luaL_addchar(&out, *at++);
        } else {
            break;
        }
        if (anchored) break;
    }
    luaL_addlstring(&out, at, (size_t)(m.text_end - at));
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
}

const luaL_Reg lb_pattern_functions[] = {
    {"find", string_find}, {"gmatch", string_gmatch}, {"gsub", string_gsub},
    {"match", string_match}, {NULL, NULL},
};
