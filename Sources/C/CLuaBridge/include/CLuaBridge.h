// The bridge between Swift and Lua 5.4: plain C functions that return a status, for every call that
// may raise or allocate in Lua. None of them raises, and no Lua type is visible.
//
// A Lua error is a longjmp, which must never cross a Swift frame. So Swift only calls the functions
// below, which run everything that may raise under lua_pcall. A C function that Lua calls may call
// Swift through a pointer. Swift returns a status, and the bridge raises after that.
//
// Only one thread at a time may use an lb_state. Bytes that go in are copied. Bytes that come out
// are the state's, valid until the next call. References that come out are the caller's to release.

#ifndef CLUABRIDGE_H
#define CLUABRIDGE_H

#include "lb_types.h"

// MARK: Opening and closing

// Opens a state, which the caller closes. After a failure there is none.
lb_status lb_open(const lb_configuration *configuration, lb_state **state);
// Closes a state with all of its references and objects.
void lb_close(lb_state *b);
// Sets what is called with `owner`, which stays the caller's. NULL: not called any more.
void lb_set_callbacks(
    lb_state *b, void *owner, lb_host_callback host, lb_print_callback print,
    lb_confirm_callback confirm);

// Gives an isolated state a new process after its own has ended; until then every call is LB_GONE.
// References and host functions of the old process become invalid; math.random continues.
lb_status lb_restart(lb_state *b);
// Checks whether the process has ended.
bool lb_is_gone(lb_state *b);
// Ends the process for a reason.
void lb_abandon(lb_state *b, const char *reason);
// The reason is a clause for an error message.
const char *lb_gone_reason(const lb_state *b);
// The reason of the last LB_NO_ISOLATION on this thread, valid until the next one.
const char *lb_isolation_problem(void);
// From now on, isolated states are forked from a process that has started, if the system can do so.
void lb_fork_processes(void);
// The number of processes that the state has had; 0: it is not isolated.
uint32_t lb_generation(const lb_state *b);
// The process id; 0: no process.
int32_t lb_process(const lb_state *b);

// True if tables are read from Lua's memory; false if through Lua's functions.
bool lb_reads_directly(const lb_state *b);

// The bytes that Lua has; of an isolated state, as of its last reply.
size_t lb_memory_in_use(const lb_state *b);
// The peak memory in use, if it exceeded the limit; 0: it never did.
size_t lb_memory_peak(const lb_state *b);
// Frees all that scripts and references do not reach.
void lb_collect_garbage(lb_state *b);

// A short text of a value, as for the locals of an error. Returns its length.
size_t lb_describe(const void *encoding, char text[LB_LOCAL_SIZE]);

// MARK: References

// A reference is a positive number that keeps a Lua value alive. lb_release never fails.
void lb_release(lb_state *b, int32_t reference);
// Makes another reference to the same value.
lb_status lb_retain(lb_state *b, int32_t reference, int32_t *copy);
// The type of the value; nil for a reference of an earlier process.
lb_type lb_reference_type(lb_state *b, int32_t reference);
// An address that no other living value has; NULL for values without one, such as numbers.
const void *lb_reference_identity(lb_state *b, int32_t reference);

// MARK: Packages

// A package keeps what the modules of a set of files have returned, as its field `loaded`, and the
// host's function that gives the time, as its field `now`. Its field `plain` is a function that
// copies a value without its metatables. lb_use_package puts it in force.
lb_status lb_make_package(lb_state *b, int32_t *reference);
lb_status lb_use_package(lb_state *b, int32_t package);

// MARK: Passing values in

// Makes a value of Lua, and refers to it.
lb_status lb_make_reference(lb_state *b, const lb_argument *value, int32_t *reference);
// Makes an empty table that is a record, not a list.
lb_status lb_make_record(lb_state *b, int32_t *reference);

// MARK: Getting values out

// Encodes the value of a reference. LB_CONVERSION if it is not plain.
lb_status lb_encode(lb_state *b, int32_t reference, lb_value *value);

// MARK: Signals

#if defined(SIGNALS_AT_ALLOCATIONS)
// Restarts the signals of this thread: see signals.c. A signal arrives at about one of `places`
// places; `stops_of_256` of 256 signals stop the running call.
void lb_signals(uint64_t seed, uint32_t places, uint32_t stops_of_256);
#endif

// MARK: Release

// The name that the loaded Lua library gives itself; NULL: none.
const char *lb_lua_ident(void);

// MARK: Loading and calling

// The length of a source text's byte order mark; 0: none.
size_t lb_mark_length(const void *source, size_t length);

// Loads a source text. Skips a byte order mark and a first line that begins with '#'. The chunk's
// name is "=NAME", or "@NAME" for a file of a library, which has their globals and may be longer.
lb_status lb_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference);

