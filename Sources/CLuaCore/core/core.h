// Types of values, texts of values, errors. Nothing here calls Lua code or raises.

#ifndef LB_CORE_H
#define LB_CORE_H

#include "state.h"

// MARK: buffer.c; a growable block outside Lua's memory
bool buffer_grow(buffer *b, size_t more);
// Makes room for so many bytes more; false: out of memory.
static inline bool buffer_reserve(buffer *b, size_t more) {
    return b->capacity - b->length >= more || buffer_grow(b, more);
}
// Gives a large block back; called before a new use, so that one huge value is not kept for ever.
void buffer_shrink(buffer *b);
enum { KEPT_CAPACITY = 1 << 20 };
static inline void buffer_trim(buffer *b) {
    b->length = 0;
    if (b->capacity > KEPT_CAPACITY) buffer_shrink(b);
}

// MARK: utf8.c
// The number of leading bytes that are well formed.
size_t utf8_valid_prefix(const unsigned char *bytes, size_t length);

// MARK: release.c
// The name that the loaded library of Lua gives itself; NULL: none.
const char *release_ident(void);
// True if a Lua thread can be asked for its calls while its stack is being moved. From 5.4.5 on,
// Lua keeps places in the stack as offsets meanwhile. Safe anywhere.
bool release_shows_moved_stacks(void);

// MARK: types.c; all [-0, +0, never raises] where nothing else is said
lb_type type_at(lb_state *b, lua_State *L, int index);
// A scalar as it is, a type alone otherwise.
void scalar_at(lb_state *b, lua_State *L, int index, lb_value *value);
const char *type_name_at(lb_state *b, lua_State *L, int index);

// A userdata that stands for a table.
typedef struct {
    size_t length;  // of the encoding; 0: none
    unsigned char encoding[];
} view;

enum { VIEW_TABLE = 1 };  // the user value of a view that is its table

bool is_view(lb_state *b, lua_State *L, int index);
// Pushes a view's table; false: there is only its encoding yet. [-0, +1 or 0, never raises]
bool view_push_table(lb_state *b, lua_State *L, int index);
// The bytes that stand for a view, if it was made with such. `memory` is that of the userdata.
static inline const void *view_bytes(const void *memory, size_t *length) {
    const view *v = memory;
    *length = v->length;
    return v->length == 0 ? NULL : v->encoding;
}

struct drafted_state;

// A userdata that stands for a large table of a state. Begins like a view.
typedef struct {
    size_t length;
    const void *metatable;  // that of drafts, or its own
    struct drafted_state *state;
    uint32_t depth;   // containers around it
    uint32_t number;  // among the roots; 0: inside one
    uint64_t round;   // of encoding the plain part, when it was last met
} draft;

bool is_draft(lb_state *b, lua_State *L, int index);

typedef struct memo_entry memo_entry;

// The calls with an object that are remembered, in the order in which they were made.
typedef struct {
    memo_entry *entries;
    int32_t count, capacity;
    int32_t next;  // the place of the next call
} memo;

// A userdata with fields that only the host sets.
typedef struct {
    const void *mark;  // tells objects from other userdata
    int64_t tag;
    bool usable;
    memo memo;
} object;

// The object at an index; NULL: it is none.
object *object_at(lua_State *L, int index);
extern const char object_mark;
const char *object_name(lua_State *L, int index);

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
