// What the files of drafts share.

#ifndef CLUABRIDGE_DRAFTS_H
#define CLUABRIDGE_DRAFTS_H

#include "internal.h"

#include <string.h>

enum { LEDGER_LOG = 1, LEDGER_CACHE, LEDGER_TOPS, LEDGER_FRESH, LEDGER_VALUES = LEDGER_FRESH };
enum { DRAFT_TABLE = 1, DRAFT_LEDGER, DRAFT_VALUES = DRAFT_LEDGER };

enum { FRESH_TABLE = 1, FRESH_KEY, FRESH_DEPTH, FRESH_VALUE, FRESH_PARTS = FRESH_VALUE };

// What the drafts of one state share. Its user values:
//   log    what the call under way has changed: table → (key → old value, and how the table was)
//   cache  table → its draft; a table that a script has written during this call stands for itself
//   tops   number → the draft that stands in the plain part of the state
//   fresh  where tables were written: table, key, depth, what was written, and so on
struct ledger {
    bool open;     // a call that may write is under way
    bool retired;  // the state has other tables by now
    bool whole;    // what was written cannot be judged by itself
    bool moved;    // elements of a list have other places
    int32_t tops, fresh;
    uint64_t round;  // of encoding the plain part
    uint64_t values, size;  // of the tables behind the drafts, encoded; at least
};

// Begins like a view.
typedef struct {
    size_t length;
    const void *metatable;  // that of drafts, or its own
    ledger *ledger;
    uint32_t depth;   // containers around it
    uint32_t number;  // among the tops; 0: inside one
    uint64_t round;
} draft;

// How a table was before it was changed: the length of a list, or one of these.
enum { SHAPE_EMPTY = 0, SHAPE_NAMES = -1, SHAPE_RECORD = -2 };

extern const char draft_shape_key, draft_nothing;

// Makes the draft of the table on top. [-1, +1, memory]
draft *draft_make(lua_State *L, int ledger_index, uint32_t depth, uint32_t number);
// Has Lua itself read from the table of the draft on top, in which there are no tables. [-0, +0, memory]
void draft_flatten(lua_State *L);
// Gives the table on top the shape that an entry of the log tells, as far as it is not in its fields.
void draft_restore_mark(lua_State *L, lua_Integer shape);
// Gives the table at an index the fields that the notes at another have. [-0, +0, memory]
void draft_undo(lua_State *L, int table, int notes);
// Runs a C function on the desk, whatever limit has tripped or would. [-0, +results or 0, never raises]
bool draft_run(lb_state *b, lua_CFunction body, void *context, int results);

// What the writes to one table come to. See judge.c.
typedef struct {
    lb_state *b;
    ledger *g;
    lua_Integer length;  // of a list before, or the table's shape
    lua_Integer added, removed, largest, smallest;
    bool names, elements, whole;
} judgement;
// The table is at one index, and what was written to it at another. False: nothing has changed.
// [-0, +0, never raises]
bool judge_table(lua_State *L, judgement *j, int table, int notes, uint64_t *entries);

#endif
