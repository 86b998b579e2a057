// The table library for raw tables: no metamethod runs, lengths are exact, and every loop checks
// the limits. Functions that read also accept views.

#include "sandbox.h"

enum { LOOK_EVERY = 1024 };

// Called with a loop's counter.
static void look(lua_State *L, lua_Unsigned i) {
    if (i % LOOK_EVERY == LOOK_EVERY - 1) lb_budget_charge(state_of(L), L, LOOK_EVERY);
}

// A table to write, which may be a draft.
typedef struct {
    int index;
    bool drafted;
} target;

static target writable(lua_State *L, int index) {
    target t = {index, lb_is_draft(state_of(L), L, index)};
    if (!t.drafted) lb_check_writable(L, index);
    return t;
}

// Less than the largest integer, so that there is a place after the last one.
static lua_Integer length_of(lua_State *L, target t) {
    STACK(L, 0, memory);
    lua_Unsigned length;
    if (t.drafted) {
        lb_read_push(L, t.index);
        length = lua_rawlen(L, -1);
        lua_pop(L, 1);
    } else {
        length = lua_rawlen(L, t.index);
    }
    return length < LUA_MAXINTEGER ? (lua_Integer)length : LUA_MAXINTEGER - 1;
}

static void put(lua_State *L, target t, lua_Integer i) {
    STACK(L, -1, anything);
    if (t.drafted)
        lb_draft_set_element(L, t.index, i);
    else
        lua_rawseti(L, t.index, i);
}

// Replaces a readable value by the raw table behind it.
static readable open(lua_State *L, int index) {
    STACK(L, 0, anything);
    readable kind = lb_read_push(L, index);
    if (kind == READ_NONE) luaL_typeerror(L, index, "table");
    lua_replace(L, index);
    return kind;
}

// MARK: insert, remove, move

// Moves the elements from…to up or down by one place.
static void shift(lua_State *L, target t, lua_Integer from, lua_Integer to, lua_Integer step) {
    STACK(L, 0, anything);
    lua_Integer i = step > 0 ? to : from, last = step > 0 ? from : to;
    for (lua_Unsigned n = 0; step > 0 ? i >= last : i <= last; i -= step, n++) {
        look(L, n);
        if (t.drafted) {
            lb_draft_move_element(L, t.index, i, i + step);
        } else {
            lua_rawgeti(L, t.index, i);
            lua_rawseti(L, t.index, i + step);
        }
    }
}

