#include "current_executor.h"

#include <stddef.h>

// In the Swift runtime since 6.2; declared weak so that a program for an older one still loads.
__attribute__((weak, swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    void *identity, uintptr_t implementation, uint64_t flags);

bool current_executor_is(uintptr_t identity, uintptr_t implementation) {
    if (swift_task_isCurrentExecutorWithFlags == NULL) return false;
    // No flags: answer, do not assert.
    return swift_task_isCurrentExecutorWithFlags((void *)identity, implementation, 0);
}
