// Starts and ends outermost calls, which the limits apply to.

#include "limits/limits.h"

void outermost_begin(lb_state *b) {
    b->limits.instructions_left = b->core.configuration.instruction_limit;
    b->limits.print_left = b->core.configuration.print_limit;
    b->core.error_is_captured = false;
    watch_begin(b);
}

void outermost_end(lb_state *b) {
    watch_end(b);
    budget_clear(b);
}
