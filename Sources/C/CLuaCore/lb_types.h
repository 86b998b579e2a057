// The types that the bridge and its host share, without any type of Lua.

#ifndef LB_TYPES_H
#define LB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lb_state lb_state;
typedef struct lb_call lb_call;
// A handle that stops the calls of a state from another thread. It may outlive the state.
typedef struct lb_interrupt lb_interrupt;

// The outermost running call of a state, as another thread sees it.
typedef struct lb_running {
    uint64_t call;   // its number
    uint64_t limit;  // its time limit in nanoseconds; UINT64_MAX: none
    int32_t thread;  // the system's number of the thread; 0: not known, or another process runs it
} lb_running;

// MARK: Statuses

typedef enum lb_status : int32_t {
    LB_OK = 0,
    LB_ERROR,         // an ordinary Lua error; lb_last_error has details
    LB_HOST,          // the last error of a host function reached the host uncaught
    LB_SYNTAX,        // the source text does not compile
    LB_CONVERSION,    // a value is not plain; lb_last_issue has details
    LB_CHANGED_CONVERSION,  // the same for the table that lb_call_changing encodes
    LB_SOURCE,        // the source text exceeds the limit, or is not text
    LB_DEPTH,         // calls are nested too deep, or the machine stack is nearly full
    LB_TIME,          // the time limit fired
    LB_INSTRUCTIONS,  // the instruction limit fired
    LB_MEMORY,        // the memory limit fired
    LB_OUTPUT,        // print wrote more than the limit
    LB_INTERRUPTED,   // lb_interrupt_call was called
    LB_ABSENT,        // the requested thing does not exist or has another type
    LB_GONE,          // the state's process has ended; lb_gone_reason has details
    LB_NO_ISOLATION,  // such a process is impossible; lb_isolation_problem has details
} lb_status;

typedef enum lb_type : int32_t {
    LB_TYPE_NIL = 0,
    LB_TYPE_NULL,
    LB_TYPE_BOOLEAN,
    LB_TYPE_INTEGER,
    LB_TYPE_NUMBER,
    LB_TYPE_STRING,
    LB_TYPE_TABLE,
    LB_TYPE_VIEW,
    LB_TYPE_FUNCTION,
    LB_TYPE_OBJECT,
    LB_TYPE_THREAD,
    LB_TYPE_USERDATA,
} lb_type;

// MARK: The configuration and callbacks

struct lb_configuration;

// True if the bytes are one encoded list or record within the limits of values.
typedef bool (*lb_validate_callback)(
    const void *bytes, size_t length, const struct lb_configuration *configuration);

typedef struct lb_configuration {
    size_t memory_limit;         // bytes
    uint64_t time_limit;         // nanoseconds for an outermost call; 0: none
    uint64_t instruction_limit;  // for an outermost call; 0: none
    size_t source_limit;         // bytes
    size_t print_limit;          // bytes for an outermost call
    int32_t depth_limit;         // nested calls
    uint32_t value_depth;        // nested containers of a converted value
    uint64_t value_count;        // values in a converted value
    size_t value_size;           // bytes of a converted value
    uint32_t large_count;        // the number of entries above which a table of a state is a draft
    uint64_t seed;               // of math.random
    bool reads_through_lua;      // read tables through Lua's functions, never from their memory
    bool isolated;               // run scripts in a separate process
    uint64_t grace;              // nanoseconds by which the process may exceed its limits; 0: 1 s
    uint64_t call_limit;         // for tests: calls of the host in an outermost call; 0: 2^27
    lb_validate_callback validate;  // validates values from that process
} lb_configuration;

typedef struct lb_location {
    const char *chunk;
    size_t chunk_length;
    int32_t line;  // 0: unknown
} lb_location;

// Runs a host function. Returns false after lb_reply_error, to raise that error.
typedef bool (*lb_host_callback)(void *owner, int32_t function, lb_call *call);
typedef void (*lb_print_callback)(
    void *owner, const char *text, size_t length, lb_location location);

// True if a reply remembered under this token is still valid.
typedef bool (*lb_confirm_callback)(void *owner, int64_t token);

// MARK: Values

