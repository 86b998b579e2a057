// Tells the host of the lines that scripts run. Lua asks for it by the one hook that a Lua thread
// has, which is that of the limits: see budget.c. Within the hook Lua runs no other hook on this
// thread, so the callback may read what it likes, and runs no script.

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const trace_state *t, int line) {
    if (t->lines == NULL) return true;
    return line >= 0 && (size_t)line / 8 < t->line_bytes && (t->lines[line / 8] >> line % 8 & 1);
}

static bool is_lua(lua_State *L, lua_Debug *ar) {
    return lua_getinfo(L, "S", ar) && *ar->what != 'C';
}

/* [-0, +0, never raises] */
static void event(lb_state *b, lua_State *L, lua_Debug *ar) {
    bool is_return = ar->event == LUA_HOOKRET;
    if (is_return ? !is_lua(L, ar) : !is_wanted(&b->trace, ar->currentline)) return;
    lb_moment moment = {b, L, is_return, false};
    b->trace.callback(b->core.owner, &moment);
}

static unsigned char *line_set(const int32_t *lines, size_t count, size_t *bytes) {
    int32_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (lines[i] > last) last = lines[i];
    *bytes = (size_t)last / 8 + 1;
    unsigned char *set = calloc(*bytes, 1);
    for (size_t i = 0; set != NULL && i < count; i++)
        if (lines[i] > 0) set[lines[i] / 8] |= (unsigned char)(1 << lines[i] % 8);
    return set;
}

lb_status trace_begin(
    lb_state *b, lb_trace_callback callback, lb_traced told, const int32_t *lines, size_t count) {
    size_t bytes = 0;
    unsigned char *set = count == 0 ? NULL : line_set(lines, count, &bytes);
    if (count != 0 && set == NULL) return LB_MEMORY;
    free(b->trace.lines);
    int mask = LUA_MASKLINE | (told & LB_TRACED_RETURNS ? LUA_MASKRET : 0);
    if (b->trace.path != 0) trace_follow(b, 0, 0);
    b->trace = (trace_state){
        callback, event, callback == NULL ? 0 : mask, (told & LB_TRACED_CATCHES) != 0, set, bytes, 0, 0};
    return LB_OK;
}

void trace_catch(lb_state *b, lua_State *L) {
    if (b->trace.callback == NULL || !b->trace.catches || b->limits.stop) return;
    lb_moment moment = {b, L, false, true};
    b->trace.callback(b->core.owner, &moment);
}

// MARK: Moments

static lb_text text_of(const char *bytes) {
    return bytes == NULL ? (lb_text){"", 0} : (lb_text){bytes, strlen(bytes)};
}

const void *trace_thread(const lb_moment *moment) { return moment->L; }

bool trace_is_return(const lb_moment *moment) { return moment->is_return; }

bool trace_level(const lb_moment *moment, int32_t level, lb_level *told) {
    lua_Debug ar;
    if (!lua_getstack(moment->L, level, &ar) || !lua_getinfo(moment->L, "Slnu", &ar)) return false;
    bool named = ar.source[0] == '=' || ar.source[0] == '@';
    bool is_file = *ar.what == 'm';
    *told = (lb_level){
        .chunk = text_of(named ? ar.source + 1 : ar.short_src), .name = text_of(ar.name),
        .line = *ar.what == 'C' ? 0 : ar.currentline,
        .first_line = is_file ? 0 : ar.linedefined, .last_line = is_file ? 0 : ar.lastlinedefined,
        .parameters = ar.nparams};
    return true;
}

// Pushes the variable. [-0, +1 or 0, never raises]
static const char *push(
    lua_State *L, int32_t level, lb_variable_kind kind, int32_t index) {
    lua_Debug ar;
    if (!lua_getstack(L, level, &ar)) return NULL;
    if (kind == LB_LOCAL) return lua_getlocal(L, &ar, index);
    if (!lua_getinfo(L, "f", &ar)) return NULL;
    const char *name = lua_iscfunction(L, -1) ? NULL : lua_getupvalue(L, -1, index);
    lua_remove(L, name == NULL ? -1 : -2);
    return name;
}

// Gives the value on top of the main thread, or what is seen of one that is not plain, and pops it.
static void take(lb_state *b, lb_variable *variable) {
    variable->is_plain = true;
    if (encode_top(b, &variable->value) != LB_OK) {
        variable->is_plain = false;
        variable->value = (lb_value){.type = LB_TYPE_NIL};
        if (!likeness_make(b)) return;
        if (encode_top(b, &variable->value) != LB_OK)
            variable->value = (lb_value){.type = LB_TYPE_NIL};
    }
    lua_pop(b->core.main, 1);
}

bool trace_caught(const lb_moment *moment, lb_variable *error) {
    if (!moment->is_caught) return false;
    lua_pushvalue(moment->L, -1);
    lua_xmove(moment->L, moment->state->core.main, 1);
    *error = (lb_variable){0};
    take(moment->state, error);
    return true;
}

bool trace_variable(
    const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,
    lb_variable *variable) {
    lb_state *b = moment->state;
    lua_State *L = moment->L;
    const char *name = push(L, level, kind, index);
    if (name == NULL) return false;
    lua_xmove(L, b->core.main, 1);
    *variable = (lb_variable){.name = text_of(name)};
    take(b, variable);
    return true;
}
