// What a value on a Lua stack is, in the host's terms.

#include "internal.h"

lb_type type_at(lb_state *b, lua_State *L, int index) {
    switch (lua_type(L, index)) {
        case LUA_TNIL:
        case LUA_TNONE: return LB_TYPE_NIL;
        case LUA_TBOOLEAN: return LB_TYPE_BOOLEAN;
        case LUA_TNUMBER: return lua_isinteger(L, index) ? LB_TYPE_INTEGER : LB_TYPE_NUMBER;
        case LUA_TSTRING: return LB_TYPE_STRING;
        case LUA_TTABLE: return LB_TYPE_TABLE;
        case LUA_TFUNCTION: return LB_TYPE_FUNCTION;
        case LUA_TTHREAD: return LB_TYPE_THREAD;
        case LUA_TLIGHTUSERDATA:
            return lua_touserdata(L, index) == NULL ? LB_TYPE_NULL : LB_TYPE_USERDATA;
        default: break;
    }
    if (is_view(b, L, index)) return LB_TYPE_VIEW;
    return is_object(L, index, NULL) ? LB_TYPE_OBJECT : LB_TYPE_USERDATA;
}

void scalar_at(lb_state *b, lua_State *L, int index, lb_value *value) {
    *value = (lb_value){.type = type_at(b, L, index)};
    switch (value->type) {
        case LB_TYPE_BOOLEAN: value->integer = lua_toboolean(L, index); break;
        case LB_TYPE_INTEGER: value->integer = lua_tointegerx(L, index, NULL); break;
        case LB_TYPE_NUMBER: value->number = lua_tonumberx(L, index, NULL); break;
        case LB_TYPE_STRING: value->bytes = lua_tolstring(L, index, &value->length); break;
        default: break;
    }
}

const char *type_name_at(lb_state *b, lua_State *L, int index) {
    switch (type_at(b, L, index)) {
        case LB_TYPE_NULL: return "null";
        case LB_TYPE_VIEW: return "table";
        case LB_TYPE_OBJECT: return object_name(L, index);
        default: return lua_typename(L, lua_type(L, index));
    }
}
