// Drafts: scripts get them for the large tables of a state. They record writes.

#ifndef LB_DRAFTS_H
#define LB_DRAFTS_H

#include "direct/direct.h"

typedef struct drafted_state drafted_state;

// MARK: drafts.c
void lb_drafts_open(lb_state *b);  // [memory]; runs on the main thread
// Replaces a table on top, found in a draft, by its own draft. [memory]
void lb_draft_wrap(lua_State *L, int index);
// Writes the value on top to a key, or to an index of a list. [raises]
void lb_draft_set(lua_State *L, int index, int key);
void lb_draft_set_element(lua_State *L, int index, lua_Integer i);
// Moves an element within its list and replaces the one there. [raises]
void lb_draft_move_element(lua_State *L, int index, lua_Integer from, lua_Integer to);
// Reorders the elements of a draft as in a list of them. [raises]
void lb_draft_permute(lua_State *L, int index, int list, lua_Integer length);

// MARK: history.c; none of these raises. See CLuaBridge.h.
bool lb_drafts_has_large(const lb_state *b, const void *encoding);
lb_status lb_drafts_make(lb_state *b, const void *encoding, lb_drafts *drafts);
lb_status lb_drafts_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table);
lb_status lb_drafts_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value);

// MARK: commit.c; none of these raises
// Prepares a call; `writes` lets it write to the drafts. Returns their shared state.
drafted_state *lb_drafts_begin(lb_state *b, const lb_drafts *drafts, bool writes);
// Accepts the changes of a successful call.
lb_status lb_drafts_commit(
    lb_state *b, const lb_drafts *drafts, drafted_state *s, lb_drafts_change *change);
// Ends the call, and undoes its changes if it failed.
void lb_drafts_end(
    lb_state *b, const lb_drafts *drafts, drafted_state *s, lb_status status,
    lb_drafts_change *change);

#endif
