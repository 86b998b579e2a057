// The words in which an error says which limit has ended a call.

#include "limits/limits.h"

#include <inttypes.h>
#include <stdio.h>

enum { MILLISECOND = 1000000, KILOBYTE = 1 << 10, MEGABYTE = 1 << 20 };

static void write_time(char *text, size_t size, uint64_t nanoseconds) {
    uint64_t milliseconds = nanoseconds / MILLISECOND, seconds = milliseconds / 1000;
    int part = (int)(milliseconds % 1000);
    if (nanoseconds == 0)
        snprintf(text, size, "the call took longer than the one around it may");
    else if (seconds == 0)
        snprintf(text, size, "stopped after %d ms in one call", part);
    else if (part == 0)
        snprintf(text, size, "stopped after %" PRIu64 " s in one call", seconds);
    else
        snprintf(
            text, size, "stopped after %" PRIu64 ".%0*d s in one call", seconds,
            part % 100 == 0 ? 1 : part % 10 == 0 ? 2 : 3,
            part % 100 == 0 ? part / 100 : part % 10 == 0 ? part / 10 : part);
}

static void write_memory(char *text, size_t size, size_t bytes) {
    if (bytes >= MEGABYTE && bytes % MEGABYTE == 0)
        snprintf(text, size, "stopped at %zu MB of memory", bytes / MEGABYTE);
    else if (bytes >= KILOBYTE && bytes % KILOBYTE == 0)
        snprintf(text, size, "stopped at %zu KB of memory", bytes / KILOBYTE);
    else
        snprintf(text, size, "stopped at %zu bytes of memory", bytes);
}

void lb_budget_say(const lb_state *b, stop_reason stop, char *text, size_t size) {
    const lb_configuration *c = &b->core.configuration;
    switch (stop) {
        case STOP_NONE: text[0] = '\0'; break;
        case STOP_TIME: write_time(text, size, c->time_limit); break;
        case STOP_INSTRUCTIONS:
            snprintf(
                text, size, "stopped after %" PRIu64 " instructions in one call",
                c->instruction_limit);
            break;
        case STOP_MEMORY: write_memory(text, size, c->memory_limit); break;
        case STOP_OUTPUT:
            snprintf(text, size, "the call printed more than %zu bytes", c->print_limit);
            break;
        case STOP_INTERRUPT: snprintf(text, size, "the call was interrupted"); break;
        case STOP_DEPTH:
            snprintf(
                text, size,
                "calls are nested deeper than %" PRId32
                " levels, or than the stack of the thread has room for",
                c->depth_limit);
            break;
    }
}
