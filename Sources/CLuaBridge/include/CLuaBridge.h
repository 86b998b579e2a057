// The bridge between Swift and Lua 5.4: every call that may raise or allocate in Lua, behind plain
// C functions that return a status. Nothing here raises; no Lua type is visible.
//
// A Lua error is a longjmp, and a longjmp must never cross a Swift frame. So Swift calls only the
// functions below, each of which runs whatever may raise under lua_pcall. A C function that Lua
// calls may call Swift through a pointer; Swift returns a status, and the bridge raises after that.
//
// An lb_state is used by one thread at a time.

#ifndef CLUABRIDGE_H
#define CLUABRIDGE_H

#include "lb_types.h"

// MARK: Making and closing

lb_status lb_open(const lb_configuration *configuration, lb_state **state);
void lb_close(lb_state *b);
void lb_set_callbacks(
    lb_state *b, void *owner, lb_host_callback host, lb_print_callback print,
    lb_confirm_callback confirm);

// An isolated state whose process has ended refuses everything with LB_GONE until it is given
// another process. References and host functions of the one before are then forgotten; math.random
// goes on.
lb_status lb_restart(lb_state *b);
// Finds out whether the process is there still.
bool lb_is_gone(lb_state *b);
// Ends it, for this reason.
void lb_abandon(lb_state *b, const char *reason);
// Half a sentence.
const char *lb_gone_reason(const lb_state *b);
const char *lb_isolation_problem(void);
// From now on, has the processes of isolated states forked from one that has started already, where
// that is possible; the others are started as before.
void lb_fork_processes(void);
// The number of the process among those that the state has had; 0: it is not isolated.
uint32_t lb_generation(const lb_state *b);
// The process id; 0: there is none.
int32_t lb_process(const lb_state *b);
// For tests: an isolated state whose process the caller plays at the other end of a socket, which
// is the state's from now on.
lb_status lb_open_at(const lb_configuration *configuration, int socket, lb_state **state);
// For tests: has the process do something that it may not.
lb_status lb_try_forbidden(lb_state *b, uint32_t what);

// True if tables are read where Lua keeps them; else by its functions.
bool lb_reads_directly(const lb_state *b);

size_t lb_memory_in_use(const lb_state *b);
// The most that was ever in use, if that was more than the limit; 0: the limit was never passed.
size_t lb_memory_peak(const lb_state *b);
void lb_collect_garbage(lb_state *b);

// For tests: after `count` further allocations one fails (also when Lua collects and tries it
// again), or all fail until this is called again. A negative count: none does. The countdown tells
// how many are left.
void lb_fail_allocation(lb_state *b, int64_t count, bool once);
int64_t lb_allocation_countdown(const lb_state *b);

// A value in few characters, as the locals of an error are told. Returns their number.
size_t lb_describe(const void *encoding, char text[LB_LOCAL_SIZE]);

// MARK: References

// A reference is a positive number that keeps a Lua value. lb_release never fails.
void lb_release(lb_state *b, int32_t reference);
lb_status lb_retain(lb_state *b, int32_t reference, int32_t *copy);
lb_type lb_reference_type(lb_state *b, int32_t reference);
const void *lb_reference_identity(lb_state *b, int32_t reference);

// MARK: Values that go in

lb_status lb_make_reference(lb_state *b, const lb_argument *value, int32_t *reference);
lb_status lb_make_record(lb_state *b, int32_t *reference);

// MARK: Values that come out

lb_status lb_encode(lb_state *b, int32_t reference, lb_value *value);

// MARK: Signals

#if defined(SIGNALS_AT_ALLOCATIONS)
// Begins the signals of this thread anew: see signals.c. One arrives at about one of so many
// places, and so many of 256 of them stop the call that is under way.
void lb_signals(uint64_t seed, uint32_t places, uint32_t stops_of_256);
#endif

// MARK: Release

// The name that the loaded library of Lua gives itself; NULL: none.
const char *lb_lua_ident(void);

// MARK: Loading and calling

// The length of the byte order mark that a source text begins with; 0: there is none.
size_t lb_mark_length(const void *source, size_t length);

// A byte order mark is skipped, and so is a first line that begins with '#'.
lb_status lb_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference);

lb_status lb_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result);

// Calls a function whose first argument is a reference to a table, which it may change; `changed`
// is then the table's encoding, or of type nil if that is still the old one.
lb_status lb_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed);

int32_t lb_depth(const lb_state *b);

// MARK: Errors

const lb_error *lb_last_error(const lb_state *b);
const lb_issue *lb_last_issue(const lb_state *b);

// MARK: Tables and functions

lb_status lb_get_field(
    lb_state *b, int32_t table, const void *name, size_t length, lb_value *value);
lb_status lb_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value);
lb_status lb_set_global(
    lb_state *b, const void *name, size_t length, const lb_argument *value);

// The fields of a table, raw and in no order: begin, next until LB_ABSENT or a failure, end.
// No other function of the bridge may be called between begin and end.
lb_status lb_fields_begin(lb_state *b, int32_t table);
lb_status lb_fields_next(lb_state *b, lb_value *key, lb_value *value);
void lb_fields_end(lb_state *b);

// The place where a function was defined. LB_ABSENT if it is no Lua function.
lb_status lb_function_location(lb_state *b, int32_t function, lb_location *location);

// MARK: Host functions

// A function that remembers: see lb_remember.
lb_status lb_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference);

// True if lb_take_dead_function has one to give.
bool lb_has_dead_functions(const lb_state *b);

// Takes one function number that Lua does not refer to any more. False: there is none.
bool lb_take_dead_function(lb_state *b, int32_t *function);

