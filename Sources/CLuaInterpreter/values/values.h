// Between values of Lua and the encoding of plain values: values that come out and values that go
// in.

#ifndef LB_VALUES_H
#define LB_VALUES_H

#include "protection/protection.h"
#include "core/wire.h"

enum { ENCODING_ROOM = 600 };  // slots that encoding by Lua's functions takes, for 128 nested containers

// A table that a script put into a state may be another one's as well: it may stand in two places,
// or be kept by the script. So a table goes on standing for a state only while all tables in it are
// those that were made for it. That is told by a sum over their addresses, in any order.
static inline void meet_table(lb_state *b, const void *table) {
    uint64_t mixed = (uint64_t)(uintptr_t)table;
    mixed = (mixed ^ mixed >> 7) * 0x9E3779B97F4A7C15u;
    b->values.met_tables += mixed ^ mixed >> 32;
}
// True if the tables that were met are not those of the reference.
static inline bool met_strangers(lb_state *b, int32_t reference) {
    return reference < FIRST_REFERENCE || b->values.met_tables != *reference_tables(b, reference);
}

// MARK: encode.c
// Encodes what is on top of the main thread as part of the `depth` tables in `ancestors`.
lb_issue_kind encode_at(lb_state *b, const void **ancestors, int depth);

// MARK: convert.c
// Encodes the value on top of the main thread into b->values.encoding; it stays there. When a limit trips meanwhile,
// the status is that of the limit; on any other failure the issue is set.
lb_status encode_top(lb_state *b, lb_value *value);

// MARK: diagnose.c
// Sets the issue of the value on top of the main thread.
void diagnose(lb_state *b, lb_issue_kind kind, const void **ancestors);

// MARK: decode.c
// [-0, +1, memory]
void decode_push(lua_State *L, const void *bytes);
// Pushes a value if that is sure to succeed, on a Lua thread with room for it. [-0, +1 or 0, never
// raises]
bool decode_push_easily(lb_state *b, lua_State *L, const void *bytes);

#endif
