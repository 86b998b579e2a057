// Finds variables by their names.

#include "trace/trace.h"

#include <string.h>

static bool is_text(const char *known, lb_text text) {
    return strlen(known) == text.length && memcmp(known, text.bytes, text.length) == 0;
}

// A local hides an upvalue, and a later local an earlier one.
bool lb_trace_push_variable(lua_State *L, lua_Debug *ar, lb_text name) {
    STACK_EITHER(L, +1, 0, nothing);
    const char *known;
    int found = 0;
    for (int i = 1; (known = lua_getlocal(L, ar, i)) != NULL; i++) {
        if (is_text(known, name)) found = i;
        lua_pop(L, 1);
    }
    if (found > 0) return lua_getlocal(L, ar, found) != NULL;
    if (!lua_getinfo(L, "f", ar)) return false;
    for (int i = 1; !lua_iscfunction(L, -1) && (known = lua_getupvalue(L, -1, i)) != NULL; i++) {
        if (is_text(known, name)) found = i;
        lua_pop(L, 1);
    }
    if (found > 0) lua_getupvalue(L, -1, found);
    lua_remove(L, found > 0 ? -2 : -1);
    return found > 0;
}

void lb_trace_push_key(lua_State *L, const lb_value *key) {
    STACK(L, +1, memory);
    switch (key->type) {
        case LB_TYPE_BOOLEAN: lua_pushboolean(L, key->integer != 0); break;
        case LB_TYPE_INTEGER: lua_pushinteger(L, (lua_Integer)key->integer); break;
        case LB_TYPE_NUMBER: lua_pushnumber(L, key->number); break;
        case LB_TYPE_STRING: lua_pushlstring(L, key->bytes, key->length); break;
        default: lua_pushnil(L);
    }
}
