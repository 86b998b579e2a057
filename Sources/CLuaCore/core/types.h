// The types of values on a Lua stack, and the bridge's own userdata. All is [-0, +0, never raises]
// where nothing else is said.

#ifndef LB_CORE_TYPES_H
#define LB_CORE_TYPES_H

#include "state.h"

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

typedef enum { VIEW_NONE, VIEW_OF_BYTES, VIEW_OF_TABLE, VIEW_OF_DRAFT } view_kind;
// The kind of the view on top of L. Pushes the table of one that is VIEW_OF_TABLE, as drafts are
// too where `follows_drafts`. [-0, +1 or 0]
view_kind view_look(
    lb_state *b, lua_State *L, bool follows_drafts, const void **bytes, size_t *length);

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

#endif
