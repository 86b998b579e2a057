// Reading values where Lua keeps them. Lua promises none of it, so it is compared with the Lua that
// plays before it is used; and nothing is ever written there. Who reads values knows this folder by
// two pointers in the state alone.

#ifndef LB_DIRECT_H
#define LB_DIRECT_H

#include "values/values.h"

// Has tables read directly, unless Lua is not as layout.h has it or the configuration wants Lua's
// functions. [-0, +0, memory]; runs on the main thread
void direct_open(lb_state *b);
void direct_close(lb_state *b);

#endif
