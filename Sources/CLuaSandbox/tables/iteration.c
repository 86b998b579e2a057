// Iteration in a defined order that is the same in every process: integers from 1 ascending; names in byte order;
// false, true; other numbers ascending; then all other keys in Lua's order. (Lua's own order of names depends on an
// address.)
//
// pairs sorts once. next cannot store an order, so outside a list's elements each call searches all keys for the
// successor. That is correct, and fast enough for `next(t) == nil`, but slow in a loop over a large record.

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
    int order = memcmp(a, b, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

// 0 for two keys of class OTHER.
static int compare_keys(lua_State *L, int x, int y) {
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
    if (!lua_isinteger(L, index)) return false;
    lua_Integer key = lua_tointegerx(L, index, NULL);
    return key >= 1 && key <= n;
}

// MARK: pairs

enum { UP_TABLE = 1, UP_VIEW, UP_POSITION, UP_KEYS, UP_COUNT = UP_KEYS };

// Sorts the stack slots from `first` on, with a merge sort of their numbers.
static void sort_slots(lua_State *L, int *slots, int *spare, int count) {
    if (count < 2) return;
    if (count > 1024) budget_check(state_of(L), L);
    int half = count / 2, i = 0, j = half;
    sort_slots(L, slots, spare, half);
    sort_slots(L, slots + half, spare, count - half);
    memcpy(spare, slots, (size_t)half * sizeof(int));
    for (int to = 0; i < half; to++)
        slots[to] =
            j < count && compare_keys(L, slots[j], spare[i]) < 0 ? slots[j++] : spare[i++];
}

// Pushes a sorted list of the keys outside 1…n. [-0, +1, raises]
static void push_sorted_keys(lua_State *L, int table, lua_Integer n) {
    enum { FEW = 64 };
    lb_state *b = state_of(L);
    int first = lua_gettop(L) + 1, count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        budget_check(b, L);
        // Leaves room for the error handler, which otherwise would raise another error.
        luaL_checkstack(L, 4 + 2 * LUA_MINSTACK, "too many keys");
        lua_pop(L, 1);
        if (in_list_part(L, -1, n)) continue;
        lua_pushvalue(L, -1);  // the copy is for lua_next
        count++;
    }
    budget_charge(b, L, (uint64_t)count);
    int few[2 * FEW], *slots = few;
    // Lua owns the memory for many slots, so that an error cannot leak it.
    if (count > FEW) slots = lua_newuserdatauv(L, (size_t)count * 2 * sizeof(int), 0);
    for (int i = 0; i < count; i++) slots[i] = first + i;
    sort_slots(L, slots, slots + count, count);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, slots[i]);
        lua_rawseti(L, -2, i + 1);
    }
    if (count > 0) lua_replace(L, first);
    lua_settop(L, first);
}

static int give_pair(lua_State *L) {
    if (!lua_isnil(L, lua_upvalueindex(UP_VIEW))) view_wrap(L, lua_upvalueindex(UP_VIEW), -2);
    return 2;
}

OFFERED(iterate) {
    int table = lua_upvalueindex(UP_TABLE);
    lua_Integer position = lua_tointegerx(L, lua_upvalueindex(UP_POSITION), NULL) + 1;
    bool in_list = lua_isnil(L, lua_upvalueindex(UP_KEYS));
    lua_settop(L, 0);
    if (in_list) {
        lua_pushinteger(L, position);
        if (lua_rawgeti(L, table, position) != LUA_TNIL) {
            lua_pushvalue(L, 1);
            lua_replace(L, lua_upvalueindex(UP_POSITION));
            return give_pair(L);
        }
        lua_settop(L, 0);
        push_sorted_keys(L, table, position - 1);
        lua_replace(L, lua_upvalueindex(UP_KEYS));
        position = 1;
    }
    for (;; position++) {
        budget_look_at(L, (size_t)position);
        lua_settop(L, 0);
        if (lua_rawgeti(L, lua_upvalueindex(UP_KEYS), position) == LUA_TNIL) return 1;
        lua_pushvalue(L, 1);
        if (lua_rawget(L, table) != LUA_TNIL) break;  // otherwise removed during the loop
    }
    lua_pushinteger(L, position);
    lua_replace(L, lua_upvalueindex(UP_POSITION));
    return give_pair(L);
}

OFFERED(iteration_pairs) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TTABLE && metafield_push(L, 1, LITERAL("__pairs"))) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    readable kind = read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    if (kind == READ_VIEW)
        lua_pushvalue(L, 1);
    else
        lua_pushnil(L);
    lua_pushinteger(L, 0);
    lua_pushnil(L);
    lua_pushcclosure(L, iterate, UP_COUNT);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// MARK: ipairs

OFFERED(next_element) {
    lua_Integer next = (lua_Integer)((lua_Unsigned)luaL_checkinteger(L, 2) + 1);
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

// MARK: next

// Pushes the key of class OTHER that follows the one at `key` in Lua's order, or the first one. [-0, +0 or 1]
static bool push_next_other(lua_State *L, int table, int key) {
    bool take = class_of(L, key) != OTHER || lua_isnil(L, key);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        budget_look(L);
        lua_pop(L, 1);
        if (class_of(L, -1) != OTHER) continue;
        if (take) return true;
        take = lua_rawequal(L, -1, key);
    }
    return false;
}

// Pushes the smallest key greater than the one at `key`; nil is less than all keys. [-0, +0 or 1]
static bool push_successor(lua_State *L, int table, int key) {
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

OFFERED(iteration_next) {
    enum { TABLE = 3 };
    lua_settop(L, 2);
    readable kind = read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    lua_Integer before = lua_isinteger(L, 2) ? lua_tointegerx(L, 2, NULL) : lua_isnil(L, 2) ? 0 : -1;
    if (before >= 0 && before < LUA_MAXINTEGER) {
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
    if (kind == READ_VIEW) view_wrap(L, 1, -2);
    return 2;
}

const luaL_Reg iteration_functions[] = {
    {"ipairs", iteration_ipairs},
    {"next", iteration_next},
    {"pairs", iteration_pairs},
    {NULL, NULL},
};
