// The host's end of an isolated state.

#ifndef LB_CLIENT_H
#define LB_CLIENT_H

#include "server/server.h"

#include <sys/types.h>

// MARK: spawn.c

// A process that runs scripts, and what the host holds of it. Numbers below 0: none.
typedef struct {
    pid_t number;
    int handle;    // a pidfd, so that no other process is ever meant
    int socket;
    int lifeline;  // when it is closed, the kernel ends the process
    uint32_t zygote;  // the number of the zygote that it was forked from; 0: none
} child;

static inline child child_none(int socket) { return (child){0, -1, socket, -1, 0}; }

// What a process of this very program is for; the value of the environment variable that says so.
typedef enum : char { CHILD_SCRIPTS = '1', CHILD_ZYGOTE = '2' } child_role;

// The descriptors of such a process.
enum { CHILD_SOCKET = 3, CHILD_LIFELINE = 4 };

// The environment variable that says so.
#define CHILD_MARKER "LUA_BRIDGE_SERVES"

// Makes a process that gets these descriptors, in another way. False: there is none.
typedef bool child_fork(child *c, int socket, int lifeline);

// Starts this very program as such a process, unless `fork` makes it; that may be NULL. NULL: done;
// otherwise why not.
const char *child_start(child *c, child_role role, child_fork *fork);
// Ends it, if it has not ended, and lets go of all that the host holds of it. The status is that of
// waitid.
void child_end(child *c, siginfo_t *status);
void child_interrupt(const child *c);

// MARK: zygote.c

// From now on processes are forked from one that has started already, where that is possible.
void zygote_use(void);
// Starts a process for scripts, or has it forked.
const char *scripts_start(child *c);
// As child_end; replaces the zygote after a crash of what was forked from it.
void scripts_end(child *c, siginfo_t *status);

// MARK: exchange.c

typedef struct {
    lb_type type;
    const void *identity;
    bool held;
    int32_t next_free;  // of one that is given back; 0: none
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
    // Runs a host function; see client_run.
    bool (*run)(lb_state *b, wire *r, remote_level *level, wire *answer);
    bool gone;
    bool is_too_deep;  // a call was refused for its depth, which ends the outermost
    char reason[200];
    uint32_t generation;
    size_t frame_limit;

    // How long the process may take until it comes back.
    uint64_t patience, left;  // nanoseconds
    bool has_patience, is_interrupted;
    int nesting;              // requests, each within the one before

    // References are the base and the number of a slot, so that those of a process that has gone
    // are known.
    int32_t base, top, capacity;
    remote_slot *slots;
    int32_t first_free;  // 0: none

    // The host functions that Lua refers to, by number; those that it does not refer to any more.
    bool *alive;
    int32_t alive_capacity;
    int32_t *dead;
    int32_t dead_count, dead_capacity;

    buffer out, notes;
    read_ahead ahead;
    remote_level bottom, *innermost;
    size_t print_left;

    // The fields that were read ahead.
    wire fields;
    uint32_t fields_left;
    bool fields_are_over;
} remote;

// Says that the process has ended, and sees to it.
void client_lose(lb_state *b, const char *reason);
void client_break(lb_state *b, const char *what);
// Finds out whether the process has ended while nothing was asked.
void client_look(lb_state *b);

// Begins a request, with all notes before it.
wire client_begin(lb_state *b, wire_request request);
// Sends it and waits for the reply, whose contents are then read from `r`.
lb_status client_ask(lb_state *b, wire *w, wire_request request, wire *r);
// To be called when a reply has been read: whether it was as it should be.
lb_status client_finish(lb_state *b, const wire *r);

// MARK: references.c

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

// MARK: Operations; see operations.h
#define DECLARE_CLIENT(result, name, parameters, ...) result client_##name parameters;
STATE_OPERATIONS(DECLARE_CLIENT)
CALL_OPERATIONS(DECLARE_CLIENT)
#undef DECLARE_CLIENT

// MARK: open.c
// With a socket whose other end the caller plays, or without one: -1.
lb_status client_open(const lb_configuration *configuration, int socket, lb_state **state);
lb_status client_restart(lb_state *b);
const char *client_problem(void);  // why there is no isolation

// MARK: requests.c
bool client_is_gone(lb_state *b);
void client_set_random(lb_state *b);
lb_status client_try_forbidden(lb_state *b, uint32_t what);

// Tells something with the next request. False: there is no memory for it, or no process.
bool client_note(lb_state *b, wire_note note, int32_t slot, const void *bytes, size_t length);
void put_argument(lb_state *b, wire *w, const lb_argument *argument);
// Asks what the table of requests has, with its parts and then where the result goes: for a text
// its bytes and their count, for a result that is none nothing.
lb_status client_request(lb_state *b, wire_request request, ...);
lb_status client_begin_fields(lb_state *b, wire_request request, int32_t what);

// MARK: callbacks.c
// Runs the host function that a frame tells of, and puts its answer into what is to be sent.
bool client_run(lb_state *b, wire *r, remote_level *level, wire *answer);

#endif
