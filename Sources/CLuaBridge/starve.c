// Ends what runs no instruction and calls none of our functions, so that no hook and no look at the time can.
//
// There is one such thing: what a script calls may be a table, whose __call may be a table, and so on. For each of
// them Lua moves all arguments by one, which with many of them takes long; there are up to a million, or it is the
// same one again. All that Lua does besides is to look whether the stack has room. So it is made to believe that there
// is none: it asks for memory, which it does not get, and raises an error.

#include "internal.h"
#include "layout.h"

// In how many looks, one after the other, the stack must have grown and nothing else happened: a function that pushes
// many values makes it grow too, but not for as long, and what Lua may do besides does not.
enum { LOOKS = 3 };

static void *refuse(void *state, void *block, size_t old_size, size_t new_size) {
    lb_state *b = state;
    starve_end(b);
    if (new_size <= (block == NULL ? 0 : old_size)) return lb_allocate(state, block, old_size, new_size);
    // Lua's wish for a stack, or else whatever comes first: it is time to stop in any case.
    allocation_refuse(b, block, new_size);
    return NULL;
}

void starve_look(lb_state *b) {
    lua_State *L = b->running;
    if (L == NULL || b->starved != NULL || !b->knows_layout) return;
    held_thread *t = (held_thread *)L;
    bool grows = b->looked_at == L && t->top > (const held *)b->seen_top;
    b->looks = grows ? b->looks + 1 : 0;
    b->looked_at = L;
    b->seen_top = t->top;
    if (b->looks < LOOKS) return;
    b->looks = 0;
    b->starved = L;
    b->stack_end = t->stack_end;
    // A collection would take the end for the true one, and leave what lies beyond as it is.
    lua_gc(L, LUA_GCSTOP);
    lua_setallocf(L, refuse, b);
    t->stack_end = t->stack;
}

void starve_end(lb_state *b) {
    lua_State *L = b->starved;
    b->looks = 0;
    if (L == NULL) return;
    ((held_thread *)L)->stack_end = b->stack_end;
    lua_setallocf(L, lb_allocate, b);
    lua_gc(L, LUA_GCRESTART);
    b->starved = NULL;
}
