// Metamethods that a script may add to a metatable after setmetatable. Lua gets these functions in
// place of those that are absent then, if a library file sets the metatable. Each looks in the
// script's metatable when it is used, and without a metamethod there does what Lua does.
//
// So Lua still sees nothing but functions of the bridge and what setmetatable has checked, and
// `__call` still leads to one step at most.

#include "sandbox.h"

#include <string.h>

static int finish(lua_State *L, int status, lua_KContext context) {
    (void)status;
    return context == LUA_MULTRET ? lua_gettop(L) : (int)context;
}

// Calls the metamethod below `count` arguments, which may yield. [-count - 1, +results, raises]
static int call_metamethod(lua_State *L, int count, int results) {
    lb_require_stack(L);
    lua_callk(L, count, results, results, finish);
    return finish(L, LUA_OK, results);
}

// Puts a metamethod of the first operand that has one below both.
static bool insert_binary(lua_State *L, const char *event) {
    STACK_EITHER(L, +1, 0, anything);
    size_t length = strlen(event);
    lua_settop(L, 2);
    if (!lb_metafield_push(L, 1, event, length) && !lb_metafield_push(L, 2, event, length))
        return false;
    lua_insert(L, 1);
    return true;
}

// MARK: Access

OFFERED(late_index) {
    lua_settop(L, 2);
    if (!lb_metafield_push(L, 1, LITERAL("__index"))) return 0;
    if (lua_type(L, 3) == LUA_TFUNCTION) {
        lua_insert(L, 1);
        return call_metamethod(L, 2, 1);
    }
    lb_require_stack(L);
    lua_pushvalue(L, 2);
    lua_gettable(L, 3);
    return 1;
}

OFFERED(late_newindex) {
    lua_settop(L, 3);
    if (!lb_metafield_push(L, 1, LITERAL("__newindex"))) {
        lb_check_raw_key(L, 2);
        lua_rawset(L, 1);
        return 0;
    }
    if (lua_type(L, 4) == LUA_TFUNCTION) {
        lua_insert(L, 1);
        return call_metamethod(L, 3, 0);
    }
    lb_require_stack(L);
    lua_insert(L, 2);
    lua_settable(L, 2);
    return 0;
}

OFFERED(late_len) {
    lua_settop(L, 1);
    if (!lb_metafield_push(L, 1, LITERAL("__len"))) {
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
        return 1;
    }
    lua_insert(L, 1);
    return call_metamethod(L, 1, 1);
}

// MARK: Calls

OFFERED(late_call) {
    int count = lua_gettop(L);
    luaL_checkstack(L, 4, NULL);
    bool has = lb_metafield_push(L, 1, LITERAL("__call"));
    if (has && lua_type(L, -1) == LUA_TFUNCTION) {
        lua_insert(L, 1);
        return call_metamethod(L, count, LUA_MULTRET);
    }
    const char *type = lb_type_name_at(state_of(L), L, has ? -1 : 1);
    if (has)
        return luaL_error(L, "'__call' of a metatable is a function here, not a %s value", type);
    // Lua names what was called as this function.
    lua_Debug ar;
    if (lua_getstack(L, 0, &ar) && lua_getinfo(L, "n", &ar) && ar.name != NULL && *ar.namewhat != 0)
        return luaL_error(L, "attempt to call a %s value (%s '%s')", type, ar.namewhat, ar.name);
    return luaL_error(L, "attempt to call a %s value", type);
}

// MARK: Comparisons

OFFERED(late_eq) {
    if (insert_binary(L, "__eq")) return call_metamethod(L, 2, 1);
    lua_pushboolean(L, false);
    return 1;
}

static int compare(lua_State *L, const char *event) {
    if (insert_binary(L, event)) return call_metamethod(L, 2, 1);
    const char *first = lb_type_name_at(state_of(L), L, 1),
               *second = lb_type_name_at(state_of(L), L, 2);
    if (strcmp(first, second) == 0) return luaL_error(L, "attempt to compare two %s values", first);
    return luaL_error(L, "attempt to compare %s with %s", first, second);
}

OFFERED(late_lt) { return compare(L, "__lt"); }

OFFERED(late_le) { return compare(L, "__le"); }

// MARK: Arithmetic

// Lua blames the second operand, unless that is a number.
static int refuse(lua_State *L, const char *what) {
    int blamed = lua_type(L, 2) == LUA_TNUMBER ? 1 : 2;
    if (lua_type(L, 1) != LUA_TNUMBER) blamed = 1;
    return luaL_error(
        L, "attempt to perform %s on a %s value", what, lb_type_name_at(state_of(L), L, blamed));
}

#define ARITHMETIC(X)                                                                             \
    X(add, "arithmetic") X(sub, "arithmetic") X(mul, "arithmetic") X(div, "arithmetic")           \
    X(mod, "arithmetic") X(pow, "arithmetic") X(unm, "arithmetic") X(idiv, "arithmetic")          \
    X(band, "bitwise operation") X(bor, "bitwise operation") X(bxor, "bitwise operation")         \
    X(shl, "bitwise operation") X(shr, "bitwise operation") X(bnot, "bitwise operation")
#define DEFINE_ARITHMETIC(name, what)                                                             \
    OFFERED(late_##name) {                                                                        \
        if (insert_binary(L, "__" #name)) return call_metamethod(L, 2, 1);                        \
        return refuse(L, what);                                                                   \
    }
#define ARITHMETIC_ENTRY(name, what) {"__" #name, late_##name},
ARITHMETIC(DEFINE_ARITHMETIC)

const luaL_Reg lb_late_metamethods[] = {
    {"__index", late_index}, {"__newindex", late_newindex}, {"__len", late_len},
    {"__call", late_call},   {"__eq", late_eq},             {"__lt", late_lt},
    {"__le", late_le},       ARITHMETIC(ARITHMETIC_ENTRY){NULL, NULL},
};
