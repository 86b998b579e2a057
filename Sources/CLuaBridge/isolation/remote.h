// The host's end of an isolated state.

#ifndef CLUABRIDGE_REMOTE_H
#define CLUABRIDGE_REMOTE_H

#include "wire.h"

#include <sys/types.h>

// MARK: spawn.c

// A process that runs scripts, and what the host holds of it. Numbers below 0: none.
typedef struct {
    pid_t number;
    int handle;    // a pidfd, so that no other process is ever meant
    int socket;
    int lifeline;  // when it is closed, the kernel ends the process
} child;

// Starts this very program as a process that serves. NULL: done; otherwise why not.
const char *child_start(child *c);
// Ends it, if it has not ended, and lets go of all that the host holds of it. The status is that of waitid.
void child_end(child *c, siginfo_t *status);
void child_interrupt(const child *c);

// MARK: exchange.c

typedef struct {
    lb_type type;
    const void *identity;
    bool held;
} remote_slot;

typedef struct {
    lb_value value;
    const void *identity;
    int64_t tag;
    bool is_object;
} remote_argument;

// A call of a host function, as lb_call of the host.
typedef struct {
    lb_call base;
    lb_location location;
    bool is_placed;
    remote_argument *arguments;
    int32_t carried, capacity;
} remote_call;

// One for each callback that is under way, and one for what is asked outside of them.
typedef struct remote_level {
    struct remote_level *next;
    buffer in, answer;
    remote_call call;
} remote_level;

typedef struct remote {
    child child;
    bool gone;
    bool is_too_deep;  // a call was refused for its depth, which ends the outermost
    char reason[200];
    uint32_t generation;
    size_t frame_limit;

    // How long the process may take until it comes back.
    uint64_t patience, left;  // nanoseconds
    bool has_patience, is_interrupted;
    int nesting;              // requests, each within the one before

    // References are the base and the number of a slot, so that those of a process that has gone are known.
    int32_t base, top, capacity;
    remote_slot *slots;
    int32_t *free;
    int32_t free_count;

    // The host functions that Lua refers to, by number; those that it does not refer to any more.
    bool *alive;
    int32_t alive_capacity;
    int32_t *dead;
    int32_t dead_count, dead_capacity;

    buffer out, notes;
    unsigned char ahead[READ_AHEAD];  // what has come and is not looked at yet
    size_t ahead_start, ahead_end;
    remote_level bottom, *innermost;
    size_t print_left;
    bool knows_layout;

    // The fields that were read ahead.
    reader fields;
    uint32_t fields_left;
    bool fields_are_over;
} remote;

// Says that the process has ended, and sees to it.
void remote_lose(lb_state *b, const char *reason);
void remote_break(lb_state *b, const char *what);
// Finds out whether the process has ended while nothing was asked.
void remote_look(lb_state *b);

// Begins a request, with all notes before it.
writer remote_begin(lb_state *b, wire_request request);
// Sends it and waits for the reply, whose contents are then read from `r`.
lb_status remote_ask(lb_state *b, writer *w, wire_request request, reader *r);
// To be called when a reply has been read: whether it was as it should be.
lb_status remote_finish(lb_state *b, const reader *r);

// MARK: slots.c

// A slot for a new reference; 0: no memory.
int32_t slot_reserve(remote *r);
// Makes sure that there are as many slots after the last.
bool slots_reserve(remote *r, int32_t count);
void slot_give_back(remote *r, int32_t slot);
// The slot of a reference; 0: it has none, or is of a process that has gone.
int32_t slot_of(const remote *r, int32_t reference);
int32_t slot_take(remote *r, int32_t slot, lb_type type, const void *identity);
void slots_forget(remote *r);

bool functions_add(remote *r, int32_t function);
bool functions_end(remote *r, int32_t function);
bool functions_has(const remote *r, int32_t function);

