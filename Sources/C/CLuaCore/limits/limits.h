// Limits of time, memory, instructions and nesting, whose errors scripts cannot swallow.

#ifndef LB_LIMITS_H
#define LB_LIMITS_H

#include "core/core.h"
#include "thread_stack.h"

#include <pthread.h>

// MARK: budget.c
enum { THREAD_STEPS = 100 };  // the charge for entering a Lua thread, since each counts from 0
void lb_budget_clear(lb_state *b);                // clears the stop and removes all hooks
void lb_budget_arm(lb_state *b, lua_State *L);    // sets the hook that L needs now
void lb_budget_enter(lb_state *b, lua_State *L);  // a call is about to start on L
void lb_budget_resume(lb_state *b, lua_State *L);  // a coroutine is about to continue
// Has L report its lines, and the returns of functions, or not, for a trace of selected lines.
void lb_budget_tell_lines(lb_state *b, lua_State *L, bool tells, bool returns);
// Marks a limit as tripped and sets the running thread's hook. Safe in a signal handler.
void lb_budget_stop(lb_state *b, stop_reason reason);
// Like lb_budget_stop, by a signal that is repeated until the call has ended. Safe in its handler.
void lb_budget_stop_by_signal(lb_state *b, stop_reason reason);
lb_status lb_budget_status(const lb_state *b);
// A limit of instructions for a call within another one, and the one that it is in place of.
typedef struct {
    uint64_t limit, left;
} instruction_budget;
// Sets the limit, unless the present one is lower.
void lb_budget_allow(lb_state *b, uint64_t instructions, instruction_budget *outer);
// Ends it. If it tripped, the call around goes on, with the hooks of the present trace.
void lb_budget_return(lb_state *b, const instruction_budget *outer);
// [raises if a limit has tripped]
void lb_budget_check(lb_state *b, lua_State *L);
// Charges work done in C as instructions, and checks the limits.
// [raises if a limit has tripped]
void lb_budget_charge(lb_state *b, lua_State *L, uint64_t steps);
// Captures the place where a limit tripped, once.
void lb_budget_capture(lb_state *b, lua_State *L, bool whole);
int lb_budget_raise(lb_state *b, lua_State *L);  // never returns
// Stops a call for too deep nesting. [never returns]
int lb_budget_raise_depth(lb_state *b, lua_State *L);
// The check of the limits in every function that scripts can call.
// [raises if a limit has tripped]
static inline void budget_look(lua_State *L) {
    STACK(L, 0, anything);
    lb_state *b = state_of(L);
    if (b->limits.stop || b->core.configuration.instruction_limit != 0) lb_budget_charge(b, L, 1);
}
// The check in a loop over `i` whose body is short. [raises if a limit has tripped]
enum { LOOK_AT = 1 << 16 };
static inline void budget_look_at(lua_State *L, size_t i) {
    STACK(L, 0, anything);
    if (i % LOOK_AT == LOOK_AT - 1) lb_budget_charge(state_of(L), L, LOOK_AT / 64);
}

// MARK: sentences.c
enum { SENTENCE_SIZE = 160 };
void lb_budget_say(const lb_state *b, stop_reason stop, char *text, size_t size);

// MARK: outermost.c
void lb_outermost_begin(lb_state *b);  // an outermost call starts
void lb_outermost_end(lb_state *b);    // and ends

// MARK: watchdog.c
bool lb_watch_start(void);  // false: the watchdog could not be started
bool lb_watch_begin(lb_state *b);
void lb_watch_end(lb_state *b);
uint64_t lb_watch_now(void);  // nanoseconds on a clock that never jumps
// A limit of a call, times the patience of the trace that reports its lines.
uint64_t lb_watch_patient(const lb_state *b, uint64_t limit);

// MARK: signals.c
#if defined(SIGNALS_AT_ALLOCATIONS)
typedef enum { STRIKE_STRAY, STRIKE_LATE, STRIKE_INTERRUPT } strike_kind;
void lb_signals_strike(void);               // sends a signal now, at random
void lb_signals_begin(uint64_t seed, uint32_t places, uint32_t stops_of_256);
void lb_watch_strike(strike_kind kind);     // sends the signal to this thread
void lb_watch_strike_any(uint64_t number);  // sends it to one of the threads that run scripts
#else
static inline void lb_signals_strike(void) {}
#endif

// MARK: interrupt.c
lb_interrupt *lb_interrupt_open(void);  // NULL: out of memory
// An interrupt that wakes a thread waiting for a descriptor.
lb_interrupt *lb_interrupt_open_waking(void);
int lb_interrupt_descriptor(const lb_interrupt *i);
void lb_interrupt_close(lb_interrupt *i);
lb_interrupt *lb_interrupt_retain(lb_interrupt *i);
void lb_interrupt_release(lb_interrupt *i);
// Stops the running call; false: no call is running. Safe in a signal handler.
bool lb_interrupt_stop(lb_interrupt *i);
// The thread must not end before lb_interrupt_knock can know about it. `limit` is in nanoseconds;
// UINT64_MAX: none.
void lb_interrupt_begin(
    lb_interrupt *i, const pthread_t *thread, int32_t thread_number, uint64_t limit);
void lb_interrupt_end(lb_interrupt *i);
// Describes the running call; false: none is running.
bool lb_interrupt_describe(const lb_interrupt *i, lb_running *running);
// The thread should not end meanwhile; if it does, its number is not in use again yet.
void lb_interrupt_lower_priority(int32_t thread);
// True if the running call must stop. Safe in a signal handler.
bool lb_interrupt_is_due(const lb_interrupt *i);
// Signals the threads whose calls must stop. No thread may be unregistered meanwhile.
void lb_interrupt_knock(int signal_number);

// MARK: allocator.c
void *lb_allocator_resize(
    void *state, void *block, size_t old_size, size_t new_size);  // a lua_Alloc
// True if making a table with a few fields cannot fail now.
bool lb_is_table_sure(const lb_state *b, uint32_t count);
void lb_measure_tables(lb_state *b);  // [memory]

// MARK: pool.c
// Like realloc: on failure the block is unchanged.
void *lb_pool_resize(pool *p, void *block, size_t old_size, size_t new_size);
// True if a block that could not be shrunk may stay where it is.
bool lb_pool_may_stay(size_t old_size, size_t new_size);
void lb_pool_close(pool *p);  // after all blocks were given back

// MARK: stack.c
void lb_stack_use(size_t size);  // makes the stacks of later threads at least so large
bool lb_stack_is_short(void);
// For C functions that call back with large frames: stops the call on a nearly full stack. [raises]
void lb_require_stack(lua_State *L);

#endif
