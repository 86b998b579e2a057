// The traces of scripts, and what the host asks about their moments.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <stdlib.h>
#include <unistd.h>

// MARK: Chosen lines

// Copies of the lines that the host has chosen, and the hits of each that it knows.
static struct {
    lb_traced_line *lines;
    uint64_t *known;
    void *texts;
    size_t count;
} chosen;

static void forget_lines(void) {
    free(chosen.lines);
    free(chosen.known);
    free(chosen.texts);
    memset(&chosen, 0, sizeof chosen);
}

// False: out of memory.
static bool take_lines(wire *r) {
    size_t count = lb_wire_get_u32(r), length = (size_t)(r->end - r->at);
    // Without lines they have an address too.
    chosen.lines = calloc(count + 1, sizeof(lb_traced_line));
    chosen.known = calloc(count + 1, sizeof(uint64_t));
    chosen.texts = malloc(length + 1);
    if (chosen.lines == NULL || chosen.known == NULL || chosen.texts == NULL) return false;
    // The frame does not last as long as the lines.
    if (length > 0) memcpy(chosen.texts, r->at, length);
    wire texts = wire_reader(chosen.texts, length);
    for (size_t i = 0; i < count; i++) {
        lb_wire_line(&texts, &chosen.lines[i]);
        chosen.known[i] = chosen.lines[i].hits;
    }
    chosen.count = count;
    return !texts.failed;
}

void lb_trace_serve(wire *r) {
    bool begins = lb_wire_get_bool(r);
    lb_traced told = (lb_traced)lb_wire_get_u32(r);
    uint32_t patience = lb_wire_get_u32(r);
    bool chooses = lb_wire_get_bool(r);
    (void)lb_trace_begin(lb_server.state, NULL, LB_TRACED_LINES, 1, NULL, 0);
    forget_lines();
    if (chooses && !take_lines(r)) {
        forget_lines();
        return lb_server_reply(LB_MEMORY);
    }
    if (begins)
        (void)lb_trace_begin(
            lb_server.state, lb_server.tell_moment, told, patience, chosen.lines, chosen.count);
    lb_server_reply(LB_OK);
}

void lb_line_set_next(uint32_t index, uint64_t next) {
    if (index < chosen.count) chosen.lines[index].next = next;
}

void lb_tell_hits(void) {
    wire w = {.failed = false};
    for (size_t i = 0; i < chosen.count; i++) {
        if (chosen.lines[i].hits == chosen.known[i]) continue;
        if (w.to == NULL) w = lb_frame_begin(&lb_server.out, TELL_HITS);
        chosen.known[i] = chosen.lines[i].hits;
        wire_put_u32(&w, (uint32_t)i);
        wire_put_u64(&w, chosen.known[i]);
    }
    if (w.to == NULL) return;
    if (w.failed) _exit(3);
    lb_frame_end(&w);
    lb_send_out();
}

// MARK: Moments

void lb_put_variable(wire *w, lb_variable *variable) {
    lb_wire_text(w, &variable->name);
    wire_put_u8(w, variable->is_plain);
    lb_wire_value(w, &variable->value);
}

void lb_moment_serve_read(wire *r, const lb_moment *moment) {
    int32_t level = (int32_t)lb_wire_get_u32(r);
    lb_read read = {.name = lb_wire_get_text(r), .is_length = lb_wire_get_bool(r)};
    read.count = (int32_t)lb_wire_get_u32(r);
    lb_value *steps = calloc((size_t)read.count + 1, sizeof(lb_value));
    if (moment == NULL || steps == NULL) {
        free(steps);
        return lb_server_reply(steps == NULL ? LB_MEMORY : LB_ABSENT);
    }
    for (int32_t i = 0; i < read.count; i++) lb_wire_value(r, &steps[i]);
    read.steps = steps;
    lb_variable variable;
    lb_found found = lb_trace_read(moment, level, &read, &variable);
    free(steps);
    wire w = lb_begin_reply(LB_OK);
    wire_put_u8(&w, (uint8_t)found);
    if (found == LB_FOUND) lb_put_variable(&w, &variable);
    lb_end_reply(&w);
}

lb_status lb_places_find(
    const lb_moment *moment, int32_t level, lb_place_source source, int32_t index, int32_t capacity,
    moment_places *places) {
    static buffer room;
    buffer_trim(&room);
    size_t most = (size_t)capacity;
    if (!buffer_reserve(&room, most * sizeof(lb_place))) return LB_MEMORY;
    lb_place *found = (lb_place *)(void *)room.bytes;
    size_t count = lb_trace_places(moment, level, source, index, found, most);
    *places = (moment_places){found, count, most};
    return LB_OK;
}

void lb_put_places(wire *w, const moment_places *places) {
    size_t count = places->count < places->capacity ? places->count : places->capacity;
    wire_put_u32(w, (uint32_t)places->count);
    for (size_t i = 0; i < count; i++) {
        lb_place place = places->found[i];
        lb_wire_place(w, &place);
    }
}

#endif