// MARK: remote.c; as the functions of the bridge that are called so
lb_status remote_open(const lb_configuration *configuration, lb_state **state);
lb_status remote_restart(lb_state *b);
void remote_close(lb_state *b);
void remote_collect(lb_state *b);
void remote_set_random(lb_state *b);
void remote_release(lb_state *b, int32_t reference);
lb_status remote_retain(lb_state *b, int32_t reference, int32_t *copy);
lb_type remote_type(const lb_state *b, int32_t reference);
const void *remote_identity(const lb_state *b, int32_t reference);
lb_status remote_make_reference(lb_state *b, const lb_argument *value, int32_t *reference);
lb_status remote_make_record(lb_state *b, int32_t *reference);
lb_status remote_encode(lb_state *b, int32_t reference, lb_value *value);
lb_status remote_load(
    lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference);
lb_status remote_call_function(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    lb_value *result);
lb_status remote_call_changing(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const void *old, size_t old_length, lb_value *result, lb_value *changed);
lb_status remote_get_field(
    lb_state *b, int32_t table, const void *name, size_t length, lb_value *value);
lb_status remote_set_field(
    lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value);
lb_status remote_fields_begin(lb_state *b, int32_t table);
lb_status remote_fields_next(lb_state *b, lb_value *key, lb_value *value);
void remote_fields_end(lb_state *b);
lb_status remote_function_location(lb_state *b, int32_t function, lb_location *location);
lb_status remote_make_function(
    lb_state *b, int32_t function, bool remembers, int32_t *reference);
lb_status remote_make_view(
    lb_state *b, int32_t table, const void *label, size_t label_length, const void *encoding,
    size_t length, int32_t *reference);
lb_status remote_make_object_type(
    lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference);
lb_status remote_make_object(lb_state *b, int32_t object_type, int64_t tag, int32_t *reference);
lb_status remote_object_set(
    lb_state *b, int32_t object, const void *name, size_t length, const lb_argument *value);
void remote_object_set_usable(lb_state *b, int32_t object, bool usable);
void remote_object_recall(lb_state *b, int32_t object);
bool remote_take_dead_function(lb_state *b, int32_t *function);

// MARK: callbacks.c; the same
// Runs the host function that a frame tells of, and puts its answer into what is to be sent.
bool remote_run(lb_state *b, reader *r, remote_level *level, writer *answer);
void remote_call_scalar(const lb_call *call, int32_t index, lb_value *value);
lb_type remote_call_type(const lb_call *call, int32_t index);
const void *remote_call_identity(const lb_call *call, int32_t index);
lb_status remote_call_reference(const lb_call *call, int32_t index, int32_t *reference);
lb_status remote_call_encode(const lb_call *call, int32_t index, lb_value *value);
lb_status remote_call_field(
    const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value);
lb_status remote_call_fields_begin(const lb_call *call, int32_t index);
bool remote_call_object(const lb_call *call, int32_t index, int64_t *tag);
bool remote_call_location(const lb_call *call, lb_location *location);
lb_status remote_reply(lb_call *call, const lb_argument *value);
void remote_reply_error(lb_call *call, const void *message, size_t length);
lb_status remote_remember(lb_call *call, int64_t token, int32_t reply);
bool remote_remembered_location(const lb_call *call, int64_t token, lb_location *location);

// What remote.c and callbacks.c share.
bool note(lb_state *b, wire_note note, int32_t slot, const void *bytes, size_t length);
void put_argument(lb_state *b, writer *w, const lb_argument *argument);
// Checks a value that is to be plain.
void get_plain(lb_state *b, reader *r, lb_value *value);
lb_status take_new(lb_state *b, writer *w, wire_request request, int32_t slot, int32_t *reference);
lb_status take_field(lb_state *b, writer *w, wire_request request, int32_t slot, lb_value *value);
lb_status begin_fields(lb_state *b, wire_request request, int32_t what);

// MARK: interrupt.c
// An interrupt that wakes whoever waits for a descriptor.
lb_interrupt *interrupt_open_waking(void);
int interrupt_descriptor(const lb_interrupt *i);

#endif
