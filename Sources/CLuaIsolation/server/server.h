// The other end of an isolated state: the process of the scripts.

#ifndef LB_SERVER_H
#define LB_SERVER_H

#include "frames.h"
#include "sandbox.h"

// MARK: serve.c
// Serves the state that the other end of the socket asks for. Never returns.
_Noreturn void serve(int socket);

// MARK: wall.c
// Takes from this process whatever a script does not need, beyond these bytes of memory. NULL: done; otherwise what
// the kernel does not offer.
const char *wall_raise(int socket, size_t memory);

#endif