// Calls a function within the limits. The result has what `wants` asks for: the encoding of a plain
// value, a reference, both, or only its type.
lb_status lb_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result);

// Calls a function whose first argument is a reference to a table, which it may change. `changed`
// is the table's new encoding, or of type nil if the old encoding is still valid.
lb_status lb_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed);

// The number of calls that are running, one within another.
int32_t lb_depth(const lb_state *b);

// MARK: Errors

// Details of the last failure.
const lb_error *lb_last_error(const lb_state *b);
const lb_issue *lb_last_issue(const lb_state *b);

// MARK: Tables and functions

// A field of a table or view, read raw: a scalar, or a reference. Of type nil if it is absent.
lb_status lb_get_field(
    lb_state *b, int32_t table, const void *name, size_t length, lb_value *value);
// Sets a field, raw. Table 0 is that of the globals.
lb_status lb_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value);

// The fields of a table, or the upvalues of a Lua function, raw and unordered: call begin, next
// until LB_ABSENT or a failure, then end. No other call of the bridge may come in between.
lb_status lb_fields_begin(lb_state *b, int32_t table);
lb_status lb_fields_next(lb_state *b, lb_value *key, lb_value *value);
void lb_fields_end(lb_state *b);

// The place where a function was defined. LB_ABSENT if it is not a Lua function.
lb_status lb_function_location(lb_state *b, int32_t function, lb_location *location);

// MARK: Host functions

// With `remembers`, a function whose replies can be remembered: see lb_remember.
lb_status lb_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference);

// True if lb_take_dead_function has something to take.
bool lb_has_dead_functions(const lb_state *b);
// Takes the number of one host function that Lua no longer refers to. False: none is left.
bool lb_take_dead_function(lb_state *b, int32_t *function);

// The arguments of a call, which end with it: they count from 1, and others are nil.
int32_t lb_call_count(const lb_call *call);
lb_type lb_call_type(const lb_call *call, int32_t index);
const void *lb_call_identity(const lb_call *call, int32_t index);
// A scalar argument with its value; of other arguments only the type.
void lb_call_scalar(const lb_call *call, int32_t index, lb_value *value);
// These give an argument like lb_make_reference, lb_encode, lb_get_field and lb_fields_begin.
lb_status lb_call_reference(const lb_call *call, int32_t index, int32_t *reference);
lb_status lb_call_encode(const lb_call *call, int32_t index, lb_value *value);
lb_status lb_call_field(
    const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value);
lb_status lb_call_fields_begin(const lb_call *call, int32_t index);
// The tag of an object. False: the argument is not an object.
bool lb_call_object(const lb_call *call, int32_t index, int64_t *tag);
// The place of the call in a script. False: no script calls.
bool lb_call_location(const lb_call *call, lb_location *location);
// Adds a result of the call.
lb_status lb_reply(lb_call *call, const lb_argument *value);
// Sets the error that the call raises once the callback has returned false.
void lb_reply_error(lb_call *call, const void *message, size_t length);

// Remembers the reply to a call whose first argument is an object. `reply` is a reference; 0
// remembers only the place of the call. If the object gets the call again, at the same position in
// the order of its calls, with the same second argument and equal plain values for the third and
// fourth, and the confirm callback agrees, then it returns the reply without running the function.
lb_status lb_remember(lb_call *call, int64_t token, int32_t reply);
// The place of the call that was remembered under this token before.
bool lb_remembered_location(const lb_call *call, int64_t token, lb_location *location);
// Restarts the order of the object's calls.
void lb_object_recall(lb_state *b, int32_t object);

// MARK: Views

// A read-only view of a table. `encoding`, if given, is the table's encoding; without a table (0)
// it is the only content. LB_ABSENT if the reference is not to a table.
lb_status lb_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference);

// MARK: Drafts

// True if an encoded value has tables that are large enough to be drafts.
bool lb_has_large(const lb_state *b, const void *encoding);

// Makes a state from an encoded value. `plain` stays valid until the next call of the bridge.
lb_status lb_make_drafts(lb_state *b, const void *encoding, lb_drafts *drafts);
// Makes the state's table again from its plain part.
lb_status lb_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table);

// Calls a function with the state's table. If it fails, the drafts are unchanged, but the table may
// not be. After LB_DRAFTS_WHOLE the drafts cannot be used any more.
lb_status lb_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change);

// The value of a state with this plain part before the changes in these journals, oldest first.
// Fails only if the machine is out of memory.
lb_status lb_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value);

// MARK: Objects

// A kind of object: its name and its shared methods.
lb_status lb_make_object_type(
    lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference);
