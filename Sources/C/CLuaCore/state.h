// The state of one interpreter: one part for each folder that works on it. Functions say by STACK
// what they leave on Lua's stack and what they may raise. Declarations say the latter in brackets;
// without brackets a function never raises.

#ifndef LB_STATE_H
#define LB_STATE_H

#include "lb_types.h"
#include "stack_guard.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LITERAL(text) (text), sizeof(text) - 1

typedef struct {
    unsigned char *bytes;
    size_t length, capacity;
} buffer;

// The integer keys of the registry: the bridge's own values, then the references.
enum {
    KEPT_CALL_THREADS = 4,  // table: keeps the Lua threads of calls alive
    KEPT_GLOBALS,           // table: what the sandbox offers
    KEPT_RECORD,            // metatable of empty records
    KEPT_VIEW,              // metatable of views
    KEPT_WEAK,              // metatable of caches of views
    KEPT_HOST_ERROR,        // the last error that a host function raised
    KEPT_FUNCTION_NUMBER,   // metatable of a host function's number
    KEPT_TEMPORARY,         // the operand of a protected operation
    KEPT_SHAPES,            // table: for each shape, a table of its keys by address
    KEPT_DRAFT,             // metatable of drafts
    KEPT_DRAFT_ROOTS,       // table: the drafts by number, while a value is decoded
    KEPT_METATABLES,        // table: Lua's own metatable for each metatable of a script
    KEPT_EVENTS,            // table: the names of the metamethods that Lua itself looks up
    KEPT_UNCHOSEN,          // table: the functions in `unchosen` of a trace
    KEPT_LATE,              // table: the globals that were made when they were first read
    KEPT_LIBRARY_MAKER,     // function: makes the environment of library files
    KEPT_PLAIN,             // function: copies a value without its metatables
    KEPT_PACKAGE,           // table: the loaded modules of the files in force; see package.c
    FIRST_RECENT,           // recently decoded short strings
    FIRST_REFERENCE = FIRST_RECENT + 64,
};

enum { METATABLE_OF_SCRIPT = 1 };  // the key of the script's own metatable in Lua's metatable

// MARK: core

enum { ERROR_TEXT = 8192 };

typedef struct {
    // Lua's main thread, on which no script ever runs. Its stack is always free for conversions and
    // protected operations, however deep the calls are nested.
    lua_State *main;
    lb_configuration configuration;
    void *owner;
    lb_host_callback host;
    lb_print_callback print;
    lb_confirm_callback confirm;

    // Identify the bridge's own userdata and tables.
    const void *record_metatable, *view_metatable, *draft_metatable;
    // The capacity of a table in elements and fields. NULL: Lua's table layout is unknown.
    size_t (*table_places)(const void *table);

    lb_error error;
    bool error_is_captured;  // by the stop, where it happened
    size_t description_left;  // the bytes that may still be read to describe values of the error
    size_t error_length;
    char error_text[ERROR_TEXT];
} core_state;

// MARK: limits

// The reason for which all calls are unwound. Set once, by the deadline, the allocator, the budget,
// the depth or an interrupt; cleared when the outermost call ends. While set, every instruction
// raises.
typedef enum {
    STOP_NONE = 0, STOP_TIME, STOP_INSTRUCTIONS, STOP_MEMORY, STOP_OUTPUT, STOP_INTERRUPT,
    STOP_DEPTH,
} stop_reason;

enum { POOL_CLASSES = 10 };

typedef struct pool_page pool_page;

// Small blocks for Lua. See pool.c.
typedef struct {
    pool_page *pages[POOL_CLASSES];  // those with room
    pool_page *spare;
    int spare_count;
} pool;

// A coroutine that runs while another Lua thread waits for it. It is on the C stack of its resumer.
typedef struct resumption {
    lua_State *waits;
    const struct resumption *outer;
} resumption;

typedef struct {
    const resumption *resumed;       // the innermost one; NULL: none
    lua_State *volatile running;     // the running Lua thread; NULL: none
    volatile sig_atomic_t stop;      // a stop_reason
    volatile sig_atomic_t pressure;  // memory use exceeds the limit: collect, then decide
    volatile sig_atomic_t signals;   // of the watchdog, to stop this state; counted modulo a few

    pool pool;
    size_t memory_in_use, memory_peak;
    const void *refused_block;  // the last refused block
    size_t refused_size;        // its wanted size; 0: Lua need not be refused again
#ifdef DEBUG
    int64_t allocation_countdown;  // for tests
    bool fails_allocation, fails_once;
#endif
    bool closing;
    bool privileged;                  // allocates regardless of the memory limit
    size_t table_size, fields_size;  // the memory of an empty table, and of its first field

    uint64_t instructions_left;
    size_t print_left;

    lb_state *outer;  // the state whose host function called into this one on the same thread
    bool watched;     // this call started its thread's deadline
    bool displaced;   // and replaced an outer call that has no deadline
    lb_interrupt *interrupt;
} limits_state;

// MARK: trace

enum { UNCHOSEN = 64 };

