// Deadlines that cost nothing while a call runs: one thread periodically looks at the calls of the
// other threads, and signals a thread whose outermost call has run for too long. The signal
// handler, on that thread, sets the hook that stops Lua; another thread's setting it would race.
//
// A call stores a new serial number and does not read the clock. The watchdog records when it first
// sees a number, so a deadline comes up to two ticks late, but never early. It repeats the signal
// while the call runs, because a hook set at an unlucky moment can be lost.

#include "limits/limits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { SECOND = 1000000000, SHORTEST_TICK = 1000000, LONGEST_TICK = 10000000 };  // nanoseconds
enum { IDLE_TICKS = 50 };

#define NO_LIMIT UINT64_MAX

typedef struct slot {
    struct slot *next;
    pthread_t thread;
    int32_t number;           // the system's number of the thread; 0: not known
    _Atomic uint64_t serial;  // of the outermost running call; 0: none
    _Atomic uint64_t limit;   // nanoseconds, or NO_LIMIT
    _Atomic uint64_t fired;   // the serial number whose time is up
    uint64_t counter;         // the last serial number; used by the owner only
    uint64_t seen, since;     // used by the watchdog only
} slot;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static slot *slots;
static bool running, begun;
static atomic_bool awake;
static struct sigaction previous;

// The signal handler reads these, so access must not need a function call.
#if defined(__APPLE__)
#define HANDLER_LOCAL static _Thread_local
#else
#define HANDLER_LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))
#endif
HANDLER_LOCAL slot *own;
HANDLER_LOCAL lb_state *volatile active;  // the innermost state that runs on this thread

// Stops the interrupted call and all calls nested in it. False: none is interrupted.
static bool stop_interrupted(void) {
    lb_state *last = NULL;
    for (lb_state *b = active; b != NULL; b = b->limits.outer)
        if (lb_interrupt_is_due(b->limits.interrupt)) last = b;
    if (last == NULL) return false;
    for (lb_state *b = active; b != last; b = b->limits.outer)
        lb_budget_stop_by_signal(b, STOP_INTERRUPT);
    lb_budget_stop_by_signal(last, STOP_INTERRUPT);
    return true;
}

// For tests of what a host does about a call that never ends: with WORKFLOW_ENDLESS in the
// environment, a debug build does not enforce the time limit.
static bool is_endless;

