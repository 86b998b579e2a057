// The operations of an interpreter, in this process or in another one: `lb_interpreter_NAME` does
// it here, `lb_client_NAME` asks the other process, and `lb_NAME` of the bridge chooses.
// CLuaBridge.h describes them. None of them raises.

#ifndef LB_OPERATIONS_H
#define LB_OPERATIONS_H

#include "lb_types.h"

// X(result, name, parameters, arguments). Operations passed on to the other process have three more
// columns: the parts of the request, its result and its implementation; see requests.h.
#define ASKED_STATE_OPERATIONS(X)                                                                  \
    X(lb_status, retain,                                                                           \
        (lb_state *b, int32_t reference, int32_t *copy), (b, reference, copy), "R", 'N',           \
        lb_interpreter_retain(state, REF(0), MADE))                                                \
    X(lb_status, make_reference,                                                                   \
        (lb_state *b, const lb_argument *value, int32_t *reference), (b, value, reference), "a",   \
        'N', lb_interpreter_make_reference(state, ARGUMENT(0), MADE))                              \
    X(lb_status, make_record,                                                                      \
        (lb_state *b, int32_t *reference), (b, reference), "", 'N',                                \
        lb_interpreter_make_record(state, MADE))                                                   \
    X(lb_status, make_package,                                                                     \
        (lb_state *b, int32_t *reference), (b, reference), "", 'N',                                \
        lb_interpreter_make_package(state, MADE))                                                  \
    X(lb_status, use_package,                                                                      \
        (lb_state *b, int32_t package), (b, package), "R", '-',                                    \
        lb_interpreter_use_package(state, REF(0)))                                                 \
    X(lb_status, encode,                                                                           \
        (lb_state *b, int32_t reference, lb_value *value), (b, reference, value), "R", 'P',        \
        lb_interpreter_encode(state, REF(0), VALUE))                                               \
    X(lb_status, get_field,                                                                        \
        (lb_state *b, int32_t table, const void *name, size_t length, lb_value *value),            \
        (b, table, name, length, value), "Rt", 'F',                                                \
        lb_interpreter_get_field(state, REF(0), TEXT(1), VALUE))                                   \
    X(lb_status, function_location,                                                                \
        (lb_state *b, int32_t function, lb_location *location), (b, function, location), "R", 'L', \
        lb_interpreter_function_location(state, REF(0), LOCATION))                                 \
    X(lb_status, make_object_type,                                                                 \
        (lb_state *b, const void *name, size_t length, int32_t methods, int32_t *reference),       \
        (b, name, length, methods, reference), "tR", 'N',                                          \
        lb_interpreter_make_object_type(state, TEXT(0), REF(1), MADE))                             \
    X(lb_status, make_object,                                                                      \
        (lb_state *b, int32_t object_type, int64_t tag, int32_t *reference),                       \
        (b, object_type, tag, reference), "Rq", 'N',                                               \
        lb_interpreter_make_object(state, REF(0), LONG(1), MADE))                                  \
    X(lb_status, object_set,                                                                       \
        (lb_state *b, int32_t object, const void *name, size_t length, const lb_argument *value,   \
            int32_t is_input),                                                                     \
        (b, object, name, length, value, is_input), "Rtai", '-',                                   \
        lb_interpreter_object_set(state, REF(0), TEXT(1), ARGUMENT(2), INT(3)))
#define STATE_OPERATIONS(X)                                                                        \
    ASKED_STATE_OPERATIONS(X)                                                                      \
    X(void, close, (lb_state *b), (b))                                                             \
    X(void, collect_garbage, (lb_state *b), (b))                                                   \
    X(void, release, (lb_state *b, int32_t reference), (b, reference))                             \
    X(lb_type, reference_type, (lb_state *b, int32_t reference), (b, reference))                   \
    X(const void *, reference_identity, (lb_state *b, int32_t reference), (b, reference))          \
    X(lb_status, load,                                                                             \
        (lb_state *b, const void *source, size_t length, const char *chunk, int32_t *reference),   \
        (b, source, length, chunk, reference))                                                     \
    X(lb_status, call_function,                                                                    \
        (lb_state *b, int32_t function, const lb_argument *arguments, int32_t count,               \
            int32_t wants, lb_value *result),                                                      \
        (b, function, arguments, count, wants, result))                                            \
    X(lb_status, call_changing,                                                                    \
        (lb_state *b, int32_t function, const lb_argument *arguments, int32_t count,               \
            int32_t wants, const void *old, size_t old_length, lb_value *result,                   \
            lb_value *changed),                                                                    \
        (b, function, arguments, count, wants, old, old_length, result, changed))                  \
    X(lb_status, set_field,                                                                        \
        (lb_state *b, int32_t table, const void *name, size_t length, const lb_argument *value),   \
        (b, table, name, length, value))                                                           \
    X(lb_status, fields_begin, (lb_state *b, int32_t table), (b, table))                           \
    X(lb_status, fields_next, (lb_state *b, lb_value *key, lb_value *value), (b, key, value))      \
    X(void, fields_end, (lb_state *b), (b))                                                        \
    X(lb_status, make_function,                                                                    \
        (lb_state *b, int32_t function, bool remembers, int32_t *reference),                       \
        (b, function, remembers, reference))                                                       \
    X(bool, take_dead_function, (lb_state *b, int32_t *function), (b, function))                   \
    X(lb_status, make_view,                                                                        \
        (lb_state *b, int32_t table, const void *label, size_t label_length,                       \
            const void *encoding, size_t length, int32_t *reference),                              \
        (b, table, label, label_length, encoding, length, reference))                              \
    X(void, object_set_usable,                                                                     \
        (lb_state *b, int32_t object, bool usable, bool shows_input),                              \
        (b, object, usable, shows_input))                                                          \
    X(void, object_recall, (lb_state *b, int32_t object), (b, object))

