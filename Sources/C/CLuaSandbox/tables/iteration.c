// Iteration in a defined order that is the same in every process: integers from 1 ascending; names
// in byte order; false, true; other numbers ascending; then all other keys in Lua's order. (Lua's
// own order of names depends on an address.)
//
// pairs sorts once. next cannot store an order, so outside a list's elements each call searches all
// keys for the successor. That is correct, and fast enough for `next(t) == nil`, but slow in a loop
// over a large record. Asked for another key than the one after the last, the iterator of pairs
// does as next does, so that it is next for scripts.

#include "sandbox.h"

#include <stdlib.h>
#include <string.h>

typedef enum { ELEMENT, NAME, BOOLEAN, NUMBER, OTHER } key_class;

static key_class class_of(lua_State *L, int index) {
    switch (lua_type(L, index)) {
        case LUA_TSTRING: return NAME;
        case LUA_TBOOLEAN: return BOOLEAN;
        case LUA_TNUMBER:
            if (lua_isinteger(L, index) && lua_tointegerx(L, index, NULL) >= 1) return ELEMENT;
            return NUMBER;
        default: return OTHER;
    }
}

static int compare_names(lua_State *L, int x, int y) {
    size_t m, n;
    const char *a = lua_tolstring(L, x, &m), *b = lua_tolstring(L, y, &n);
    text_charge(L, m < n ? m : n);
    int order = memcmp(a, b, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

// 0 for two keys of class OTHER.
static int compare_keys(lua_State *L, int x, int y) {
    STACK(L, 0, anything);
    key_class a = class_of(L, x), b = class_of(L, y);
    if (a != b) return a < b ? -1 : 1;
    switch (a) {
        case NAME: return compare_names(L, x, y);
        case BOOLEAN: return lua_toboolean(L, x) - lua_toboolean(L, y);
        case ELEMENT:
        case NUMBER: return lua_compare(L, x, y, LUA_OPLT) ? -1 : !lua_rawequal(L, x, y);
        case OTHER: return 0;
    }
    return 0;
}

static bool in_list_part(lua_State *L, int index, lua_Integer n) {
    if (n == 0 || !lua_isinteger(L, index)) return false;
    lua_Integer key = lua_tointegerx(L, index, NULL);
    return key >= 1 && key <= n;
}

// MARK: next

// True if the key is an element's, or nil, which comes before all. Whole numbers are integers.
static bool is_element(lua_State *L, int key, lua_Integer *position) {
    *position = 0;
    if (!lua_isinteger(L, key)) return lua_isnil(L, key);
    *position = lua_tointegerx(L, key, NULL);
    return *position > 0;
}

// Pushes the key of class OTHER after the one at `key` in Lua's order, or the first after all.
static bool push_next_other(lua_State *L, int table, int key) {
    STACK_EITHER(L, 0, +1, anything);
    if (class_of(L, key) == OTHER)
        lua_pushvalue(L, key);
    else
        lua_pushnil(L);
    while (lua_next(L, table)) {
        budget_look(L);
        lua_pop(L, 1);
        if (class_of(L, -1) == OTHER) return true;
    }
    return false;
}

// Pushes the smallest key greater than the one at `key`; nil is less than all keys.
static bool push_successor(lua_State *L, int table, int key) {
    STACK_EITHER(L, 0, +1, anything);
    bool first = lua_isnil(L, key), found = false;
    if (first || class_of(L, key) != OTHER) {
        lua_pushnil(L);
        int best = lua_gettop(L);
        lua_pushnil(L);
        while (lua_next(L, table)) {
            budget_look(L);
            lua_pop(L, 1);
            if (class_of(L, -1) == OTHER) continue;
            if (!first && compare_keys(L, -1, key) <= 0) continue;
            if (found && compare_keys(L, -1, best) >= 0) continue;
            lua_copy(L, -1, best);
            found = true;
        }
        if (found) return true;
        lua_pop(L, 1);
    }
    return push_next_other(L, table, key);
}

// A float with an integral value is the key of that integer. NaN is not a key.
static void normalize_float(lua_State *L, int key) {
    STACK(L, 0, anything);
    int is_integral;
    lua_Integer integer = lua_tointegerx(L, key, &is_integral);
    if (is_integral) {
        lua_pushinteger(L, integer);
        lua_replace(L, key);
    } else if (!lua_rawequal(L, key, key)) {
        luaL_error(L, "invalid key to 'next'");
    }
}

OFFERED(iteration_next) {
    enum { TABLE = 3 };
    lua_Integer before;
    lua_settop(L, 2);
    readable kind = lb_read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    bool in_list = is_element(L, 2, &before);
    if (!in_list && lua_type(L, 2) == LUA_TNUMBER && !lua_isinteger(L, 2)) {
        normalize_float(L, 2);
        in_list = is_element(L, 2, &before);
    }
    if (in_list && before < LUA_MAXINTEGER) {
        lua_pushinteger(L, before + 1);
        if (lua_rawgeti(L, TABLE, before + 1) == LUA_TNIL) lua_settop(L, TABLE);
    }
    if (lua_gettop(L) == TABLE) {
        if (!push_successor(L, TABLE, 2)) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushvalue(L, -1);
        lua_rawget(L, TABLE);
    }
    if (kind == READ_VIEW) lb_view_wrap(L, 1, -2);
    return 2;
}

// MARK: pairs

// The upvalues: what pairs was given, the raw table behind it, and, once the elements have ended, a
// table that has for each other key the one after it, or the mark of the end.
enum { UP_SOURCE = 1, UP_TABLE, UP_FOLLOWING, UP_COUNT = UP_FOLLOWING };
static const char end_mark;

// Sorts the stack slots from `first` on, with a merge sort of their numbers.
static void sort_slots(lua_State *L, int *slots, int *spare, int count) {
    if (count < 2) return;
    if (count > 1024) lb_budget_check(state_of(L), L);
    int half = count / 2, i = 0, j = half;
    sort_slots(L, slots, spare, half);
    sort_slots(L, slots + half, spare, count - half);
    memcpy(spare, slots, (size_t)half * sizeof(int));
    for (int to = 0; i < half; to++)
        slots[to] =
            j < count && compare_keys(L, slots[j], spare[i]) < 0 ? slots[j++] : spare[i++];
}

// Pushes the keys outside 1…n in order. Returns their number.
static int push_keys(lua_State *L, int table, lua_Integer n) {
    enum { AT_ONCE = 16 };
    lb_state *b = state_of(L);
    int count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lb_budget_check(b, L);
        // Leaves room for the error handler, which otherwise would raise another error.
        if (count % AT_ONCE == 0)
            luaL_checkstack(L, AT_ONCE + 4 + 2 * LUA_MINSTACK, "too many keys");
        lua_pop(L, 1);
        if (in_list_part(L, -1, n)) continue;
        lua_pushvalue(L, -1);  // the copy is for lua_next
        count++;
    }
    lb_budget_charge(b, L, (uint64_t)count);
    return count;
}

// Sorts the keys outside 1…n, sets the table of successors, and pushes the first or the end's mark.
static void begin_keys(lua_State *L, int table, lua_Integer n) {
    STACK(L, +1, anything);
    enum { FEW = 64 };
    int first = lua_gettop(L) + 1, count = push_keys(L, table, n);
    int few[2 * FEW], *slots = few;
    // Lua owns the memory for many slots, so that an error cannot leak it.
    if (count > FEW) slots = lua_newuserdatauv(L, (size_t)count * 2 * sizeof(int), 0);
    for (int i = 0; i < count; i++) slots[i] = first + i;
    sort_slots(L, slots, slots + count, count);
    lua_pushlightuserdata(L, (void *)&end_mark);
    int end = lua_gettop(L);
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++) {
        lb_budget_check(state_of(L), L);
        lua_pushvalue(L, slots[i]);
        lua_pushvalue(L, i + 1 < count ? slots[i + 1] : end);
        lua_rawset(L, -3);
    }
    lua_replace(L, lua_upvalueindex(UP_FOLLOWING));
    lua_pushvalue(L, count > 0 ? slots[0] : end);
    lua_replace(L, first);
    lua_settop(L, first);
}

