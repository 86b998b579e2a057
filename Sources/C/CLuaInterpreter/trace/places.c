// Finds the tables that contain the values of a path, as far as variables lead to them. Comparing
// them after each line shows which line has written a value. Uses raw access only.

#include "drafts/drafted_state.h"
#include "trace/trace.h"

#include <string.h>

enum { REACHABLE_DEPTH = 12 };

typedef struct {
    lb_state *b;
    lua_State *L;
    lb_place *places;
    size_t count, capacity;
    int32_t variable;
} collector;

void lb_trace_follow_path(lb_state *b, int32_t path, int32_t steps) {
    b->trace.path = path;
    b->trace.steps = steps;
    b->trace.told = NULL;
    if (path == 0) {
        lua_gc(b->core.main, LUA_GCRESTART);
        return;
    }
    // This also clears the registers of calls that have ended.
    lua_gc(b->core.main, LUA_GCCOLLECT);
    // The address of a table identifies it as long as no table is freed.
    lua_gc(b->core.main, LUA_GCSTOP);
}

static uint64_t mixed(const void *bytes, size_t length, uint64_t seed) {
    uint64_t hash = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash | 1;  // addresses are never odd
}

// A number that identifies the value at an index; for tables and similar objects, the address.
static uint64_t token_at(lua_State *L, int index) {
    STACK(L, 0, nothing);
    switch (lua_type(L, index)) {
        case LUA_TNONE:
        case LUA_TNIL: return 0;
        case LUA_TBOOLEAN: return lua_toboolean(L, index) ? 3 : 1;
        case LUA_TNUMBER: {
            if (lua_isinteger(L, index)) {
                lua_Integer integer = lua_tointegerx(L, index, NULL);
                return mixed(&integer, sizeof integer, 1);
            }
            lua_Number number = lua_tonumberx(L, index, NULL);
            return mixed(&number, sizeof number, 2);
        }
        case LUA_TSTRING: {
            size_t length;
            const char *bytes = lua_tolstring(L, index, &length);
            return mixed(bytes, length, 3);
        }
        default: return (uint64_t)(uintptr_t)lua_topointer(L, index);
    }
}

static void add(collector *c, lb_place place) {
    place.variable = c->variable;
    if (c->count < c->capacity) c->places[c->count] = place;
    c->count++;
}

static const void *view_at(collector *c, int index) {
    return lb_type_at(c->b, c->L, index) == LB_TYPE_VIEW ? lua_topointer(c->L, index) : NULL;
}

// Follows the path from a step on, starting at the value on top.
static void follow(collector *c, int32_t step) {
    STACK(c->L, -1, nothing);
    lua_State *L = c->L;
    int top = lua_gettop(L);
    const void *view = view_at(c, top);
    int32_t first = step;
    if (view != NULL) add(c, (lb_place){.step = step, .view = view});
    for (; step < c->b->trace.steps; step++) {
        if (lb_is_draft(c->b, L, top)) {
            lua_getiuservalue(L, top, DRAFT_TABLE);
            lua_replace(L, top);
        }
        if (lua_type(L, top) != LUA_TTABLE) break;
        lb_place place = {
            .table = lua_topointer(L, top), .step = step, .is_variable = step == first};
        lua_rawgeti(L, LUA_REGISTRYINDEX, c->b->trace.path);
        lua_rawgeti(L, -1, step + 1);
        lua_rawget(L, top);
        place.token = token_at(L, -1);
        lua_replace(L, top);
        lua_settop(L, top);
        place.view = view_at(c, top);
        add(c, place);
    }
    lua_settop(L, top - 1);
}

// Every table within the value on top.
static void reach(collector *c, int depth) {
    STACK(c->L, -1, nothing);
    lua_State *L = c->L;
    int top = lua_gettop(L);
    if (depth < REACHABLE_DEPTH && c->count < c->capacity && lua_istable(L, top)
        && lua_checkstack(L, 4)) {
        add(c, (lb_place){.table = lua_topointer(L, top)});
        lua_pushnil(L);
        while (lua_next(L, top)) reach(c, depth + 1);
    }
    lua_settop(L, top - 1);
}

static void each_suffix(collector *c) {
    STACK(c->L, -1, nothing);
    for (int32_t step = 0; step < c->b->trace.steps; step++) {
        lua_pushvalue(c->L, -1);
        follow(c, step);
    }
    lua_pop(c->L, 1);
}

size_t lb_trace_places(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index,
    lb_place *places, size_t capacity) {
    lua_Debug ar;
    lua_State *L = lb_trace_find(moment, level, &ar);
    collector c = {moment->state, L, places, 0, capacity, index};
    if (c.b->trace.path == 0 || L == NULL || !lua_checkstack(L, 8)) return 0;
    STACK(L, 0, nothing);
    switch (source) {
        case LB_REGISTERS:
            for (c.variable = 1; lua_getlocal(L, &ar, c.variable); c.variable++) each_suffix(&c);
            break;
        case LB_UPVALUES:
            if (!lua_getinfo(L, "f", &ar)) break;
            for (c.variable = 1; lua_getupvalue(L, -1, c.variable); c.variable++) each_suffix(&c);
            lua_pop(L, 1);
            break;
        case LB_REACHABLE:
            for (c.variable = 1; lua_getlocal(L, &ar, c.variable); c.variable++) reach(&c, 0);
            break;
        case LB_TABLE:
            reference_push(L, index);
            follow(&c, 0);
            break;
        case LB_RETURNED:
            if (lua_getinfo(L, "r", &ar) && ar.ntransfer > 0
                && lua_getlocal(L, &ar, ar.ftransfer))
                follow(&c, index);
            break;
    }
    return c.count;
}

uint64_t lb_trace_token(const lb_moment *moment, int32_t level, int32_t index) {
    lua_Debug ar;
    lua_State *L = lb_trace_find(moment, level, &ar);
    if (L == NULL) return 0;
    STACK(L, 0, nothing);
    const char *name = lua_getlocal(L, &ar, index);
    if (name == NULL) return 0;
    uint64_t token = strcmp(name, "(temporary)") == 0 ? token_at(L, -1) : 0;
    lua_pop(L, 1);
    return token;
}
