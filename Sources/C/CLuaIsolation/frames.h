// The protocol of the two ends of an isolated state: strictly nested frames over a stream socket.
//
// The host sends requests, and the script process replies. Before its reply it may call back, and
// the host may send further requests before it answers. A frame is its length (4 bytes), its kind
// (1 byte) and its contents. A request starts with notes, small messages that nobody waits for.
//
// Both ends are the same program on the same machine, so numbers have the machine's format.

#ifndef LB_FRAMES_H
#define LB_FRAMES_H

#include "core/core.h"
#include "requests.h"

#include <string.h>
#include <sys/types.h>

enum { FRAME_HEADER = 5 };

// The messages of the script process.
typedef enum : uint8_t {
    TELL_REPLY = 1,
    TELL_CALL,     // of a host function; expects an answer
    TELL_CONFIRM,  // of a remembered reply; expects an answer
    TELL_PRINT,
    TELL_HITS,    // of the chosen lines of a trace
    TELL_MOMENT,  // of a trace; expects an answer
} wire_message;

typedef enum : uint8_t {
    NOTE_RELEASE = 1,
    NOTE_USABLE,
    NOTE_RECALL,
    NOTE_RANDOM,
    NOTE_REMEMBER,
    NOTE_REPLY,  // of a host function, a reference: it may be released before the answer arrives
    NOTE_FIELDS_END,
    NOTE_NEXT,  // of a chosen line of a trace
} wire_note;

// ANSWER_TOO_DEEP: calls are nested too deep, which ends the outermost call.
typedef enum : uint8_t { ANSWER_NOTHING, ANSWER_VALUE, ANSWER_ERROR, ANSWER_TOO_DEEP } wire_answer;

enum {
    CARRIED_ARGUMENTS = 250,   // of a host function's call; the rest is nil
    CARRIED_TEXT = 4096,       // a longer argument is sent on request
    READ_AHEAD = 2048,
    FIELD_BATCH = 64,
    FIELD_BATCH_BYTES = 1 << 16,
};

// The maximum size of a frame from the script process.
size_t lb_frame_limit_of(const lb_configuration *c);

// MARK: Writing and reading
// One function for each kind of data does both, so that the two ends agree. Reading never goes
// beyond the given bytes; unreadable data is zero.

typedef struct {
    buffer *to;                      // NULL: it reads
    const unsigned char *at, *end;   // the bytes to read
    bool failed;     // out of memory or too long when writing; missing or invalid data when reading
    bool is_absent;  // it concerns a reference that no longer exists
} wire;

static inline wire wire_writer(buffer *to) { return (wire){.to = to}; }
static inline wire wire_reader(const void *bytes, size_t length) {
    return (wire){.at = bytes, .end = (const unsigned char *)bytes + length};
}

void lb_wire_bytes(wire *w, void *bytes, size_t length);  // without their count
// Bytes and their count.
void lb_wire_text(wire *w, lb_text *text);
// A reference argument is sent as the number of its slot.
void lb_wire_argument(wire *w, lb_argument *argument);
// A scalar with its value, bytes if there are any, otherwise only the type.
void lb_wire_value(wire *w, lb_value *value);
void lb_wire_location(wire *w, lb_location *location);
void lb_wire_level(wire *w, lb_level *level);
void lb_wire_place(wire *w, lb_place *place);
void lb_wire_line(wire *w, lb_traced_line *line);
// The last error and the last issue of a value.
void lb_wire_failure(wire *w, lb_state *b);

static inline void wire_put_u8(wire *w, uint8_t value) { lb_wire_bytes(w, &value, 1); }
static inline void wire_put_u32(wire *w, uint32_t value) { lb_wire_bytes(w, &value, 4); }
static inline void wire_put_u64(wire *w, uint64_t value) { lb_wire_bytes(w, &value, 8); }
static inline void wire_put_identity(wire *w, const void *identity) {
    wire_put_u64(w, (uint64_t)(uintptr_t)identity);
}
static inline void wire_put_text(wire *w, const void *bytes, size_t length) {
    lb_wire_text(w, &(lb_text){bytes, length});
}

// NULL if there are fewer bytes; then nothing more can be read.
const void *lb_wire_get(wire *w, size_t length);
uint8_t lb_wire_get_u8(wire *w);
uint32_t lb_wire_get_u32(wire *w);
uint64_t lb_wire_get_u64(wire *w);
bool lb_wire_get_bool(wire *w);
lb_text lb_wire_get_text(wire *w);
static inline const void *wire_get_identity(wire *w) {
    return (const void *)(uintptr_t)lb_wire_get_u64(w);
}

// Reserves room for the header of a frame, which lb_frame_end fills in.
wire lb_frame_begin(buffer *to, uint8_t kind);
void lb_frame_end(wire *w);

// A socket from which several small frames are read at once.
typedef struct {
    unsigned char bytes[READ_AHEAD];  // received bytes that were not read yet
    size_t start, end;
} read_ahead;

static inline bool has_read_ahead(const read_ahead *ahead) { return ahead->start < ahead->end; }
// Like recv, for at most `length` bytes.
ssize_t lb_receive(int socket, read_ahead *ahead, unsigned char *to, size_t length, int flags);

// Sixteen bytes that change with the bytes of a text; no protection against forgery.
typedef struct {
    uint64_t first, second;
} wire_sum;

wire_sum lb_wire_sum_of(const void *bytes, size_t length);

#endif
