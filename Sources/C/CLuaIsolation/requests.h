// The requests of the host to the script process. Both ends pack and unpack by this table.

#ifndef LB_REQUESTS_H
#define LB_REQUESTS_H

#include "operations.h"

// The parts of a request, a letter each:
//   r  a reference, or none    R  a reference    a  an argument    t  a text, as bytes and their
//   count o  a text, or none         i  a number of 32 bits              q  one of 64
// and its result:
//   N  a new reference    F  a field, as a scalar or a new reference    P  a plain value    T  a
//   text L  a location         C  an active call                        V  a variable
//   Q  a number of 64 bits                                         S  places
//   -  nothing
// A request with c at its start concerns the active call of a host function, one with m a moment.
//
// X(-, name, -, -, parts, result, implementation): the operations passed on, and other requests.
#define REQUESTS(X)                                                                                \
    ASKED_STATE_OPERATIONS(X)                                                                      \
    ASKED_CALL_OPERATIONS(X)                                                                       \
    X(, load, , , "tt", 'N', lb_interpreter_load(state, TEXT(0), p[1].text.bytes, MADE))           \
    X(, set_field, , , "Rta", '-', lb_interpreter_set_field(state, REF(0), TEXT(1), ARGUMENT(2)))  \
    X(, set_global, , , "ta", '-', lb_interpreter_set_field(state, 0, TEXT(0), ARGUMENT(1)))       \
    X(, make_function, , , "ii", 'N',                                                              \
        lb_interpreter_make_function(state, INT(0), INT(1) != 0, MADE))                            \
    X(, make_view, , , "rto", 'N',                                                                 \
        lb_interpreter_make_view(state, REF(0), TEXT(1), TEXT(2), MADE))                           \
    X(, collect_garbage, , , "", '-', (lb_interpreter_collect_garbage(state), LB_OK))              \
    X(, call_text, , , "ci", 'T', (lb_interpreter_call_scalar(call, INT(0), VALUE), LB_OK))        \
    X(, remembered_location, , , "cq", 'L',                                                        \
        lb_interpreter_remembered_location(call, LONG(0), LOCATION) ? LB_OK : LB_ABSENT)           \
    X(, trace_follow, , , "ri", '-', (lb_trace_follow_path(state, REF(0), INT(1)), LB_OK))         \
    X(, moment_level, , , "mi", 'C', lb_trace_level(moment, INT(0), LEVEL) ? LB_OK : LB_ABSENT)    \
    X(, moment_variable, , , "miii", 'V',                                                          \
        lb_trace_variable(moment, INT(0), (lb_variable_kind)INT(1), INT(2), VARIABLE)              \
            ? LB_OK : LB_ABSENT)                                                                   \
    X(, moment_value, , , "mR", 'V',                                                               \
        lb_trace_variable(moment, 0, LB_REFERENCE, REF(0), VARIABLE) ? LB_OK : LB_ABSENT)          \
    X(, moment_caught, , , "m", 'V', lb_trace_caught(moment, VARIABLE) ? LB_OK : LB_ABSENT)        \
    X(, moment_places, , , "miiii", 'S',                                                           \
        lb_places_find(moment, INT(0), (lb_place_source)INT(1), INT(2), INT(3), PLACES))           \
    X(, moment_places_of, , , "mRi", 'S',                                                          \
        lb_places_find(moment, 0, LB_TABLE, REF(0), INT(1), PLACES))                               \
    X(, moment_token, , , "mii", 'Q',                                                              \
        (out->number = lb_trace_token(moment, INT(0), INT(1)), LB_OK))                             \
    REQUESTS_OF_TESTS(X)

#ifdef DEBUG
#define REQUESTS_OF_TESTS(X) X(, try, , , "i", '-', try_forbidden(INT(0)))
#else
#define REQUESTS_OF_TESTS(X)
#endif

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
    ASK_TRACE,
    ASK_MOMENT_READ,
    ASK_ANSWER,  // not a request: the reply of a host function
} wire_request;
#undef REQUEST_NAME

enum { MOST_PARTS = 4 };

typedef struct {
    const char *parts;
    char result;
} request_form;

extern const request_form lb_request_forms[REQUESTS_IN_TABLE];

// True if a request begins with the slot for its result.
static inline bool has_slot(char result) { return result == 'N' || result == 'F'; }

#endif