static int give_pair(lua_State *L) {
    int source = lua_upvalueindex(UP_SOURCE);
    if (lua_type(L, source) == LUA_TUSERDATA) lb_view_wrap(L, source, -2);
    return 2;
}

// Returns the key on top, or the first one after it that was not removed during the loop.
static int give_key(lua_State *L) {
    for (size_t i = 0;; i++) {
        budget_look_at(L, i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(UP_TABLE)) != LUA_TNIL) return give_pair(L);
        if (lua_touserdata(L, -2) == &end_mark) return 1;
        lua_pop(L, 1);
        lua_rawget(L, lua_upvalueindex(UP_FOLLOWING));
    }
}

OFFERED(iterate) {
    int following = lua_upvalueindex(UP_FOLLOWING);
    lua_Integer position;
    lua_settop(L, 2);
    if (!lua_rawequal(L, 1, lua_upvalueindex(UP_SOURCE))) return iteration_next_body(L);
    bool in_list = lua_isnil(L, following);
    if (!in_list) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, following) != LUA_TNIL) return give_key(L);
        if (!lua_isnil(L, 2)) return iteration_next_body(L);
    }
    if (!is_element(L, 2, &position) || position == LUA_MAXINTEGER) return iteration_next_body(L);
    lua_pushinteger(L, position + 1);
    if (lua_rawgeti(L, lua_upvalueindex(UP_TABLE), position + 1) != LUA_TNIL) {
        if (!in_list) {  // another loop begins
            lua_pushnil(L);
            lua_replace(L, following);
        }
        return give_pair(L);
    }
    begin_keys(L, lua_upvalueindex(UP_TABLE), position);
    return give_key(L);
}

static int finish_pairs(lua_State *L, int status, lua_KContext context) {
    (void)L;
    (void)status;
    (void)context;
    return 3;
}

OFFERED(iteration_pairs) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TTABLE && lb_metafield_push(L, 1, LITERAL("__pairs"))) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, finish_pairs);
        return 3;
    }
    lua_pushvalue(L, 1);
    if (lb_read_push(L, 1) == READ_NONE) return luaL_typeerror(L, 1, "table");
    lua_pushnil(L);
    lua_pushcclosure(L, iterate, UP_COUNT);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// MARK: ipairs

OFFERED(next_element) {
    lua_Integer next = (lua_Integer)((lua_Unsigned)check_integer(L, 2) + 1);
    lua_pushinteger(L, next);
    return lua_geti(L, 1, next) == LUA_TNIL ? 1 : 2;
}

OFFERED(iteration_ipairs) {
    // Lua reports this only at the start of the loop, and without a place.
    if (lua_isnoneornil(L, 1)) return luaL_typeerror(L, 1, "table");
    lua_settop(L, 1);
    lua_pushcfunction(L, next_element);
    lua_insert(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

const luaL_Reg lb_iteration_functions[] = {
    {"ipairs", iteration_ipairs}, {"next", iteration_next}, {"pairs", iteration_pairs},
    {NULL, NULL},
};
