#ifndef CURRENT_EXECUTOR_H
#define CURRENT_EXECUTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// True if the calling code runs on a serial executor, given as the two words of a Swift
/// `UnownedSerialExecutor`. Never traps; an executor that cannot tell counts as "no".
///
/// Swift's `isIsolatingCurrentContext()` does not support actors without an executor of their own,
/// so this calls the runtime function behind `assumeIsolated`.
bool workflow_current_executor_is(uintptr_t identity, uintptr_t implementation);

/// The address of the task, or outside of tasks the number of the thread. Only for comparison.
///
/// Swift's `withUnsafeCurrentTask` gives the same address, but copies the task generically.
uintptr_t workflow_current_context(void);

/// The number of the first thread of the process; 0 if it is not known.
extern uintptr_t workflow_first_thread;

/// True on the first thread of the process; asked where its number is not known.
bool workflow_is_first_thread(void);

/// The number of the thread. Only for comparison.
static inline uintptr_t current_thread(void) { return (uintptr_t)pthread_self(); }

/// True on the first thread of the process. The main queue may run on another one.
static inline bool is_main_thread(void) {
    return workflow_first_thread != 0 ? current_thread() == workflow_first_thread
                                      : workflow_is_first_thread();
}

#endif
