// The host's records of an isolated state's references and host functions.
//
// The host chooses the numbers of references, so the process cannot report a wrong one.

#include "client/client.h"

#if defined(__linux__)

#include <stdlib.h>

static bool grow(void **block, int32_t *capacity, int32_t wanted, size_t size) {
    int32_t more = *capacity == 0 ? 64 : *capacity;
    while (more < wanted) {
        if (more > INT32_MAX / 4) return false;
        more *= 2;
    }
    if (more <= *capacity) return true;
    void *grown = realloc(*block, (size_t)more * size);
    if (grown == NULL) return false;
    memset((char *)grown + (size_t)*capacity * size, 0, (size_t)(more - *capacity) * size);
    *block = grown;
    *capacity = more;
    return true;
}

// MARK: References

bool lb_slots_reserve(remote *r, int32_t count) {
    int32_t wanted;
    if (__builtin_add_overflow(r->top, count + 1, &wanted) || r->base > INT32_MAX - wanted)
        return false;
    return grow((void **)&r->slots, &r->capacity, wanted, sizeof(remote_slot));
}

int32_t lb_slot_reserve(remote *r) {
    int32_t slot = r->first_free;
    if (slot == 0) return lb_slots_reserve(r, 1) ? ++r->top : 0;
    r->first_free = r->slots[slot].next_free;
    return slot;
}

void lb_slot_give_back(remote *r, int32_t slot) {
    if (slot < 1 || slot > r->top) return;
    r->slots[slot] = (remote_slot){.next_free = r->first_free};
    r->first_free = slot;
}

int32_t lb_slot_of(const remote *r, int32_t reference) {
    int32_t slot = reference - r->base;
    return reference > r->base && slot <= r->top && r->slots[slot].held ? slot : 0;
}

int32_t lb_slot_take(remote *r, int32_t slot, lb_type type, const void *identity) {
    r->slots[slot] = (remote_slot){type, identity, true, 0};
    return r->base + slot;
}

void lb_slots_forget(remote *r) {
    r->base += r->top;
    r->top = r->first_free = r->dead_count = 0;
    if (r->capacity > 0) memset(r->slots, 0, (size_t)r->capacity * sizeof(remote_slot));
    if (r->alive_capacity > 0) memset(r->alive, 0, (size_t)r->alive_capacity * sizeof(bool));
}

// MARK: Functions

bool lb_functions_has(const remote *r, int32_t function) {
    return function >= 0 && function < r->alive_capacity && r->alive[function];
}

bool lb_functions_add(remote *r, int32_t function) {
    if (function < 0 || function == INT32_MAX) return false;
    if (!grow((void **)&r->alive, &r->alive_capacity, function + 1, sizeof(bool))) return false;
    r->alive[function] = true;
    return true;
}

bool lb_functions_end(remote *r, int32_t function) {
    if (!lb_functions_has(r, function)) return false;
    if (!grow((void **)&r->dead, &r->dead_capacity, r->dead_count + 1, sizeof(int32_t)))
        return false;
    r->alive[function] = false;
    r->dead[r->dead_count++] = function;
    return true;
}

#endif
