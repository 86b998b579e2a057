// Functions that reach into Lua's memory, for tests.

#ifndef CLUAPROBE_H
#define CLUAPROBE_H

#include <stdbool.h>

// Sets the hook that stops the running call of a state, an lb_state, and loses it again: Lua's
// thread has it, the script's running function is not marked. False: calls do not lie as expected.
bool probe_lose_hook(void *state);

// Runs functions that keep what they promise by STACK, or one that breaks it.
typedef enum { PROMISES_KEPT, PROMISE_OF_STACK, PROMISE_OF_ERRORS } probed_promise;
void probe_promise(probed_promise promise);

#endif
