// The global functions that differ from the stock ones: they support views and frozen tables, print
// to the host, show no addresses, and cannot bypass a limit. Metatables are in metatables.c.

#include "sandbox.h"

OFFERED(base_tostring) {
    luaL_checkany(L, 1);
    lb_text_push(L, 1);
    return 1;
}

OFFERED(base_type) {
    luaL_checkany(L, 1);
    bool view = lua_type(L, 1) == LUA_TUSERDATA && lb_is_view(state_of(L), L, 1);
    lua_pushstring(L, view ? "table" : luaL_typename(L, 1));
    return 1;
}

void lb_print_text(lua_State *L, const char *text, size_t length) {
    STACK(L, 0, anything);
    lb_state *b = state_of(L);
    if (length >= b->limits.print_left) {
        lb_budget_stop(b, STOP_OUTPUT);
        lb_budget_raise(b, L);
    }
    b->limits.print_left -= length + 1;
    lb_location location = {"", 0, 0};
    lb_error_place(L, 1, &location);
    if (b->core.print != NULL) b->core.print(b->core.owner, text, length, location);
    if (b->limits.stop) lb_budget_raise(b, L);
}

OFFERED(base_print) {
    lb_state *b = state_of(L);
    int count = lua_gettop(L);
    luaL_Buffer line;
    size_t length;
    lb_require_stack(L);
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1) luaL_addchar(&line, '\t');
        lb_budget_check(b, L);
        lb_text_push(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    const char *text = lua_tolstring(L, -1, &length);
    lb_print_text(L, text, length);
    return 0;
}

OFFERED(base_rawget) {
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    readable kind = lb_read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    lua_pushvalue(L, 2);
    lua_rawget(L, 3);
    if (kind == READ_VIEW) lb_view_wrap(L, 1, 2);
    return 1;
}

void lb_check_raw_key(lua_State *L, int key) {
    STACK(L, 0, anything);
    if (lua_isnil(L, key))
        lua_pushliteral(L, "table index is nil");
    else if (!lua_rawequal(L, key, key))
        lua_pushliteral(L, "table index is NaN");
    else
        return;
    lua_error(L);
}

OFFERED(base_rawset) {
    bool drafted = lb_is_draft(state_of(L), L, 1);
    if (!drafted) lb_check_writable(L, 1);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    if (drafted) {
        lb_check_raw_key(L, 2);
        lb_draft_set(L, 1, 2);
    } else {
        lua_rawset(L, 1);
    }
    lua_settop(L, 1);
    return 1;
}

OFFERED(base_rawlen) {
    bool is_string = lua_type(L, 1) == LUA_TSTRING;
    if (!is_string && lb_read_push(L, 1) == READ_NONE)
        return luaL_argerror(L, 1, "table or string expected");
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, is_string ? 1 : -1));
    return 1;
}

// MARK: pcall and xpcall

static int finish_pcall(lua_State *L, int status, lua_KContext context) {
    (void)context;
    CONTINUED();
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L);
    lb_trace_catch(state_of(L), L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

OFFERED(base_pcall) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
    return finish_pcall(L, status, 0);
}

// A handler runs where the error was raised. For a limit that is inside a hook, with hooks off.
static int handle(lua_State *L) {
    CONTINUED();
    if (state_of(L)->limits.stop) return 1;
    lb_trace_catch(state_of(L), L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int finish_xpcall(lua_State *L, int status, lua_KContext first) {
    CONTINUED();
    lb_budget_check(state_of(L), L);
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)first;
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

OFFERED(base_xpcall) {
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

const luaL_Reg lb_base_functions[] = {
    {"pcall", base_pcall}, {"print", base_print}, {"rawget", base_rawget}, {"rawlen", base_rawlen},
    {"rawset", base_rawset}, {"tostring", base_tostring}, {"type", base_type},
    {"xpcall", base_xpcall}, {NULL, NULL},
};
