// Limits. No hook is set until a limit trips, except for an instruction limit, which halves the
// speed. A limit that trips sets a hook that raises at every instruction, on every thread that
// runs, until the outermost call has ended. So a script cannot swallow the error. A Lua thread has
// only one hook, so traces share it.

#include "limits/limits.h"

enum { INTERVAL = 100 };  // instructions between two checks of the instruction limit

static void relieve(lb_state *b, lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT);
    if (b->limits.memory_in_use > b->core.configuration.memory_limit) {
        lb_budget_stop(b, STOP_MEMORY);
    } else {
        b->limits.pressure = 0;
        lb_budget_arm(b, L);
    }
}

static void count(lb_state *b, uint64_t steps) {
    if (b->core.configuration.instruction_limit == 0) return;
    if (b->limits.instructions_left < steps)
        lb_budget_stop(b, STOP_INSTRUCTIONS);
    else
        b->limits.instructions_left -= steps;
}

static void hook(lua_State *L, lua_Debug *ar) {
    lb_state *b = state_of(L);
    if (ar->event != LUA_HOOKCOUNT) {
        if (!b->limits.stop) b->trace.event(b, L, ar);
        return;
    }
    if (!b->limits.stop && b->limits.pressure) relieve(b, L);
    if (!b->limits.stop) count(b, (uint64_t)lua_gethookcount(L));
    if (b->limits.stop) lb_budget_raise(b, L);
}

// Lua's manual allows lua_sethook in a signal handler, and Lua's own program does so. It writes
// fields of the thread and of its active calls, which Lua does not free while they are in use. It
// walks all calls of the thread, which takes milliseconds for 200,000 of them, so a hook that is
// already set is not set again, unless `again`.
static void set_hook(const lb_state *b, lua_State *L, int interval, bool again) {
    STACK(L, 0, nothing);
    int kept = lua_gethookmask(L) & b->trace.optional;
    int mask = b->trace.mask | kept | (interval > 0 ? LUA_MASKCOUNT : 0);
    bool is_set = lua_gethook(L) == hook && lua_gethookmask(L) == mask
        && lua_gethookcount(L) == interval;
    if (!is_set || again) lua_sethook(L, hook, mask, interval);
}

void lb_budget_arm(lb_state *b, lua_State *L) {
    if (b->limits.stop || b->limits.pressure)
        set_hook(b, L, 1, false);
    else if (b->core.configuration.instruction_limit != 0)
        set_hook(b, L, INTERVAL, false);
    else if (b->trace.mask != 0)
        set_hook(b, L, 0, false);
    else
        lua_sethook(L, NULL, 0, 0);
}

void lb_budget_enter(lb_state *b, lua_State *L) {
    count(b, THREAD_STEPS);
    bool needed = b->limits.stop || b->limits.pressure || b->trace.mask != 0
        || b->core.configuration.instruction_limit != 0;
    if (!needed && lua_gethookmask(L) == 0) return;
    // No call is active on it yet, so it needs none of the optional events.
    if (b->trace.optional != 0) lua_sethook(L, NULL, 0, 0);
    lb_budget_arm(b, L);
}

void lb_budget_resume(lb_state *b, lua_State *L) {
    lb_budget_arm(b, L);
    // It has active functions, which continue when their callees return.
    if (b->trace.optional != 0)
        lua_sethook(L, hook, lua_gethookmask(L) | LUA_MASKRET, lua_gethookcount(L));
}

void lb_budget_tell_lines(lb_state *b, lua_State *L, bool tells, bool returns) {
    STACK(L, 0, nothing);
    int mask = lua_gethookmask(L) & ~b->trace.optional;
    if (tells) mask |= b->trace.optional & LUA_MASKLINE;
    if (returns) mask |= b->trace.optional & LUA_MASKRET;
    lua_sethook(L, hook, mask, lua_gethookcount(L));
    // A limit may have tripped in between.
    if (b->limits.stop) set_hook(b, L, 1, false);
}

