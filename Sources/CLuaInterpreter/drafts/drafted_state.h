// The state that the drafts of one table share, for the files of drafts.

#ifndef LB_DRAFTED_STATE_H
#define LB_DRAFTED_STATE_H

#include "drafts/drafts.h"

enum { STATE_LOG = 1, STATE_CACHE, STATE_ROOTS, STATE_NEW_TABLES, STATE_VALUES = STATE_NEW_TABLES };
enum { DRAFT_TABLE = VIEW_TABLE, DRAFT_STATE, DRAFT_VALUES = DRAFT_STATE };

enum { NEW_TABLE = 1, NEW_KEY, NEW_DEPTH, NEW_VALUE, NEW_PARTS = NEW_VALUE };

// The things that the drafts of one state share. Its user values:
//   log         what the call under way has changed: table → (key → old value, and how the table was)
//   cache       table → its draft; a table that a script has written during this call stands for itself
//   roots       number → the draft that stands in the plain part of the state
//   new tables  where tables were written: table, key, depth, what was written, and so on
struct drafted_state {
    bool open;     // a call that may write is under way
    bool retired;  // the state has other tables by now
    bool whole;    // what was written cannot be told to be plain by itself
    bool moved;    // elements of a list have other places
    int32_t roots, new_tables;
    uint64_t round;         // of encoding the plain part
    uint64_t values, size;  // of the tables behind the drafts, encoded; at least
};

// The shape of a table before it was changed: the length of a list, or one of these.
enum { SHAPE_EMPTY = 0, SHAPE_NAMES = -1, SHAPE_RECORD = -2 };

extern const char draft_shape_key, draft_nothing;

// Makes the draft of the table on top. [-1, +1, memory]
draft *draft_make(lua_State *L, int state_index, uint32_t depth, uint32_t number);
// Has Lua itself read from the table of the draft on top, in which there are no tables. [-0, +0,
// memory]
void draft_flatten(lua_State *L);
// Gives the table on top the shape that an entry of the log tells, as far as it is not in its
// fields.
void draft_restore_mark(lua_State *L, lua_Integer shape);
// Gives the table at an index the fields that an entry of the log at another has. [-0, +0, memory]
void draft_undo(lua_State *L, int table, int old);

// The outcome of the writes to one table. See validate.c.
typedef struct {
    lb_state *b;
    drafted_state *s;
    lua_Integer length;  // of a list before, or the table's shape
    lua_Integer added, removed, largest, smallest;
    bool names, elements, whole;
} validation;
// The table is at one index, and its entry of the log at another. False: nothing has changed.
// [-0, +0, never raises]
bool validate_table(lua_State *L, validation *v, int table, int old, uint64_t *entries);

#endif
