// Checks from a call's writes alone whether the tables of drafts are still plain values.

#include "drafts/drafted_state.h"

#include <math.h>

static bool is_text(lua_State *L, int index) {
    size_t length;
    const char *bytes = lua_tolstring(L, index, &length);
    return utf8_is_valid(bytes, length);
}

static size_t size_at(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? lua_rawlen(L, index) + 5 : 9;
}

// True if two scalars are identical.
static bool is_same(lua_State *L, int x, int y) {
    if (!lua_rawequal(L, x, y)) return false;
    if (lua_type(L, x) != LUA_TNUMBER) return true;
    if (lua_isinteger(L, x) != lua_isinteger(L, y)) return false;
    return lua_isinteger(L, x)
        || signbit(lua_tonumberx(L, x, NULL)) == signbit(lua_tonumberx(L, y, NULL));
}

// The key, its old value and its new one are on top.
static void validate_value(lua_State *L, validation *v) {
    STACK(L, 0, nothing);
    int old = lua_type(L, -2), type = lua_type(L, -1);
    bool was_nothing = lua_touserdata(L, -2) == &lb_draft_nothing;
    switch (type) {
        case LUA_TNUMBER:
            if (!lua_isinteger(L, -1) && !isfinite(lua_tonumberx(L, -1, NULL))) v->whole = true;
            break;
        case LUA_TSTRING:
            if (!is_text(L, -1)) v->whole = true;
            break;
        case LUA_TLIGHTUSERDATA:
            if (lua_touserdata(L, -1) != NULL) v->whole = true;
            break;
        case LUA_TNIL:
        case LUA_TBOOLEAN:
        case LUA_TTABLE: break;
        default: v->whole = true;
    }
    if (type == LUA_TNIL) return;
    if (was_nothing) {
        v->s->values++;
        v->s->size += size_at(L, -3) + 4;
    }
    if (type == LUA_TTABLE) return;  // counted when it was copied
    size_t size = size_at(L, -1), before = was_nothing || old == LUA_TTABLE ? 0 : size_at(L, -2);
    if (size > before) v->s->size += size - before;
}

// The key, its old value and its new one are on top.
static void validate_key(lua_State *L, validation *v) {
    STACK(L, 0, nothing);
    bool is_there = !lua_isnil(L, -1);
    if (lua_type(L, -3) == LUA_TSTRING) {
        if (is_there) v->names = true;
        if (is_there && !is_text(L, -3)) v->whole = true;
        return;
    }
    lua_Integer key = lua_isinteger(L, -3) ? lua_tointegerx(L, -3, NULL) : 0;
    if (key < 1) {
        if (is_there) v->whole = true;
        return;
    }
    if (is_there) v->elements = true;
    bool was_there = key <= v->length;
    if (is_there && !was_there) {
        v->added++;
        if (key > v->largest) v->largest = key;
    } else if (!is_there && was_there) {
        v->removed++;
        if (key < v->smallest) v->smallest = key;
    }
}

// True if the keys are still those of a list or a record. Only written keys have changed.
static bool has_good_keys(const validation *v) {
    if (v->length == SHAPE_NAMES) return !v->elements;
    if (v->names) return v->length <= 0 && !v->elements;
    if (!v->elements && v->removed == 0) return true;
    lua_Integer length = (v->length > 0 ? v->length : 0) + v->added - v->removed;
    return v->largest <= length && v->smallest > length;
}

// Drops the mark of a record that now has fields, as encoding does.
static void drop_mark(lua_State *L, int table) {
    STACK(L, 0, nothing);
    if (!lua_getmetatable(L, table)) return;
    lua_pop(L, 1);
    lua_pushnil(L);
    if (!lua_next(L, table)) return;
    lua_pop(L, 2);
    lua_pushnil(L);
    lua_setmetatable(L, table);
}

bool lb_validate_table(lua_State *L, validation *v, int table, int old, uint64_t *entries) {
    STACK(L, 0, nothing);
    lua_rawgetp(L, old, &lb_draft_shape_key);
    *v = (validation){
        .b = v->b, .s = v->s, .length = lua_tointegerx(L, -1, NULL), .smallest = LUA_MAXINTEGER};
    lua_pop(L, 1);
    bool changed = false;
    lua_pushnil(L);
    while (lua_next(L, old)) {
        if (lua_touserdata(L, -2) == &lb_draft_shape_key) {
            lua_pop(L, 1);
            continue;
        }
        lua_pushvalue(L, -2);
        int type = lua_rawget(L, table);
        bool same =
            type == LUA_TNIL ? lua_touserdata(L, -2) == &lb_draft_nothing : is_same(L, -1, -2);
        if (same) {
            lua_pushvalue(L, -3);
            lua_pushnil(L);
            lua_rawset(L, old);
        } else {
            validate_key(L, v);
            validate_value(L, v);
            changed = true;
            ++*entries;
        }
        lua_pop(L, 2);
    }
    if (!has_good_keys(v)) v->whole = true;
    drop_mark(L, table);
    return changed;
}
