// Types of values, texts of values, errors. Nothing here calls Lua code or raises.

#ifndef LB_CORE_H
#define LB_CORE_H

#include "core/buffer.h"
#include "core/types.h"

// MARK: utf8.c
// The number of leading bytes that are well formed.
size_t utf8_valid_prefix(const unsigned char *bytes, size_t length);

// MARK: release.c
// The name that the loaded library of Lua gives itself; NULL: none.
const char *release_ident(void);
// True if a Lua thread can be asked for its calls while its stack is being moved. From 5.4.5 on,
// Lua keeps places in the stack as offsets meanwhile. Safe anywhere.
bool release_shows_moved_stacks(void);

// MARK: describe.c
// A value in few characters. Returns their number.
size_t describe(lb_state *b, lua_State *L, int index, char *text, size_t capacity);

// MARK: errors.c
int error_handler(lua_State *L);  // a message handler for lua_pcall
static inline void error_begin(lb_state *b) {
    core_state *c = &b->core;
    if (c->error_is_captured) return;
    c->error_length = 0;
    c->error.message = (lb_text){c->error_text, 0};
    c->error.location = (lb_location){c->error_text, 0, 0};
    c->error.frame_count = c->error.local_count = 0;
}
// `whole`: with frames, names and locals, which need a sound Lua stack.
void error_capture(lb_state *b, lua_State *L, bool whole);
void error_set_syntax(lb_state *b, lua_State *L, const char *chunk);
// The place of the innermost call of a script's code, from a level on.
bool error_place(lua_State *L, int level, lb_location *location);
lb_text error_keep(lb_state *b, const char *bytes, size_t length);
lb_text error_keep_name(lb_state *b, const char *name);

#endif
