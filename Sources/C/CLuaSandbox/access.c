// The access of the sandbox's functions to values: the tables behind views and stand-ins, texts
// without addresses, and numbers whose text is the same on every machine.

#include "sandbox.h"

#include <math.h>

// MARK: Metatables

bool lb_metatable_push(lua_State *L, int index) {
    STACK_EITHER(L, +1, 0, nothing);
    if (!lua_getmetatable(L, index)) return false;
    if (lua_rawgeti(L, -1, METATABLE_OF_SCRIPT) == LUA_TTABLE)
        lua_remove(L, -2);
    else
        lua_pop(L, 1);
    return true;
}

bool lb_metafield_push(lua_State *L, int index, const char *name, size_t length) {
    STACK_EITHER(L, +1, 0, nothing);
    if (!lb_metatable_push(L, index)) return false;
    lua_pushlstring(L, name, length);
    if (lua_rawget(L, -2) != LUA_TNIL) {
        lua_remove(L, -2);
        return true;
    }
    lua_pop(L, 2);
    return false;
}

// MARK: Tables and texts

readable lb_read_push(lua_State *L, int index) {
    STACK_EITHER(L, +1, 0, memory);
    if (lua_type(L, index) == LUA_TTABLE) {
        if (lb_readonly_push_table(L, index)) return READ_LIBRARY;
        lua_pushvalue(L, index);
        return READ_TABLE;
    }
    if (!lb_is_view(state_of(L), L, index)) return READ_NONE;
    lb_view_open(L, index);
    return READ_VIEW;
}

void lb_check_writable(lua_State *L, int index) {
    STACK(L, 0, anything);
    if (lb_is_view(state_of(L), L, index)) lb_view_raise_write(L, index);
    luaL_checktype(L, index, LUA_TTABLE);
    if (lb_readonly_push_table(L, index)) luaL_error(L, "a table of the host is read-only");
}

void lb_text_push(lua_State *L, int index) {
    STACK(L, +1, anything);
    index = lua_absindex(L, index);
    if (lb_metafield_push(L, index, LITERAL("__tostring"))) {
        lua_pushvalue(L, index);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
        return;
    }
    switch (lua_type(L, index)) {
        case LUA_TNUMBER:
            lua_pushvalue(L, index);
            number_normalize(L, -1);
            lua_tolstring(L, -1, NULL);
            return;
        case LUA_TNIL:
        case LUA_TBOOLEAN:
        case LUA_TSTRING: luaL_tolstring(L, index, NULL); return;
        case LUA_TTABLE:
            if (!lb_metafield_push(L, index, LITERAL("__name"))) break;
            if (lua_type(L, -1) == LUA_TSTRING) return;
            lua_pop(L, 1);
            break;
        default: break;
    }
    lua_pushstring(L, lb_type_name_at(state_of(L), L, index));
}

// MARK: Numbers and long texts

void lb_numeral_read_text(lua_State *L, int index, size_t *work) {
    STACK(L, 0, anything);
    size_t length;
    numeral_check(L, index);
    const char *text = lua_tolstring(L, index, &length);
    size_t read = lua_stringtonumber(L, text);
    if (read == length + 1)
        lua_replace(L, index);
    else if (read != 0)
        lua_pop(L, 1);
    *work += length + 1;
    if (*work < LOOK_AT) return;
    lb_budget_charge(state_of(L), L, *work / 64);
    *work = 0;
}

lua_Integer lb_check_other_integer(lua_State *L, int index) {
    numeral_check(L, index);
    return luaL_checkinteger(L, index);
}

lua_Integer lb_opt_integer(lua_State *L, int index, lua_Integer otherwise) {
    return lua_isnoneornil(L, index) ? otherwise : check_integer(L, index);
}

void lb_text_charge_long(lua_State *L, size_t length) {
    STACK(L, 0, anything);
    enum { BYTES_A_STEP = 64 };
    lb_budget_charge(state_of(L), L, length / BYTES_A_STEP);
}

void lb_number_replace(lua_State *L, int index) {
    STACK(L, 0, nothing);
    index = lua_absindex(L, index);
    // Processors differ in the sign of a NaN, which its text shows.
    lua_pushnumber(L, (lua_Number)NAN);
    lua_replace(L, index);
}

void lb_numbers_normalize(lua_State *L) {
    for (int i = lua_gettop(L); i > 0; i--) number_normalize(L, i);
}
