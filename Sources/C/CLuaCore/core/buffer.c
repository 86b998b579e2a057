// A growable block of memory outside Lua.

#include "core/buffer.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

bool lb_buffer_grow(buffer *b, size_t more) {
    size_t wanted = b->length + more, capacity = b->capacity == 0 ? FIRST_CAPACITY : b->capacity;
    while (capacity < wanted) capacity *= 2;
    unsigned char *bytes = realloc(b->bytes, capacity);
    if (bytes == NULL) return false;
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

void lb_buffer_shrink(buffer *b) {
    free(b->bytes);
    *b = (buffer){NULL, 0, 0};
}