typedef enum lb_argument_kind : int32_t {
    LB_ARGUMENT_NIL = 0,
    LB_ARGUMENT_NULL,
    LB_ARGUMENT_BOOLEAN,
    LB_ARGUMENT_INTEGER,
    LB_ARGUMENT_NUMBER,
    LB_ARGUMENT_STRING,
    LB_ARGUMENT_ENCODED,
    LB_ARGUMENT_REFERENCE,
} lb_argument_kind;

typedef struct lb_argument {
    lb_argument_kind kind;
    int32_t reference;
    int64_t integer;  // also a boolean
    double number;
    const void *bytes;  // of a string or an encoded value
    size_t length;
} lb_argument;

// A scalar is contained in it. The bytes of a string stay valid until the next call of the bridge.
typedef struct lb_value {
    lb_type type;
    int32_t reference;  // 0: none
    int64_t integer;    // also a boolean
    double number;
    const void *bytes;  // of a string, or of the requested encoding
    size_t length;
    bool is_large;      // of an encoded table: see lb_make_drafts
    bool has_strangers;  // of the same: it contains something that is read-only or may be shared
} lb_value;

// LB_CALL_READS: meanwhile, math.random draws the same numbers as in every such call.
enum { LB_WANT_VALUE = 1, LB_WANT_REFERENCE = 2, LB_CALL_READS = 4 };

// MARK: Errors

// LB_LOCAL_SIZE: the size of a value's text in bytes.
enum { LB_MAXIMUM_FRAMES = 24, LB_MAXIMUM_LOCALS = 16, LB_LOCAL_SIZE = 104 };

typedef struct lb_text {
    const char *bytes;
    size_t length;
} lb_text;

typedef struct lb_frame {
    lb_text chunk;
    lb_text name;  // empty: unknown
    int32_t line;
} lb_frame;

typedef struct lb_local {
    lb_text name;
    lb_text value;
} lb_local;

// The error of the last failed call. Valid until the next call of the bridge.
typedef struct lb_error {
    lb_text message;
    lb_location location;
    int32_t frame_count;
    int32_t local_count;
    lb_frame frames[LB_MAXIMUM_FRAMES];
    lb_local locals[LB_MAXIMUM_LOCALS];
} lb_error;

typedef enum lb_issue_kind : int32_t {
    LB_ISSUE_NONE = 0,
    LB_ISSUE_TYPE,        // `type` has no plain form
    LB_ISSUE_METATABLE,
    LB_ISSUE_CYCLE,
    LB_ISSUE_MIXED,       // `text` is a named field of a list
    LB_ISSUE_HOLE,        // `integer` is the first missing index
    LB_ISSUE_INDEX,       // `integer` is a key below 1
    LB_ISSUE_FLOAT_KEY,   // `number` is a key
    LB_ISSUE_KEY,         // `type` is a key's type
    LB_ISSUE_NAN,
    LB_ISSUE_INFINITY,
    LB_ISSUE_TEXT,        // a string that is not UTF-8
    LB_ISSUE_KEY_TEXT,    // a key that is not UTF-8
    LB_ISSUE_DEPTH,
    LB_ISSUE_COUNT,
    LB_ISSUE_SIZE,
    LB_ISSUE_MEMORY,
    LB_ISSUE_INSIDE,      // something inside; finding it would take too long
} lb_issue_kind;

// The reason why a value is not plain. `path` is its place, as ".rows[3].on_tap"; empty: the root.
typedef struct lb_issue {
    lb_issue_kind kind;
    lb_type type;
    int64_t integer;
    double number;
    lb_text text;
    lb_text path;
} lb_issue;

// MARK: Traces

// The point that a script has reached. Valid during the callback.
typedef struct lb_moment lb_moment;

// Flags for what is reported besides lines.
typedef enum lb_traced : int32_t {
    LB_TRACED_LINES = 0,
    LB_TRACED_RETURNS = 1,  // the return of each Lua function
    LB_TRACED_CATCHES = 2,  // each error that a script catches
    LB_TRACED_COUNTS = 4,   // all lines are counted, as hits of an element after the chosen ones
} lb_traced;

// An expression to read at a moment.
typedef struct lb_read {
    lb_text name;          // of the variable
    const lb_value *steps;  // the keys of the path from there, as scalars
    int32_t count;
    bool is_length;  // read the length of the value instead
} lb_read;

