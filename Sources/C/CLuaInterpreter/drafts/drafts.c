// Drafts: scripts get them for the large tables of a state. A draft is a writable view. Each write
// logs the previous value, so that the cost of a call depends only on what it touches. The log
// shows what changed, undoes it, and rebuilds older versions.
//
// The tables behind drafts form a tree of plain values that scripts never hold. A table that a
// script writes into it is the script's until the call ends, then replaced by a copy. See commit.c.

#include "drafts/drafted_state.h"

enum { LOOK_EVERY = 1024 };

const char lb_draft_shape_key, lb_draft_nothing;

static void push_own_metatable(lua_State *L);

draft *lb_draft_make(lua_State *L, int state_index, uint32_t depth, uint32_t number) {
    STACK(L, 0, memory);
    draft *d = lua_newuserdatauv(L, sizeof(draft), DRAFT_VALUES);
    *d = (draft){
        .metatable = state_of(L)->core.draft_metatable,
        .state = lua_touserdata(L, state_index),
        .depth = depth,
        .number = number,
    };
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_DRAFT);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, state_index);
    lua_setiuservalue(L, -2, DRAFT_STATE);
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, DRAFT_TABLE);
    return d;
}

void lb_draft_flatten(lua_State *L) {
    STACK(L, 0, memory);
    draft *d = lua_touserdata(L, -1);
    push_own_metatable(L);
    lua_getiuservalue(L, -2, DRAFT_TABLE);
    lua_setfield(L, -2, "__index");
    const void *metatable = lua_topointer(L, -1);
    lua_setmetatable(L, -2);
    d->metatable = metatable;
}

// From now on, tables may be read from the draft at an index.
static void unflatten(lua_State *L, int index) {
    STACK(L, 0, nothing);
    draft *d = lua_touserdata(L, index);
    const void *metatable = state_of(L)->core.draft_metatable;
    if (d->metatable == metatable) return;
    d->metatable = metatable;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_DRAFT);
    lua_setmetatable(L, index);
}

void lb_draft_wrap(lua_State *L, int index) {
    STACK(L, 0, memory);
    luaL_checkstack(L, 6, NULL);
    const draft *d = lua_touserdata(L, index);
    lua_getiuservalue(L, index, DRAFT_STATE);
    int state_index = lua_gettop(L);
    lua_getiuservalue(L, state_index, STATE_CACHE);
    lua_pushvalue(L, state_index - 1);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushvalue(L, state_index - 1);
        lb_draft_make(L, state_index, d->depth + 1, 0);
        lua_pushvalue(L, state_index - 1);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_replace(L, state_index - 1);
    lua_settop(L, state_index - 1);
}

// MARK: Writing

static void check_open(lua_State *L, const drafted_state *s) {
    if (s->open) return;
    if (s->retired)
        luaL_error(L, "this table belongs to a state that is over; take it from the state anew");
    luaL_error(L, "the state is read-only here; only apply and changed may change it");
}

// The shape of the table on top.
static lua_Integer shape_of_top(lb_state *b, lua_State *L) {
    STACK(L, 0, nothing);
    lua_pushnil(L);
    if (lua_next(L, -2)) {
        int type = lua_type(L, -2);
        lua_pop(L, 2);
        return type == LUA_TNUMBER ? (lua_Integer)lua_rawlen(L, -1) : SHAPE_NAMES;
    }
    if (!lua_getmetatable(L, -1)) return SHAPE_EMPTY;
    bool marked = lua_topointer(L, -1) == b->core.record_metatable;
    lua_pop(L, 1);
    return marked ? SHAPE_RECORD : SHAPE_EMPTY;
}

// Pushes the log's entry for the table at `table`, and creates it if necessary.
static void push_old_values(lua_State *L, int state_index, int table) {
    STACK(L, +1, memory);
    lua_getiuservalue(L, state_index, STATE_LOG);
    lua_pushvalue(L, table);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 2);
        lua_pushvalue(L, table);
        lua_pushinteger(L, shape_of_top(state_of(L), L));
        lua_remove(L, -2);
        lua_rawsetp(L, -2, &lb_draft_shape_key);
        lua_pushvalue(L, table);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

// Logs the old value of the key at `key`.
static void log_old_value(lua_State *L, int state_index, int table, int key) {
    STACK(L, 0, anything);
    push_old_values(L, state_index, table);
    lua_pushvalue(L, key);
    bool known = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 1);
    if (!known) {
        lua_pushvalue(L, key);
        lua_pushvalue(L, key);
        if (lua_rawget(L, table) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushlightuserdata(L, (void *)&lb_draft_nothing);
        }
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
}

// Logs that the table on top is written to the key at `key`.
static void log_new_table(lua_State *L, int state_index, int table, int key, uint32_t depth) {
    STACK(L, 0, memory);
    drafted_state *s = lua_touserdata(L, state_index);
    int value = lua_gettop(L);
    lua_Integer place = (lua_Integer)NEW_PARTS * s->new_tables;
    lua_getiuservalue(L, state_index, STATE_NEW_TABLES);
    lua_pushvalue(L, table);
    lua_rawseti(L, -2, place + NEW_TABLE);
    lua_pushvalue(L, key);
    lua_rawseti(L, -2, place + NEW_KEY);
    lua_pushinteger(L, (lua_Integer)depth + 1);
    lua_rawseti(L, -2, place + NEW_DEPTH);
    lua_pushvalue(L, value);
    lua_rawseti(L, -2, place + NEW_VALUE);
    s->new_tables++;
    lua_getiuservalue(L, state_index, STATE_CACHE);
    lua_pushvalue(L, value);
    lua_pushvalue(L, value);
    lua_rawset(L, -3);
    lua_settop(L, value);
}

