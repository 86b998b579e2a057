// The host's end of an isolated state.

#ifndef LB_CLIENT_H
#define LB_CLIENT_H

#include "server/server.h"

#include <sys/types.h>

// MARK: spawn.c

// A process that runs scripts, and the host's handles to it. Negative numbers: none.
typedef struct {
    pid_t number;
    int handle;    // a pidfd, so that it never means another process
    int socket;
    int lifeline;  // the kernel ends the process when it is closed
    uint32_t zygote;  // the number of the zygote that forked it; 0: none
} child;

static inline child child_none(int socket) { return (child){0, -1, socket, -1, 0}; }

// The role of a process of this program; the value of the environment variable below.
typedef enum : char { CHILD_SCRIPTS = '1', CHILD_ZYGOTE = '2' } child_role;

// The descriptors of such a process.
enum { CHILD_SOCKET = 3, CHILD_LIFELINE = 4 };

// The environment variable for the role.
#define CHILD_MARKER "LUA_BRIDGE_SERVES"

// Makes a process with these descriptors in another way. False: not possible.
typedef bool child_fork(child *c, int socket, int lifeline);

// Starts this program as such a process, unless `fork` makes it. Returns NULL, or what failed.
const char *lb_child_start(child *c, child_role role, child_fork *fork);
// Ends the process, if it runs, and releases the host's handles. The status is that of waitid.
void lb_child_end(child *c, siginfo_t *status);
void lb_child_interrupt(const child *c);  // ends its running call

// MARK: zygote.c

// From now on, processes are forked from a running one, where that is possible.
void lb_zygote_use(void);
// Starts or forks a process for scripts.
const char *lb_scripts_start(child *c);
// Like lb_child_end. Also replaces the zygote after a crash of a process forked from it.
void lb_scripts_end(child *c, siginfo_t *status);

// MARK: exchange.c

typedef struct {
    lb_type type;
    const void *identity;
    bool held;
    int32_t next_free;  // of a free slot; 0: none
} remote_slot;

typedef struct {
    lb_value value;
    const void *identity;
    int64_t tag;
    bool is_object;
} remote_argument;

// A call of a host function, with the lb_call for the host.
typedef struct {
    lb_call base;
    lb_location location;
    bool is_placed;
    remote_argument *arguments;
    int32_t carried, capacity;
} remote_call;

// One level for each active callback, and one for requests outside of callbacks.
typedef struct remote_level {
    struct remote_level *next;
    buffer in, answer;
    remote_call call;
} remote_level;

// Runs what a frame describes, and writes its answer to the next frame. False: it was ended.
typedef bool client_callback(lb_state *b, wire *r, remote_level *level, wire *answer);

typedef struct remote {
    child child;
    client_callback *run, *tell;  // lb_client_run and lb_client_tell
    bool gone;
    bool is_too_deep;  // a call was refused for its depth, which ends the outermost call
    char reason[200];
    uint32_t generation;
    size_t frame_limit;

    // The clock of the outermost request, in nanoseconds; see "The clock" in exchange.c.
    uint64_t patience;    // that the process may take; FOREVER: no limit
    uint64_t spent;       // that the process has taken, up to `since`
    uint64_t hosted;      // that the host's own code has taken for it
    uint64_t since;       // when the clock was last looked at; 0: it has not started
    uint64_t calls_left;  // of host functions, confirmations, and what traces tell
    bool is_interrupted;
    int nesting;          // the number of nested requests

    // A reference is the base plus the number of a slot, which tells those of earlier processes.
    int32_t base, top, capacity;
    remote_slot *slots;
    int32_t first_free;  // 0: none

    // The host functions that Lua refers to, by number, and those that it no longer refers to.
    bool *alive;
    int32_t alive_capacity;
    int32_t *dead;
    int32_t dead_count, dead_capacity;

    uint64_t *nexts;  // the first hit to report of each chosen line, as the process knows it

    buffer out, notes;
    read_ahead ahead;
    remote_level bottom, *innermost;
    size_t held;  // the bytes of the calls whose host functions run
    size_t print_left;

    // The fields that were read ahead.
    wire fields;
    uint32_t fields_left;
    size_t fields_room;  // the bytes that the rest of the table may take
    bool fields_are_over;
} remote;

