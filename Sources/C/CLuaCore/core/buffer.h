// A growable block of memory outside Lua.

#ifndef LB_BUFFER_H
#define LB_BUFFER_H

#include "state.h"

// Moves the bytes to a block with room for more; false: out of memory.
bool lb_buffer_grow(buffer *b, size_t more);
// Makes room for more bytes; false: out of memory.
static inline bool buffer_reserve(buffer *b, size_t more) {
    return b->capacity - b->length >= more || lb_buffer_grow(b, more);
}
// Frees a large block. Called before each use, so that one huge value does not keep memory.
void lb_buffer_shrink(buffer *b);
enum { KEPT_CAPACITY = 1 << 20 };
static inline void buffer_trim(buffer *b) {
    b->length = 0;
    if (b->capacity > KEPT_CAPACITY) lb_buffer_shrink(b);
}

#endif
