// The allow-list, as data: scripts see nothing that is not named here.

#include "sandbox.h"

#include <string.h>

typedef struct {
    const char *name;             // NULL: global functions
    lua_CFunction open;           // the stock library
    const stock_function *stock;  // the functions taken from it, with a check of the limits
    const char *const *values;    // the values taken from it unchanged
    const luaL_Reg *own[3];       // our own functions
} library;

static const char *const no_values[] = {NULL};
static const char *const math_values[] = {"huge", "maxinteger", "mininteger", "pi", NULL};
static const char *const utf8_values[] = {"charpattern", NULL};
static const stock_function stock_nothing[] = {{NULL, NULL, NULL}};

static const library libraries[] = {
    {NULL, luaopen_base, lb_stock_base, no_values,
     {lb_base_functions, lb_iteration_functions, lb_metatable_functions}},
    {"string", luaopen_string, lb_stock_string, no_values,
     {lb_string_functions, lb_pattern_functions}},
    {"table", luaopen_table, lb_stock_table, no_values, {lb_table_functions}},
    {"math", luaopen_math, lb_stock_math, math_values,
     {lb_random_functions, lb_extreme_functions, lb_power_functions}},
    {"utf8", luaopen_utf8, lb_stock_utf8, utf8_values,
     {lb_utf8_functions, lb_utf8_length_functions}},
    {"coroutine", luaopen_coroutine, stock_nothing, no_values, {lb_coroutine_functions}},
};

// Keeps functions of the stock library below the table on top, and puts what is offered there.
static void take(lua_State *L, const stock_function *stock) {
    STACK(L, 0, memory);
    for (const stock_function *f = stock; f->name != NULL; f++) {
        lua_getfield(L, -2, f->name);
        atomic_store_explicit(f->slot, lua_tocfunction(L, -1), memory_order_relaxed);
        lua_pop(L, 1);
        if (f->offered == NULL) continue;
        lua_pushcfunction(L, f->offered);
        lua_setfield(L, -2, f->name);
    }
}

// Fills the table on top from the stock library below it.
static void fill(lua_State *L, const library *l) {
    STACK(L, 0, memory);
    for (const char *const *name = l->values; *name != NULL; name++) {
        lua_getfield(L, -2, *name);
        lua_setfield(L, -2, *name);
    }
    take(L, l->stock);
    for (int i = 0; i < COUNT_OF(l->own) && l->own[i] != NULL; i++)
        luaL_setfuncs(L, l->own[i], 0);
}

// Makes the script's string functions the methods of strings, and hides the string metatable.
// Arithmetic with numerals is done by functions of that metatable.
static void seal_strings(lua_State *L, int functions) {
    STACK(L, 0, memory);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, functions);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -1);
    take(L, lb_stock_arithmetic);
    lua_pop(L, 3);
}

static void furnish(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    lb_metatables_open(b);
    lb_random_seed(b);
    lua_createtable(L, 0, 32);
    int globals = lua_gettop(L);
    // Lua's own library looks here for a function's name when it rejects an argument.
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
        lb_readonly_wrap(L, l->name);
        lua_setfield(L, globals, l->name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_pushvalue(L, globals);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    lb_late_refuse_unknown(L);
    lb_library_open(L);
    lb_plain_open(L);
    lb_readonly_wrap(L, NULL);
    // The _ENV of loaded chunks.
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

lb_status lb_sandbox_open(const lb_configuration *configuration, lb_state **state) {
    return lb_interpreter_open(configuration, furnish, state);
}