// Records that the process has ended, or ends it. Returns false.
bool lb_client_lose(lb_state *b, const char *reason);
bool lb_client_break(lb_state *b, const char *what);  // for a message against the protocol
// Checks whether the process has ended without a request.
void lb_client_look(lb_state *b);

// Starts a request, with all pending notes.
wire lb_client_begin(lb_state *b, wire_request request);
// Sends it and waits for the reply, whose contents are then read from `r`.
lb_status lb_client_ask(lb_state *b, wire *w, wire_request request, wire *r);
// Called after a reply was read: returns whether the reply was valid.
lb_status lb_client_finish(lb_state *b, const wire *r);

// MARK: references.c

// A slot for a new reference; 0: out of memory.
int32_t lb_slot_reserve(remote *r);
// Makes sure that there are as many slots after the last one.
bool lb_slots_reserve(remote *r, int32_t count);
void lb_slot_give_back(remote *r, int32_t slot);  // for another reference
// The slot of a reference; 0: it has none, or belongs to an earlier process.
int32_t lb_slot_of(const remote *r, int32_t reference);
// Returns the reference of a reserved slot, which has a value from now on.
int32_t lb_slot_take(remote *r, int32_t slot, lb_type type, const void *identity);
void lb_slots_forget(remote *r);  // all; references to them mean nothing from now on

// Host functions that Lua has come to refer to, or no longer refers to. False: invalid number, or
// out of memory.
bool lb_functions_add(remote *r, int32_t function);
bool lb_functions_end(remote *r, int32_t function);
bool lb_functions_has(const remote *r, int32_t function);

// MARK: Operations; see operations.h
#define DECLARE_CLIENT(result, name, parameters, ...) result lb_client_##name parameters;
STATE_OPERATIONS(DECLARE_CLIENT)
CALL_OPERATIONS(DECLARE_CLIENT)
#undef DECLARE_CLIENT
#define DECLARE_ASKING(result, name, parameters, ...) result lb_client_moment_##name parameters;
MOMENT_OPERATIONS(DECLARE_ASKING)
#undef DECLARE_ASKING

// MARK: open.c
// With a socket whose other end the caller plays, or with -1.
lb_status lb_client_open(const lb_configuration *configuration, int socket, lb_state **state);
lb_status lb_client_restart(lb_state *b);
const char *lb_client_problem(void);  // why isolation is not possible

// MARK: requests.c
// True if the process has ended; looks for that unless a request runs.
bool lb_client_is_gone(lb_state *b);
void lb_client_set_random(lb_state *b);  // sends the state of the random numbers
// Has the process try what its wall forbids, for tests in debug builds.
lb_status lb_client_try_forbidden(lb_state *b, uint32_t what);

// Sends a note with the next request. False: out of memory, or there is no process.
bool lb_client_note(lb_state *b, wire_note note, int32_t slot, const void *bytes, size_t length);
// Tells the process from which hits on chosen lines are to be reported.
void lb_client_note_lines(lb_state *b);
void lb_put_argument(lb_state *b, wire *w, const lb_argument *argument);
void lb_get_variable(lb_state *b, wire *r, lb_variable *variable);
// The result of a request for places: their number, and as many as there is room for.
typedef struct {
    lb_place_source source;
    lb_place *places;
    size_t capacity, count;
} remote_places;
// Sends a request from the table, with its parts and then where to store the result: for a text its
// bytes and their count, without a result nothing.
lb_status lb_client_request(lb_state *b, wire_request request, ...);
// Requests the first fields of a table, read ahead.
lb_status lb_client_begin_fields(lb_state *b, wire_request request, int32_t what);

// MARK: callbacks.c
// Runs a host function.
client_callback lb_client_run;
// Requests between these are of the next level, and keep this one's frame. False: out of memory.
bool lb_level_enter(remote *r, remote_level *level);
void lb_level_leave(remote *r, remote_level *level);

// MARK: moments.c; see CLuaBridge.h
// Tells the host of a moment.
client_callback lb_client_tell;
lb_status lb_client_trace(
    lb_state *b, lb_trace_callback callback, lb_traced told, uint32_t patience,
    lb_traced_line *lines, size_t count);
// The process tells nothing from now on.
void lb_client_forget_trace(lb_state *b);
void lb_client_trace_follow(lb_state *b, int32_t path, int32_t steps);

#endif
