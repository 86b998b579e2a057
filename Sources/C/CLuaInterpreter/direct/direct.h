// Reads values from Lua's memory. Lua does not guarantee the layout, so it is checked against the
// loaded Lua before it is used, and nothing is ever written there. The rest of the code knows this
// folder only by two pointers in the state.

#ifndef LB_DIRECT_H
#define LB_DIRECT_H

#include "values/values.h"

// Enables reading tables directly, unless Lua's layout differs from layout.h or the configuration
// asks for Lua's functions. [memory]; runs on the main thread
void lb_direct_open(lb_state *b);
void lb_direct_close(lb_state *b);

#endif
