// What the two ends of an isolated state tell each other: frames over a stream socket, strictly nested.
//
// The host asks, and the process of the scripts replies. Before its reply it may call back; the host may then ask
// again before it answers. A frame is its length (4 bytes), its kind (1 byte) and what belongs to that. A request
// begins with notes: small things that are told with the next request, because nobody waits for them.
//
// Both ends are the same program on the same machine, so numbers are as the machine has them.

#ifndef LB_FRAMES_H
#define LB_FRAMES_H

#include "operations.h"
#include "core/core.h"

#include <string.h>

enum { FRAME_HEADER = 5 };

// What the host sends.
typedef enum : uint8_t {
    ASK_OPEN = 1,
    ASK_LOAD,
    ASK_CALL,
    ASK_CALL_CHANGING,
    ASK_ENCODE,
    ASK_MAKE_REFERENCE,
    ASK_MAKE_RECORD,
    ASK_RETAIN,
    ASK_GET_FIELD,
    ASK_SET_FIELD,
    ASK_FIELDS,
    ASK_CALL_FIELDS,
    ASK_MORE_FIELDS,
    ASK_FUNCTION_LOCATION,
    ASK_MAKE_FUNCTION,
    ASK_MAKE_VIEW,
    ASK_MAKE_TYPE,
    ASK_MAKE_OBJECT,
    ASK_OBJECT_SET,
    ASK_COLLECT,
    ASK_CALL_REFERENCE,
    ASK_CALL_ENCODE,
    ASK_CALL_FIELD,
    ASK_CALL_SCALAR,
    ASK_REMEMBERED,
    ASK_TRY,     // for tests: to do what the wall forbids
    ASK_ANSWER,  // no request: what a host function replied
} wire_request;

// What the process of the scripts sends.
typedef enum : uint8_t {
    TELL_REPLY = 1,
    TELL_CALL,     // of a host function; wants an answer
    TELL_CONFIRM,  // of a remembered reply; wants an answer
    TELL_PRINT,
} wire_message;

typedef enum : uint8_t {
    NOTE_RELEASE = 1,
    NOTE_USABLE,
    NOTE_RECALL,
    NOTE_RANDOM,
    NOTE_REMEMBER,
    NOTE_REPLY,  // of a host function, a reference: it may be released before the answer comes
    NOTE_FIELDS_END,
} wire_note;

// ANSWER_TOO_DEEP: calls are nested too deep, which ends the outermost.
typedef enum : uint8_t { ANSWER_NOTHING, ANSWER_VALUE, ANSWER_ERROR, ANSWER_TOO_DEEP } wire_answer;

enum {
    CARRIED_ARGUMENTS = 250,   // of a host function's call; what comes after is nil
    CARRIED_TEXT = 4096,       // a longer argument is sent when it is asked for
    READ_AHEAD = 2048,
    FIELD_BATCH = 64,
    FIELD_BATCH_BYTES = 1 << 16,
};

// The most that a frame from the process of the scripts may take.
size_t wire_frame_limit(const lb_configuration *c);

// MARK: Writing

typedef struct {
    buffer *to;
    bool failed;     // there was no memory, or too much to say
    bool is_absent;  // it is about a reference that is none any more
} writer;

void wire_put(writer *w, const void *bytes, size_t length);
// Bytes with their count.
void wire_put_text(writer *w, const void *bytes, size_t length);
void wire_put_argument(writer *w, const lb_argument *argument, int32_t slot);
// A scalar as it is, bytes if there are any, a type alone otherwise.
void wire_put_value(writer *w, const lb_value *value);
void wire_put_location(writer *w, const lb_location *location);
void wire_put_failure(writer *w, const lb_state *b);

static inline void wire_put_u8(writer *w, uint8_t value) { wire_put(w, &value, 1); }
static inline void wire_put_u32(writer *w, uint32_t value) { wire_put(w, &value, 4); }
static inline void wire_put_u64(writer *w, uint64_t value) { wire_put(w, &value, 8); }

// Leaves room for the header of a frame, and fills it in.
void wire_begin(writer *w, buffer *to, uint8_t kind);
void wire_end(writer *w);

// MARK: Reading; whatever the bytes are, nothing beyond them is looked at

typedef struct {
    const unsigned char *at, *end;
    bool failed;  // something was not there, or is not what it should be
} reader;

static inline reader wire_reader(const void *bytes, size_t length) {
    return (reader){bytes, (const unsigned char *)bytes + length, false};
}
// NULL if there are fewer bytes; then nothing can be read any more.
const void *wire_get(reader *r, size_t length);
uint8_t wire_get_u8(reader *r);
uint32_t wire_get_u32(reader *r);
uint64_t wire_get_u64(reader *r);
bool wire_get_bool(reader *r);
lb_text wire_get_text(reader *r);
// The reference of an argument is the number of a slot.
void wire_get_argument(reader *r, lb_argument *argument);
void wire_get_value(reader *r, lb_value *value);
void wire_get_location(reader *r, lb_location *location);
// Takes over what is known of a failure.
void wire_get_failure(reader *r, lb_state *b);

// Sixteen bytes that change with those of a text; no protection against forgery.
typedef struct {
    uint64_t first, second;
} wire_sum;

wire_sum wire_sum_of(const void *bytes, size_t length);

#endif
