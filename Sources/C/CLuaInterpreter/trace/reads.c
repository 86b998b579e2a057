// Reads the value at a path from a variable, for an expression: raw, also in views and drafts.

#include "trace/trace.h"

typedef struct {
    lb_state *b;
    const lb_read *read;
    bool found;
} walk;

// Replaces the value on top by the table that contains its fields. False: it has none.
static bool open_table(lb_state *b, lua_State *L) {
    STACK(L, 0, memory);
    switch (lb_type_at(b, L, -1)) {
        case LB_TYPE_TABLE: return true;
        case LB_TYPE_VIEW: lb_view_open(L, -1); break;
        case LB_TYPE_OBJECT:
            if (lb_object_push_fields(L, -1)) break;
            return false;
        default: return false;
    }
    lua_remove(L, -2);
    return true;
}

static int walk_body(lua_State *L) {
    walk *w = lua_touserdata(L, 1);
    const lb_read *read = w->read;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
    for (int32_t i = 0; i < read->count; i++) {
        if (!open_table(w->b, L)) return 1;
        lb_trace_push_key(L, &read->steps[i]);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    w->found = true;
    if (!read->is_length) return 1;
    bool is_string = lua_type(L, -1) == LUA_TSTRING;
    w->found = is_string || open_table(w->b, L);
    if (w->found) lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

lb_found lb_trace_read(
    const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable) {
    STACK(moment->state->core.main, 0, nothing);
    lb_state *b = moment->state;
    *variable = (lb_variable){.name = read->name};
    lua_Debug ar;
    lua_State *L = lb_trace_find(moment, level, &ar);
    if (L == NULL || !lb_trace_push_variable(L, &ar, read->name)) return LB_NO_VARIABLE;
    lua_xmove(L, b->core.main, 1);
    if (read->count > 0 || read->is_length) {
        walk w = {b, read, false};
        lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
        bool ran = lb_protect_privileged(b, walk_body, &w, 1);
        lua_pushboolean(b->core.main, 0);
        lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_TEMPORARY);
        if (ran && !w.found) lua_pop(b->core.main, 1);
        if (!ran || !w.found) return LB_NO_PATH;
    }
    lb_trace_take(b, variable);
    return LB_FOUND;
}
