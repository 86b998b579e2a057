#ifndef THREAD_STACK_H
#define THREAD_STACK_H

#include <stddef.h>

/// The remaining bytes of the current thread's stack, or `SIZE_MAX` if unknown.
///
/// The bounds are queried once per thread.
size_t stack_room(void);

#endif
