#ifndef CURRENT_EXECUTOR_H
#define CURRENT_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

/// Whether the code that calls this runs on a serial executor, given as the two words of a Swift
/// `UnownedSerialExecutor`. Never traps; an executor that cannot tell counts as "no".
///
/// Swift's own `isIsolatingCurrentContext()` cannot be asked of an actor without an executor of its
/// own, so this asks the function of the runtime that stands behind `assumeIsolated`.
bool current_executor_is(uintptr_t identity, uintptr_t implementation);

/// The address of the current task, or outside of tasks the number of the thread; to be compared, never used.
///
/// The same as Swift's `withUnsafeCurrentTask` tells, which makes generic copies of what it hands out.
uintptr_t current_context(void);

/// The number of the thread; to be compared, never used.
uintptr_t current_thread(void);

/// Whether this is the thread with which the process began. The main queue may run elsewhere.
bool is_main_thread(void);

#endif
