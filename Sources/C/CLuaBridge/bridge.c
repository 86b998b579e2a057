// The functions of the bridge. Each works in this process or asks the state's process.

#include "CLuaBridge.h"
#include "client/client.h"
#include "core/describe_bytes.h"
#include "sandbox.h"
#include "trace/trace.h"

#if defined(__linux__)
#define FOR(state, isolated, own) ((state)->remote != NULL ? (isolated) : (own))
#else
#define FOR(state, isolated, own) (own)
#endif

#define STATE_FUNCTION(result, name, parameters, arguments, ...)                                   \
    result lb_##name parameters {                                                                  \
        return FOR(b, lb_client_##name arguments, lb_interpreter_##name arguments);                \
    }
STATE_OPERATIONS(STATE_FUNCTION)

#define CALL_FUNCTION(result, name, parameters, arguments, ...)                                    \
    result lb_##name parameters {                                                                  \
        return FOR(call->state, lb_client_##name arguments, lb_interpreter_##name arguments);      \
    }
CALL_OPERATIONS(CALL_FUNCTION)

size_t lb_describe(const void *encoding, char text[LB_LOCAL_SIZE]) {
    return lb_describe_encoded(encoding, text, LB_LOCAL_SIZE);
}

// MARK: Opening

#if defined(__linux__)

const char *lb_isolation_problem(void) { return lb_client_problem(); }

void lb_fork_processes(void) { lb_zygote_use(); }

static lb_status open_isolated(const lb_configuration *configuration, lb_state **state) {
    return lb_client_open(configuration, -1, state);
}

#else

const char *lb_isolation_problem(void) { return "this system has no wall for processes"; }

void lb_fork_processes(void) {}

static lb_status open_isolated(const lb_configuration *configuration, lb_state **state) {
    (void)configuration;
    *state = NULL;
    return LB_NO_ISOLATION;
}

#endif

lb_status lb_open(const lb_configuration *configuration, lb_state **state) {
    return configuration->isolated ? open_isolated(configuration, state)
                                   : lb_sandbox_open(configuration, state);
}

void lb_set_callbacks(
    lb_state *b, void *owner, lb_host_callback host, lb_print_callback print,
    lb_confirm_callback confirm) {
    b->core.owner = owner;
    b->core.confirm = confirm;
    b->core.host = host;
    b->core.print = print;
}

// MARK: The state's process

lb_status lb_restart(lb_state *b) { return FOR(b, lb_client_restart(b), LB_ABSENT); }

bool lb_is_gone(lb_state *b) { return FOR(b, lb_client_is_gone(b), false); }

void lb_abandon(lb_state *b, const char *reason) {
    FOR(b, (void)lb_client_lose(b, reason), (void)reason);
}

const char *lb_gone_reason(const lb_state *b) { return FOR(b, b->remote->reason, ""); }

uint32_t lb_generation(const lb_state *b) { return FOR(b, b->remote->generation, 0); }

int32_t lb_process(const lb_state *b) { return FOR(b, (int32_t)b->remote->child.number, 0); }

// MARK: Properties of a state

bool lb_reads_directly(const lb_state *b) { return b->values.read_directly != NULL; }

size_t lb_memory_in_use(const lb_state *b) { return b->limits.memory_in_use; }

size_t lb_memory_peak(const lb_state *b) { return b->limits.memory_peak; }

int32_t lb_depth(const lb_state *b) { return b->protection.depth; }

const lb_error *lb_last_error(const lb_state *b) { return &b->core.error; }

const lb_issue *lb_last_issue(const lb_state *b) { return &b->values.issue; }

bool lb_has_dead_functions(const lb_state *b) {
    return FOR(b, b->remote->dead_count > 0, b->objects.dead != NULL);
}

int32_t lb_call_count(const lb_call *call) { return call->count; }

// MARK: Drafts; between processes, states are always passed as values

bool lb_has_large(const lb_state *b, const void *encoding) {
    return FOR(b, false, lb_drafts_has_large(b, encoding));
}

lb_status lb_make_drafts(lb_state *b, const void *encoding, lb_drafts *drafts) {
    *drafts = (lb_drafts){0};
    return FOR(b, LB_ABSENT, lb_drafts_make(b, encoding, drafts));
}

