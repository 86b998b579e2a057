// The host's types for values on a Lua stack.

#include "core/types.h"

// MARK: The bridge's own userdata

static bool is_draft_by(lb_state *b, lua_State *L, int index, const void *metatable) {
    STACK(L, 0, nothing);
    if (metatable == b->core.draft_metatable) return true;
    // In a view, a script controls the bytes there.
    if (metatable == b->core.view_metatable || lua_rawlen(L, index) != sizeof(draft)) return false;
    return ((const draft *)lua_touserdata(L, index))->metatable == metatable;
}

// The metatable of a userdata; NULL: not a userdata, or without a metatable.
static const void *metatable_of_userdata(lua_State *L, int index) {
    STACK(L, 0, nothing);
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
    const void *metatable = lua_topointer(L, -1);
    lua_pop(L, 1);
    return metatable;
}

bool lb_is_view(lb_state *b, lua_State *L, int index) {
    const void *metatable = metatable_of_userdata(L, index);
    if (metatable == NULL) return false;
    return metatable == b->core.view_metatable || is_draft_by(b, L, index, metatable);
}

bool lb_view_push_table(lb_state *b, lua_State *L, int index) {
    STACK_EITHER(L, +1, 0, nothing);
    if (!lb_is_view(b, L, index)) return false;
    if (lua_getiuservalue(L, index, VIEW_TABLE) == LUA_TTABLE) return true;
    lua_pop(L, 1);
    return false;
}

bool lb_is_draft(lb_state *b, lua_State *L, int index) {
    const void *metatable = metatable_of_userdata(L, index);
    return metatable != NULL && is_draft_by(b, L, index, metatable);
}

view_kind lb_view_look(
    lb_state *b, lua_State *L, bool follows_drafts, const void **bytes, size_t *length) {
    STACK_EITHER(L, +1, 0, nothing);
    if (!lb_is_view(b, L, -1)) return VIEW_NONE;
    *bytes = view_bytes(lua_touserdata(L, -1), length);
    if (*bytes != NULL) return VIEW_OF_BYTES;
    if (!follows_drafts && lb_is_draft(b, L, -1)) return VIEW_OF_DRAFT;
    lb_view_push_table(b, L, -1);
    return VIEW_OF_TABLE;
}

void lb_push_metatable(
    lua_State *L, lua_CFunction index, lua_CFunction newindex, lua_CFunction length) {
    STACK(L, +1, memory);
    const luaL_Reg events[] = {
        {"__index", index}, {"__newindex", newindex}, {"__len", length}, {NULL, NULL}};
    lua_createtable(L, 0, 5);
    luaL_setfuncs(L, events, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushliteral(L, "table");
    lua_setfield(L, -2, "__name");
}

const char lb_object_mark;

object *lb_object_at(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) != sizeof(object)) return NULL;
    object *o = lua_touserdata(L, index);
    return o->mark == &lb_object_mark ? o : NULL;
}

const char *lb_object_name(lua_State *L, int index) {
    STACK(L, 0, nothing);
    if (!lua_getmetatable(L, index)) return "userdata";
    lua_pushliteral(L, "__name");
    lua_rawget(L, -2);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, NULL) : "userdata";
    lua_pop(L, 2);  // the metatable keeps the string
    return name;
}

// MARK: Types

lb_type lb_type_at(lb_state *b, lua_State *L, int index) {
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
    if (lb_is_view(b, L, index)) return LB_TYPE_VIEW;
    return lb_object_at(L, index) != NULL ? LB_TYPE_OBJECT : LB_TYPE_USERDATA;
}

void lb_scalar_at(lb_state *b, lua_State *L, int index, lb_value *value) {
    *value = (lb_value){.type = lb_type_at(b, L, index)};
    switch (value->type) {
        case LB_TYPE_BOOLEAN: value->integer = lua_toboolean(L, index); break;
        case LB_TYPE_INTEGER: value->integer = lua_tointegerx(L, index, NULL); break;
        case LB_TYPE_NUMBER: value->number = lua_tonumberx(L, index, NULL); break;
        case LB_TYPE_STRING: value->bytes = lua_tolstring(L, index, &value->length); break;
        default: break;
    }
}

const char *lb_type_name_at(lb_state *b, lua_State *L, int index) {
    switch (lb_type_at(b, L, index)) {
        case LB_TYPE_NULL: return "null";
        case LB_TYPE_VIEW: return "table";
        case LB_TYPE_OBJECT: return lb_object_name(L, index);
        default: return lua_typename(L, lua_type(L, index));
    }
}
