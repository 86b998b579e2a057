// Read-only views: a userdata that represents a table. Tables inside are returned as views too. A
// cache with weak values keeps them, so that a table has one view as long as that lives.
//
// A view can contain the encoding of its table. Encoding the view then copies these bytes, and the
// table is made only when a script reads it.
//
// A draft is a writable view: see drafts.c.

#include "objects/objects.h"
#include "operations.h"

#include <string.h>

enum { VIEW_PARENT = VIEW_TABLE + 1, VIEW_KEY, VIEW_CACHE, VIEW_VALUES = VIEW_CACHE };
// The root's parent is nil and its key is the label.

void lb_view_open(lua_State *L, int index) {
    STACK(L, +1, memory);
    index = lua_absindex(L, index);
    if (lua_getiuservalue(L, index, VIEW_TABLE) == LUA_TTABLE) return;
    lua_pop(L, 1);
    view *v = lua_touserdata(L, index);
    lb_decode_push(L, v->encoding);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, index, VIEW_TABLE);
}

static view *push_view(lua_State *L, size_t length) {
    STACK(L, +1, memory);
    view *v = lua_newuserdatauv(L, sizeof(view) + length, VIEW_VALUES);
    v->length = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_VIEW);
    lua_setmetatable(L, -2);
    return v;
}

static void push_cache(lua_State *L, int index) {
    STACK(L, +1, memory);
    if (lua_getiuservalue(L, index, VIEW_CACHE) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 4);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_WEAK);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, index, VIEW_CACHE);
}

void lb_view_wrap(lua_State *L, int index, int key) {
    STACK(L, 0, memory);
    if (lua_type(L, -1) != LUA_TTABLE) return;
    index = lua_absindex(L, index);
    if (lb_is_draft(state_of(L), L, index)) {
        lb_draft_wrap(L, index);
        return;
    }
    key = lua_absindex(L, key);
    luaL_checkstack(L, 5, NULL);
    push_cache(L, index);
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        push_view(L, 0);
        lua_pushvalue(L, -3);
        lua_setiuservalue(L, -2, VIEW_TABLE);
        lua_pushvalue(L, index);
        lua_setiuservalue(L, -2, VIEW_PARENT);
        lua_pushvalue(L, key);
        lua_setiuservalue(L, -2, VIEW_KEY);
        lua_pushvalue(L, -2);
        lua_setiuservalue(L, -2, VIEW_CACHE);
        lua_pushvalue(L, -3);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
}

// MARK: Metamethods

static int view_index(lua_State *L) {
    lb_view_open(L, 1);
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    lb_view_wrap(L, 1, 2);
    return 1;
}

static int view_length(lua_State *L) {
    lb_view_open(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

static void add_step(lua_State *L, luaL_Buffer *path, int key) {
    char number[40];
    size_t length;
    if (lua_type(L, key) == LUA_TSTRING) {
        const char *name = lua_tolstring(L, key, &length);
        luaL_addchar(path, '.');
        luaL_addlstring(path, name, length < 40 ? length : 40);
    } else {
        number[0] = '[';
        length = lb_describe_at(state_of(L), L, key, number + 1, sizeof number - 2);
        number[length + 1] = ']';
        luaL_addlstring(path, number, length + 2);
    }
}

// Pushes "props.rows[3]".
static void push_path(lua_State *L, int index) {
    STACK(L, +1, memory);
    enum { SHOWN = 32 };
    int steps = 0, base = lua_gettop(L);
    luaL_checkstack(L, SHOWN + LUA_MINSTACK, NULL);
    lua_pushvalue(L, index);
    while (lua_getiuservalue(L, -1, VIEW_PARENT) != LUA_TNIL) {
        if (steps < SHOWN) {
            lua_getiuservalue(L, -2, VIEW_KEY);
            lua_insert(L, -3);
            steps++;
        }
        lua_remove(L, -2);
    }
    lua_pop(L, 1);
    lua_getiuservalue(L, -1, VIEW_KEY);
    lua_replace(L, -2);
    luaL_Buffer path;
    luaL_buffinit(L, &path);
    size_t length;
    const char *label = lua_tolstring(L, base + steps + 1, &length);
    luaL_addlstring(&path, label, length);
    for (; steps > 0; steps--) add_step(L, &path, base + steps);
    luaL_pushresult(&path);
    lua_replace(L, base + 1);
    lua_settop(L, base + 1);
}

int lb_view_raise_write(lua_State *L, int index) {
    push_path(L, index);
    return luaL_error(L, "%s is read-only", lua_tostring(L, -1));
}

static int view_newindex(lua_State *L) { return lb_view_raise_write(L, 1); }

void lb_views_open(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    lb_push_metatable(L, view_index, view_newindex, view_length);
    b->core.view_metatable = lua_topointer(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_VIEW);

    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_WEAK);

    lua_createtable(L, 0, 2);
    b->core.record_metatable = lua_topointer(L, -1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
}

// MARK: Creating

typedef struct {
    int32_t table;  // 0: none yet, only an encoding
    lb_text label;
    const void *encoding;
    size_t length;
} view_request;

static int make_body(lua_State *L) {
    const view_request *r = lua_touserdata(L, 1);
    view *v = push_view(L, r->length);
    if (r->length > 0) memcpy(v->encoding, r->encoding, r->length);
    v->length = r->length;
    if (r->table != 0) {
        reference_push(L, r->table);
        lua_setiuservalue(L, -2, VIEW_TABLE);
    }
    lua_pushlstring(L, r->label.bytes, r->label.length);
    lua_setiuservalue(L, -2, VIEW_KEY);
    return 1;
}

lb_status lb_interpreter_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    view_request request = {table, {label, label_length}, encoding, length};
    if (table != 0 && lb_interpreter_reference_type(b, table) != LB_TYPE_TABLE) return LB_ABSENT;
    return lb_reference_make(b, make_body, &request, reference);
}
