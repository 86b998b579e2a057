// Loads source text. Some editors start files with a byte order mark, and shell scripts start with a line that begins
// with '#'. Both are skipped, as luaL_loadfile does.

#include "calls/calls.h"

#include <string.h>

size_t source_mark_length(const void *source, size_t length) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t size = sizeof(mark) - 1;
    return length >= size && memcmp(source, mark, size) == 0 ? size : 0;
}

// The start of the code.
static const char *source_code(const char *source, size_t *length) {
    size_t start = source_mark_length(source, *length);
    if (start < *length && source[start] == '#') {
        // Keeps the line end, so that line numbers stay correct.
        while (start < *length && source[start] != '\n' && source[start] != '\r') start++;
    }
    if (start == 0) return source;
    *length -= start;
    return source + start;
}

/* [-0, +0, never raises] */
lb_status interpreter_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference) {
    error_begin(b);
    // The compiler runs no hook and takes quadratic time for some texts, so only the length of the text limits it.
    if (length > b->core.configuration.source_limit) return LB_SOURCE;
    lb_status status = reference_prepare(b);
    if (status != LB_OK) return status;
    lua_State *L = b->core.main;
    const char *text = source_code(source, &length);
    int code = luaL_loadbufferx(L, text, length, chunk, "t");
    // Lua reports too deep nesting as another kind of error.
    if (code == LUA_ERRSYNTAX || (code == LUA_ERRRUN && !b->limits.stop)) {
        error_set_syntax(b, L, chunk + 1);
        lua_pop(L, 1);
        status = LB_SYNTAX;
    } else {
        status = protect_status(b, L, code);
    }
    if (status == LB_OK)
        *reference = reference_take(b, L);
    else if (code == LUA_OK)
        lua_pop(L, 1);
    protect_finish(b);
    return status;
}
