// What scripts get, as data: everything that is not named here does not exist for them.

#include "internal.h"

#include <string.h>

typedef struct {
    const char *name;          // NULL: global functions
    lua_CFunction open;        // the stock library
    const char *const *stock;  // what is taken from it as it is
    const luaL_Reg *own[2];    // what is ours
} library;

static const char *const stock_base[] = {
    "assert", "error", "ipairs", "pcall", "rawequal", "select", "tonumber", NULL,
};
static const char *const stock_string[] = {
    "byte", "char", "len", "lower", "pack", "packsize", "reverse", "sub", "unpack", "upper", NULL,
};
static const char *const stock_table[] = {"pack", NULL};
static const char *const stock_math[] = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log",
    "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt", "tan",
    "tointeger", "type", "ult", NULL,
};
static const char *const stock_utf8[] = {
    "char", "charpattern", "codepoint", "codes", "len", "offset", NULL,
};
static const char *const stock_nothing[] = {NULL};

static const library libraries[] = {
    {NULL, luaopen_base, stock_base, {base_functions, iteration_functions}},
    {"string", luaopen_string, stock_string, {string_functions, pattern_functions}},
    {"table", luaopen_table, stock_table, {table_functions, NULL}},
    {"math", luaopen_math, stock_math, {random_functions, NULL}},
    {"utf8", luaopen_utf8, stock_utf8, {NULL, NULL}},
    {"coroutine", luaopen_coroutine, stock_nothing, {coroutine_functions, NULL}},
};

// Fills the table on top from the stock library below it. [-0, +0, memory]
static void fill(lua_State *L, const library *l) {
    for (const char *const *name = l->stock; *name != NULL; name++) {
        lua_getfield(L, -2, *name);
        lua_setfield(L, -2, *name);
    }
    for (int i = 0; i < COUNT_OF(l->own); i++) {
        for (const luaL_Reg *f = l->own[i]; f != NULL && f->name != NULL; f++) {
            // An own function may build on the stock one of the same name.
            lua_getfield(L, -2, f->name);
            lua_pushcclosure(L, f->func, 1);
            lua_setfield(L, -2, f->name);
        }
    }
}

// Lets methods of strings come from what scripts get, and nothing else be reached. [-0, +0, memory]
static void seal_strings(lua_State *L, int functions) {
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, functions);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

void sandbox_open(lb_state *b) {
    lua_State *L = b->desk;
    random_seed(b);
    lua_createtable(L, 0, 32);
    int globals = lua_gettop(L);
    // Where Lua's own library looks for a function's name when it complains of an argument.
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    int named = lua_gettop(L);
    lua_pushvalue(L, globals);
    lua_setfield(L, named, LUA_GNAME);
    for (int i = 0; i < COUNT_OF(libraries); i++) {
        const library *l = &libraries[i];
        lua_pushcfunction(L, l->open);
        lua_call(L, 0, 1);
        if (l->name == NULL) {
            lua_pushvalue(L, globals);
            fill(L, l);
            lua_pop(L, 2);
            continue;
        }
        lua_createtable(L, 0, 32);
        fill(L, l);
        if (strcmp(l->name, "string") == 0) seal_strings(L, lua_gettop(L));
        lua_pushvalue(L, -1);
        lua_setfield(L, named, l->name);
        frozen_wrap(L, l->name);
        lua_setfield(L, globals, l->name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_pushvalue(L, globals);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    frozen_wrap(L, NULL);
    // What a loaded chunk sees as _ENV.
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
