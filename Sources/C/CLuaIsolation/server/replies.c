// Replies to the host, and the slots that the host uses for values.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <stdlib.h>
#include <unistd.h>

// MARK: Slots

int32_t reference(uint32_t slot) { return slot < server.slot_count ? server.slots[slot] : 0; }

bool reserve_slot(uint32_t slot) {
    if (slot < server.slot_count) return true;
    uint32_t count = server.slot_count == 0 ? 64 : server.slot_count;
    while (count <= slot) count *= 2;
    int32_t *more = realloc(server.slots, count * sizeof(int32_t));
    if (more == NULL) return false;
    memset(more + server.slot_count, 0, (count - server.slot_count) * sizeof(int32_t));
    server.slots = more;
    server.slot_count = count;
    return true;
}

void keep(uint32_t slot, int32_t made) {
    // A failed request may have left a value there.
    if (server.slots[slot] != 0) interpreter_release(server.state, server.slots[slot]);
    server.slots[slot] = made;
}

int32_t get_reference(wire *r) { return reference(wire_get_u32(r)); }

void get_argument(wire *r, lb_argument *argument) {
    wire_argument(r, argument);
    if (argument->kind != LB_ARGUMENT_REFERENCE) return;
    argument->reference = reference((uint32_t)argument->reference);
    if (argument->reference == 0) *argument = (lb_argument){.kind = LB_ARGUMENT_NIL};
}

// MARK: Replies

// Starts every reply.
static wire begin_header(lb_status status) {
    wire w = frame_begin(&server.out, TELL_REPLY);
    wire_put_u32(&w, (uint32_t)status);
    wire_put_u64(&w, server.state->limits.memory_in_use);
    wire_put_u64(&w, server.state->limits.memory_peak);
    wire_bytes(&w, server.state->sandbox.random, sizeof server.state->sandbox.random);
    return w;
}

wire begin_reply(lb_status status) {
    wire w = begin_header(status);
    size_t place = server.out.length;
    uint32_t count = 0;
    int32_t function;
    wire_put_u32(&w, 0);
    while (!w.failed && interpreter_take_dead_function(server.state, &function)) {
        wire_put_u32(&w, (uint32_t)function);
        count++;
    }
    if (!w.failed) memcpy(server.out.bytes + place, &count, 4);
    if (status != LB_OK && status != LB_ABSENT) wire_failure(&w, server.state);
    return w;
}

void end_reply(wire *w) {
    if (w->failed || server.out.length > server.frame_limit) {
        // Only the header has room.
        *w = begin_header(LB_MEMORY);
        wire_put_u32(w, 0);
        wire_failure(w, server.state);
        if (w->failed) _exit(3);
    }
    frame_end(w);
    send_out();
}

void reply(lb_status status) {
    wire w = begin_reply(status);
    end_reply(&w);
}

void put_identity(wire *w, int32_t made) {
    wire_put_identity(w, interpreter_reference_identity(server.state, made));
}

void put_field(wire *w, lb_value *value, uint32_t slot) {
    wire_value(w, value);
    if (value->reference == 0) return;
    keep(slot, value->reference);
    put_identity(w, value->reference);
}

#endif
