// The other end of an isolated state, played by a thread here: a script process taken over.

#ifndef CPEER_H
#define CPEER_H

#include "lb_types.h"

// The messages that a process can send. A reply is the right one for the request.
typedef enum peer_message : int32_t {
    PEER_REPLY,
    PEER_CALL,
    PEER_CONFIRM,
    PEER_PRINT,
    PEER_MOMENT,  // of a trace, at its chosen line
    PEER_HITS,    // of this line
    PEER_UNKNOWN,  // of a kind that does not exist
} peer_message;

// The ways in which it sends a message.
typedef enum peer_habit : int32_t {
    PEER_WHOLE,        // once for each message of the host; prints without end
    PEER_FLOOD,        // without end, without hearing the host
    PEER_TWICE,        // two copies at once
    PEER_TWICE_APART,  // the second one after the host has read the first
    PEER_TRICKLE,      // a byte a millisecond
    PEER_DRIP,         // a byte at a time, as fast as it can
    PEER_HALF,         // half of it, then nothing
    PEER_HALF_END,     // half of it, then it closes its end
    PEER_LENGTH,       // with the length of the plan, then zeros without end
    PEER_SHORT,        // with its last byte cut off
    PEER_LONG,         // with a byte more at its end
    PEER_WRONG,        // with some bytes changed
    PEER_SILENT,       // not at all
    PEER_DEAF,         // not at all, and does not read what the host sends
    PEER_END,          // closes its end instead
    PEER_SAID,         // instead, the next of the plan's own messages; after the last one it ends
} peer_habit;

typedef struct peer_plan {
    uint32_t fair;  // the first messages of the host, which are answered as they should be
    peer_habit habit;
    peer_message message;
    uint32_t length;       // of PEER_LENGTH
    uint32_t chunk;        // the length of the name of the chunk in calls and prints
    bool endless;          // tables never end
    uint32_t fields;       // fields in a message; 0: 2
    bool refers;           // the values of fields are tables
    bool unchosen;         // moments are of no chosen line
    uint32_t pause;        // milliseconds before each message that is not a fair one
    uint64_t seed;         // of PEER_WRONG
    const uint8_t *said;   // of PEER_SAID
    size_t said_size;
    const uint8_t *orders; // if not NULL, they decide anew for each message
    size_t count;
} peer_plan;

typedef struct peer peer;

// Plays the process of an isolated state, and opens the state, which is NULL if that fails. The
// plan's bytes must live as long. NULL: not possible.
peer *peer_start(
    const peer_plan *plan, const lb_configuration *configuration, lb_state **state);
// True once it has sent all that it sends for the message that the plan is about.
bool peer_is_done(const peer *p);
// Ends it, and closes its socket.
void peer_end(peer *p);

// Plays a host by the orders, with a process decided by others. Returns false if not possible.
bool peer_play(
    const uint8_t *host, size_t host_count, const uint8_t *process, size_t process_count);

#endif
