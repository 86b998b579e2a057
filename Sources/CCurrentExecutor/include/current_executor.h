#ifndef CURRENT_EXECUTOR_H
#define CURRENT_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

/// Whether the calling code runs on a serial executor, given as the two words of a Swift `UnownedSerialExecutor`. Never
/// traps; an executor that cannot tell counts as "no".
///
/// Swift's `isIsolatingCurrentContext()` does not support actors without an executor of their own, so this calls the
/// runtime function behind `assumeIsolated`.
bool current_executor_is(uintptr_t identity, uintptr_t implementation);

/// The address of the current task, or outside of tasks the number of the thread. Only for comparison.
///
/// Swift's `withUnsafeCurrentTask` gives the same address, but copies the task generically.
uintptr_t current_context(void);

/// The number of the thread. Only for comparison.
uintptr_t current_thread(void);

/// Whether this is the first thread of the process. The main queue may run on another one.
bool is_main_thread(void);

#endif