OFFERED(table_insert) {
    target t = writable(L, 1);
    lua_Integer length = length_of(L, t), position = length + 1;
    switch (lua_gettop(L)) {
        case 2: break;
        case 3:
            position = check_integer(L, 2);
            luaL_argcheck(
                L, (lua_Unsigned)position - 1u < (lua_Unsigned)length + 1u, 2,
                "position out of bounds");
            shift(L, t, position, length, 1);
            break;
        default: return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    put(L, t, position);
    return 0;
}

static void get(lua_State *L, target t, lua_Integer i) {
    STACK(L, +1, anything);
    if (!t.drafted) {
        lua_rawgeti(L, t.index, i);
        return;
    }
    lb_read_push(L, t.index);
    if (lua_rawgeti(L, -1, i) == LUA_TTABLE) lb_draft_wrap(L, t.index);
    lua_remove(L, -2);
}

OFFERED(table_remove) {
    target t = writable(L, 1);
    lua_Integer length = length_of(L, t), position = lb_opt_integer(L, 2, length);
    // From 1 to one past the last; the last may be 0.
    if (position != length)
        luaL_argcheck(
            L, (lua_Unsigned)position - 1u <= (lua_Unsigned)length, 2, "position out of bounds");
    get(L, t, position);
    shift(L, t, position + 1, length, -1);
    lua_pushnil(L);
    put(L, t, position > length ? position : length);
    return 1;
}

OFFERED(table_move) {
    lua_Integer first = check_integer(L, 2), last = check_integer(L, 3);
    lua_Integer to = check_integer(L, 4);
    int index = lua_isnoneornil(L, 5) ? 1 : 5;
    target t = writable(L, index);
    lua_pushvalue(L, index);
    bool same = lua_rawequal(L, 1, index);
    int written = t.index = lua_gettop(L);
    readable kind = lb_read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    int source = lua_gettop(L);
    if (last >= first) {
        luaL_argcheck(
            L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
        lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first + 1;
        luaL_argcheck(
            L, to <= LUA_MAXINTEGER - (lua_Integer)count + 1, 4, "destination wrap around");
        bool upwards = to > last || to <= first || !same;
        for (lua_Unsigned n = 0; n < count; n++) {
            lua_Integer i = (lua_Integer)(upwards ? n : count - 1 - n);
            look(L, n);
            lua_pushinteger(L, first + i);
            lua_rawgeti(L, source, first + i);
            if (kind == READ_VIEW) lb_view_wrap(L, 1, -2);
            put(L, t, to + i);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, written);
    return 1;
}

// MARK: concat, unpack

static void add_element(lua_State *L, luaL_Buffer *text, lua_Integer i) {
    int type = lua_rawgeti(L, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
        luaL_error(
            L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
            (LUAI_UACINT)i);
    if (type == LUA_TNUMBER && !lua_isinteger(L, -1)) number_normalize(L, -1);
    luaL_addvalue(text);
}

OFFERED_TEXT(table_concat) {
    size_t length;
    luaL_Buffer text;
    const char *separator = luaL_optlstring(L, 2, "", &length);
    lua_Integer first = lb_opt_integer(L, 3, 1);
    lua_settop(L, 4);
    open(L, 1);
    lua_Integer last = lb_opt_integer(L, 4, (lua_Integer)lua_rawlen(L, 1));
    luaL_buffinit(L, &text);
    for (lua_Integer i = first; i <= last; i++) {
        look(L, (lua_Unsigned)i);
        add_element(L, &text, i);
        if (i == last) break;
        luaL_addlstring(&text, separator, length);
    }
    luaL_pushresult(&text);
    return 1;
}

OFFERED(table_unpack) {
    lua_Integer first = lb_opt_integer(L, 2, 1);
    lua_settop(L, 3);
    readable kind = lb_read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    lua_Integer last = lb_opt_integer(L, 3, (lua_Integer)lua_rawlen(L, 4));
    if (first > last) return 0;
    lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
    if (count >= LUAI_MAXSTACK || !lua_checkstack(L, (int)++count + 5))
        return luaL_error(L, "too many results to unpack");
    for (lua_Unsigned n = 0; n < count; n++) {
        lua_Integer i = first + (lua_Integer)n;
        look(L, n);
        lua_pushinteger(L, i);
        lua_rawgeti(L, 4, i);
        if (kind == READ_VIEW) lb_view_wrap(L, 1, -2);
        lua_remove(L, -2);
    }
    return (int)count;
}

// MARK: sort

enum { LIST = 1, BEFORE = 2, SPARE = 3 };

// True if the value on top must come before the one below it.
static bool comes_before(lua_State *L) {
    STACK(L, 0, anything);
    if (lua_isnil(L, BEFORE)) return lb_is_less(L, -1, -2);
    lua_pushvalue(L, BEFORE);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    bool result = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return result;
}

static void insert_range(lua_State *L, lua_Integer first, lua_Integer end) {
    STACK(L, 0, anything);
    for (lua_Integer i = first + 1; i < end; i++) {
        lua_Integer j = i;
        lua_rawgeti(L, LIST, i);
        for (; j > first; j--) {
            lua_rawgeti(L, LIST, j - 1);
            lua_insert(L, -2);
            if (!comes_before(L)) {
                lua_remove(L, -2);
                break;
            }
            lua_insert(L, -2);
            lua_rawseti(L, LIST, j);
        }
        lua_rawseti(L, LIST, j);
    }
}

// A stable merge sort of the elements first ≤ i < end. A wrong comparator only costs the order.
static void sort_range(lua_State *L, lua_Integer first, lua_Integer end) {
    STACK(L, 0, anything);
    if (end - first < 2) return;
    if (end - first <= 8) {
        insert_range(L, first, end);
        return;
    }
    lb_budget_charge(state_of(L), L, (lua_Unsigned)(end - first));
    lua_Integer half = first + (end - first) / 2, i = first, j = half, to = first;
    sort_range(L, first, half);
    sort_range(L, half, end);
    for (lua_Integer k = first; k < half; k++) {
        lua_rawgeti(L, LIST, k);
        lua_rawseti(L, SPARE, k);
    }
    // The two candidates stay on the stack, the left one below the right one.
    lua_rawgeti(L, SPARE, i);
    if (j < end) lua_rawgeti(L, LIST, j);
    while (j < end) {
        if (comes_before(L)) {
            lua_rawseti(L, LIST, to++);
            if (++j < end) lua_rawgeti(L, LIST, j);
            continue;
        }
        lua_insert(L, -2);
        lua_rawseti(L, LIST, to++);
        if (++i == half) {
            lua_pop(L, 1);
            return;
        }
        lua_rawgeti(L, SPARE, i);
        lua_insert(L, -2);
    }
    lua_rawseti(L, LIST, to++);
    while (++i < half) {
        lua_rawgeti(L, SPARE, i);
        lua_rawseti(L, LIST, to++);
    }
}

// Sorts the positions of a draft's elements, passing drafts to the comparator, then moves them.
static int sort_draft(lua_State *L, lua_Integer length) {
    enum { DRAFT = 4 };
    lua_pushvalue(L, LIST);
    lua_createtable(L, (int)length, 0);
    lua_replace(L, LIST);
    for (lua_Integer i = 1; i <= length; i++) {
        look(L, (lua_Unsigned)i);
        get(L, (target){DRAFT, true}, i);
        lua_rawseti(L, LIST, i);
    }
    sort_range(L, 1, length + 1);
    lb_draft_permute(L, DRAFT, LIST, length);
    return 0;
}

OFFERED(table_sort) {
    target t = writable(L, LIST);
    lua_Integer length = length_of(L, t);
    luaL_argcheck(L, length < (1 << 26), 1, "array too big");
    if (!lua_isnoneornil(L, BEFORE)) luaL_checktype(L, BEFORE, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_createtable(L, (int)(length / 2 + 1), 0);
    lb_require_stack(L);
    luaL_checkstack(L, 64, NULL);
    if (t.drafted) return sort_draft(L, length);
    sort_range(L, 1, length + 1);
    return 0;
}

const luaL_Reg lb_table_functions[] = {
    {"concat", table_concat}, {"insert", table_insert}, {"move", table_move},
    {"remove", table_remove}, {"sort", table_sort}, {"unpack", table_unpack}, {NULL, NULL},
};
