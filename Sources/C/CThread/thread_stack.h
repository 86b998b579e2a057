#ifndef THREAD_STACK_H
#define THREAD_STACK_H

#include <stddef.h>
#include <stdint.h>

/// The remaining bytes of the current thread's stack, or `SIZE_MAX` if unknown.
///
/// The bounds are queried once per thread.
size_t workflow_stack_room(void);

/// The address below which fewer than these bytes remain of this thread's stack; 0 if unknown.
uintptr_t workflow_stack_floor(size_t room);

/// The address of the frame of the calling function.
static inline uintptr_t stack_here(void) { return (uintptr_t)__builtin_frame_address(0); }

#endif
