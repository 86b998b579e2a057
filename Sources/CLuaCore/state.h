// The state of one interpreter, in parts: one for each folder that works on it. Stack notes
// everywhere read [-popped, +pushed, what it may raise].

#ifndef LB_STATE_H
#define LB_STATE_H

#include "lb_types.h"

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

// The integer keys of the registry: what the bridge keeps, then the references.
enum {
    KEPT_CALL_THREADS = 4,  // table: keeps the Lua threads of calls
    KEPT_GLOBALS,           // table: what the sandbox offers
    KEPT_RECORD,            // metatable of empty records
    KEPT_VIEW,              // metatable of views
    KEPT_WEAK,              // metatable of caches of views
    KEPT_HOST_ERROR,        // the last error that a host function raised
    KEPT_FUNCTION_NUMBER,   // metatable of a host function's number
    KEPT_TEMPORARY,         // what a protected operation works on
    KEPT_SHAPES,            // table: for each shape, a table of the keys that it knows by their addresses
    KEPT_DRAFT,             // metatable of drafts
    KEPT_DRAFT_ROOTS,       // table: the drafts that numbers stand for in what is decoded
    KEPT_METATABLES,        // table: Lua's own metatable for each one of a script
    KEPT_EVENTS,            // table: the names of the metamethods that Lua itself looks for
    FIRST_RECENT,           // short strings that were decoded lately
    FIRST_REFERENCE = FIRST_RECENT + 64,
};

// MARK: core

enum { ERROR_TEXT = 8192 };

typedef struct {
    // Lua's main thread, on which no script ever runs: its stack is always free for conversions and
    // protected operations, however deep the calls are nested.
    lua_State *main;
    lb_configuration configuration;
    void *owner;
    lb_host_callback host;
    lb_print_callback print;
    lb_confirm_callback confirm;

    // What tells the bridge's own userdata and tables from others.
    const void *record_metatable, *view_metatable, *draft_metatable;
    // Places of a table for elements and fields, empty or not. NULL: it is not known how Lua keeps
    // tables.
    size_t (*table_places)(const void *table);

    lb_error error;
    bool error_is_captured;  // by the stop, where it happened
    size_t error_length;
    char error_text[ERROR_TEXT];
} core_state;

// MARK: limits

// Why everything is being unwound. Set once, by the deadline, the allocator, the budget, the depth
// of calls or an interrupt, and cleared when the outermost call has ended; while it is set, every
// Lua instruction raises.
typedef enum {
    STOP_NONE = 0, STOP_TIME, STOP_INSTRUCTIONS, STOP_MEMORY, STOP_OUTPUT, STOP_INTERRUPT, STOP_DEPTH,
} stop_reason;

enum { POOL_CLASSES = 32 };

typedef struct pool_page pool_page;

// Small blocks for Lua. See pool.c.
typedef struct {
    pool_page *pages[POOL_CLASSES];  // those with room
    pool_page *spare;
    int spare_count;
} pool;

// A coroutine that runs while another Lua thread waits for it. Lies on the C stack of who resumes it.
typedef struct resumption {
    lua_State *waits;
    const struct resumption *outer;
} resumption;

typedef struct {
    const resumption *resumed;       // the innermost one; NULL: none
    lua_State *volatile running;     // the Lua thread that runs now; NULL: none
    volatile sig_atomic_t stop;      // a stop_reason
    volatile sig_atomic_t pressure;  // more memory in use than the limit: collect, then decide

    pool pool;
    size_t memory_in_use, memory_peak;
    const void *refused_block;  // and its wanted size, which is 0 if Lua need not be refused again
    size_t refused_size;
    int64_t allocation_countdown;  // for tests
    bool fails_allocation, fails_once;
    bool closing;
    bool privileged;                  // allocates whatever the memory limit says
    size_t table_size, fields_size;  // what Lua takes for an empty table, and for its first field

    uint64_t instructions_left;
    size_t print_left;

    lb_state *outer;  // the state whose host function called into this one, same thread
    bool watched;     // this call started the deadline of its thread
    bool displaced;   // and took the place of an outer one that has none
    lb_interrupt *interrupt;
} limits_state;

// MARK: trace

