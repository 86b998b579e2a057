// Sends the watchdog's signal at the worst moments: at the entry and exit of allocations, right
// after a block was freed or moved, and at random moments of threads that run scripts.
//
// It is for tests: in builds with -DSIGNALS_AT_ALLOCATIONS, of Scripts/sanitize and Scripts/fuzz,
// if SIGNALS_SEED is in the environment. Other builds contain nothing of it. Most of the signals
// were not requested and must be harmless. As configured by lb_signals_begin, some belong to a call
// that is late or interrupted, which must then end.

#include "limits/limits.h"

#if defined(SIGNALS_AT_ALLOCATIONS)

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { INTERVAL = 40 };        // the signal arrives at one of so many places
enum { LONGEST_PAUSE = 300 };  // microseconds between two random moments

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_on;
static uint64_t seed;
static atomic_uint_fast64_t threads;

static _Thread_local uint64_t random_state;  // 0: not started
static _Thread_local uint32_t interval, stops;  // 0: none

// splitmix64: <https://prng.di.unimi.it/splitmix64.c>
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void *send_now_and_then(void *unused) {
    (void)unused;
    uint64_t state = ~seed;
    for (;;) {
        uint64_t number = next_random(&state);
        struct timespec pause = {0, (long)(1 + number % LONGEST_PAUSE) * 1000};
        nanosleep(&pause, NULL);
        lb_watch_strike_any(number >> 32);
    }
    return NULL;
}

static void begin(void) {
    const char *given = getenv("SIGNALS_SEED");
    if (given == NULL || *given == '\0') return;
    is_on = true;
    seed = strtoull(given, NULL, 10);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, send_now_and_then, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void lb_signals_strike(void) {
    if (random_state == 0) {
        pthread_once(&once, begin);
        random_state = seed + (atomic_fetch_add(&threads, 1) << 32) + 1;
        interval = is_on ? INTERVAL : 0;
    }
    if (interval == 0) return;
    uint64_t number = next_random(&random_state);
    if (number % interval != 0) return;
    bool stops_now = (number >> 32) % 256 < stops;
    bool is_late = (number >> 48) % 2 == 0;
    lb_watch_strike(!stops_now ? STRIKE_STRAY : is_late ? STRIKE_LATE : STRIKE_INTERRUPT);
}

void lb_signals_begin(uint64_t number, uint32_t places, uint32_t stops_of_256) {
    pthread_once(&once, begin);
    if (!is_on) return;
    random_state = number + 1;
    interval = places == 0 ? INTERVAL : places;
    stops = stops_of_256;
}

#endif
