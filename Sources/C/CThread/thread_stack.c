#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "thread_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// The lowest address of the thread's stack, and the address above it.
struct bounds {
    bool are_known;
    uintptr_t low, high;
};

static struct bounds find_bounds(void) {
    struct bounds found = {.are_known = true, .low = 0, .high = 0};
#ifdef __APPLE__
    pthread_t thread = pthread_self();
    found.high = (uintptr_t)pthread_get_stackaddr_np(thread);
    found.low = found.high - pthread_get_stacksize_np(thread);
#else
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return found;
    void *start = NULL;
    size_t size = 0, guard = 0;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    found.low = (uintptr_t)start + guard;
    found.high = (uintptr_t)start + size;
#endif
    return found;
}

static const struct bounds *known_bounds(void) {
    static _Thread_local struct bounds bounds;
    if (!bounds.are_known) bounds = find_bounds();
    return &bounds;
}

uintptr_t workflow_stack_floor(size_t room) {
    const struct bounds *bounds = known_bounds();
    return bounds->high - bounds->low <= room ? bounds->high : bounds->low + room;
}

size_t workflow_stack_room(void) {
    const struct bounds *bounds = known_bounds();
    uintptr_t here = stack_here();
    // On another stack, for example in a signal handler.
    if (here < bounds->low || here >= bounds->high) return SIZE_MAX;
    return here - bounds->low;
}
