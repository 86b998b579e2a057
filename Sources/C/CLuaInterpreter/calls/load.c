// Loads source text. Some editors start files with a byte order mark, and shell scripts start with
// a line that begins with '#'. Both are skipped, as luaL_loadfile does.

#include "calls/calls.h"

#include <string.h>

size_t lb_source_mark_length(const void *source, size_t length) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t size = sizeof(mark) - 1;
    return length >= size && memcmp(source, mark, size) == 0 ? size : 0;
}

// The start of the code.
static const char *source_code(const char *source, size_t *length) {
    size_t start = lb_source_mark_length(source, *length);
    if (start < *length && source[start] == '#') {
        // Keeps the line end, so that line numbers stay correct.
        while (start < *length && source[start] != '\n' && source[start] != '\r') start++;
    }
    if (start == 0) return source;
    *length -= start;
    return source + start;
}

static int environment_body(lua_State *L) {
    lb_package_push_environment(L);
    return 1;
}

// Gives the function on top of the main thread the globals of library files.
static lb_status take_library_environment(lb_state *b) {
    STACK(b->core.main, 0, nothing);
    lua_State *L = b->core.main;
    lb_status status = lb_protect(b, environment_body, NULL, 1);
    if (status != LB_OK) return status;
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
    return LB_OK;
}

lb_status lb_interpreter_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference) {
    STACK(b->core.main, 0, nothing);
    error_begin(b);
    // The compiler runs no hook and takes quadratic time for some texts. So the length of a text
    // limits it, and what a scan finds in a longer one.
    if (length > source_limit(b, chunk)) return LB_SOURCE;
    bool is_long = length > b->core.configuration.source_limit;
    lb_status status = lb_reference_prepare(b);
    if (status != LB_OK) return status;
    lua_State *L = b->core.main;
    const char *text = source_code(source, &length);
    int32_t line = 0;
    const char *obstacle = is_long ? lb_source_obstacle(text, length, &line) : NULL;
    if (obstacle != NULL) {
        lb_error_set_place(b, chunk + 1, line, obstacle);
        return LB_SYNTAX;
    }
    int code = luaL_loadbufferx(L, text, length, chunk, "t");
    // Lua reports too deep nesting as another kind of error.
    if (code == LUA_ERRSYNTAX || (code == LUA_ERRRUN && !b->limits.stop)) {
        lb_error_set_syntax(b, L, chunk);
        lua_pop(L, 1);
        status = LB_SYNTAX;
    } else {
        status = lb_protect_status(b, L, code);
    }
    if (status == LB_OK && is_library_chunk(chunk)) {
        status = take_library_environment(b);
        if (status != LB_OK) lua_pop(L, 1);
    } else if (status != LB_OK && code == LUA_OK) {
        lua_pop(L, 1);
    }
    if (status == LB_OK) *reference = lb_reference_take(b, L);
    lb_protect_finish(b);
    return status;
}
