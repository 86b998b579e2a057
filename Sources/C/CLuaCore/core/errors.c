// The description of an error: its message, its place, the Lua frames, and the locals of the first
// frame. Everything is copied into a fixed block, so that describing an error needs no memory.
// Places come from the debug interface, never from the message, which a script can forge.

#include "core/core.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_LIMIT = 2048, NAME_LIMIT = 200 };

lb_text lb_error_keep(lb_state *b, const char *bytes, size_t length) {
    size_t room = ERROR_TEXT - b->core.error_length;
    if (length > room) length = room;
    char *kept = b->core.error_text + b->core.error_length;
    memcpy(kept, bytes, length);
    b->core.error_length += length;
    return (lb_text){kept, length};
}

static void set_text(lb_state *b, const char *message, size_t length) {
    b->core.error.message =
        lb_error_keep(b, message, length < MESSAGE_LIMIT ? length : MESSAGE_LIMIT);
}

lb_text lb_error_keep_name(lb_state *b, const char *name) {
    size_t length = strnlen(name, NAME_LIMIT);
    return lb_error_keep(b, name, length);
}

bool lb_error_place(lua_State *L, int level, lb_location *location) {
    lua_Debug ar;
    for (; lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "Sl", &ar) || ar.currentline < 0) continue;
        const char *chunk = chunk_of(&ar);
        *location = (lb_location){chunk, strlen(chunk), ar.currentline};
        return true;
    }
    return false;
}

static void capture_locals(lb_state *b, lua_State *L, const lua_Debug *ar) {
    STACK(L, 0, nothing);
    char value[LB_LOCAL_SIZE];
    const char *name;
    for (int i = 1; b->core.error.local_count < LB_MAXIMUM_LOCALS; i++) {
        if ((name = lua_getlocal(L, ar, i)) == NULL) return;
        if (name[0] != '(') {
            size_t length = lb_describe_at(b, L, lua_gettop(L), value, sizeof value);
            lb_local *local = &b->core.error.locals[b->core.error.local_count++];
            local->name = lb_error_keep_name(b, name);
            local->value = lb_error_keep(b, value, length);
        }
        lua_pop(L, 1);
    }
}

// A message that starts with a frame's place was raised there.
static bool strip_place(lb_state *b, const lua_Debug *ar) {
    char prefix[LUA_IDSIZE + 32];
    int length = snprintf(prefix, sizeof prefix, "%s:%d: ", ar->short_src, ar->currentline);
    lb_text *message = &b->core.error.message;
    if (length <= 0 || (size_t)length > message->length) return false;
    if (memcmp(message->bytes, prefix, (size_t)length) != 0) return false;
    message->bytes += length;
    message->length -= (size_t)length;
    return true;
}

void lb_error_capture(lb_state *b, lua_State *L, bool whole) {
    lua_Debug ar;
    bool placed = false, stripped = false;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (b->core.error.frame_count == LB_MAXIMUM_FRAMES) break;
        if (!lua_getinfo(L, whole ? "Sln" : "Sl", &ar) || ar.currentline < 0) continue;
        lb_frame *frame = &b->core.error.frames[b->core.error.frame_count++];
        frame->chunk = lb_error_keep_name(b, chunk_of(&ar));
        frame->line = ar.currentline;
        bool named = whole && ar.name != NULL && *ar.what != 'm';
        frame->name = lb_error_keep_name(b, named ? ar.name : *ar.what == 'm' ? "main chunk" : "");
        bool raised_here = !stripped && strip_place(b, &ar);
        if (!placed || raised_here)
            b->core.error.location =
                (lb_location){frame->chunk.bytes, frame->chunk.length, frame->line};
        if (!placed && whole) capture_locals(b, L, &ar);
        placed = true;
        stripped = stripped || raised_here;
    }
}

static void capture_message(lb_state *b, lua_State *L, int index) {
    char text[64 + LB_LOCAL_SIZE];
    size_t length;
    if (lua_type(L, index) == LUA_TSTRING) {
        const char *message = lua_tolstring(L, index, &length);
        set_text(b, message, length);
    } else if (lua_type(L, index) == LUA_TNUMBER) {
        length = lb_describe_at(b, L, index, text, sizeof text);
        set_text(b, text, length);
    } else if (lua_type(L, index) == LUA_TTABLE) {
        int start = snprintf(text, sizeof text, "error object is a table: ");
        length = lb_describe_at(b, L, index, text + start, sizeof text - (size_t)start);
        set_text(b, text, (size_t)start + length);
        b->core.error_length = MESSAGE_LIMIT;  // lb_error_set_message has room
    } else {
        const char *name = lb_type_name_at(b, L, index);
        int written = snprintf(text, sizeof text, "error object is a %.32s value", name);
        set_text(b, text, (size_t)written);
    }
}

void lb_error_set_message(lb_state *b, const char *message, size_t length) {
    if (length > MESSAGE_LIMIT) length = MESSAGE_LIMIT;
    memcpy(b->core.error_text, message, length);
    b->core.error.message = (lb_text){b->core.error_text, length};
}

// A message handler.
int lb_error_handler(lua_State *L) {
    STACK(L, 0, nothing);
    lb_state *b = state_of(L);
    if (b->core.error_is_captured || b->limits.stop) return 1;
    error_begin(b);
    capture_message(b, L, 1);
    lb_error_capture(b, L, true);
    return 1;
}

void lb_error_set_place(lb_state *b, const char *chunk, int32_t line, const char *message) {
    lb_text kept = lb_error_keep_name(b, chunk);
    b->core.error.location = (lb_location){kept.bytes, kept.length, line};
    set_text(b, message, strlen(message));
}

// The compiler's messages are "chunk:line: text", with the chunk's name shortened: of "=name" Lua
// shows the beginning, of "@name" the end, after dots.
void lb_error_set_syntax(lb_state *b, lua_State *L, const char *source) {
    enum { DOTS = 3 };
    const char *chunk = source + 1, *shown = chunk;
    size_t length, cut = strlen(chunk), skipped = 0;
    const char *message = lua_tolstring(L, -1, &length);
    if (cut > LUA_IDSIZE - 1) {
        if (source[0] == '@') {
            shown = chunk + cut - (LUA_IDSIZE - 1 - DOTS);
            skipped = DOTS;
        }
        cut = LUA_IDSIZE - 1;
    }
    lb_text kept = lb_error_keep_name(b, chunk);
    b->core.error.location = (lb_location){kept.bytes, kept.length, 0};
    if (length > cut && memcmp(message + skipped, shown, cut - skipped) == 0
        && message[cut] == ':') {
        const char *end = message + length, *p = message + cut + 1;
        int32_t line = 0;
        while (p < end && *p >= '0' && *p <= '9' && line < 100000000)
            line = line * 10 + (*p++ - '0');
        if (p + 1 < end && p[0] == ':' && p[1] == ' ') {
            b->core.error.location.line = line;
            message = p + 2;
            length = (size_t)(end - message);
        }
    }
    set_text(b, message, length);
}
