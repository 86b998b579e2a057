// The metatables of scripts. Lua never uses a script's own table. It uses one of the bridge's, into
// which setmetatable copies the metamethods of the script's table, and which scripts cannot reach.
// So a refused metamethod cannot be added later:
//
// - `__call` must be a function. Lua follows `__call` from table to table without running an
//   instruction, moving all arguments at each step. With functions there is at most one step.
// - `__mode` is not copied, so entries stay: a weak table would show when garbage is collected.
// - `__gc` is refused: a finaliser runs with hooks off, so no limit can stop it.
// - `__concat` is not copied: Lua 5.4.4 in Debian 12, with its patch for CVE-2022-33099, uses a
//   freed stack when a metamethod of `..` makes the stack grow. Flows must behave alike on all.
//
// Only the library's functions use a script's `__tostring`, `__pairs` and `__metatable`.

#include "sandbox.h"

// The keys in Lua's metatable of the set of its metamethods, and of the set that has the late ones.
enum { PRESENT = METATABLE_OF_SCRIPT + 1, PRESENT_WITH_LATE };

// Of the events: the number of the first that are refused, and the index of __call.
enum { REFUSED = 1, CALL = 1 };

// The metamethods that Lua itself looks up, and the type name in its messages.
static const char *const events[] = {
    "__gc", "__call", "__index", "__newindex", "__len", "__eq", "__lt", "__le", "__add",
    "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band", "__bor", "__bxor",
    "__shl", "__shr", "__bnot", "__close", "__name",
};

void lb_metatables_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    lua_createtable(L, COUNT_OF(events), 0);
    for (int i = 0; i < COUNT_OF(events); i++) {
        lua_pushstring(L, events[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_EVENTS);
    // Both are weak, so Lua clears unused ones in one pass, however the tables refer to each other.
    lua_createtable(L, 0, 4);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "kv");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_METATABLES);
}

// Raises if the metamethod on top is refused.
static void check_event(lua_State *L, int event) {
    STACK(L, 0, anything);
    if (event < REFUSED)
        luaL_error(L, "a metatable with '%s' is not available to scripts", events[event]);
    if (event == CALL && lua_type(L, -1) != LUA_TFUNCTION)
        luaL_error(
            L, "'__call' of a metatable is a function here, not a %s value",
            lb_type_name_at(state_of(L), L, -1));
}

// Copies the metamethods of the script's table to Lua's, or none if one of them is refused.
static void copy_events(lua_State *L, int from, int to) {
    STACK(L, 0, anything);
    lua_rawgeti(L, to, PRESENT);
    uint32_t before = (uint32_t)lua_tointegerx(L, -1, NULL), present = 0;
    lua_pop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_EVENTS);
    int names = lua_gettop(L);
    for (int i = 0; i < COUNT_OF(events); i++) {
        lua_rawgeti(L, names, i + 1);
        if (lua_rawget(L, from) != LUA_TNIL) {
            check_event(L, i);
            present |= (uint32_t)1 << i;
        }
        lua_pop(L, 1);
    }
    for (int i = REFUSED; i < COUNT_OF(events); i++) {
        if (!((before | present) >> i & 1)) continue;
        lua_rawgeti(L, names, i + 1);
        lua_pushvalue(L, -1);
        lua_rawget(L, from);
        lua_rawset(L, to);
    }
    if (present != before) {
        lua_pushinteger(L, (lua_Integer)present);
        lua_rawseti(L, to, PRESENT);
    }
    lua_settop(L, names - 1);
}

// Pushes Lua's metatable for the script's at `index`.
static void push_metatable_for(lua_State *L, int index) {
    STACK(L, +1, anything);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_METATABLES);
    int kept = lua_gettop(L);
    lua_pushvalue(L, index);
    if (lua_rawget(L, kept) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 2, 4);
        lua_pushvalue(L, index);
        lua_rawseti(L, -2, METATABLE_OF_SCRIPT);
        lua_pushinteger(L, 0);
        lua_rawseti(L, -2, PRESENT);
        copy_events(L, index, lua_gettop(L));
        lua_pushvalue(L, index);
        lua_pushvalue(L, -2);
        lua_rawset(L, kept);
    } else {
        copy_events(L, index, lua_gettop(L));
    }
    lua_remove(L, kept);
}

// A draft cannot have a metatable.
static int set_metatable_of_draft(lua_State *L, int type) {
    if (type != LUA_TNIL) return luaL_error(L, "a table of the state cannot have a metatable");
    lb_read_push(L, 1);
    if (lua_getmetatable(L, -1)) return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 1);
    return 1;
}

// Gives Lua's metatable on top functions for the metamethods that it has not.
static void add_late_metamethods(lua_State *L) {
    STACK(L, 0, memory);
    lua_rawgeti(L, -1, PRESENT);
    lua_rawgeti(L, -2, PRESENT_WITH_LATE);
    bool are_there = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    lua_rawseti(L, -2, PRESENT_WITH_LATE);
    if (are_there) return;
    for (const luaL_Reg *late = lb_late_metamethods; late->name != NULL; late++) {
        lua_pushstring(L, late->name);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushcfunction(L, late->func);
            lua_rawset(L, -3);
        } else {
            lua_pop(L, 2);
        }
    }
}

// With `late`, metamethods may be added later.
static int set_metatable(lua_State *L, bool late) {
    bool drafted = lb_is_draft(state_of(L), L, 1);
    if (!drafted) lb_check_writable(L, 1);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (drafted) return set_metatable_of_draft(L, type);
    lua_settop(L, 2);
    if (lb_metafield_push(L, 1, LITERAL("__metatable")))
        return luaL_error(L, "cannot change a protected metatable");
    if (type == LUA_TTABLE) push_metatable_for(L, 2);
    if (type == LUA_TTABLE && late) add_late_metamethods(L);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

OFFERED(base_setmetatable) { return set_metatable(L, false); }

OFFERED(library_setmetatable) { return set_metatable(L, true); }

OFFERED(base_getmetatable) {
    luaL_checkany(L, 1);
    if (lb_is_draft(state_of(L), L, 1)) {
        lb_read_push(L, 1);
        lua_replace(L, 1);
    }
    if (!lb_metafield_push(L, 1, LITERAL("__metatable")) && !lb_metatable_push(L, 1))
        lua_pushnil(L);
    return 1;
}

const luaL_Reg lb_library_metatable_functions[] = {
    {"setmetatable", library_setmetatable}, {NULL, NULL}};

const luaL_Reg lb_metatable_functions[] = {
    {"getmetatable", base_getmetatable}, {"setmetatable", base_setmetatable}, {NULL, NULL}};