static void on_signal(int number, siginfo_t *info, void *context) {
    slot *s = own;
    bool is_ours = stop_interrupted();
    uint64_t serial = s == NULL ? 0 : atomic_load_explicit(&s->serial, memory_order_relaxed);
    if (serial != 0 && atomic_load_explicit(&s->fired, memory_order_relaxed) == serial) {
        for (lb_state *b = active; b != NULL && !is_endless; b = b->limits.outer) {
            lb_budget_stop_by_signal(b, STOP_TIME);
            if (b->limits.watched) break;
        }
        is_ours = true;
    }
    if (is_ours) return;
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(number, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        previous.sa_handler(number);
}

uint64_t lb_watch_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

// Signals late threads. Returns the time until the next look; 0: no thread runs a call.
static uint64_t look(void) {
    uint64_t time = lb_watch_now(), tick = 0;
    for (slot *s = slots; s != NULL; s = s->next) {
        uint64_t serial = atomic_load_explicit(&s->serial, memory_order_acquire);
        if (serial == 0) continue;
        uint64_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
        if (s->seen != serial) {
            s->seen = serial;
            s->since = time;
        } else if (time - s->since >= limit) {
            atomic_store(&s->fired, serial);
            pthread_kill(s->thread, SIGURG);
        }
        uint64_t wanted = limit / 16;
        if (wanted < SHORTEST_TICK) wanted = SHORTEST_TICK;
        if (wanted > LONGEST_TICK) wanted = LONGEST_TICK;
        if (tick == 0 || wanted < tick) tick = wanted;
    }
    lb_interrupt_knock(SIGURG);
    return tick;
}

// Both ways ignore changes of the wall clock.
static void nap(uint64_t nanoseconds) {
#if defined(__APPLE__)
    struct timespec t = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
    pthread_cond_timedwait_relative_np(&wake, &mutex, &t);
#else
    uint64_t end = lb_watch_now() + nanoseconds;
    struct timespec t = {(time_t)(end / SECOND), (long)(end % SECOND)};
    pthread_cond_timedwait(&wake, &mutex, &t);
#endif
}

static bool make_wake(void) {
#if defined(__APPLE__)
    return pthread_cond_init(&wake, NULL) == 0;
#else
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) return false;
    bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
        && pthread_cond_init(&wake, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return made;
#endif
}

static void *watch(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    begun = true;
    pthread_cond_signal(&wake);
    for (int idle = 0;;) {
        uint64_t tick = look();
        idle = tick == 0 ? idle + 1 : 0;
        if (idle == IDLE_TICKS - 1) {
            // A thread that stored its number before it could see this is found by the next look.
            atomic_store(&awake, false);
        } else if (idle >= IDLE_TICKS) {
            while (!atomic_load(&awake)) pthread_cond_wait(&wake, &mutex);
            idle = 0;
            continue;
        } else if (idle == 0) {
            atomic_store(&awake, true);
        }
        nap(tick == 0 ? LONGEST_TICK : tick);
    }
    return NULL;
}

static void forget(void *pointer) {
    pthread_mutex_lock(&mutex);
    for (slot **s = &slots; *s != NULL; s = &(*s)->next) {
        if (*s != pointer) continue;
        *s = (*s)->next;
        break;
    }
    pthread_mutex_unlock(&mutex);
    own = NULL;
    free(pointer);
}

static void start(void) {
#if defined(DEBUG)
    is_endless = getenv("WORKFLOW_ENDLESS") != NULL;
#endif
    struct sigaction action = {.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    if (!make_wake() || pthread_key_create(&key, forget) != 0) return;
    if (sigaction(SIGURG, &action, &previous) != 0) return;

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    running = pthread_create(&thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!running) return;
    pthread_detach(thread);
    // A process that then restricts its system calls must not block those that start a thread.
    pthread_mutex_lock(&mutex);
    while (!begun) pthread_cond_wait(&wake, &mutex);
    pthread_mutex_unlock(&mutex);
}

static slot *make_slot(void) {
    slot *s = calloc(1, sizeof(slot));
    if (s == NULL) return NULL;
    s->thread = pthread_self();
#if defined(__linux__)
    s->number = (int32_t)syscall(SYS_gettid);
#endif
    if (pthread_setspecific(key, s) != 0) {
        free(s);
        return NULL;
    }
    // Dispatch blocks most signals on its worker threads.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    pthread_mutex_lock(&mutex);
    s->next = slots;
    slots = s;
    pthread_mutex_unlock(&mutex);
    return own = s;
}

bool lb_watch_start(void) {
    pthread_once(&once, start);
    return running;
}

uint64_t lb_watch_patient(const lb_state *b, uint64_t limit) {
    uint64_t patience = b->trace.patience;
    return patience > 1 && limit < NO_LIMIT / patience ? limit * patience : limit;
}

// Time spent on reporting lines does not count as the script's.
static uint64_t limit_of(const lb_state *b) {
    uint64_t limit = b->core.configuration.time_limit;
    return limit == 0 ? NO_LIMIT : lb_watch_patient(b, limit);
}

// Starts a deadline, unless the call runs within one: that of the state whose host function calls.
static void start_deadline(lb_state *b, slot *s) {
    uint64_t limit = limit_of(b);
    b->limits.displaced = atomic_load_explicit(&s->serial, memory_order_relaxed) != 0;
    if (b->limits.displaced) {
        bool has_own = limit != NO_LIMIT
            && atomic_load_explicit(&s->limit, memory_order_relaxed) == NO_LIMIT;
        if (!has_own) return;
        // The watchdog must never see the outer call with this one's limit.
        atomic_store_explicit(&s->serial, 0, memory_order_relaxed);
    }
    b->limits.watched = true;
    atomic_store_explicit(&s->limit, limit, memory_order_release);
    atomic_store_explicit(&s->serial, ++s->counter, memory_order_release);
}

bool lb_watch_begin(lb_state *b) {
    b->limits.outer = active;
    b->limits.watched = false;
    active = b;
    slot *s = own != NULL ? own : make_slot();
    if (s == NULL) return false;
    lb_interrupt_begin(b->limits.interrupt, &s->thread, s->number, limit_of(b));
    start_deadline(b, s);
    if (!atomic_load_explicit(&awake, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        atomic_store(&awake, true);
        pthread_cond_signal(&wake);
        pthread_mutex_unlock(&mutex);
    }
    return true;
}

void lb_watch_end(lb_state *b) {
    lb_interrupt_end(b->limits.interrupt);
    if (b->limits.watched) {
        if (b->limits.displaced) {
            atomic_store_explicit(&own->limit, NO_LIMIT, memory_order_relaxed);
            atomic_store_explicit(&own->serial, ++own->counter, memory_order_release);
        } else {
            atomic_store_explicit(&own->serial, 0, memory_order_release);
        }
    }
    b->limits.watched = false;
    active = b->limits.outer;
    b->limits.outer = NULL;
}

#if defined(SIGNALS_AT_ALLOCATIONS)

void lb_watch_strike(strike_kind kind) {
    slot *s = own;
    if (s == NULL) return;
    uint64_t serial = atomic_load_explicit(&s->serial, memory_order_relaxed);
    if (kind == STRIKE_LATE && serial != 0) atomic_store(&s->fired, serial);
    if (kind == STRIKE_INTERRUPT && active != NULL) lb_interrupt_stop(active->limits.interrupt);
    pthread_kill(s->thread, SIGURG);
}

void lb_watch_strike_any(uint64_t number) {
    pthread_mutex_lock(&mutex);
    uint64_t count = 0;
    for (const slot *s = slots; s != NULL; s = s->next) count++;
    const slot *s = slots;
    for (uint64_t i = count == 0 ? 0 : number % count; i > 0; i--) s = s->next;
    if (s != NULL) pthread_kill(s->thread, SIGURG);
    pthread_mutex_unlock(&mutex);
}

#endif