lb_status lb_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table) {
    return FOR(b, LB_ABSENT, lb_drafts_remake_table(b, drafts, table));
}

lb_status lb_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change) {
    return FOR(
        b, LB_ABSENT,
        lb_interpreter_call_drafting(
            b, function, arguments, count, wants, drafts, writes, result, change));
}

lb_status lb_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value) {
    return FOR(b, LB_ABSENT, lb_drafts_encode_version(b, drafts, journals, count, value));
}

// MARK: Traces

lb_status lb_trace(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count) {
    return FOR(
        b, lb_client_trace(b, callback, told, patience, lines, count),
        lb_trace_begin(b, callback, told, patience, lines, count));
}

ptrdiff_t lb_moment_traced(const lb_moment *moment) { return moment->traced; }

bool lb_moment_is_return(const lb_moment *moment) { return moment->is_return; }

const void *lb_moment_thread(const lb_moment *moment) { return moment->thread; }

#define MOMENT_FUNCTION(result, name, parameters, arguments)                                       \
    result lb_moment_##name parameters {                                                           \
        return FOR(moment->state, lb_client_moment_##name arguments, lb_trace_##name arguments);   \
    }
MOMENT_OPERATIONS(MOMENT_FUNCTION)

void lb_trace_follow(lb_state *b, int32_t path, int32_t steps) {
    FOR(b, lb_client_trace_follow(b, path, steps), lb_trace_follow_path(b, path, steps));
}

lb_status lb_moment_copy(
    const lb_moment *moment, int32_t level, const lb_text *names, int32_t count,
    int32_t *references) {
    return FOR(moment->state, LB_ABSENT, lb_trace_copy(moment, level, names, count, references));
}

lb_status lb_moment_call(
    const lb_moment *moment, int32_t function, const lb_argument *arguments, int32_t count,
    uint64_t instructions, lb_variable *result) {
    return FOR(
        moment->state, LB_ABSENT,
        lb_trace_call(moment, function, arguments, count, instructions, result));
}

// MARK: Random numbers

void lb_random_state(const lb_state *b, uint64_t state[4]) {
    memcpy(state, b->sandbox.random, sizeof b->sandbox.random);
}

void lb_set_random_state(lb_state *b, const uint64_t state[4]) {
    memcpy(b->sandbox.random, state, sizeof b->sandbox.random);
    FOR(b, lb_client_set_random(b), (void)0);
}

// MARK: Functions without a state

uint64_t lb_random_next(uint64_t state[4]) { return lb_random_advance(state); }

const char *lb_lua_ident(void) { return lb_release_ident(); }

size_t lb_mark_length(const void *source, size_t length) {
    return lb_source_mark_length(source, length);
}

void lb_use_stack(size_t size) { lb_stack_use(size); }

lb_interrupt *lb_retain_interrupt(const lb_state *b) {
    return lb_interrupt_retain(b->limits.interrupt);
}

void lb_release_interrupt(lb_interrupt *i) { lb_interrupt_release(i); }

bool lb_interrupt_call(lb_interrupt *i) { return lb_interrupt_stop(i); }

void lb_lower_priority(int32_t thread) { lb_interrupt_lower_priority(thread); }

bool lb_interrupt_running(const lb_interrupt *i, lb_running *running) {
    return lb_interrupt_describe(i, running);
}

// MARK: For tests

#ifdef DEBUG
lb_status lb_try_forbidden(lb_state *b, uint32_t what) {
    return FOR(b, lb_client_try_forbidden(b, what), LB_ABSENT);
}

void lb_fail_allocation(lb_state *b, int64_t count, bool once) {
    b->limits.fails_allocation = count >= 0;
    b->limits.fails_once = once;
    b->limits.allocation_countdown = count;
}

int64_t lb_allocation_countdown(const lb_state *b) { return b->limits.allocation_countdown; }
#endif

#if defined(SIGNALS_AT_ALLOCATIONS)
void lb_signals(uint64_t seed, uint32_t places, uint32_t stops_of_256) {
    lb_signals_begin(seed, places, stops_of_256);
}
#endif
