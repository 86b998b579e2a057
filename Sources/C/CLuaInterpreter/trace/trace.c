// Reports to the host the lines that scripts run. A Lua thread has a single hook, which the limits
// share: see budget.c. Inside a hook Lua runs no other hook on this thread, so the callback can
// read anything without running a script.
//
// A line hook makes a script several times slower, so a trace of chosen lines sets one only while a
// function with such a line runs. A function is entered by a call, or by the return of a function
// that it called. A function that catches an error is in C, and returns too. Until a thread reaches
// such a function for the first time, it only needs call events.

#include "trace/trace.h"

#include <string.h>

// lua_sethook walks all calls of the thread. If there are more than these, the line hook stays set.
enum { DEEP = 200 };

static bool is_lua(lua_State *L, lua_Debug *ar) {
    return lua_getinfo(L, "S", ar) && *ar->what != 'C';
}

static bool is_in(const lua_Debug *ar, lb_text chunk) {
    const char *name = chunk_of(ar);
    return strncmp(name, chunk.bytes, chunk.length) == 0 && name[chunk.length] == 0;
}

// The first of the lines with at least this number.
static size_t first_from(const trace_state *t, int number) {
    size_t low = 0, high = t->line_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->lines[middle].line < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_lines(const trace_state *t, const lua_Debug *function) {
    bool is_file = *function->what == 'm';
    for (size_t i = is_file ? 0 : first_from(t, function->linedefined); i < t->line_count; i++) {
        if (!is_file && t->lines[i].line > function->lastlinedefined) break;
        if (is_in(function, t->lines[i].chunk)) return true;
    }
    return false;
}

// True if a call from a level on is of a function with a chosen line.
static bool is_within(const trace_state *t, lua_State *L, int level) {
    STACK(L, 0, nothing);
    lua_Debug ar;
    for (; lua_getstack(L, level, &ar); level++)
        if (is_lua(L, &ar) && has_lines(t, &ar)) return true;
    return false;
}

// True if a function that is being called is known to have no chosen line. A loop may call it a
// million times, and looking at it costs more than the call.
static bool is_unchosen(lb_state *b, lua_State *L, lua_Debug *ar, size_t *place) {
    STACK(L, 0, nothing);
    if (!lua_getinfo(L, "f", ar)) return false;
    const void *function = lua_topointer(L, -1);
    lua_pop(L, 1);
    *place = ((uintptr_t)function >> 5) % UNCHOSEN;
    return b->trace.unchosen[*place] == function;
}

// Keeps a function that is being called, so that no other one gets its address.
static void note_unchosen(lb_state *b, lua_State *L, lua_Debug *ar, size_t place) {
    STACK(L, 0, nothing);
    if (!lua_getinfo(L, "f", ar)) return;
    b->trace.unchosen[place] = lua_topointer(L, -1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_UNCHOSEN);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (lua_Integer)place + 1);
    lua_pop(L, 1);
}

static int make_unchosen(lua_State *L) {
    STACK(L, 0, memory);
    lua_createtable(L, UNCHOSEN, 0);
    for (int i = 1; i <= UNCHOSEN; i++) {
        lua_pushboolean(L, false);
        lua_rawseti(L, -2, i);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_UNCHOSEN);
    return 0;
}

// Sets the line hook where a chosen line may follow.
static void follow(lb_state *b, lua_State *L, lua_Debug *ar) {
    STACK(L, 0, nothing);
    lua_Debug caller;
    size_t place = 0;
    bool is_call = ar->event != LUA_HOOKRET, told = (lua_gethookmask(L) & LUA_MASKLINE) != 0;
    if (is_call && is_unchosen(b, L, ar, &place) && !told) return;
    if (!is_call) {
        if (!lua_getstack(L, 1, &caller)) return;
        ar = &caller;
    }
    bool is_scripted = is_lua(L, ar), tells = is_scripted && has_lines(&b->trace, ar);
    if (is_call && !tells) note_unchosen(b, L, ar, place);
    // The function that continues after a C function is entered by an event of its own.
    if (!is_scripted) return;
    lua_Debug deep;
    if (tells == told || (told && lua_getstack(L, DEEP, &deep))) return;
    // A return matters as long as it may lead back to a function with a chosen line.
    bool returns = tells || is_call || is_within(&b->trace, L, 2);
    lb_budget_tell_lines(b, L, tells, returns);
}

// The index of the chosen line, if its hit must be reported; otherwise -1.
static ptrdiff_t due(lb_state *b, lua_State *L, lua_Debug *ar) {
    STACK(L, 0, memory);
    trace_state *t = &b->trace;
    if (t->counts) t->lines[t->line_count].hits++;
    size_t i = first_from(t, ar->currentline);
    if (i == t->line_count || t->lines[i].line != ar->currentline || !is_lua(L, ar)) return -1;
    for (; i < t->line_count && t->lines[i].line == ar->currentline; i++) {
        lb_traced_line *line = &t->lines[i];
        if (!is_in(ar, line->chunk)) continue;
        if (line->condition != NULL && lb_trace_excludes(b, L, ar, line->condition)) return -1;
        return ++line->hits < line->next ? -1 : (ptrdiff_t)i;
    }
    return -1;
}

