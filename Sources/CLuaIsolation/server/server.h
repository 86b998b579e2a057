// The script process's end of an isolated state.
//
// The host's references are slots, whose numbers the host chooses.

#ifndef LB_SERVER_H
#define LB_SERVER_H

#include "frames.h"
#include "sandbox.h"

// One level for each active callback, and one for requests outside of callbacks.
typedef struct level {
    struct level *next;
    buffer in;
    lb_call *call;
} level;

typedef struct {
    int connection;
    lb_state *state;
    lb_interrupt *interruption;
    size_t frame_limit;
    buffer out;  // the frame that is being written
    int32_t *slots;
    uint32_t slot_count;
    level bottom;
} server_process;

// MARK: connection.c
extern server_process server;
void send_out(void);
// The next request of the host.
wire next_frame(level *l, wire_request *request);

// MARK: replies.c
int32_t reference(uint32_t slot);  // 0: there is none
bool reserve_slot(uint32_t slot);
void keep(uint32_t slot, int32_t made);  // in a reserved slot
int32_t get_reference(wire *r);
void get_argument(wire *r, lb_argument *argument);
wire begin_reply(lb_status status);
void end_reply(wire *w);  // and sends it
void reply(lb_status status);
void put_identity(wire *w, int32_t made);
// A raw value: if it is not a scalar, it has a reference.
void put_field(wire *w, lb_value *value, uint32_t slot);

// MARK: requests.c
// Executes the host's requests until it answers.
wire serve_level(level *l);

// MARK: callbacks.c
// Makes the host serve the calls of scripts.
void callbacks_open(lb_state *state);

// MARK: wall.c
// Removes everything from this process that a script does not need, and limits further memory to these bytes. NULL:
// done; otherwise the missing feature of the kernel.
const char *wall_raise(int socket, size_t memory);

// MARK: serve.c
// Serves the state that the other end of the socket requests. Never returns.
_Noreturn void serve(int socket);

#endif
