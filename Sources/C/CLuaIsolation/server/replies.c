// Replies to the host, and the slots that the host uses for values.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <stdlib.h>
#include <unistd.h>

// MARK: Slots

int32_t lb_server_reference(uint32_t slot) {
    return slot < lb_server.slot_count ? lb_server.slots[slot] : 0;
}

bool lb_reserve_slot(uint32_t slot) {
    if (slot < lb_server.slot_count) return true;
    uint32_t count = lb_server.slot_count == 0 ? 64 : lb_server.slot_count;
    while (count <= slot) count *= 2;
    int32_t *more = realloc(lb_server.slots, count * sizeof(int32_t));
    if (more == NULL) return false;
    memset(more + lb_server.slot_count, 0, (count - lb_server.slot_count) * sizeof(int32_t));
    lb_server.slots = more;
    lb_server.slot_count = count;
    return true;
}

void lb_server_keep(uint32_t slot, int32_t made) {
    // A failed request may have left a value there.
    if (lb_server.slots[slot] != 0) lb_interpreter_release(lb_server.state, lb_server.slots[slot]);
    lb_server.slots[slot] = made;
}

int32_t lb_get_reference(wire *r) { return lb_server_reference(lb_wire_get_u32(r)); }

void lb_get_argument(wire *r, lb_argument *argument) {
    lb_wire_argument(r, argument);
    if (argument->kind != LB_ARGUMENT_REFERENCE) return;
    argument->reference = lb_server_reference((uint32_t)argument->reference);
    if (argument->reference == 0) *argument = (lb_argument){.kind = LB_ARGUMENT_NIL};
}

// MARK: Replies

// Starts every reply.
static wire begin_header(lb_status status) {
    wire w = lb_frame_begin(&lb_server.out, TELL_REPLY);
    wire_put_u32(&w, (uint32_t)status);
    wire_put_u64(&w, lb_server.state->limits.memory_in_use);
    wire_put_u64(&w, lb_server.state->limits.memory_peak);
    lb_wire_bytes(&w, lb_server.state->sandbox.random, sizeof lb_server.state->sandbox.random);
    return w;
}

wire lb_begin_reply(lb_status status) {
    wire w = begin_header(status);
    size_t place = lb_server.out.length;
    uint32_t count = 0;
    int32_t function;
    wire_put_u32(&w, 0);
    while (!w.failed && lb_interpreter_take_dead_function(lb_server.state, &function)) {
        wire_put_u32(&w, (uint32_t)function);
        count++;
    }
    if (!w.failed) memcpy(lb_server.out.bytes + place, &count, 4);
    if (status != LB_OK && status != LB_ABSENT) lb_wire_failure(&w, lb_server.state);
    return w;
}

void lb_end_reply(wire *w) {
    if (w->failed || lb_server.out.length > lb_server.frame_limit) {
        // Only the header has room.
        *w = begin_header(LB_MEMORY);
        wire_put_u32(w, 0);
        lb_wire_failure(w, lb_server.state);
        if (w->failed) _exit(3);
    }
    lb_frame_end(w);
    lb_send_out();
}

void lb_server_reply(lb_status status) {
    wire w = lb_begin_reply(status);
    lb_end_reply(&w);
}

void lb_put_identity(wire *w, int32_t made) {
    wire_put_identity(w, lb_interpreter_reference_identity(lb_server.state, made));
}

void lb_put_field(wire *w, lb_value *value, uint32_t slot) {
    lb_wire_value(w, value);
    if (value->reference == 0) return;
    lb_server_keep(slot, value->reference);
    lb_put_identity(w, value->reference);
}

#endif
