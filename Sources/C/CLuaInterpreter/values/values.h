// Converts between Lua values and the encoding of plain values.

#ifndef LB_VALUES_H
#define LB_VALUES_H

#include "protection/protection.h"
#include "core/wire.h"

// The slots that encoding with Lua's functions needs for 128 nested containers.
enum { ENCODING_ROOM = 600 };

// A table that a script put into a state may also belong to another value: it may be in two places,
// or the script may keep it. So a table represents a state only as long as it contains exactly the
// tables that were made for it. A sum over their addresses, in any order, detects changes.
static inline void meet_table(lb_state *b, const void *table) {
    uint64_t mixed = (uint64_t)(uintptr_t)table;
    mixed = (mixed ^ mixed >> 7) * 0x9E3779B97F4A7C15u;
    b->values.met_tables += mixed ^ mixed >> 32;
}
// True if the tables that were met differ from those of the reference.
static inline bool met_strangers(lb_state *b, int32_t reference) {
    return reference < FIRST_REFERENCE || b->values.met_tables != *reference_tables(b, reference);
}

// MARK: encode.c
// Encodes the value on top of the main thread, nested in the `depth` tables in `ancestors`.
lb_issue_kind lb_encode_at(lb_state *b, const void **ancestors, int depth);

// MARK: convert.c
// Encodes the value on top of the main thread into b->values.encoding and leaves it on the stack.
// If a limit trips, the status is that of the limit. After any other failure the issue is set.
lb_status lb_encode_top(lb_state *b, lb_value *value);

// MARK: diagnose.c
// Sets the issue of the value on top of the main thread.
void lb_diagnose(lb_state *b, lb_issue_kind kind, const void **ancestors);

// MARK: decode.c
// [memory]
void lb_decode_push(lua_State *L, const void *bytes);
// Pushes a value if that cannot fail, on a Lua thread with room for it.
bool lb_decode_push_easily(lb_state *b, lua_State *L, const void *bytes);

#endif
