// Comparing values, and math.max and math.min, which compare all of their arguments. A single
// comparison of long strings takes long, and Lua's own is slow for strings with many zeros.

#include "sandbox.h"

#include <string.h>

static bool is_text_less(lua_State *L, int x, int y) {
    STACK(L, 0, anything);
    size_t length, other;
    const char *text = lua_tolstring(L, x, &length), *against = lua_tolstring(L, y, &other);
    size_t shorter = length < other ? length : other;
    text_charge(L, shorter);
    int order = memcmp(text, against, shorter);
    return order != 0 ? order < 0 : length < other;
}

bool lb_is_less(lua_State *L, int x, int y) {
    STACK(L, 0, anything);
    if (lua_type(L, x) == LUA_TSTRING && lua_type(L, y) == LUA_TSTRING)
        return is_text_less(L, x, y);
    return lua_compare(L, x, y, LUA_OPLT);
}

static int push_extreme(lua_State *L, bool greatest) {
    int count = lua_gettop(L), best = 1;
    luaL_argcheck(L, count >= 1, 1, "value expected");
    for (int i = 2; i <= count; i++) {
        budget_look_at(L, (size_t)i);
        if (greatest ? lb_is_less(L, best, i) : lb_is_less(L, i, best)) best = i;
    }
    lua_pushvalue(L, best);
    return 1;
}

OFFERED(math_max) { return push_extreme(L, true); }

OFFERED(math_min) { return push_extreme(L, false); }

const luaL_Reg lb_extreme_functions[] = {{"max", math_max}, {"min", math_min}, {NULL, NULL}};
