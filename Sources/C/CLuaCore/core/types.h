// The types of values on a Lua stack, and the bridge's own userdata.

#ifndef LB_CORE_TYPES_H
#define LB_CORE_TYPES_H

#include "state.h"

// Copies the field whose key and value are on top to another table, and pops the value. [memory]
static inline void copy_field(lua_State *L, int table) {
    STACK(L, -1, memory);
    table = lua_absindex(L, table);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, table);
}

// The type as the host sees it. Drafts are views, too.
lb_type lb_type_at(lb_state *b, lua_State *L, int index);
// A scalar with its value; of other values only the type.
void lb_scalar_at(lb_state *b, lua_State *L, int index, lb_value *value);
const char *lb_type_name_at(lb_state *b, lua_State *L, int index);

// A userdata that represents a table.
typedef struct {
    size_t length;  // of the encoding; 0: none
    unsigned char encoding[];
} view;

enum { VIEW_TABLE = 1 };  // the user value that holds a view's table

// True if the value is a view or a draft.
bool lb_is_view(lb_state *b, lua_State *L, int index);
// Pushes a view's table; false: only its encoding exists so far.
bool lb_view_push_table(lb_state *b, lua_State *L, int index);
// The encoding of a view, if it has one. `memory` is the userdata's.
static inline const void *view_bytes(const void *memory, size_t *length) {
    const view *v = memory;
    *length = v->length;
    return v->length == 0 ? NULL : v->encoding;
}

struct drafted_state;

// A userdata that represents a large table of a state. Begins like a view.
typedef struct {
    size_t length;
    const void *metatable;  // the metatable of drafts, or its own
    struct drafted_state *state;
    uint32_t depth;   // the number of enclosing containers
    uint32_t number;  // its number among the roots; 0: not a root
    uint64_t round;   // the last round of encoding the plain part that reached it
} draft;

bool lb_is_draft(lb_state *b, lua_State *L, int index);  // false for other views

// Pushes a metatable for userdata that scripts take for tables. [memory]
void lb_push_metatable(
    lua_State *L, lua_CFunction index, lua_CFunction newindex, lua_CFunction length);

typedef enum { VIEW_NONE, VIEW_OF_BYTES, VIEW_OF_TABLE, VIEW_OF_DRAFT } view_kind;
// The kind of the view on top of L. Pushes its table if it is VIEW_OF_TABLE, or, with
// `follows_drafts`, a draft.
view_kind lb_view_look(
    lb_state *b, lua_State *L, bool follows_drafts, const void **bytes, size_t *length);

typedef struct memo_entry memo_entry;

// The remembered calls of an object, in order.
typedef struct {
    memo_entry *entries;
    int32_t count, capacity;
    int32_t next;  // the position of the next call
} memo;

// A userdata with fields that only the host sets.
typedef struct {
    const void *mark;  // distinguishes objects from other userdata
    int64_t tag;
    bool usable;
    bool shows_input;  // its fields of an input can be read
    memo memo;
} object;

// The object at an index; NULL: not an object.
object *lb_object_at(lua_State *L, int index);
extern const char lb_object_mark;
const char *lb_object_name(lua_State *L, int index);

#endif