// The reports to the host about the lines that scripts run. See trace.c.
typedef struct {
    lb_trace_callback callback;  // NULL: nothing
    void (*event)(lb_state *b, lua_State *L, lua_Debug *ar);
    int mask;               // the events that Lua reports
    int optional;           // the events that only some Lua threads report, where needed
    bool catches;           // whether caught errors are reported
    bool counts;            // whether all lines are counted, after the chosen ones
    uint32_t patience;      // the factor by which a call may exceed its time limit
    lb_traced_line *lines;  // the lines to report, in order; NULL: all
    size_t line_count;
    const void *unchosen[UNCHOSEN];  // functions that were called and have no such line
    int32_t path;   // reference to a list: the keys of the followed path; 0: none
    int32_t steps;  // and their number
    const lua_State *told;  // the last reported Lua thread meanwhile
} trace_state;

// MARK: protection

typedef struct {
    lua_State **threads;  // one Lua thread for each nested call
    int32_t thread_count, thread_capacity, depth;

    int32_t *free_references;
    uint64_t *reference_tables;  // identify the tables in each one; 0: unknown
    int32_t free_count, reference_capacity;
} protection_state;

// MARK: values

enum { ISSUE_TEXT = 1024, MAXIMUM_VALUE_DEPTH = 128 };
enum { RECENT_STRINGS = FIRST_REFERENCE - FIRST_RECENT };

// An entry of a record that is being encoded, with its sort key.
typedef struct {
    uint64_t prefix;  // the first eight bytes of the key, big-endian
    uint32_t offset, length, key_length, position;
} entry;

// A short string. See decode.c.
typedef struct {
    uint64_t head, tail;  // the first and the last eight bytes, or halves
    uint64_t length;      // 0: none
} recent_string;

// The ways in which drafts are encoded. See drafts.c.
typedef enum {
    DRAFTS_FOLLOWED = 0,  // their tables
    DRAFTS_NUMBERED,      // the numbers of the roots of a state
    DRAFTS_REFUSED,       // not at all: the encoding fails
} draft_mode;

struct encoder;
struct drafted_state;

typedef struct {
    // Encodes a table without Lua's functions; false: Lua's functions are needed, and the output so
    // far is useless. NULL: Lua's functions read all tables.
    bool (*read_directly)(struct encoder *e, const void *table, int depth);
    buffer encoding, scratch;
    buffer changed;  // replaces `encoding` for the table of a call that changes one
    entry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *offsets;
    size_t offset_count, offset_capacity;
    recent_string recent[RECENT_STRINGS];  // those in the registry

    draft_mode drafts;
    const struct drafted_state *numbering;  // the state whose roots are numbered
    uint64_t round;                         // of numbering them
    int substitutes;  // slot of the main thread with a table of values encoded as others; 0: none

    uint64_t encoded_values;  // by the last call of lb_encode_at
    bool met_large;           // by the same: a table that is large enough for a draft
    bool met_view;            // by the same: a view other than a draft
    uint64_t met_tables;      // by the same, and by decoding: identifies the tables
    uint64_t diagnosis_left;  // values that the diagnosis may still inspect
    lb_issue issue;
    size_t issue_length;
    char issue_text[ISSUE_TEXT];
} values_state;

// MARK: direct

enum { SHAPES = 32, SHAPE_FIELDS = 12, SHAPE_KEY = 32 };

// The keys of records with the same keys. See shapes.c.
typedef struct {
    const void *keys[SHAPE_FIELDS];   // in Lua's order
    uint8_t positions[SHAPE_FIELDS];  // the indices of the keys in sorted order, within `keys`
    uint8_t key_lengths[SHAPE_FIELDS];
    unsigned char key_bytes[SHAPE_FIELDS][SHAPE_KEY];  // encoded, in sorted order
} shape;

typedef struct {
    shape *shapes[SHAPES];    // NULL: the place is empty
    uint8_t counts[SHAPES];   // fields of each shape; 0: none
    uint8_t users[SHAPES];    // records that are being encoded by it
    bool second[SHAPES / 2];  // for each pair of neighbours, whether the second was learnt last
} direct_state;

// MARK: objects

typedef struct dead_function {
    struct dead_function *next;
    int32_t function;
} dead_function;

typedef struct {
    dead_function *dead;  // host functions that Lua no longer refers to
} objects_state;

// MARK: sandbox

typedef struct {
    int32_t closing_depth;  // nested coroutine.close
    uint64_t random[4];     // of math.random
} sandbox_state;

// MARK: The whole state

struct lb_state {
    struct remote *remote;  // if the scripts run in another process; then this process has no Lua
    core_state core;
    limits_state limits;
    trace_state trace;
    protection_state protection;
    values_state values;
    direct_state direct;
    objects_state objects;
    sandbox_state sandbox;
};

struct lb_call {
    lb_state *state;
    lua_State *L;
    int32_t count;    // arguments
    int32_t results;  // pushed by the reply
    int32_t place;    // the position among the calls that the object remembers; -1: none
};

// The marks of a Lua thread, in its extra space. A new one has those of the main thread, so none.
typedef struct {
    bool is_for_call;
    // The stop_reason that ended a coroutine. It must never run again, its pending __close handlers
    // neither: an error that leaves a hook, as that of a stop does, leaves Lua's hooks off in the
    // coroutine for ever, so nothing could stop it.
    uint8_t stop;
} thread_marks;

_Static_assert(sizeof(thread_marks) <= LUA_EXTRASPACE, "the marks are in the extra space");

static inline thread_marks *marks_of(lua_State *L) { return lua_getextraspace(L); }
static inline lb_state *state_of(lua_State *L) {
    void *state;
    lua_getallocf(L, &state);
    return state;
}
static inline bool is_call_thread(lua_State *L) {
    return marks_of(L)->is_for_call || state_of(L)->core.main == L;
}

#endif
