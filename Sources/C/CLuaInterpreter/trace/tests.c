// Tests the condition of a breakpoint at a line, on the values where they lie. It may run in a hot
// loop, so it does not call the host. By raw access and for scalars only; the rest is reported.

#include "drafts/drafted_state.h"
#include "trace/trace.h"

#include <string.h>

// Pushes the variable at an index of the call if it has the name that was found there before. The
// names of a function's variables lie where they are as long as it exists.
static bool push_known(lua_State *L, lua_Debug *ar, const lb_operand *operand) {
    STACK_EITHER(L, +1, 0, nothing);
    if (operand->index == 0) return false;
    const char *name = lua_getlocal(L, ar, operand->index);
    if (name == operand->known) return true;
    if (name != NULL) lua_pop(L, 1);
    return false;
}

static bool push_variable(lua_State *L, lua_Debug *ar, lb_operand *operand) {
    STACK_EITHER(L, +1, 0, nothing);
    if (push_known(L, ar, operand)) return true;
    const char *name;
    size_t length = operand->read.name.length;
    operand->index = 0;
    for (int i = 1; (name = lua_getlocal(L, ar, i)) != NULL; i++) {
        lua_pop(L, 1);
        if (strlen(name) != length || memcmp(name, operand->read.name.bytes, length) != 0) continue;
        operand->index = i;
        operand->known = name;
    }
    return operand->index != 0 ? push_known(L, ar, operand)
                               : lb_trace_push_variable(L, ar, operand->read.name);
}

// Replaces the table on top by the value at a key. False: it is not a table.
static bool step(lb_state *b, lua_State *L, const lb_value *key) {
    STACK(L, 0, memory);
    if (lua_type(L, -1) == LUA_TUSERDATA && lb_is_draft(b, L, lua_gettop(L))) {
        lua_getiuservalue(L, -1, DRAFT_TABLE);
        lua_replace(L, -2);
    }
    if (lua_type(L, -1) != LUA_TTABLE) return false;
    lb_trace_push_key(L, key);
    lua_rawget(L, -2);
    lua_replace(L, -2);
    return true;
}

static bool is_scalar(lua_State *L, int index) {
    int type = lua_type(L, index);
    return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
}

// Pushes the value of an operand. False: it is not known here.
static bool push_operand(lb_state *b, lua_State *L, lua_Debug *ar, lb_operand *operand) {
    STACK_EITHER(L, +1, 0, memory);
    if (operand->is_constant) {
        lb_trace_push_key(L, &operand->constant);
        return true;
    }
    if (!push_variable(L, ar, operand)) return false;
    const lb_read *read = &operand->read;
    bool is_known = true;
    for (int32_t i = 0; is_known && i < read->count; i++) is_known = step(b, L, &read->steps[i]);
    if (is_known && read->is_length) {
        int type = lua_type(L, -1);
        is_known = type == LUA_TTABLE || type == LUA_TSTRING;
        lua_Integer length = (lua_Integer)lua_rawlen(L, -1);
        lua_pop(L, 1);
        lua_pushinteger(L, length);
    }
    if (is_known && is_scalar(L, -1)) return true;
    lua_pop(L, 1);
    return false;
}

enum { UNKNOWN = -1, NO = 0, YES = 1 };

static int compare(lua_State *L, lb_comparison comparison) {
    STACK(L, -2, nothing);
    int a = lua_type(L, -2), b = lua_type(L, -1), holds = UNKNOWN;
    // Other values of different types are an error.
    bool are_ordered = a == b && (a == LUA_TNUMBER || a == LUA_TSTRING);
    switch (comparison) {
        case LB_EQUAL: holds = lua_rawequal(L, -2, -1); break;
        case LB_UNEQUAL: holds = !lua_rawequal(L, -2, -1); break;
        case LB_LESS: if (are_ordered) holds = lua_compare(L, -2, -1, LUA_OPLT); break;
        case LB_LESS_EQUAL: if (are_ordered) holds = lua_compare(L, -2, -1, LUA_OPLE); break;
    }
    lua_pop(L, 2);
    return holds;
}

static int test(lb_state *b, lua_State *L, lua_Debug *ar, lb_test *t) {
    STACK(L, 0, memory);
    if (!push_operand(b, L, ar, &t->left)) return UNKNOWN;
    if (push_operand(b, L, ar, &t->right)) return compare(L, t->comparison);
    lua_pop(L, 1);
    return UNKNOWN;
}

bool lb_trace_excludes(lb_state *b, lua_State *L, lua_Debug *ar, const lb_condition *condition) {
    STACK(L, 0, memory);
    if (!lua_checkstack(L, 6)) return false;
    bool outer = b->limits.privileged;
    b->limits.privileged = true;
    bool excludes = condition->any;
    for (int32_t i = 0; i < condition->count; i++) {
        int holds = test(b, L, ar, &condition->tests[i]);
        // What follows is not looked at, as in Lua.
        if (holds == UNKNOWN || (holds == NO) != condition->any) {
            excludes = holds == NO;
            break;
        }
        excludes = holds == NO;
    }
    b->limits.privileged = outer;
    return excludes;
}