static void event(lb_state *b, lua_State *L, lua_Debug *ar) {
    STACK(L, 0, memory);
    lb_moment moment = {.state = b, .L = L, .thread = L, .traced = -1};
    if (ar->event == LUA_HOOKLINE) {
        if (b->trace.lines != NULL && (moment.traced = due(b, L, ar)) < 0) return;
    } else if (b->trace.optional != 0) {
        follow(b, L, ar);
        return;
    } else {
        bool switches = b->trace.path != 0 && b->trace.told != L;
        if (!is_lua(L, ar) && !switches) return;
        moment.is_return = true;
    }
    b->trace.told = L;
    b->trace.callback(b->core.owner, &moment);
}

lb_status lb_trace_begin(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count) {
    if (b->trace.path != 0) lb_trace_follow_path(b, 0, 0);
    b->trace = (trace_state){
        .callback = callback, .event = event, .catches = (told & LB_TRACED_CATCHES) != 0,
        .counts = (told & LB_TRACED_COUNTS) != 0,
        .patience = patience, .lines = lines, .line_count = count};
    if (callback == NULL || (lines != NULL && count == 0)) return LB_OK;
    bool tells_returns = (told & LB_TRACED_RETURNS) != 0;
    // Setting a hook makes Lua count instructions from 0 again, which would break their limit.
    bool chooses = lines != NULL && !tells_returns && !b->trace.counts
        && b->core.configuration.instruction_limit == 0;
    if (chooses && !lb_protect_privileged(b, make_unchosen, NULL, 0)) {
        b->trace = (trace_state){.callback = NULL};
        return LB_MEMORY;
    }
    b->trace.mask = chooses ? LUA_MASKCALL : LUA_MASKLINE | (tells_returns ? LUA_MASKRET : 0);
    b->trace.optional = chooses ? LUA_MASKLINE | LUA_MASKRET : 0;
    return LB_OK;
}

void lb_trace_catch(lb_state *b, lua_State *L) {
    STACK(L, 0, nothing);
    if (b->trace.callback == NULL || !b->trace.catches || b->limits.stop) return;
    lb_moment moment = {.state = b, .L = L, .thread = L, .traced = -1, .is_caught = true};
    b->trace.callback(b->core.owner, &moment);
}

// MARK: Moments

static lb_text text_of(const char *bytes) {
    return bytes == NULL ? (lb_text){"", 0} : (lb_text){bytes, strlen(bytes)};
}

bool lb_trace_level(const lb_moment *moment, int32_t level, lb_level *told) {
    lua_Debug ar;
    lua_State *L = lb_trace_find(moment, level, &ar);
    if (L == NULL || !lua_getinfo(L, "Sln", &ar)) return false;
    bool is_scripted = *ar.what == 'L';
    *told = (lb_level){
        .chunk = text_of(chunk_of(&ar)), .name = text_of(ar.name),
        .line = *ar.what == 'C' ? 0 : ar.currentline,
        .first_line = is_scripted ? ar.linedefined : 0,
        .last_line = is_scripted ? ar.lastlinedefined : 0};
    return true;
}

// Pushes the variable on its call's thread.
static const char *push(lua_State *L, lua_Debug *ar, lb_variable_kind kind, int32_t index) {
    STACK_EITHER(L, +1, 0, nothing);
    if (kind == LB_LOCAL) return lua_getlocal(L, ar, index);
    if (!lua_getinfo(L, "f", ar)) return NULL;
    const char *name = lua_iscfunction(L, -1) ? NULL : lua_getupvalue(L, -1, index);
    lua_remove(L, name == NULL ? -1 : -2);
    return name;
}

void lb_trace_take(lb_state *b, lb_variable *variable) {
    STACK(b->core.main, -1, nothing);
    variable->is_plain = true;
    if (lb_encode_top(b, &variable->value) != LB_OK) {
        variable->is_plain = false;
        variable->value = (lb_value){.type = LB_TYPE_NIL};
        if (!lb_likeness_make(b)) return;
        if (lb_encode_top(b, &variable->value) != LB_OK)
            variable->value = (lb_value){.type = LB_TYPE_NIL};
    }
    lua_pop(b->core.main, 1);
}

bool lb_trace_caught(const lb_moment *moment, lb_variable *error) {
    STACK(moment->state->core.main, 0, nothing);
    if (!moment->is_caught) return false;
    lua_pushvalue(moment->L, -1);
    lua_xmove(moment->L, moment->state->core.main, 1);
    *error = (lb_variable){0};
    lb_trace_take(moment->state, error);
    return true;
}

bool lb_trace_variable(
    const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,
    lb_variable *variable) {
    STACK(moment->state->core.main, 0, nothing);
    lb_state *b = moment->state;
    lua_Debug ar;
    const char *name = NULL;
    if (kind == LB_REFERENCE) {
        reference_push(b->core.main, index);
    } else {
        lua_State *L = lb_trace_find(moment, level, &ar);
        if (L == NULL || (name = push(L, &ar, kind, index)) == NULL) return false;
        lua_xmove(L, b->core.main, 1);
    }
    *variable = (lb_variable){.name = text_of(name)};
    lb_trace_take(b, variable);
    return true;
}