// What the host hears of the lines that scripts run. See trace.c.
typedef struct {
    lb_trace_callback callback;  // NULL: nothing
    void (*event)(lb_state *b, lua_State *L, lua_Debug *ar);
    int mask;               // of the events that Lua is to tell
    int optional;           // of those that a Lua thread is told of only where that is needed
    bool catches;           // whether errors that scripts catch are told
    uint32_t patience;      // how many times its limit of time a call may take
    lb_traced_line *lines;  // those that are told, in order; NULL: all are
    size_t line_count;
    int32_t path;   // reference to a list: the keys of the path that is followed; 0: none is
    int32_t steps;  // and how many they are
    const lua_State *told;  // meanwhile, the Lua thread of which was told last
} trace_state;

// MARK: protection

typedef struct {
    lua_State **threads;  // one Lua thread for each nested call
    int32_t thread_count, thread_capacity, depth;

    int32_t *free_references;
    uint64_t *reference_tables;  // what tells the tables in each one from others; 0: not known
    int32_t free_count, reference_capacity;
} protection_state;

// MARK: values

enum { ISSUE_TEXT = 1024, MAXIMUM_VALUE_DEPTH = 128 };
enum { RECENT_STRINGS = FIRST_REFERENCE - FIRST_RECENT };

// An entry of a record that is being encoded, with what sorting needs.
typedef struct {
    uint64_t prefix;  // the first eight bytes of the key, first byte highest
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
    DRAFTS_REFUSED,       // nothing, it fails
} draft_mode;

struct encoder;
struct drafted_state;

typedef struct {
    // Encodes a table without Lua's functions; false: it takes these, and what was done so far is
    // of no use. NULL: all tables are read by Lua's functions.
    bool (*read_directly)(struct encoder *e, const void *table, int depth);
    buffer encoding, scratch;
    buffer changed;  // takes the place of `encoding` for the table of a call that changes one
    entry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *offsets;
    size_t offset_count, offset_capacity;
    recent_string recent[RECENT_STRINGS];  // those in the registry

    draft_mode drafts;
    const struct drafted_state *numbering;  // whose roots are numbered
    uint64_t round;                         // of numbering them
    int substitutes;  // slot of the main thread with a table of those encoded for others; 0: none

    uint64_t encoded_values;  // by the last call of encode_at
    bool met_large;           // by the same: a table that is to be a draft
    bool met_view;            // by the same: a view of something else
    uint64_t met_tables;      // by the same, and by decoding: tells the tables from others
    uint64_t diagnosis_left;  // values that the search for a culprit may still look at
    lb_issue issue;
    size_t issue_length;
    char issue_text[ISSUE_TEXT];
} values_state;

// MARK: direct

enum { SHAPES = 32, SHAPE_FIELDS = 12, SHAPE_KEY = 32 };

// The keys of records that are alike. See shapes.c.
typedef struct {
    const void *keys[SHAPE_FIELDS];   // in Lua's order
    uint8_t positions[SHAPE_FIELDS];  // of the keys in sorted order, among `keys`
    uint8_t key_lengths[SHAPE_FIELDS];
    unsigned char key_bytes[SHAPE_FIELDS][SHAPE_KEY];  // encoded, in sorted order
} shape;

typedef struct {
    shape *shapes[SHAPES];    // NULL: there was none in this place
    uint8_t counts[SHAPES];   // fields of each shape; 0: none
    uint8_t users[SHAPES];    // records that are being encoded by it
    bool second[SHAPES / 2];  // of two neighbours, whether the second was learnt last
} direct_state;

// MARK: objects

typedef struct dead_function {
    struct dead_function *next;
    int32_t function;
} dead_function;

typedef struct {
    dead_function *dead;  // host functions that Lua does not refer to any more
} objects_state;

// MARK: sandbox

typedef struct {
    int32_t closing_depth;  // nested coroutine.close
    uint64_t random[4];     // of math.random
} sandbox_state;

// MARK: The whole

struct lb_state {
    struct remote *remote;  // if the scripts run in a process of their own; then there is no Lua here
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
    int32_t place;    // among the calls that the object remembers; -1: none
};

// Every Lua thread's extra space holds the state; the lowest bit marks the threads of calls.
static inline lb_state *state_of(lua_State *L) {
    return (lb_state *)(*(uintptr_t *)lua_getextraspace(L) & ~(uintptr_t)1);
}
static inline bool is_call_thread(lua_State *L) {
    return (*(uintptr_t *)lua_getextraspace(L) & 1) != 0 || state_of(L)->core.main == L;
}

#endif