// True if the value on top is the draft of the table that is already at the key.
static bool is_there(lua_State *L, int table, int key) {
    STACK(L, 0, nothing);
    if (!lb_is_draft(state_of(L), L, -1)) return false;
    lua_getiuservalue(L, -1, DRAFT_TABLE);
    lua_pushvalue(L, key);
    lua_rawget(L, table);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

void lb_draft_set(lua_State *L, int index, int key) {
    STACK(L, -1, anything);
    const draft *d = lua_touserdata(L, index);
    drafted_state *s = d->state;
    int value = lua_gettop(L);
    check_open(L, s);
    if (lua_isnil(L, key)) luaL_error(L, "table index is nil");
    if (lua_type(L, key) == LUA_TNUMBER && !lua_rawequal(L, key, key))
        luaL_error(L, "table index is NaN");
    luaL_checkstack(L, 10, NULL);
    lua_getiuservalue(L, index, DRAFT_STATE);
    lua_getiuservalue(L, index, DRAFT_TABLE);
    int state_index = value + 1, table = value + 2;
    lua_pushvalue(L, value);
    if (!is_there(L, table, key)) {
        log_old_value(L, state_index, table, key);
        switch (lua_type(L, value)) {
            case LUA_TTABLE:
                unflatten(L, index);
                log_new_table(L, state_index, table, key, d->depth);
                break;
            case LUA_TUSERDATA:
            case LUA_TFUNCTION:
            case LUA_TTHREAD: s->whole = true; break;
            default: break;
        }
        if (lua_type(L, key) == LUA_TTABLE || lua_type(L, key) == LUA_TUSERDATA) s->whole = true;
        lua_pushvalue(L, key);
        lua_pushvalue(L, value);
        lua_rawset(L, table);
    }
    lua_settop(L, value - 1);
}

void lb_draft_set_element(lua_State *L, int index, lua_Integer i) {
    STACK(L, -1, anything);
    int value = lua_gettop(L);
    lua_pushinteger(L, i);
    lua_pushvalue(L, value);
    lb_draft_set(L, index, value + 1);
    lua_settop(L, value - 1);
}

void lb_draft_move_element(lua_State *L, int index, lua_Integer from, lua_Integer to) {
    STACK(L, 0, anything);
    const draft *d = lua_touserdata(L, index);
    int top = lua_gettop(L);
    check_open(L, d->state);
    luaL_checkstack(L, 10, NULL);
    lua_getiuservalue(L, index, DRAFT_STATE);
    lua_getiuservalue(L, index, DRAFT_TABLE);
    lua_pushinteger(L, to);
    log_old_value(L, top + 1, top + 2, top + 3);
    // The places of new tables are only known by their keys.
    int type = lua_rawgeti(L, top + 2, from);
    if (type >= LUA_TTABLE && d->state->new_tables > 0) d->state->whole = true;
    d->state->moved = true;
    lua_rawseti(L, top + 2, to);
    lua_settop(L, top);
}

static bool is_own(lua_State *L, int index, const drafted_state *s) {
    return lb_is_draft(state_of(L), L, index)
        && ((const draft *)lua_touserdata(L, index))->state == s;
}

void lb_draft_permute(lua_State *L, int index, int list, lua_Integer length) {
    STACK(L, 0, anything);
    const draft *d = lua_touserdata(L, index);
    lb_state *b = state_of(L);
    int top = lua_gettop(L);
    check_open(L, d->state);
    d->state->moved = true;
    lua_getiuservalue(L, index, DRAFT_STATE);
    lua_getiuservalue(L, index, DRAFT_TABLE);
    for (lua_Integer i = 1; i <= length; i++) {
        if (i % LOOK_EVERY == 0) lb_budget_charge(b, L, LOOK_EVERY);
        lua_rawgeti(L, list, i);
        if (is_own(L, -1, d->state))
            lua_getiuservalue(L, -1, DRAFT_TABLE);
        else if (lua_type(L, -1) >= LUA_TTABLE)
            d->state->whole = true;
        lua_rawgeti(L, top + 2, i);
        // 1 and 1.0 are raw equal but not identical.
        if (lua_type(L, -1) == LUA_TNUMBER || !lua_rawequal(L, -1, -2)) {
            lua_pushinteger(L, i);
            log_old_value(L, top + 1, top + 2, lua_gettop(L));
            lua_pop(L, 2);
            lua_rawseti(L, top + 2, i);
        }
        lua_settop(L, top + 2);
    }
    // The comparator may have moved elements.
    if ((lua_Integer)lua_rawlen(L, top + 2) != length) d->state->whole = true;
    lua_settop(L, top);
}

// MARK: Metamethods

static int draft_index(lua_State *L) {
    lua_getiuservalue(L, 1, DRAFT_TABLE);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) == LUA_TTABLE) lb_draft_wrap(L, 1);
    return 1;
}

static int draft_newindex(lua_State *L) {
    lb_draft_set(L, 1, 2);
    return 0;
}

static int draft_length(lua_State *L) {
    lua_getiuservalue(L, 1, DRAFT_TABLE);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

static void push_own_metatable(lua_State *L) {
    lb_push_metatable(L, draft_index, draft_newindex, draft_length);
}

void lb_drafts_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    push_own_metatable(L);
    b->core.draft_metatable = lua_topointer(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_DRAFT);
}
