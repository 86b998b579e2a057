// Coroutines that respect the limits: the bridge always knows the running Lua thread, so that a
// limit that trips stops that thread and every thread that runs after it.

#include "sandbox.h"

enum { CLOSE_LIMIT = 100 };  // Lua 5.4.4 does not count nested closes as C calls

static lua_State *check_coroutine(lua_State *L) {
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co != NULL, 1, "coroutine");
    return co;
}

static const char *status_of(lua_State *L, lua_State *co) {
    lua_Debug ar;
    if (L == co) return "running";
    if (is_call_thread(co)) return "normal";
    if (marks_of(co)->stop != STOP_NONE) return "dead";
    switch (lua_status(co)) {
        case LUA_YIELD: return "suspended";
        case LUA_OK:
            if (lua_getstack(co, 0, &ar)) return "normal";
            return lua_gettop(co) == 0 ? "dead" : "suspended";
        default: return "dead";
    }
}

// Called around a coroutine's run while L waits. A trace needs that, and starts while nothing runs.
static void enter(lb_state *b, lua_State *L, lua_State *co, resumption *r) {
    STACK(L, 0, nothing);
    lb_budget_resume(b, co);
    if (b->trace.callback != NULL) {
        *r = (resumption){.waits = L, .outer = b->limits.resumed};
        b->limits.resumed = r;
    }
    b->limits.running = co;
}

// A stop is final: the coroutine that ran meanwhile has ended, whatever it came to.
static void leave(lb_state *b, lua_State *L, lua_State *co) {
    STACK(L, 0, anything);
    if (b->limits.resumed != NULL) b->limits.resumed = b->limits.resumed->outer;
    b->limits.running = L;
    if (b->limits.stop) {
        marks_of(co)->stop = (uint8_t)b->limits.stop;
        lb_budget_raise(b, L);
    }
    if (b->limits.pressure) lb_budget_arm(b, L);
}

// Moves `count` arguments to the coroutine and runs it. Returns the number of results, which stay
// on the coroutine's stack, or -1 with the error value on top of it.
static int resume(lua_State *L, lua_State *co, int count, const char **refusal) {
    STACK_EITHER(L, -count, 0, anything);
    lb_state *b = state_of(L);
    int results = 0;
    const char *status = status_of(L, co);
    *refusal = NULL;
    if (status[0] != 's') {
        *refusal = status[0] == 'd' ? "cannot resume dead coroutine"
                                    : "cannot resume non-suspended coroutine";
        return -1;
    }
    if (!lua_checkstack(co, count + 1)) {
        *refusal = "too many arguments to resume";
        return -1;
    }
    lb_require_stack(L);
    lb_budget_charge(b, L, THREAD_STEPS);
    lua_xmove(L, co, count);
    resumption r;
    enter(b, L, co, &r);
    int code = lua_resume(co, L, count, &results);
    leave(b, L, co);
    if (code != LUA_OK && code != LUA_YIELD) return -1;
    return results;
}

static void move_results(lua_State *L, lua_State *co, int count) {
    STACK(L, count, anything);
    if (!lua_checkstack(L, count + 1)) {
        lua_pop(co, count);
        luaL_error(L, "too many results to resume");
    }
    lua_xmove(co, L, count);
}

OFFERED(coroutine_create) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

OFFERED(coroutine_resume) {
    const char *refusal;
    lua_State *co = check_coroutine(L);
    int count = resume(L, co, lua_gettop(L) - 1, &refusal);
    if (count >= 0) {
        lua_pushboolean(L, 1);
        move_results(L, co, count);
        return count + 1;
    }
    lua_pushboolean(L, 0);
    if (refusal != NULL) {
        lua_pushstring(L, refusal);
    } else {
        lua_xmove(co, L, 1);
        lb_trace_catch(state_of(L), L);
    }
    return 2;
}

// Runs the pending __close handlers. Returns Lua's status. An error stays on the coroutine's stack.
static int close(lua_State *L, lua_State *co) {
    lb_state *b = state_of(L);
    if (b->sandbox.closing_depth >= CLOSE_LIMIT)
        luaL_error(L, "too many nested calls of coroutine.close");
    lb_require_stack(L);
    b->sandbox.closing_depth++;
    resumption r;
    enter(b, L, co, &r);
    int code = lua_resetthread(co);
    b->sandbox.closing_depth--;
    leave(b, L, co);
    return code;
}

OFFERED(wrapped) {
    const char *refusal;
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int count = resume(L, co, lua_gettop(L), &refusal);
    if (count >= 0) {
        move_results(L, co, count);
        return count;
    }
    if (refusal != NULL) return luaL_error(L, "%s", refusal);
    int code = lua_status(co);
    if (code != LUA_OK && code != LUA_YIELD) close(L, co);
    lua_xmove(co, L, 1);
    if (code != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

OFFERED(coroutine_wrap) {
    coroutine_create_body(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

OFFERED(coroutine_yield) {
    if (is_call_thread(L)) return luaL_error(L, "attempt to yield from outside a coroutine");
    return lua_yield(L, lua_gettop(L));
}

OFFERED(coroutine_isyieldable) {
    lua_State *co = lua_isnone(L, 1) ? L : check_coroutine(L);
    lua_pushboolean(L, !is_call_thread(co) && lua_isyieldable(co));
    return 1;
}

OFFERED(coroutine_running) {
    lua_pushthread(L);
    lua_pushboolean(L, is_call_thread(L));
    return 2;
}

OFFERED(coroutine_status) {
    lua_pushstring(L, status_of(L, check_coroutine(L)));
    return 1;
}

OFFERED(coroutine_close) {
    lua_State *co = check_coroutine(L);
    const char *status = status_of(L, co);
    if (status[0] != 's' && status[0] != 'd')
        return luaL_error(L, "cannot close a %s coroutine", status);
    stop_reason stop = (stop_reason)marks_of(co)->stop;
    if (stop != STOP_NONE) {
        char text[SENTENCE_SIZE];
        lb_budget_say(state_of(L), stop, text, sizeof text);
        lua_pushboolean(L, 0);
        lua_pushstring(L, text);
        return 2;
    }
    int code = close(L, co);
    lua_pushboolean(L, code == LUA_OK);
    if (code == LUA_OK) return 1;
    lua_xmove(co, L, 1);
    return 2;
}

const luaL_Reg lb_coroutine_functions[] = {
    {"close", coroutine_close}, {"create", coroutine_create},
    {"isyieldable", coroutine_isyieldable}, {"resume", coroutine_resume},
    {"running", coroutine_running}, {"status", coroutine_status}, {"wrap", coroutine_wrap},
    {"yield", coroutine_yield}, {NULL, NULL},
};
