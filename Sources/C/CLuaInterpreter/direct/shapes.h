// Encodes records with known keys without sorting them again.

#ifndef LB_SHAPES_H
#define LB_SHAPES_H

#include "direct/direct.h"
#include "direct/layout.h"

void lb_shapes_open(lb_state *b);  // [memory]; runs on the main thread
void lb_shapes_close(lb_state *b);
// The shape of a record with fields, and the places of their values; -1: unknown.
int lb_shape_find(const lb_state *b, const held_table *t, const held **values);
// Remembers a record that was just encoded, with the entries from `first` on and the keys in the
// order of `keys`. Lua may collect garbage.
void lb_shape_learn(lb_state *b, const void *const *keys, size_t start, size_t first);

#endif
