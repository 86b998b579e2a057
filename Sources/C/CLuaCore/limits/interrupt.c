// Interrupts: another thread, or a signal handler, stops a call before its deadline.
//
// An interrupt only records which call is meant. The watchdog sees this the next time it looks and
// signals the thread that runs the call, as for a call that is late. The record outlives the state
// and identifies a call by its number, so a late interrupt, or one for a closed state, is harmless.

#include "limits/limits.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/resource.h>
#endif

struct lb_interrupt {
    lb_interrupt *next, **link;         // in the list of all open states; under the mutex
    atomic_int owners;
    _Atomic(const pthread_t *) thread;  // the thread that runs the call
    _Atomic uint64_t call;              // the number of the outermost running call; 0: none
    _Atomic uint64_t stopped;           // the number of the call to stop
    _Atomic uint64_t limit;             // of the call, in nanoseconds; UINT64_MAX: none
    atomic_int thread_number;           // the system's number of the thread; 0: not known
    uint64_t counter;                   // the last number given out; used by the state only
    bool wakes;    // the call runs in another process, for which a thread waits
    int awakener;  // the descriptor that wakes that thread
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static lb_interrupt *interrupts;
static atomic_bool is_asked;  // whether any call may have to stop

lb_interrupt *lb_interrupt_open(void) {
    lb_interrupt *i = calloc(1, sizeof(lb_interrupt));
    if (i == NULL) return NULL;
    atomic_init(&i->owners, 1);
    pthread_mutex_lock(&mutex);
    i->next = interrupts;
    i->link = &interrupts;
    if (i->next != NULL) i->next->link = &i->next;
    interrupts = i;
    pthread_mutex_unlock(&mutex);
    return i;
}

lb_interrupt *lb_interrupt_open_waking(void) {
    lb_interrupt *i = calloc(1, sizeof(lb_interrupt));
    if (i == NULL) return NULL;
    atomic_init(&i->owners, 1);
    i->wakes = true;
#if defined(__linux__)
    i->awakener = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
#else
    i->awakener = -1;
#endif
    if (i->awakener >= 0) return i;
    free(i);
    return NULL;
}

int lb_interrupt_descriptor(const lb_interrupt *i) { return i->awakener; }

void lb_interrupt_close(lb_interrupt *i) {
    if (i == NULL) return;
    if (!i->wakes) {
        pthread_mutex_lock(&mutex);
        *i->link = i->next;
        if (i->next != NULL) i->next->link = i->link;
        pthread_mutex_unlock(&mutex);
    }
    lb_interrupt_release(i);
}

void lb_interrupt_begin(
    lb_interrupt *i, const pthread_t *thread, int32_t thread_number, uint64_t limit) {
    atomic_store_explicit(&i->thread, thread, memory_order_relaxed);
    atomic_store_explicit(&i->thread_number, thread_number, memory_order_release);
    atomic_store_explicit(&i->limit, limit, memory_order_release);
    atomic_store_explicit(&i->call, ++i->counter, memory_order_release);
}

void lb_interrupt_end(lb_interrupt *i) {
    atomic_store_explicit(&i->call, 0, memory_order_release);
}

bool lb_interrupt_describe(const lb_interrupt *i, lb_running *running) {
    running->call = atomic_load_explicit(&i->call, memory_order_acquire);
    running->limit = atomic_load_explicit(&i->limit, memory_order_acquire);
    running->thread = atomic_load_explicit(&i->thread_number, memory_order_acquire);
    // If these are of a later call, the number of this one is gone.
    return running->call != 0
        && atomic_load_explicit(&i->call, memory_order_relaxed) == running->call;
}

void lb_interrupt_lower_priority(int32_t thread) {
#if defined(__linux__)
    enum { LOWEST = 19 };
    setpriority(PRIO_PROCESS, (id_t)thread, LOWEST);
#else
    (void)thread;
#endif
}

bool lb_interrupt_is_due(const lb_interrupt *i) {
    uint64_t call = atomic_load_explicit(&i->call, memory_order_acquire);
    return call != 0 && atomic_load_explicit(&i->stopped, memory_order_acquire) == call;
}

void lb_interrupt_knock(int signal_number) {
    if (!atomic_load_explicit(&is_asked, memory_order_relaxed)) return;
    atomic_store(&is_asked, false);
    pthread_mutex_lock(&mutex);
    for (const lb_interrupt *i = interrupts; i != NULL; i = i->next) {
        if (!lb_interrupt_is_due(i)) continue;
        // A hook set at an unlucky moment can be lost, so the signal is repeated until the end.
        atomic_store(&is_asked, true);
        pthread_kill(*atomic_load(&i->thread), signal_number);
    }
    pthread_mutex_unlock(&mutex);
}

lb_interrupt *lb_interrupt_retain(lb_interrupt *i) {
    atomic_fetch_add(&i->owners, 1);
    return i;
}

void lb_interrupt_release(lb_interrupt *i) {
    if (atomic_fetch_sub(&i->owners, 1) != 1) return;
    if (i->wakes) close(i->awakener);
    free(i);
}

bool lb_interrupt_stop(lb_interrupt *i) {
    uint64_t call = atomic_load(&i->call);
    if (call == 0) return false;
    atomic_store(&i->stopped, call);
    if (i->wakes) {
        const uint64_t one = 1;
        int before = errno;
        while (write(i->awakener, &one, sizeof one) < 0 && errno == EINTR) {}
        errno = before;
    } else {
        atomic_store(&is_asked, true);
    }
    return true;
}