typedef enum lb_comparison : int32_t {
    LB_EQUAL,
    LB_UNEQUAL,
    LB_LESS,
    LB_LESS_EQUAL,
} lb_comparison;

// A value of a comparison: what is read, or a scalar.
typedef struct lb_operand {
    bool is_constant;
    lb_value constant;
    lb_read read;
    int32_t index;      // the local variable that was read last; 0: none
    const char *known;  // and its name
} lb_operand;

typedef struct lb_test {
    lb_comparison comparison;
    lb_operand left, right;
} lb_test;

// A condition of comparisons, joined by `and`, or with `any` by `or`.
typedef struct lb_condition {
    lb_test *tests;
    int32_t count;
    bool any;
} lb_condition;

// A line to report, and how often scripts have reached it.
typedef struct lb_traced_line {
    lb_text chunk;
    int32_t line;
    uint64_t hits;  // keeps counting in every trace that uses the line
    uint64_t next;  // the first hit to report
    const lb_condition *condition;  // hits at which it does not hold do not count; NULL: none
} lb_traced_line;

// Called before a line, at a return or for a caught error. May only call functions for moments.
typedef void (*lb_trace_callback)(void *owner, const lb_moment *moment);

// An active call.
typedef struct lb_level {
    lb_text chunk;
    lb_text name;                   // empty: unknown
    int32_t line;                   // 0: a C function
    int32_t first_line, last_line;  // of the function; 0: a whole file, or a C function
} lb_level;

// A variable and its value. A value that is not plain is shown as far as possible.
typedef struct lb_variable {
    lb_text name;
    lb_value value;
    bool is_plain;
} lb_variable;

typedef enum lb_variable_kind : int32_t {
    LB_LOCAL,
    LB_UPVALUE,
    LB_REFERENCE,  // not of a call: the value of a reference
} lb_variable_kind;

// In the place of a reference to a copy: the variable is nil, or there is none.
enum { LB_COPY_NIL = -1, LB_COPY_ABSENT = -2 };

typedef enum lb_found : int32_t {
    LB_FOUND,
    LB_NO_VARIABLE,  // no variable has the name
    LB_NO_PATH,      // a value on the path has no fields
} lb_found;

// The places in which the values of the path are looked for.
typedef enum lb_place_source : int32_t {
    LB_REGISTERS,  // in all registers of a call, from each step of the path on
    LB_UPVALUES,   // the same in its upvalues
    LB_REACHABLE,  // all tables reachable from the registers of a call, regardless of the path
    LB_TABLE,      // in a table that the host has a reference to
    LB_RETURNED,   // in the values that a function is about to return, from one step of the path on
} lb_place_source;

// A table on the path from a variable.
typedef struct lb_place {
    const void *table;  // NULL: the variable holds a view, not a table
    const void *view;   // the value there, if it is a view; otherwise NULL
    uint64_t token;     // identifies the value there; 0: nil; even: its address
    int32_t step;       // the step of the path that leads from the table to the value, from 0
    int32_t variable;   // the register or upvalue, from 1
    bool is_variable;   // the variable holds the table itself
} lb_place;

// MARK: Drafts

// A state with large tables. These tables are drafts, which record writes, so that the cost of a
// call depends only on what it touches. The state's value consists of its plain part, in which
// numbers represent the drafts, and journals of the changes since.
typedef struct lb_drafts {
    int32_t table;   // reference to the state's table, or its draft
    int32_t shared;  // reference to the data that the drafts share
    const void *plain;
    size_t plain_length;
} lb_drafts;

typedef enum lb_drafts_kind : int32_t {
    LB_DRAFTS_UNCHANGED = 0,
    LB_DRAFTS_CHANGED,  // `journal` and `plain` describe the change
    LB_DRAFTS_WHOLE,    // `value` is the new state; the drafts cannot be used any more
} lb_drafts_kind;

typedef struct lb_drafts_change {
    lb_drafts_kind kind;
    int32_t journal;   // the call's changes of drafts; 0: none
    uint64_t entries;  // of the journal
    const void *plain;
    size_t plain_length;
    lb_value value;
    bool has_strangers;  // the table around the drafts must be made again: see lb_remake_table
} lb_drafts_change;

#endif
