#ifndef THREAD_STACK_H
#define THREAD_STACK_H

#include <stddef.h>

/// How many bytes the current thread's stack has left, or `SIZE_MAX` where nobody can tell.
///
/// Where a thread's stack ends is asked once a thread.
size_t stack_room(void);

#endif
