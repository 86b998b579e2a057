// Between values of Lua and the encoding of plain values: values that come out and values that go
// in.

#ifndef LB_VALUES_H
#define LB_VALUES_H

#include "protection/protection.h"
#include "core/wire.h"

enum { ENCODING_ROOM = 600 };  // slots that encoding by Lua's functions takes, for 128 nested containers

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
