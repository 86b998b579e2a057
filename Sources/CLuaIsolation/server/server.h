// The other end of an isolated state: the process of the scripts.
//
// The references that the host knows are slots, whose numbers the host chooses.

#ifndef LB_SERVER_H
#define LB_SERVER_H

#include "frames.h"
#include "sandbox.h"

// One for each callback that is under way, and one for what is asked outside of them.
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
    buffer out;  // the frame that is being made
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
void keep(uint32_t slot, int32_t made);  // in a slot that was reserved
int32_t get_reference(wire *r);
void get_argument(wire *r, lb_argument *argument);
wire begin_reply(lb_status status);
void end_reply(wire *w);  // and sends it
void reply(lb_status status);
void put_identity(wire *w, int32_t made);
// A value that was read raw: what is no scalar has a reference.
void put_field(wire *w, lb_value *value, uint32_t slot);

// MARK: requests.c
// Does what the host asks until it answers.
wire serve_level(level *l);

// MARK: callbacks.c
// Has the host do what scripts ask of it.
void callbacks_open(lb_state *state);

// MARK: wall.c
// Takes from this process whatever a script does not need, beyond these bytes of memory. NULL: done; otherwise what
// the kernel does not offer.
const char *wall_raise(int socket, size_t memory);

// MARK: serve.c
// Serves the state that the other end of the socket asks for. Never returns.
_Noreturn void serve(int socket);

#endif
