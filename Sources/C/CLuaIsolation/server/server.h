// The script process's end of an isolated state.
//
// The host's references are slots, whose numbers the host chooses.

#ifndef LB_SERVER_H
#define LB_SERVER_H

#include "frames.h"
#include "sandbox.h"
#include "trace/trace.h"

// One level for each active callback, and one for requests outside of callbacks.
typedef struct level {
    struct level *next;
    buffer in;
    lb_call *call;
    const lb_moment *moment;
} level;

typedef struct {
    int connection;
    lb_state *state;
    lb_interrupt *interruption;
    size_t frame_limit;
    buffer out;  // the frame that is being written
    int32_t *slots;
    uint32_t slot_count;
    lb_trace_callback tell_moment;
    level bottom;
} server_process;

// MARK: connection.c
extern server_process lb_server;
void lb_send_out(void);  // ends the process if that fails
// The next request of the host.
wire lb_next_frame(level *l, wire_request *request);

// MARK: replies.c
int32_t lb_server_reference(uint32_t slot);  // 0: there is none
bool lb_reserve_slot(uint32_t slot);  // false: out of memory
void lb_server_keep(uint32_t slot, int32_t made);  // in a reserved slot
int32_t lb_get_reference(wire *r);
void lb_get_argument(wire *r, lb_argument *argument);
wire lb_begin_reply(lb_status status);
void lb_end_reply(wire *w);  // and sends it
void lb_server_reply(lb_status status);
void lb_put_identity(wire *w, int32_t made);
// A raw value: if it is not a scalar, it has a reference.
void lb_put_field(wire *w, lb_value *value, uint32_t slot);

// MARK: moments.c
// The places of a moment: `count` of them, as many as there is room for in `found`.
typedef struct {
    const lb_place *found;
    size_t count, capacity;
} moment_places;

lb_status lb_places_find(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index, int32_t capacity,
    moment_places *places);
void lb_put_places(wire *w, const moment_places *places);
void lb_put_variable(wire *w, lb_variable *variable);
// Execute a request.
void lb_trace_serve(wire *r);
void lb_moment_serve_read(wire *r, const lb_moment *moment);
// The host wants to be told of a chosen line from this hit on.
void lb_line_set_next(uint32_t index, uint64_t next);
// Tells the host the hits of the chosen lines that have more than it knows.
void lb_tell_hits(void);

// MARK: requests.c
// Executes the host's requests until it answers.
wire lb_serve_level(level *l);

// MARK: callbacks.c
// Makes the host serve the calls of scripts, and the moments of traces.
void lb_callbacks_open(lb_state *state);

// MARK: wall.c
// Removes everything from this process that a script does not need, and limits further memory to
// these bytes. NULL: done; otherwise the missing feature of the kernel.
const char *lb_wall_raise(int socket, size_t memory);

// MARK: serve.c
// Serves the state that the other end of the socket requests. Never returns.
_Noreturn void lb_serve(int socket);

#endif
