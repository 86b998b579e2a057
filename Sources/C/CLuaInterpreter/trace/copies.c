// Copies of variables, for expressions that call functions of the script: a function can change a
// copy only. Copied are tables, also those behind drafts, and functions with their upvalues. Views
// and the library's functions and tables cannot be changed. A copy of a coroutine is dead.

#include "objects/objects.h"
#include "operations.h"
#include "trace/trace.h"

enum { LARGEST = 1000000, MEMO = 2, QUEUE, UPVALUES, OWNERS };  // values to copy; stack indices

typedef struct {
    const lb_moment *moment;
    int32_t level, count;
    const lb_text *names;
    int32_t *references;
    lua_Integer queued, left;
} copying;

static int refuse_call(lua_State *L) {
    STACK(L, +1, anything);
    return luaL_error(L, "this function cannot be called in an expression");
}

// A library function that advances something, such as one made by coroutine.wrap.
static bool advances(lua_State *L, int index) {
    STACK(L, 0, nothing);
    for (int i = 1; lua_getupvalue(L, index, i) != NULL; i++) {
        int type = lua_type(L, -1);
        lua_pop(L, 1);
        if (type == LUA_TTHREAD || type == LUA_TUSERDATA) return true;
    }
    return false;
}

typedef struct {
    luaL_Buffer text;
    bool is_open;
} dump;

static int write_dump(lua_State *L, const void *bytes, size_t length, void *context) {
    dump *d = context;
    if (!d->is_open) luaL_buffinit(L, &d->text);
    d->is_open = true;
    luaL_addlstring(&d->text, bytes, length);
    return 0;
}

// Pushes a function with the code of another one.
static void push_function(lua_State *L, int index) {
    STACK(L, +1, anything);
    lua_pushvalue(L, index);
    int function = lua_gettop(L);
    dump d = {.is_open = false};
    lua_dump(L, write_dump, &d, 0);
    luaL_pushresult(&d.text);
    size_t length;
    const char *code = lua_tolstring(L, -1, &length);
    if (luaL_loadbufferx(L, code, length, "copy", "b") != LUA_OK) lua_error(L);
    lua_replace(L, function);
    lua_settop(L, function);
}

// Replaces the value on top by its copy, the parts of which follow.
static void replace(copying *c, lua_State *L) {
    STACK(L, 0, anything);
    luaL_checkstack(L, 8, NULL);
    int type = lua_type(L, -1), top = lua_gettop(L);
    if (type == LUA_TUSERDATA && lb_is_draft(c->moment->state, L, top)) {
        lua_getiuservalue(L, top, VIEW_TABLE);
        lua_replace(L, top);
        type = lua_type(L, top);
    }
    bool is_function = type == LUA_TFUNCTION && !lua_iscfunction(L, top);
    if (type == LUA_TTHREAD) {
        lua_newthread(L);
    } else if (type == LUA_TFUNCTION && !is_function) {
        if (!advances(L, top)) return;
        lua_pushcfunction(L, refuse_call);
    } else if (type == LUA_TTABLE || is_function) {
        lua_pushvalue(L, top);
        if (lua_rawget(L, MEMO) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushvalue(L, top);
            lua_rawseti(L, QUEUE, ++c->queued);
            if (is_function)
                push_function(L, top);
            else
                lua_createtable(L, 0, 0);
            lua_pushvalue(L, top);
            lua_pushvalue(L, -2);
            lua_rawset(L, MEMO);
        }
    } else {
        return;
    }
    lua_replace(L, top);
    if (c->left-- <= 0) luaL_error(L, "the variables are too large to be copied");
}

// The original is on top, its copy below.
static void fill_table(copying *c, lua_State *L) {
    STACK(L, 0, anything);
    int table = lua_gettop(L), made = table - 1;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        replace(c, L);
        lua_pushvalue(L, -2);
        replace(c, L);
        lua_insert(L, -2);
        lua_rawset(L, made);
        if (c->left-- <= 0) luaL_error(L, "the variables are too large to be copied");
    }
    if (!lua_getmetatable(L, table)) return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    bool is_record = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (!is_record) replace(c, L);
    lua_setmetatable(L, made);
}

