// The global functions that differ from the stock ones: they know views and frozen tables, print to
// the host, give away no address, and leave no way around a limit.

#include "internal.h"

#include <stdio.h>
#include <string.h>

readable read_push(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TTABLE) {
        if (frozen_push_table(L, index)) return READ_FROZEN;
        lua_pushvalue(L, index);
        return READ_TABLE;
    }
    if (!is_view(state_of(L), L, index)) return READ_NONE;
    view_open(L, index);
    return READ_VIEW;
}

void check_writable(lua_State *L, int index) {
    if (is_view(state_of(L), L, index)) view_raise_write(L, index);
    luaL_checktype(L, index, LUA_TTABLE);
    if (frozen_push_table(L, index)) luaL_error(L, "a table of the host is read-only");
}

void text_push(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
        return;
    }
    switch (lua_type(L, index)) {
        case LUA_TNIL:
        case LUA_TBOOLEAN:
        case LUA_TNUMBER:
        case LUA_TSTRING: luaL_tolstring(L, index, NULL); return;
        case LUA_TTABLE: {
            int type = luaL_getmetafield(L, index, "__name");
            if (type == LUA_TSTRING) return;
            if (type != LUA_TNIL) lua_pop(L, 1);
            break;
        }
        default: break;
    }
    lua_pushstring(L, type_name_at(state_of(L), L, index));
}

static int base_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    text_push(L, 1);
    return 1;
}

static int base_type(lua_State *L) {
    luaL_checkany(L, 1);
    bool view = lua_type(L, 1) == LUA_TUSERDATA && is_view(state_of(L), L, 1);
    lua_pushstring(L, view ? "table" : luaL_typename(L, 1));
    return 1;
}

static int base_print(lua_State *L) {
    lb_state *b = state_of(L);
    int count = lua_gettop(L);
    luaL_Buffer line;
    size_t length;
    require_stack(L);
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1) luaL_addchar(&line, '\t');
        text_push(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    const char *text = lua_tolstring(L, -1, &length);
    if (length >= b->print_left) {
        budget_stop(b, STOP_OUTPUT);
        return budget_raise(b, L);
    }
    b->print_left -= length + 1;
    lb_location location = {"", 0, 0};
    error_place(L, 1, &location);
    if (b->print != NULL) b->print(b->owner, text, length, location);
    if (b->stop) return budget_raise(b, L);
    return 0;
}

/* A draft has none, and can be given none. [-0, +1, raises] */
static int set_metatable_of_draft(lua_State *L, int type) {
    if (type != LUA_TNIL) return luaL_error(L, "a table of the state cannot have a metatable");
    read_push(L, 1);
    if (lua_getmetatable(L, -1)) return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 1);
    return 1;
}

// A finaliser runs with hooks off, where no limit can reach it; a weak table shows when memory is
// collected, which differs from run to run.
static int base_setmetatable(lua_State *L) {
    bool drafted = is_draft(state_of(L), L, 1);
    if (!drafted) check_writable(L, 1);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (drafted) return set_metatable_of_draft(L, type);
    static const char *const refused[] = {"__gc", "__mode"};
    for (int i = 0; type == LUA_TTABLE && i < COUNT_OF(refused); i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "a metatable with '%s' is not available to scripts", refused[i]);
        lua_pop(L, 1);
    }
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

static int base_getmetatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (is_draft(state_of(L), L, 1)) {
        read_push(L, 1);
        lua_replace(L, 1);
    }
    if (!lua_getmetatable(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    luaL_getmetafield(L, 1, "__metatable");
    return 1;
}

static int base_rawget(lua_State *L) {
    lua_settop(L, 2);
    readable kind = read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    luaL_checkany(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, 3);
    if (kind == READ_VIEW) view_wrap(L, 1, 2);
    return 1;
}

// Raises what lua_rawset raises, which tells no place.
static void check_raw_key(lua_State *L, int key) {
    if (lua_isnil(L, key))
        lua_pushliteral(L, "table index is nil");
    else if (!lua_rawequal(L, key, key))
        lua_pushliteral(L, "table index is NaN");
    else
        return;
    lua_error(L);
}

static int base_rawset(lua_State *L) {
    bool drafted = is_draft(state_of(L), L, 1);
    if (!drafted) check_writable(L, 1);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    if (drafted) {
        check_raw_key(L, 2);
        draft_set(L, 1, 2);
    } else {
        lua_rawset(L, 1);
    }
    lua_settop(L, 1);
    return 1;
}

static int base_rawlen(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING && read_push(L, 1) == READ_NONE)
        return luaL_argerror(L, 1, "table or string expected");
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

// MARK: xpcall

// A handler runs where the error was raised: for a limit that is inside a hook, with hooks off.
static int handle(lua_State *L) {
    if (state_of(L)->stop) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int finish_xpcall(lua_State *L, int status, lua_KContext first) {
    budget_check(state_of(L), L);
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)first;
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

static int base_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_xpcall);
    return finish_xpcall(L, status, 2);
}

const luaL_Reg base_functions[] = {
    {"getmetatable", base_getmetatable},
    {"print", base_print},
    {"rawget", base_rawget},
    {"rawlen", base_rawlen},
    {"rawset", base_rawset},
    {"setmetatable", base_setmetatable},
    {"tostring", base_tostring},
    {"type", base_type},
    {"xpcall", base_xpcall},
    {NULL, NULL},
};