static void stop(lb_state *b, stop_reason reason, bool again) {
    if (!b->limits.stop) b->limits.stop = reason;
    lua_State *L = b->limits.running;
    if (L != NULL) set_hook(b, L, 1, again);
}

void lb_budget_stop(lb_state *b, stop_reason reason) { stop(b, reason, false); }

// Lua drops the mark of a call whose hook is set while Lua is looking whether it needs one. The
// call then runs without the hook that its thread has. Only setting it again helps, but at each
// signal that could take all the time there is.
void lb_budget_stop_by_signal(lb_state *b, stop_reason reason) {
    enum { AGAIN = 8 };
    b->limits.signals = (b->limits.signals + 1) % AGAIN;
    stop(b, reason, b->limits.signals == 0);
}

lb_status lb_budget_status(const lb_state *b) {
    switch ((stop_reason)b->limits.stop) {
        case STOP_NONE: return LB_OK;
        case STOP_TIME: return LB_TIME;
        case STOP_INSTRUCTIONS: return LB_INSTRUCTIONS;
        case STOP_MEMORY: return LB_MEMORY;
        case STOP_OUTPUT: return LB_OUTPUT;
        case STOP_INTERRUPT: return LB_INTERRUPTED;
        case STOP_DEPTH: return LB_DEPTH;
    }
    return LB_ERROR;
}

void lb_budget_capture(lb_state *b, lua_State *L, bool whole) {
    STACK(L, 0, nothing);
    if (b->core.error_is_captured) return;
    error_begin(b);
    lb_error_capture(b, L, whole);
    b->core.error_is_captured = true;
}

int lb_budget_raise(lb_state *b, lua_State *L) {
    lb_budget_capture(b, L, true);
    lb_budget_arm(b, L);
    // A text would have to be allocated. The flag identifies the limit.
    lua_pushlightuserdata(L, b);
    return lua_error(L);
}

int lb_budget_raise_depth(lb_state *b, lua_State *L) {
    lb_budget_stop(b, STOP_DEPTH);
    return lb_budget_raise(b, L);
}

void lb_budget_check(lb_state *b, lua_State *L) {
    STACK(L, 0, anything);
    if (b->limits.stop) lb_budget_raise(b, L);
}

void lb_budget_charge(lb_state *b, lua_State *L, uint64_t steps) {
    STACK(L, 0, anything);
    count(b, steps);
    if (b->limits.stop) lb_budget_raise(b, L);
}

static void go_on(lb_state *b) {
    b->limits.stop = STOP_NONE;
    b->core.error_is_captured = false;
    for (int32_t i = 0; i < b->protection.thread_count; i++) {
        lb_budget_arm(b, b->protection.threads[i]);
    }
}

void lb_budget_clear(lb_state *b) {
    if (!b->limits.stop && !b->limits.pressure) return;
    if (b->limits.pressure || b->limits.stop == STOP_MEMORY) lua_gc(b->core.main, LUA_GCCOLLECT);
    b->limits.pressure = 0;
    b->limits.refused_size = 0;
    go_on(b);
}

void lb_budget_allow(lb_state *b, uint64_t instructions, instruction_budget *outer) {
    uint64_t *limit = &b->core.configuration.instruction_limit;
    *outer = (instruction_budget){*limit, b->limits.instructions_left};
    if (*limit == 0 || *limit > instructions) *limit = instructions;
    b->limits.instructions_left = *limit;
}

void lb_budget_return(lb_state *b, const instruction_budget *outer) {
    b->core.configuration.instruction_limit = outer->limit;
    b->limits.instructions_left = outer->left;
    if (b->limits.stop != STOP_INSTRUCTIONS) return;
    go_on(b);
    // It may be a coroutine, and has the hook of the stop since the call within it has ended.
    if (b->limits.running != NULL) lb_budget_arm(b, b->limits.running);
}
