// The state that all drafts of one table share, for the files of this folder.

#ifndef LB_DRAFTED_STATE_H
#define LB_DRAFTED_STATE_H

#include "drafts/drafts.h"

enum { STATE_LOG = 1, STATE_CACHE, STATE_ROOTS, STATE_NEW_TABLES, STATE_VALUES = STATE_NEW_TABLES };
enum { DRAFT_TABLE = VIEW_TABLE, DRAFT_STATE, DRAFT_VALUES = DRAFT_STATE };

enum { NEW_TABLE = 1, NEW_KEY, NEW_DEPTH, NEW_VALUE, NEW_PARTS = NEW_VALUE };

// The data that the drafts of one state share. Its user values:
//     log         the changes of the running call: table → (key → old value, and its old shape)
//     cache       table → its draft; a table that the script wrote in this call stands for itself
//     roots       number → the draft in the plain part of the state
//     new tables  where tables were written: table, key, depth, the written table, and so on
struct drafted_state {
    bool open;     // a call that may write is running
    bool retired;  // the state now has other tables
    bool whole;    // the writes alone do not show whether the state is plain
    bool moved;    // elements of a list were moved
    int32_t roots, new_tables;
    uint64_t round;         // of encoding the plain part
    uint64_t values, size;  // of the tables behind the drafts, encoded; lower bounds
};

// The shape of a table before a change: the length of a list, or one of these.
enum { SHAPE_EMPTY = 0, SHAPE_NAMES = -1, SHAPE_RECORD = -2 };

extern const char lb_draft_shape_key, lb_draft_nothing;

// Makes the draft of the table on top. [memory]
draft *lb_draft_make(lua_State *L, int state_index, uint32_t depth, uint32_t number);
// Lets Lua itself read from the table of the draft on top, which contains no tables. [memory]
void lb_draft_flatten(lua_State *L);
// Restores the shape of the table on top from an entry of the log, except for its fields.
void lb_draft_restore_mark(lua_State *L, lua_Integer shape);
// Restores the fields of the table at an index from the log's entry at another one. [memory]
void lb_draft_undo(lua_State *L, int table, int old);
// Encodes the plain part of the state on top of the main thread.
lb_issue_kind lb_draft_encode_plain(lb_state *b, drafted_state *s);

// The outcome of the writes to one table. See validate.c.
typedef struct {
    lb_state *b;
    drafted_state *s;
    lua_Integer length;  // of the list before the call, or the table's shape
    lua_Integer added, removed, largest, smallest;
    bool names, elements, whole;
} validation;
// Validates the table at an index, with its entry of the log at another. False: nothing changed.
bool lb_validate_table(lua_State *L, validation *v, int table, int old, uint64_t *entries);

#endif
