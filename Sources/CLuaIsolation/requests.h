// The requests of the host to the process of the scripts. Both ends pack and unpack by this table.

#ifndef LB_REQUESTS_H
#define LB_REQUESTS_H

#include "operations.h"

// The parts of a request, a letter each:
//   r  a reference, or none    R  a reference    a  an argument    t  a text, as bytes and their count
//   o  a text, or none         i  a number of 32 bits              q  one of 64
// and its result:
//   N  a new reference    F  a field, as a scalar or a new reference    P  a plain value    T  a text
//   L  a location         -  nothing
// A request that begins with c is about the host function's call that is under way.
//
// X(name, parts, result, how the process of the scripts does it: `p` are the parts, `out` is the
// result)
#define REQUESTS(X)                                                                                \
    X(LOAD, "tt", 'N',                                                                             \
        interpreter_load(state, p[0].text.bytes, p[0].text.length, p[1].text.bytes, &out->made))   \
    X(ENCODE, "R", 'P', interpreter_encode(state, p[0].reference, &out->value))                    \
    X(MAKE_REFERENCE, "a", 'N', interpreter_make_reference(state, &p[0].argument, &out->made))     \
    X(MAKE_RECORD, "", 'N', interpreter_make_record(state, &out->made))                            \
    X(RETAIN, "R", 'N', interpreter_retain(state, p[0].reference, &out->made))                     \
    X(GET_FIELD, "Rt", 'F',                                                                        \
        interpreter_get_field(                                                                     \
            state, p[0].reference, p[1].text.bytes, p[1].text.length, &out->value))                \
    X(SET_FIELD, "Rta", '-',                                                                       \
        interpreter_set_field(                                                                     \
            state, p[0].reference, p[1].text.bytes, p[1].text.length, &p[2].argument))             \
    X(SET_GLOBAL, "ta", '-',                                                                       \
        interpreter_set_field(state, 0, p[0].text.bytes, p[0].text.length, &p[1].argument))        \
    X(FUNCTION_LOCATION, "R", 'L',                                                                 \
        interpreter_function_location(state, p[0].reference, &out->location))                      \
    X(MAKE_FUNCTION, "ii", 'N',                                                                    \
        interpreter_make_function(state, p[0].integer, p[1].integer != 0, &out->made))             \
    X(MAKE_VIEW, "rto", 'N',                                                                       \
        interpreter_make_view(                                                                     \
            state, p[0].reference, p[1].text.bytes, p[1].text.length, p[2].text.bytes,             \
            p[2].text.length, &out->made))                                                         \
    X(MAKE_TYPE, "Rt", 'N',                                                                        \
        interpreter_make_object_type(                                                              \
            state, p[1].text.bytes, p[1].text.length, p[0].reference, &out->made))                 \
    X(MAKE_OBJECT, "Rq", 'N',                                                                      \
        interpreter_make_object(state, p[0].reference, p[1].number, &out->made))                   \
    X(OBJECT_SET, "Rta", '-',                                                                      \
        interpreter_object_set(                                                                    \
            state, p[0].reference, p[1].text.bytes, p[1].text.length, &p[2].argument))             \
    X(COLLECT, "", '-', (interpreter_collect_garbage(state), LB_OK))                               \
    X(CALL_REFERENCE, "ci", 'N', interpreter_call_reference(call, p[0].integer, &out->made))       \
    X(CALL_ENCODE, "ci", 'P', interpreter_call_encode(call, p[0].integer, &out->value))            \
    X(CALL_FIELD, "cit", 'F',                                                                      \
        interpreter_call_field(                                                                    \
            call, p[0].integer, p[1].text.bytes, p[1].text.length, &out->value))                   \
    X(CALL_TEXT, "ci", 'T', (interpreter_call_scalar(call, p[0].integer, &out->value), LB_OK))     \
    X(REMEMBERED, "cq", 'L',                                                                       \
        interpreter_remembered_location(call, p[0].number, &out->location) ? LB_OK : LB_ABSENT)    \
    X(TRY, "i", '-', try_forbidden(p[0].integer))

#define REQUEST_NAME(name, parts, result, serve) ASK_##name,
typedef enum : int32_t {
    REQUESTS(REQUEST_NAME)
    // These are made of more than the table can say.
    REQUESTS_IN_TABLE,
    ASK_OPEN = REQUESTS_IN_TABLE,
    ASK_CALL,
    ASK_CALL_CHANGING,
    ASK_FIELDS,
    ASK_CALL_FIELDS,
    ASK_MORE_FIELDS,
    ASK_ANSWER,  // no request: what a host function replied
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