int32_t lb_call_count(const lb_call *call);
lb_type lb_call_type(const lb_call *call, int32_t index);
const void *lb_call_identity(const lb_call *call, int32_t index);
// A scalar as it is, a type alone otherwise.
void lb_call_scalar(const lb_call *call, int32_t index, lb_value *value);
lb_status lb_call_reference(const lb_call *call, int32_t index, int32_t *reference);
lb_status lb_call_encode(const lb_call *call, int32_t index, lb_value *value);
lb_status lb_call_field(
    const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value);
lb_status lb_call_fields_begin(const lb_call *call, int32_t index);
// The tag of an object. False: the argument is none.
bool lb_call_object(const lb_call *call, int32_t index, int64_t *tag);
bool lb_call_location(const lb_call *call, lb_location *location);
lb_status lb_reply(lb_call *call, const lb_argument *value);
void lb_reply_error(lb_call *call, const void *message, size_t length);

// Remembers the reply to a call whose first argument is an object, as a reference; 0: only where
// the call stands. When the object gets the call at the same place in the order of its calls once
// more, with the same second argument and equal plain values for the third and fourth, and the
// confirm callback agrees, then that is the reply, and the function does not run.
lb_status lb_remember(lb_call *call, int64_t token, int32_t reply);
// The place of the call that was remembered under this token, before this one.
bool lb_remembered_location(const lb_call *call, int64_t token, lb_location *location);
// The order begins anew.
void lb_object_recall(lb_state *b, int32_t object);

// MARK: Views

// A read-only view of a table. With `encoding`, these bytes stand for it when it is encoded; with 0
// as the table they are all there is. LB_ABSENT if the reference is to something else.
lb_status lb_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference);

// MARK: Drafts

// True if an encoded value has tables that are to be drafts.
bool lb_has_large(const lb_state *b, const void *encoding);

// Makes a state of an encoded value; `plain` stays valid until the next call of the bridge.
lb_status lb_make_drafts(lb_state *b, const void *encoding, lb_drafts *drafts);
// Makes the state's table anew from its plain part.
lb_status lb_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table);

// Calls a function that gets the state's table. If it fails, the drafts are as before, but the
// table may not be; with LB_DRAFTS_WHOLE they are of no more use.
lb_status lb_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change);

// The value of a state that had this plain part, before the changes in these journals, oldest
// first. Fails only if the machine has no memory.
lb_status lb_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value);

// MARK: Objects

// A kind of object: its name, and the methods that all of them share.
lb_status lb_make_object_type(
    lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference);
lb_status lb_make_object(lb_state *b, int32_t object_type, int64_t tag, int32_t *reference);
lb_status lb_object_set(
    lb_state *b, int32_t object, const void *name, size_t length, const lb_argument *value);
// An object that is not usable raises an error when it is read.
void lb_object_set_usable(lb_state *b, int32_t object, bool usable);

// MARK: Traces

// Has the callback told of each of these lines that a script gets to, in calls that begin from now
// on; NULL: of all lines. They are in the order of their numbers, each is there once, and they are
// used until the next trace. Without a callback nothing is told. LB_ABSENT: the scripts run in a
// process of their own.
lb_status lb_trace(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count);

// Which of the lines that were given this is; -1: none were.
ptrdiff_t lb_moment_traced(const lb_moment *moment);

// The number of calls that are under way: in this Lua thread, and in those that wait for it if `all`.
int32_t lb_moment_depth(const lb_moment *moment, bool all);
// The call at a level, from the innermost one, 0, on, through all these Lua threads. False: there are
// not so many.
bool lb_moment_level(const lb_moment *moment, int32_t level, lb_level *told);
bool lb_moment_is_return(const lb_moment *moment);
// The value of the error that was caught, good until something else is asked for; it has no name.
// False: none was.
bool lb_moment_caught(const lb_moment *moment, lb_variable *error);
// A local variable or an upvalue of the call at a level, counted from 1, in the order of their
// declarations, or a reference. False: there are not so many. The value is good until the next one is asked for.
bool lb_moment_variable(
    const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,
    lb_variable *variable);
// What an expression reads of the call at a level. The value is good until the next one is asked for.
lb_found lb_moment_read(
    const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable);

// Sets the path that is followed while a trace lasts: a reference to the list of its keys, which
// lives as long. No garbage is collected meanwhile. The ends of functions that are told are then also
// those of functions in C that have run another Lua thread.
void lb_trace_follow(lb_state *b, int32_t path, int32_t steps);
// The tables in which the values of the path lie. Gives their number, which may be more than there
// was room for. `index` is the reference, or the step of what is returned.
size_t lb_moment_places(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index,
    lb_place *places, size_t capacity);
// Tells the value of a register from others, as that of a place.
uint64_t lb_moment_token(const lb_moment *moment, int32_t level, int32_t index);
// Tells the Lua thread from others.
const void *lb_moment_thread(const lb_moment *moment);

// MARK: Random numbers

// The next number of a state, which goes on.
uint64_t lb_random_next(uint64_t state[4]);
// The state that math.random has reached.
void lb_random_state(const lb_state *b, uint64_t state[4]);
// Goes on from there; not all of the numbers may be 0.
void lb_set_random_state(lb_state *b, const uint64_t state[4]);

// MARK: The machine stack, interrupts and the deadline

// Gives threads that are made from now on, without a wish of their own, at least so many bytes of
// stack, where the C library can be told.
void lb_use_stack(size_t size);

lb_interrupt *lb_retain_interrupt(const lb_state *b);
void lb_release_interrupt(lb_interrupt *i);
// Stops the outermost call that is under way, within some milliseconds. False: there is none. On
// any thread, and in a signal handler.
bool lb_interrupt_call(lb_interrupt *i);

// The signal that stops Lua when the time limit fires. False: too late, it is in use.
bool lb_use_signal(int32_t number);

#endif
