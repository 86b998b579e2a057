// Raw access of the host to tables and views.

#include "objects/objects.h"
#include "operations.h"
#include "values/arguments.h"

#include <string.h>

typedef struct {
    const void *name;
    size_t length;
    int32_t table;
    const lb_argument *value;
} field_request;

// Replaces a view on top of the main thread by its table.
static void open_top(lb_state *b, lua_State *L) {
    STACK(L, 0, memory);
    if (!lb_is_view(b, L, -1)) return;
    lb_view_open(L, -1);
    lua_remove(L, -2);
}

static int get_body(lua_State *L) {
    const field_request *r = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    open_top(b, L);
    if (lua_type(L, -1) != LUA_TTABLE) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushlstring(L, r->name, r->length);
    lua_rawget(L, -2);
    lb_reference_reserve(b, 1);
    return 1;
}

// Returns the value on top of the main thread as a scalar or as a new reference.
static lb_status give_top(lb_state *b, lb_value *value) {
    STACK(b->core.main, -1, nothing);
    lua_State *L = b->core.main;
    lb_scalar_at(b, L, -1, value);
    if (value->type >= LB_TYPE_TABLE) {
        lb_status status = lb_reference_prepare(b);
        if (status == LB_OK) {
            value->reference = lb_reference_take(b, L);
            return LB_OK;
        }
        lua_pop(L, 1);
        return status;
    }
    lua_pop(L, 1);  // the table keeps the string until the host has copied it
    return LB_OK;
}

lb_status lb_field_of_top(lb_state *b, const void *name, size_t length, lb_value *value) {
    STACK(b->core.main, -1, nothing);
    *value = (lb_value){.type = LB_TYPE_NIL};
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    field_request request = {.name = name, .length = length};
    lb_status status = lb_protect(b, get_body, &request, 1);
    if (status == LB_OK) status = give_top(b, value);
    lua_pushboolean(b->core.main, 0);
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    return status;
}

lb_status lb_interpreter_get_field(
    lb_state *b, int32_t table, const void *name, size_t length, lb_value *value) {
    STACK(b->core.main, 0, nothing);
    reference_push(b->core.main, table);
    return lb_field_of_top(b, name, length, value);
}

static int set_body(lua_State *L) {
    const field_request *r = lua_touserdata(L, 1);
    if (r->table == 0)
        lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    else
        reference_push(L, r->table);
    if (lua_type(L, -1) != LUA_TTABLE) return luaL_error(L, "not a table");
    lua_pushlstring(L, r->name, r->length);
    argument_push(L, r->value);
    lua_rawset(L, -3);
    return 0;
}

lb_status lb_interpreter_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value) {
    STACK(b->core.main, 0, nothing);
    field_request request = {name, length, table, value};
    return lb_protect(b, set_body, &request, 0);
}

// MARK: All fields

static int open_body(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    open_top(state_of(L), L);
    return 1;
}

// Makes a table of the upvalues of a function, by their names, without that of the globals.
static int upvalues_body(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    lua_newtable(L);
    const char *name;
    for (int n = 1; (name = lua_getupvalue(L, -2, n)) != NULL; n++) {
        if (strcmp(name, "_ENV") == 0) {
            lua_pop(L, 1);
            continue;
        }
        lua_pushstring(L, name);
        lua_insert(L, -2);
        lua_rawset(L, -3);
    }
    return 1;
}

// Leaves the table and the first key, nil.
lb_status lb_fields_begin_top(lb_state *b) {
    STACK_EITHER(b->core.main, +1, -1, nothing);
    lua_State *L = b->core.main;
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    lb_status status = lb_protect(b, open_body, NULL, 1);
    if (status != LB_OK) return status;
    if (lua_type(L, -1) != LUA_TTABLE) {
        lua_pop(L, 1);
        return LB_ABSENT;
    }
    lua_pushnil(L);
    return LB_OK;
}

lb_status lb_interpreter_fields_begin(lb_state *b, int32_t table) {
    STACK_EITHER(b->core.main, +2, 0, nothing);
    lua_State *L = b->core.main;
    reference_push(L, table);
    if (lua_type(L, -1) == LUA_TFUNCTION && !lua_iscfunction(L, -1)) {
        lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
        lb_status status = lb_protect(b, upvalues_body, NULL, 1);
        if (status != LB_OK) return status;
    }
    return lb_fields_begin_top(b);
}

lb_status lb_interpreter_fields_next(lb_state *b, lb_value *key, lb_value *value) {
    STACK(b->core.main, 0, nothing);
    lua_State *L = b->core.main;
    *key = *value = (lb_value){.type = LB_TYPE_NIL};
    if (!lua_next(L, -2)) {
        lua_pushnil(L);
        return LB_ABSENT;
    }
    lb_scalar_at(b, L, -2, key);
    return give_top(b, value);
}

void lb_interpreter_fields_end(lb_state *b) {
    STACK(b->core.main, -2, nothing);
    lua_pop(b->core.main, 2);
    lua_pushboolean(b->core.main, 0);
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
}

lb_status lb_interpreter_function_location(lb_state *b, int32_t function, lb_location *location) {
    STACK(b->core.main, 0, nothing);
    lua_State *L = b->core.main;
    lua_Debug ar;
    reference_push(L, function);
    if (lua_type(L, -1) != LUA_TFUNCTION || lua_iscfunction(L, -1)) {
        lua_pop(L, 1);
        return LB_ABSENT;
    }
    lua_getinfo(L, ">S", &ar);
    error_begin(b);
    lb_text chunk = lb_error_keep_name(b, ar.source + 1);
    *location = (lb_location){chunk.bytes, chunk.length, ar.linedefined};
    return LB_OK;
}
