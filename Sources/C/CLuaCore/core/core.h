// Types, texts and errors of values. Nothing here calls Lua code or raises.

#ifndef LB_CORE_H
#define LB_CORE_H

#include "core/buffer.h"
#include "core/types.h"

// MARK: utf8.c
// The length of the valid UTF-8 prefix.
size_t lb_utf8_valid_prefix(const unsigned char *bytes, size_t length);
static inline bool utf8_is_valid(const void *bytes, size_t length) {
    return lb_utf8_valid_prefix(bytes, length) == length;
}

// MARK: release.c
// The name that the loaded Lua library gives itself; NULL: none.
const char *lb_release_ident(void);
// True if a Lua thread's calls can be inspected while its stack is being moved. From 5.4.5 on Lua
// keeps offsets into the stack meanwhile. Safe anywhere.
bool lb_release_shows_moved_stacks(void);

// MARK: describe.c
// Bytes of memory that the texts of all values of one error may read: some milliseconds of work.
enum { DESCRIPTION_LIMIT = 32 << 20 };
// A short text of a value. Returns its length. Once the limit is reached, tables are only named.
size_t lb_describe_at(lb_state *b, lua_State *L, int index, char *text, size_t capacity);

// MARK: errors.c
int lb_error_handler(lua_State *L);  // a message handler for lua_pcall
static inline void error_begin(lb_state *b) {
    core_state *c = &b->core;
    if (c->error_is_captured) return;
    c->error_length = 0;
    c->description_left = DESCRIPTION_LIMIT;
    c->error.message = (lb_text){c->error_text, 0};
    c->error.location = (lb_location){c->error_text, 0, 0};
    c->error.frame_count = c->error.local_count = 0;
}
// With `whole`, also captures frames, names and locals, which requires a consistent Lua stack.
void lb_error_capture(lb_state *b, lua_State *L, bool whole);
// Describes what the compiler said of a source with this name.
void lb_error_set_syntax(lb_state *b, lua_State *L, const char *source);
void lb_error_set_place(lb_state *b, const char *chunk, int32_t line, const char *message);
// Replaces the message of an error whose value is a table.
void lb_error_set_message(lb_state *b, const char *message, size_t length);
// The place of the innermost script call, starting at a level.
bool lb_error_place(lua_State *L, int level, lb_location *location);
// The name of a chunk, which Lua has as "=name" or "@name".
static inline const char *chunk_of(const lua_Debug *ar) {
    return *ar->source == '=' || *ar->source == '@' ? ar->source + 1 : ar->short_src;
}
// Copies a text for the last error, cut where there is no more room.
lb_text lb_error_keep(lb_state *b, const char *bytes, size_t length);
lb_text lb_error_keep_name(lb_state *b, const char *name);

#endif
