// Protected operations, references for the host, and the Lua threads of calls.

#ifndef LB_PROTECTION_H
#define LB_PROTECTION_H

#include "limits/limits.h"

// MARK: protect.c
// Runs a C function on the main thread under lua_pcall, with `context` as its light userdata
// argument. Leaves its `results` on the stack.
lb_status lb_protect(lb_state *b, lua_CFunction body, void *context, int results);
// Like lb_protect, without a message handler and regardless of limits.
bool lb_protect_privileged(lb_state *b, lua_CFunction body, void *context, int results);
// The status for a result of lua_pcall. Pops an error value from L.
lb_status lb_protect_status(lb_state *b, lua_State *L, int code);
// Must be called at the end of every operation that may have tripped a limit outside a call.
void lb_protect_finish(lb_state *b);

// MARK: references.c
// Ensures that `count` calls of lb_reference_take succeed. [memory]; runs on the main thread.
void lb_reference_reserve(lb_state *b, int32_t count);
// Reserves under protection.
lb_status lb_reference_prepare(lb_state *b);
// Takes the value on top of L. Needs a reserved reference.
int32_t lb_reference_take(lb_state *b, lua_State *L);
// Needs a free slot of L.
static inline void reference_push(lua_State *L, int32_t reference) {
    STACK(L, +1, nothing);
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}
// Frees a reference for reuse. One of the bridge's own stays.
void lb_reference_release(lb_state *b, int32_t reference);
// Identifies the tables in a reference; whoever takes the reference sets it.
static inline uint64_t *reference_tables(lb_state *b, int32_t reference) {
    return &b->protection.reference_tables[reference - FIRST_REFERENCE];
}
// Runs a C function under protection and refers to its result.
lb_status lb_reference_make(lb_state *b, lua_CFunction body, void *context, int32_t *reference);

// MARK: call_threads.c
// Makes the Lua thread for the next level of calls; NULL: out of memory.
lua_State *lb_call_thread_make(lb_state *b, lb_status *status);
static inline lua_State *call_thread(lb_state *b, lb_status *status) {
    const protection_state *p = &b->protection;
    return p->depth < p->thread_count ? p->threads[p->depth] : lb_call_thread_make(b, status);
}

#endif
