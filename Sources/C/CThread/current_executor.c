#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "current_executor.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

// In the Swift runtime since 6.2; weak, so that a program with an older runtime still loads.
__attribute__((weak, swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    void *identity, uintptr_t implementation, uint64_t flags);

bool workflow_current_executor_is(uintptr_t identity, uintptr_t implementation) {
    if (swift_task_isCurrentExecutorWithFlags == NULL) return false;
    // No flags: answer, do not assert.
    return swift_task_isCurrentExecutorWithFlags((void *)identity, implementation, 0);
}

__attribute__((swiftcall)) extern void *swift_task_getCurrent(void);

uintptr_t workflow_first_thread;

#ifdef __linux__
// Asking the system costs more than a small action.
__attribute__((constructor)) static void note_first_thread(void) {
    if (workflow_is_first_thread()) workflow_first_thread = current_thread();
}
#endif

bool workflow_is_first_thread(void) {
#ifdef __linux__
    return syscall(SYS_gettid) == getpid();
#else
    return pthread_main_np() != 0;
#endif
}

uintptr_t workflow_current_context(void) {
    void *task = swift_task_getCurrent();
    return task != NULL ? (uintptr_t)task : current_thread();
}
