// The requests of the host to the script process. Both ends pack and unpack by this table.

#ifndef LB_REQUESTS_H
#define LB_REQUESTS_H

#include "operations.h"

// The parts of a request, a letter each:
//   r  a reference, or none    R  a reference    a  an argument    t  a text, as bytes and their count
//   o  a text, or none         i  a number of 32 bits              q  one of 64
// and its result:
//   N  a new reference    F  a field, as a scalar or a new reference    P  a plain value    T  a text
//   L  a location         -  nothing
// A request that begins with c concerns the active call of a host function.
//
// X(-, name, -, -, parts, result, implementation): the operations that are passed on unchanged, and other requests.
#define REQUESTS(X)                                                                                \
    ASKED_STATE_OPERATIONS(X)                                                                      \
    ASKED_CALL_OPERATIONS(X)                                                                       \
    X(, load, , , "tt", 'N', interpreter_load(state, TEXT(0), p[1].text.bytes, MADE))              \
    X(, set_field, , , "Rta", '-', interpreter_set_field(state, REF(0), TEXT(1), ARGUMENT(2)))     \
    X(, set_global, , , "ta", '-', interpreter_set_field(state, 0, TEXT(0), ARGUMENT(1)))          \
    X(, make_function, , , "ii", 'N', interpreter_make_function(state, INT(0), INT(1) != 0, MADE)) \
    X(, make_view, , , "rto", 'N', interpreter_make_view(state, REF(0), TEXT(1), TEXT(2), MADE))   \
    X(, collect_garbage, , , "", '-', (interpreter_collect_garbage(state), LB_OK))                 \
    X(, call_text, , , "ci", 'T', (interpreter_call_scalar(call, INT(0), VALUE), LB_OK))           \
    X(, remembered_location, , , "cq", 'L',                                                        \
        interpreter_remembered_location(call, LONG(0), LOCATION) ? LB_OK : LB_ABSENT)              \
    X(, try, , , "i", '-', try_forbidden(INT(0)))

#define REQUEST_NAME(unused, name, ...) ASK_##name,
typedef enum : int32_t {
    REQUESTS(REQUEST_NAME)
    // These have more parts than the table can express.
    REQUESTS_IN_TABLE,
    ASK_OPEN = REQUESTS_IN_TABLE,
    ASK_CALL,
    ASK_CALL_CHANGING,
    ASK_FIELDS,
    ASK_CALL_FIELDS,
    ASK_MORE_FIELDS,
    ASK_ANSWER,  // not a request: the reply of a host function
} wire_request;
#undef REQUEST_NAME

enum { MOST_PARTS = 3 };

typedef struct {
    const char *parts;
    char result;
} request_form;

extern const request_form request_forms[REQUESTS_IN_TABLE];

// True if a request begins with the slot for its result.
static inline bool has_slot(char result) { return result == 'N' || result == 'F'; }

#endif
