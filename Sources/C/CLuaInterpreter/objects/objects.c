// Objects: userdata with fields that only the host sets, and with the methods of their type.
// Reading any other name is an error that suggests the nearest one. Every write is an error.

#include "objects/objects.h"
#include "operations.h"
#include "values/arguments.h"

#include <string.h>

enum { OBJECT_FIELDS = OBJECT_MEMO + 1, OBJECT_INPUT, OBJECT_VALUES = OBJECT_INPUT };

// Stands in the table of fields for a field that is known and reads as nil.
static const char no_value;

memo *lb_object_memo(lua_State *L, int index) {
    object *o = lb_object_at(L, index);
    return o != NULL && o->usable ? &o->memo : NULL;
}

// Pushes a table of fields, if there is one that can be read now.
static bool push_table(lua_State *L, const object *o, int index, int table) {
    STACK_EITHER(L, +1, 0, nothing);
    if (table == OBJECT_INPUT && !o->shows_input) return false;
    if (lua_getiuservalue(L, index, table) == LUA_TTABLE) return true;
    lua_pop(L, 1);
    return false;
}

bool lb_object_push_fields(lua_State *L, int index) {
    STACK_EITHER(L, +1, 0, memory);
    const object *o = lb_object_at(L, index);
    if (o == NULL) return false;
    index = lua_absindex(L, index);
    bool found = false;
    for (int table = OBJECT_FIELDS; table <= OBJECT_INPUT; table++) {
        if (!push_table(L, o, index, table)) continue;
        if (!found) {
            lua_createtable(L, 0, 4);
            lua_insert(L, -2);
            found = true;
        }
        lua_pushnil(L);
        while (lua_next(L, -2) != 0) {
            if (lua_touserdata(L, -1) == &no_value)
                lua_pop(L, 1);
            else
                copy_field(L, -4);
        }
        lua_pop(L, 1);
    }
    return found;
}

// MARK: Suggestions

enum { LONGEST_NAME = 63 };

// The number of insertions, deletions and replacements that turn one name into the other.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME) return SIZE_MAX;
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b_length];
}

typedef struct {
    const char *name;
    size_t length, distance;
} suggestion;

static void look_for_name(lua_State *L, suggestion *best, const char *wanted, size_t length) {
    STACK(L, 0, nothing);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        size_t n;
        if (lua_type(L, -1) != LUA_TSTRING) continue;
        const char *name = lua_tolstring(L, -1, &n);
        size_t distance = edit_distance(wanted, length, name, n);
        bool better = distance < best->distance
            || (distance == best->distance && best->name != NULL && strcmp(name, best->name) < 0);
        if (better) *best = (suggestion){name, n, distance};
    }
}

// The methods are on top.
static int raise_unknown(lua_State *L) {
    STACK(L, 0, anything);
    size_t length;
    const char *type = lb_object_name(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "%s has no such field", type);
    const char *wanted = lua_tolstring(L, 2, &length);
    if (length > 40) return luaL_error(L, "%s has no such field", type);
    suggestion best = {NULL, 0, length / 3 + 2};
    look_for_name(L, &best, wanted, length);
    for (int table = OBJECT_FIELDS; table <= OBJECT_INPUT; table++)
        if (push_table(L, lb_object_at(L, 1), 1, table)) look_for_name(L, &best, wanted, length);
    if (best.name == NULL) return luaL_error(L, "%s has no field '%s'", type, wanted);
    return luaL_error(
        L, "%s has no field '%s'. Did you mean '%s'?", type, wanted, best.name);
}

// MARK: Metamethods

static int object_index(lua_State *L) {
    object *o = lb_object_at(L, 1);
    if (o == NULL) return luaL_error(L, "no object");
    if (!o->usable) {
        return luaL_error(
            L, "%s is used after the call that received it", lb_object_name(L, 1));
    }
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    for (int table = OBJECT_FIELDS; table <= OBJECT_INPUT; table++) {
        lua_settop(L, 2);
        if (!push_table(L, o, 1, table)) continue;
        lua_pushvalue(L, 2);
        if (lua_rawget(L, 3) == LUA_TNIL) continue;
        if (lua_touserdata(L, -1) == &no_value) lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    return raise_unknown(L);
}

static int object_newindex(lua_State *L) {
    return luaL_error(L, "%s is read-only", lb_object_name(L, 1));
}

// MARK: Creating

typedef struct {
    lb_text name;
    int32_t reference;
    int64_t tag;
    const lb_argument *value;
    bool is_input;
} object_request;

static int type_body(lua_State *L) {
    const object_request *r = lua_touserdata(L, 1);
    lua_createtable(L, 0, 4);
    reference_push(L, r->reference);
    lua_pushcclosure(L, object_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, object_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushlstring(L, r->name.bytes, r->name.length);
    lua_setfield(L, -2, "__name");
    return 1;
}

static int object_body(lua_State *L) {
    const object_request *r = lua_touserdata(L, 1);
    object *o = lua_newuserdatauv(L, sizeof(object), OBJECT_VALUES);
    *o = (object){&lb_object_mark, r->tag, true, false, {NULL, 0, 0, 0}};
    reference_push(L, r->reference);
    lua_setmetatable(L, -2);
    return 1;
}

static int set_body(lua_State *L) {
    const object_request *r = lua_touserdata(L, 1);
    int table = r->is_input ? OBJECT_INPUT : OBJECT_FIELDS;
    reference_push(L, r->reference);
    if (lua_getiuservalue(L, 2, table) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 2);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, 2, table);
    }
    lua_pushlstring(L, r->name.bytes, r->name.length);
    if (r->value->kind == LB_ARGUMENT_NULL) {
        lua_pushlightuserdata(L, (void *)&no_value);
    } else {
        argument_push(L, r->value);
    }
    lua_rawset(L, 3);
    return 0;
}

lb_status lb_interpreter_make_object_type(
    lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    object_request request = {.name = {name, length}, .reference = methods};
    return lb_reference_make(b, type_body, &request, reference);
}

lb_status lb_interpreter_make_object(
    lb_state *b, int32_t object_type, int64_t tag, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    object_request request = {.reference = object_type, .tag = tag};
    return lb_reference_make(b, object_body, &request, reference);
}

lb_status lb_interpreter_object_set(
    lb_state *b, int32_t reference, const void *name, size_t length, const lb_argument *value,
    int32_t is_input) {
    STACK(b->core.main, 0, nothing);
    object_request request = {
        .name = {name, length}, .reference = reference, .value = value, .is_input = is_input != 0};
    return lb_protect(b, set_body, &request, 0);
}

void lb_interpreter_object_set_usable(
    lb_state *b, int32_t reference, bool usable, bool shows_input) {
    STACK(b->core.main, 0, nothing);
    reference_push(b->core.main, reference);
    object *o = lb_object_at(b->core.main, -1);
    if (o != NULL) {
        o->usable = usable;
        o->shows_input = shows_input;
    }
    lua_pop(b->core.main, 1);
}
