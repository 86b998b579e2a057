// Starts and ends outermost calls, which the limits apply to.

#include "limits/limits.h"

void lb_outermost_begin(lb_state *b) {
    b->limits.instructions_left = b->core.configuration.instruction_limit;
    b->limits.print_left = b->core.configuration.print_limit;
    b->core.error_is_captured = false;
    lb_watch_begin(b);
}

void lb_outermost_end(lb_state *b) {
    lb_watch_end(b);
    lb_budget_clear(b);
}