// An object of a kind, which is usable. The host recognises it by its tag.
lb_status lb_make_object(lb_state *b, int32_t object_type, int64_t tag, int32_t *reference);
// A field of an input can be read only while the object shows these.
lb_status lb_object_set(
    lb_state *b, int32_t object, const void *name, size_t length, const lb_argument *value,
    int32_t is_input);
// Reading an object that is not usable raises an error.
void lb_object_set_usable(lb_state *b, int32_t object, bool usable, bool shows_input);

// MARK: Traces

// Reports each of these lines, or all lines if NULL, to the callback when a script reaches it, in
// calls that start from now on. The lines are sorted by number without duplicates, and must stay
// valid until the next trace. Without a callback nothing is reported.
lb_status lb_trace(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count);

// The index of this line among the given ones; -1: no lines were given.
ptrdiff_t lb_moment_traced(const lb_moment *moment);

// The number of active calls in this Lua thread; with `all`, also in those that wait for it.
int32_t lb_moment_depth(const lb_moment *moment, bool all);
// The call at a level, counted from 0 for the innermost one, through all these Lua threads. False:
// there are fewer. Its texts are valid until the next request.
bool lb_moment_level(const lb_moment *moment, int32_t level, lb_level *told);
// True at the return of a function.
bool lb_moment_is_return(const lb_moment *moment);
// The caught error value, without a name, valid until the next request. False: none was caught.
bool lb_moment_caught(const lb_moment *moment, lb_variable *error);
// A local variable or an upvalue of the call at a level, by its position from 1 in the order of
// declaration, or a reference. False: there are fewer. The value is valid until the next request.
bool lb_moment_variable(
    const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,
    lb_variable *variable);
// Reads an expression in the call at a level. The value is valid until the next request.
lb_found lb_moment_read(
    const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable);

// Makes references to copies of the variables of these names that the code at a level sees, or
// LB_COPY_NIL and LB_COPY_ABSENT. LB_ABSENT: the state is in another process.
lb_status lb_moment_copy(
    const lb_moment *moment, int32_t level, const lb_text *names, int32_t count,
    int32_t *references);
// Calls a function of which nothing is reported, for so many instructions, or the limit of a call
// if lower; LB_INSTRUCTIONS ends it alone. The result is valid until the next request.
lb_status lb_moment_call(
    const lb_moment *moment, int32_t function, const lb_argument *arguments, int32_t count,
    uint64_t instructions, lb_variable *result);

// Sets the path to follow during a trace: a reference to a list of its keys, which must live as
// long. Garbage collection is off meanwhile. The returns of C functions that have run another Lua
// thread are then reported too.
void lb_trace_follow(lb_state *b, int32_t path, int32_t steps);
// Finds the tables that contain the values of the path. Returns their number, which may exceed the
// capacity. `index` is the reference, or the path step to start from for LB_RETURNED.
size_t lb_moment_places(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index,
    lb_place *places, size_t capacity);
// Identifies the value of a register, like the token of a place.
uint64_t lb_moment_token(const lb_moment *moment, int32_t level, int32_t index);
// Identifies the Lua thread.
const void *lb_moment_thread(const lb_moment *moment);

// MARK: Random numbers

// Advances a state and returns its next number.
uint64_t lb_random_next(uint64_t state[4]);
// The current state of math.random.
void lb_random_state(const lb_state *b, uint64_t state[4]);
// Sets the state of math.random; its numbers must not all be 0.
void lb_set_random_state(lb_state *b, const uint64_t state[4]);

// MARK: The machine stack, interrupts and deadlines

// Sets the minimum stack size of new threads that do not choose one, if the C library supports it.
void lb_use_stack(size_t size);

// The handle that stops calls of a state, and may outlive it; whoever retains it releases it.
lb_interrupt *lb_retain_interrupt(const lb_state *b);
void lb_release_interrupt(lb_interrupt *i);
// Stops the outermost running call within some milliseconds. False: no call is running. Safe on any
// thread and in a signal handler.
bool lb_interrupt_call(lb_interrupt *i);
// Describes the outermost running call; false: no call is running. Safe on any thread.
bool lb_interrupt_running(const lb_interrupt *i, lb_running *running);
// Lets a thread have only time that no other wants, if the system can. It should not end meanwhile.
void lb_lower_priority(int32_t thread);

// MARK: For tests; only debug builds define these, but Swift reads this file without DEBUG

// Makes the process of an isolated state attempt something that it is not allowed to do.
lb_status lb_try_forbidden(lb_state *b, uint32_t what);
// Makes one allocation fail after `count` others, even when Lua collects garbage and tries again;
// or, without `once`, all from there on until the next call of this function. With a negative count
// none fails. The countdown is the number of allocations left.
void lb_fail_allocation(lb_state *b, int64_t count, bool once);
int64_t lb_allocation_countdown(const lb_state *b);

#endif