// Operations of this kind within a call of a host function.
#define ASKED_CALL_OPERATIONS(X)                                                                   \
    X(lb_status, call_reference,                                                                   \
        (const lb_call *call, int32_t index, int32_t *reference), (call, index, reference), "ci",  \
        'N', lb_interpreter_call_reference(call, INT(0), MADE))                                    \
    X(lb_status, call_encode,                                                                      \
        (const lb_call *call, int32_t index, lb_value *value), (call, index, value), "ci", 'P',    \
        lb_interpreter_call_encode(call, INT(0), VALUE))                                           \
    X(lb_status, call_field,                                                                       \
        (const lb_call *call, int32_t index, const void *name, size_t length, lb_value *value),    \
        (call, index, name, length, value), "cit", 'F',                                            \
        lb_interpreter_call_field(call, INT(0), TEXT(1), VALUE))
#define CALL_OPERATIONS(X)                                                                         \
    ASKED_CALL_OPERATIONS(X)                                                                       \
    X(lb_type, call_type, (const lb_call *call, int32_t index), (call, index))                     \
    X(const void *, call_identity, (const lb_call *call, int32_t index), (call, index))            \
    X(void, call_scalar,                                                                           \
        (const lb_call *call, int32_t index, lb_value *value), (call, index, value))               \
    X(lb_status, call_fields_begin, (const lb_call *call, int32_t index), (call, index))           \
    X(bool, call_object, (const lb_call *call, int32_t index, int64_t *tag), (call, index, tag))   \
    X(bool, call_location, (const lb_call *call, lb_location *location), (call, location))         \
    X(lb_status, reply, (lb_call *call, const lb_argument *value), (call, value))                  \
    X(void, reply_error,                                                                           \
        (lb_call *call, const void *message, size_t length), (call, message, length))              \
    X(lb_status, remember, (lb_call *call, int64_t token, int32_t reply), (call, token, reply))    \
    X(bool, remembered_location,                                                                   \
        (const lb_call *call, int64_t token, lb_location *location), (call, token, location))

// Operations on a trace's moment: `lb_trace_NAME`, `lb_client_moment_NAME` and `lb_moment_NAME`.
#define MOMENT_OPERATIONS(X)                                                                       \
    X(int32_t, depth, (const lb_moment *moment, bool all), (moment, all))                          \
    X(bool, level,                                                                                 \
        (const lb_moment *moment, int32_t level, lb_level *told), (moment, level, told))           \
    X(bool, caught, (const lb_moment *moment, lb_variable *error), (moment, error))                \
    X(bool, variable,                                                                              \
        (const lb_moment *moment, int32_t level, lb_variable_kind kind, int32_t index,             \
            lb_variable *variable),                                                                \
        (moment, level, kind, index, variable))                                                    \
    X(lb_found, read,                                                                              \
        (const lb_moment *moment, int32_t level, const lb_read *read, lb_variable *variable),      \
        (moment, level, read, variable))                                                           \
    X(size_t, places,                                                                              \
        (const lb_moment *moment, int32_t level, lb_place_source source, int32_t index,            \
            lb_place *places, size_t capacity),                                                    \
        (moment, level, source, index, places, capacity))                                          \
    X(uint64_t, token,                                                                             \
        (const lb_moment *moment, int32_t level, int32_t index), (moment, level, index))

#define DECLARE_INTERPRETER(result, name, parameters, ...) result lb_interpreter_##name parameters;
STATE_OPERATIONS(DECLARE_INTERPRETER)
CALL_OPERATIONS(DECLARE_INTERPRETER)
#undef DECLARE_INTERPRETER
#define DECLARE_TRACE(result, name, parameters, arguments) result lb_trace_##name parameters;
MOMENT_OPERATIONS(DECLARE_TRACE)
#undef DECLARE_TRACE

#endif
