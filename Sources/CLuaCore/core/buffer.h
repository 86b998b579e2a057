// A growable block outside Lua's memory.

#ifndef LB_BUFFER_H
#define LB_BUFFER_H

#include "state.h"

bool buffer_grow(buffer *b, size_t more);
// Makes room for so many bytes more; false: out of memory.
static inline bool buffer_reserve(buffer *b, size_t more) {
    return b->capacity - b->length >= more || buffer_grow(b, more);
}
// Gives a large block back; called before a new use, so that one huge value is not kept for ever.
void buffer_shrink(buffer *b);
enum { KEPT_CAPACITY = 1 << 20 };
static inline void buffer_trim(buffer *b) {
    b->length = 0;
    if (b->capacity > KEPT_CAPACITY) buffer_shrink(b);
}

#endif