// The original is on top, its copy below. Functions that share a variable share its copy.
static void fill_function(copying *c, lua_State *L) {
    STACK(L, 0, anything);
    int function = lua_gettop(L), made = function - 1;
    for (int i = 1; lua_getupvalue(L, function, i) != NULL; i++) {
        void *id = lua_upvalueid(L, function, i);
        if (lua_rawgetp(L, OWNERS, id) != LUA_TNIL) {
            lua_rawgetp(L, UPVALUES, id);
            lua_upvaluejoin(L, made, i, -2, (int)lua_tointegerx(L, -1, NULL));
        } else {
            lua_pop(L, 1);
            replace(c, L);
            lua_setupvalue(L, made, i);
            lua_pushvalue(L, made);
            lua_rawsetp(L, OWNERS, id);
            lua_pushinteger(L, i);
            lua_rawsetp(L, UPVALUES, id);
        }
        lua_settop(L, function);
    }
}

// The tables of the library stand for themselves.
static void keep_library(lua_State *L) {
    STACK(L, 0, memory);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    int globals = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    for (int i = globals; i <= globals + 1; i++) {
        lua_pushvalue(L, i);
        lua_pushvalue(L, i);
        lua_rawset(L, MEMO);
    }
    lua_pushnil(L);
    while (lua_next(L, globals)) {
        if (lua_istable(L, -1)) {
            lua_pushvalue(L, -1);
            lua_rawset(L, MEMO);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_settop(L, globals - 1);
}

// Runs on the main thread.
static int copy_body(lua_State *L) {
    copying *c = lua_touserdata(L, 1);
    lb_state *b = c->moment->state;
    luaL_checkstack(L, 16, NULL);
    for (int i = MEMO; i <= OWNERS; i++) lua_createtable(L, 0, 0);
    keep_library(L);
    lb_reference_reserve(b, c->count);
    lua_createtable(L, c->count, 0);
    int copies = lua_gettop(L);
    for (int32_t i = 0; i < c->count; i++) {
        lua_Debug ar;
        lua_State *T = lb_trace_find(c->moment, c->level, &ar);
        c->references[i] = LB_COPY_ABSENT;
        if (T == NULL || !lb_trace_push_variable(T, &ar, c->names[i])) continue;
        lua_xmove(T, L, 1);
        c->references[i] = lua_isnil(L, -1) ? LB_COPY_NIL : 0;
        replace(c, L);
        lua_rawseti(L, copies, i + 1);
    }
    for (lua_Integer i = 1; i <= c->queued; i++) {
        lua_rawgeti(L, QUEUE, i);
        lua_pushvalue(L, -1);
        lua_rawget(L, MEMO);
        lua_insert(L, -2);
        if (lua_istable(L, -1))
            fill_table(c, L);
        else
            fill_function(c, L);
        lua_settop(L, copies);
    }
    for (int32_t i = 0; i < c->count; i++) {
        if (c->references[i] != 0) continue;
        lua_rawgeti(L, copies, i + 1);
        c->references[i] = lb_reference_take(b, L);
        *reference_tables(b, c->references[i]) = 0;
    }
    return 0;
}

lb_status lb_trace_copy(
    const lb_moment *moment, int32_t level, const lb_text *names, int32_t count,
    int32_t *references) {
    copying c = {moment, level, count, names, references, 0, LARGEST};
    error_begin(moment->state);
    return lb_protect(moment->state, copy_body, &c, 0);
}

lb_status lb_trace_call(
    const lb_moment *moment, int32_t function, const lb_argument *arguments, int32_t count,
    uint64_t instructions, lb_variable *result) {
    lb_state *b = moment->state;
    trace_state trace = b->trace;
    // What the expression runs is not reported.
    b->trace = (trace_state){.patience = trace.patience};
    instruction_budget budget;
    lb_budget_allow(b, instructions, &budget);
    lb_value value;
    lb_status status = lb_interpreter_call_function(
        b, function, arguments, count, LB_WANT_REFERENCE | LB_CALL_READS, &value);
    b->trace = trace;
    lb_budget_return(b, &budget);
    *result = (lb_variable){.is_plain = true};
    if (status != LB_OK) return status;
    reference_push(b->core.main, value.reference);
    lb_reference_release(b, value.reference);
    lb_trace_take(b, result);
    return LB_OK;
}
