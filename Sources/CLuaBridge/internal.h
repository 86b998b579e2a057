// What the files of the bridge share. Stack notes read [-popped, +pushed, what it may raise].

#ifndef CLUABRIDGE_INTERNAL_H
#define CLUABRIDGE_INTERNAL_H

#include "CLuaBridge.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>

// Why everything is being unwound. Set once, by the deadline, the allocator, the budget, the depth of calls or an
// interrupt, and cleared when the outermost call has ended; while it is set, every Lua instruction raises.
typedef enum {
    STOP_NONE = 0, STOP_TIME, STOP_INSTRUCTIONS, STOP_MEMORY, STOP_OUTPUT, STOP_INTERRUPT, STOP_DEPTH,
} stop_reason;

typedef struct {
    unsigned char *bytes;
    size_t length, capacity;
} buffer;

// The main Lua thread is the desk: scripts never run on it, so its stack is always free for
// conversions and protected operations, however deep the calls are nested.
enum {
    DESK_ROOM = 100,      // slots claimed for good
    ENCODING_ROOM = 600,  // what encoding by Lua's functions takes, for 128 nested containers
};

// The integer keys of the registry: what the bridge keeps, then the references.
enum {
    KEPT_LEVELS = 4,   // table: keeps the level threads
    KEPT_GLOBALS,      // table: what the sandbox offers
    KEPT_RECORD,       // metatable of empty records
    KEPT_VIEW,         // metatable of views
    KEPT_WEAK,         // metatable of caches of views
    KEPT_HOST_ERROR,   // the last error that a host function raised
    KEPT_HOST_BOX,     // metatable of a host function's number
    KEPT_TEMPORARY,    // what a protected operation works on
    KEPT_SHAPES,       // table: for each shape, a table of the keys that it knows by their addresses
    KEPT_DRAFT,        // metatable of drafts
    KEPT_TOPS,         // table: the drafts that numbers stand for in what is decoded
    KEPT_METATABLES,   // table: Lua's own metatable for each one of a script; see metatables.c
    KEPT_EVENTS,       // table: the names of the metamethods that Lua itself looks for
    FIRST_WORD = 16,   // short strings that were decoded lately
    FIRST_REFERENCE = FIRST_WORD + 64,
};

enum { WORDS = FIRST_REFERENCE - FIRST_WORD, LONGEST_WORD = 16 };

enum { ERROR_TEXT = 8192, ISSUE_TEXT = 1024, MAXIMUM_VALUE_DEPTH = 128 };

typedef struct dead_function {
    struct dead_function *next;
    int32_t function;
} dead_function;

// An entry of a record that is being encoded, with what sorting needs.
typedef struct {
    uint64_t prefix;  // the first eight bytes of the key, first byte highest
    uint32_t offset, length, key_length, position;
} entry;

enum { SHAPES = 32, SHAPE_FIELDS = 12, SHAPE_KEY = 32 };

// The keys of records that are alike. See shapes.c.
typedef struct {
    const void *keys[SHAPE_FIELDS];   // in Lua's order
    uint8_t positions[SHAPE_FIELDS];  // of the keys in sorted order, among `keys`
    uint8_t key_lengths[SHAPE_FIELDS];
    unsigned char key_bytes[SHAPE_FIELDS][SHAPE_KEY];  // encoded, in sorted order
} shape;

// A short string. See decode.c.
typedef struct {
    uint64_t head, tail;  // the first and the last eight bytes, or halves
    uint64_t length;      // 0: none
} word;

enum { POOL_CLASSES = 32 };

typedef struct pool_page pool_page;
typedef struct ledger ledger;

// What encoding makes of drafts. See drafts.c.
typedef enum {
    DRAFTS_FOLLOWED = 0,  // their tables
    DRAFTS_NUMBERED,      // the numbers of the tops of a state
    DRAFTS_REFUSED,       // nothing, it fails
} draft_mode;

// Small blocks for Lua. See pool.c.
typedef struct {
    pool_page *pages[POOL_CLASSES];  // those with room
    pool_page *spare;
    int spare_count;
} pool;

struct lb_state {
    struct remote *remote;  // if the scripts run in a process of their own; then there is no Lua here
    lua_State *desk;
    lua_State *volatile running;  // the Lua thread that runs now; NULL: none
    volatile sig_atomic_t stop;   // a stop_reason
    volatile sig_atomic_t pressure;  // more memory in use than the limit: collect, then judge
    lb_configuration configuration;
    void *owner;
    lb_host_callback host;
    lb_print_callback print;
    lb_confirm_callback confirm;

    pool pool;
    size_t memory_in_use, memory_peak;
    const void *refused_block;  // and its wanted size, which is 0 if Lua need not be refused again
    size_t refused_size;
    int64_t allocation_countdown;  // for tests
    bool fails_allocation, fails_once;
    bool closing;
    size_t table_size, node_size;  // what Lua takes for an empty table, and for its first field

    uint64_t instructions_left;
    size_t print_left;
    int32_t closing_depth;  // nested coroutine.close
    uint64_t random[4];     // of math.random

    lua_State **levels;  // one Lua thread for each nested call
    int32_t level_count, level_capacity, depth;

    int32_t *free_references;
    int32_t free_count, reference_capacity;

    const void *record_metatable, *view_metatable, *draft_metatable;
    draft_mode drafts;
    const ledger *numbering;  // whose tops are numbered
    int substitutes;          // desk slot of a table of those encoded for others; 0: none
    bool met_large;           // by the last call of encode_at: a table that is to be a draft
    bool privileged;          // allocates whatever the memory limit says

    bool knows_layout;    // Lua's objects are as layout.h has them
    bool reads_directly;  // so tables are read where they lie; see direct.c
    buffer encoding, scratch;
    buffer changed;  // takes the place of `encoding` for the table of lb_call_changing
    entry *entries;
    size_t entry_count, entry_capacity;
    shape *shapes[SHAPES];         // NULL: there was none in this place
    uint8_t shape_counts[SHAPES];  // fields of each shape; 0: none
    uint8_t shape_users[SHAPES];   // records that are being encoded by it
    bool shape_second[SHAPES / 2];  // of two neighbours, whether the second was learnt last
    word words[WORDS];  // those in the registry
    uint32_t *offsets;
    size_t offset_count, offset_capacity;

    dead_function *dead;

    struct lb_state *outer;  // the state whose host function called into this one, same thread
    bool watched;            // this call started the deadline of its thread
    bool displaced;          // and took the place of an outer one that has none
    lb_interrupt *interrupt;

    lb_error error;
    bool error_is_captured;  // by the stop, where it happened
    size_t error_length;
    char error_text[ERROR_TEXT];

    uint64_t encoded_values;   // by the last call of encode_at
    uint64_t diagnosis_left;   // values that the search for a culprit may still look at
    lb_issue issue;
    size_t issue_length;
    char issue_text[ISSUE_TEXT];
};

struct lb_call {
    lb_state *state;
    lua_State *L;
    int32_t count;    // arguments
    int32_t results;  // pushed by lb_reply
    int32_t place;    // among the calls that the object remembers; -1: none
};

// Every Lua thread's extra space holds the state; the lowest bit marks the threads of levels.
static inline lb_state *state_of(lua_State *L) {
    return (lb_state *)(*(uintptr_t *)lua_getextraspace(L) & ~(uintptr_t)1);
}
static inline bool is_level(lua_State *L) {
    return (*(uintptr_t *)lua_getextraspace(L) & 1) != 0 || state_of(L)->desk == L;
}

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LITERAL(text) (text), sizeof(text) - 1

// MARK: allocator.c
void *lb_allocate(void *state, void *block, size_t old_size, size_t new_size);
// Notes that Lua does not get a block, which is told as a memory limit unless another one has tripped.
void allocation_refuse(lb_state *b, const void *block, size_t size);
// Whether making a table for a few fields cannot fail now.
bool is_table_sure(const lb_state *b, uint32_t count);
void measure_tables(lb_state *b);  // [-0, +0, memory]

// MARK: pool.c
// As realloc; a failure leaves the block as it was.
void *pool_resize(pool *p, void *block, size_t old_size, size_t new_size);
// Whether a block that could not be made smaller may stay where it is.
bool pool_may_stay(size_t old_size, size_t new_size);
void pool_close(pool *p);  // after all blocks were given back

// MARK: buffer.c
bool buffer_reserve(buffer *b, size_t more);
// Gives a large block back; called before a new use, so that one huge value is not kept for ever.
void buffer_shrink(buffer *b);
enum { KEPT_CAPACITY = 1 << 20 };
static inline void buffer_trim(buffer *b) {
    b->length = 0;
    if (b->capacity > KEPT_CAPACITY) buffer_shrink(b);
}

// MARK: references.c
// Makes sure that reference_take succeeds as often. [-0, +0, memory]; runs on the desk.
void reference_reserve(lb_state *b, int32_t count);
// The same under protection.
lb_status reference_prepare(lb_state *b);
// Takes the value on top of L. Needs a reserved reference. [-1, +0, never raises]
int32_t reference_take(lb_state *b, lua_State *L);
// [-0, +1, never raises]; needs a free slot of L
static inline void reference_push(lua_State *L, int32_t reference) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}

// MARK: protect.c
// Runs a C function on the desk under lua_pcall, with `context` as its light userdata argument;
// its `results` are left on the desk. [-0, +results or 0, never raises]
lb_status protect(lb_state *b, lua_CFunction body, void *context, int results);
// The status of a lua_pcall's result; an error value on top of L is popped.
lb_status protect_status(lb_state *b, lua_State *L, int code);
// To be called at the end of every operation that may have tripped a limit outside a call.
void protect_settle(lb_state *b);
lb_status stop_status(const lb_state *b);

// MARK: signals.c
#if defined(SIGNALS_AT_ALLOCATIONS)
typedef enum { STRIKE_STRAY, STRIKE_LATE, STRIKE_INTERRUPT } strike_kind;
void signals_strike(void);
#else
static inline void signals_strike(void) {}
#endif

// MARK: release.c
// Whether a Lua thread can be asked for its calls while its stack is being moved. From 5.4.5 on, Lua keeps places in the
// stack as offsets meanwhile. Safe anywhere.
bool release_shows_moved_stacks(void);

// MARK: source.c
// Skips a byte order mark, and a first line that begins with '#' up to its end.
const char *source_code(const char *source, size_t *length);

// MARK: call.c
typedef struct {
    int32_t function;
    const lb_argument *arguments;
    int32_t count, wanted;  // results
} call_request;

typedef lb_status (*after_call)(lb_state *b, void *context);
// Calls a function and, if that went well, `after`, which the time of the call is for as well.
lb_status call_and_then(
    lb_state *b, const call_request *r, int32_t wants, lb_value *result, after_call after,
    void *context);

// MARK: budget.c
enum { THREAD_STEPS = 100 };  // what entering a Lua thread counts, since each counts from 0
void budget_begin(lb_state *b);  // an outermost call starts
void budget_end(lb_state *b);    // and has ended
void budget_clear(lb_state *b);  // no stop is set any more, and every hook is off
void budget_arm(lb_state *b, lua_State *L);   // sets the hook that L should have now
void budget_enter(lb_state *b, lua_State *L);  // L is about to run
// Marks the limit as tripped and arms the running thread; safe in a signal handler.
void budget_stop(lb_state *b, stop_reason reason);
// [-0, +0, raises if a limit has tripped]
void budget_check(lb_state *b, lua_State *L);
// Counts work that C does as instructions, and checks. [-0, +0, raises if a limit has tripped]
void budget_charge(lb_state *b, lua_State *L, uint64_t steps);
// Notes where the limit tripped, once. [-0, +0, never raises]
void budget_capture(lb_state *b, lua_State *L, bool whole);
int budget_raise(lb_state *b, lua_State *L);  // never returns
// Stops a call that is nested too deep. [never returns]
int budget_raise_depth(lb_state *b, lua_State *L);
// The look at the limits that every function takes which scripts can call. [-0, +0, raises if a limit has tripped]
static inline void budget_look(lua_State *L) {
    lb_state *b = state_of(L);
    if (b->stop || b->configuration.instruction_limit != 0) budget_charge(b, L, 1);
}
// Defines a function that scripts can call. Lua calls it from C too, as a metamethod while it unwinds, say, where no
// hook runs; so it looks at the limits before it does anything.
#define OFFERED(name)                          \
    static int name##_body(lua_State *L);      \
    static int name(lua_State *L) {            \
        budget_look(L);                        \
        return name##_body(L);                 \
    }                                          \
    static int name##_body(lua_State *L)
// The same of a function that makes text of numbers.
#define OFFERED_TEXT(name)                     \
    static int name##_body(lua_State *L);      \
    static int name(lua_State *L) {            \
        budget_look(L);                        \
        numbers_normalize(L);                  \
        return name##_body(L);                 \
    }                                          \
    static int name##_body(lua_State *L)
// The look in a loop over `i` that does little each time. [-0, +0, raises if a limit has tripped]
enum { LOOK_AT = 1 << 16 };
static inline void budget_look_at(lua_State *L, size_t i) {
    if (i % LOOK_AT == LOOK_AT - 1) budget_charge(state_of(L), L, LOOK_AT / 64);
}

// MARK: watchdog.c
#if defined(SIGNALS_AT_ALLOCATIONS)
void watch_strike(strike_kind kind);         // sends the signal to this thread
void watch_strike_any(uint64_t number);      // sends it to one of those that play
#endif
bool watch_start(void);  // false: there is no watchdog
bool watch_begin(lb_state *b);
void watch_end(lb_state *b);

// MARK: interrupt.c
lb_interrupt *interrupt_open(void);  // NULL: out of memory
void interrupt_close(lb_interrupt *i);
// The thread must not end before interrupt_knock can know of it.
void interrupt_begin(lb_interrupt *i, const pthread_t *thread);
void interrupt_end(lb_interrupt *i);
// Whether the call that runs is to end; safe in a signal handler.
bool interrupt_is_due(const lb_interrupt *i);
// Signals the threads whose calls are to end. No thread may be forgotten meanwhile.
void interrupt_knock(int signal_number);

// MARK: levels.c
// The Lua thread for the next level; NULL: out of memory.
lua_State *level_thread(lb_state *b, lb_status *status);
static inline lua_State *next_level(lb_state *b, lb_status *status) {
    return b->depth < b->level_count ? b->levels[b->depth] : level_thread(b, status);
}
bool stack_is_short(void);
// For C functions that call back with large frames: stops the call where the machine stack is short. [-0, +0, raises]
void require_stack(lua_State *L);

// MARK: errors.c
int error_handler(lua_State *L);  // a message handler for lua_pcall
static inline void error_begin(lb_state *b) {
    if (b->error_is_captured) return;
    b->error_length = 0;
    b->error.message = (lb_text){b->error_text, 0};
    b->error.location = (lb_location){b->error_text, 0, 0};
    b->error.frame_count = b->error.local_count = 0;
}
// `whole`: with frames, names and locals, which need a sound Lua stack.
void error_capture(lb_state *b, lua_State *L, bool whole);
void error_set_text(lb_state *b, const char *message, size_t length);
void error_set_syntax(lb_state *b, lua_State *L, const char *chunk);
bool error_place(lua_State *L, int level, lb_location *location);
lb_text error_keep(lb_state *b, const char *bytes, size_t length);
lb_text error_keep_name(lb_state *b, const char *name);

// MARK: describe.c
size_t describe(lb_state *b, lua_State *L, int index, char *text, size_t capacity);

// MARK: encode.c, diagnose.c, decode.c, utf8.c
// Encodes the value on top of the desk into b->encoding; it stays there. When a limit trips meanwhile, the status is
// that of the limit; on any other failure the issue is set.
lb_status encode_top(lb_state *b, lb_value *value);
// Encodes what is on top of the desk as part of the `depth` tables in `ancestors`.
lb_issue_kind encode_at(lb_state *b, const void **ancestors, int depth);
void shapes_open(lb_state *b);  // [-0, +0, memory]; runs on the desk
void shapes_close(lb_state *b);
// Sets the issue of the value on top of the desk.
void diagnose(lb_state *b, lb_issue_kind kind, const void **ancestors);
// [-0, +1, memory]
void decode_push(lua_State *L, const void *bytes);
// Pushes a value if that is sure to succeed, on a Lua thread with room for it. [-0, +1 or 0, never raises]
bool decode_push_easily(lb_state *b, lua_State *L, const void *bytes);
// Pushes an argument. [-0, +1, memory]
void argument_push_other(lua_State *L, const lb_argument *argument);
static inline void argument_push(lua_State *L, const lb_argument *argument) {
    if (argument->kind == LB_ARGUMENT_REFERENCE)
        reference_push(L, argument->reference);
    else
        argument_push_other(L, argument);
}
// Pushes an argument where that is sure to succeed; false: it may fail. [-0, +1 or 0, never raises]
bool argument_push_easily(lb_state *b, lua_State *L, const lb_argument *argument);
// [-0, +1 or 0 on failure, never raises]
lb_status argument_push_protected(lb_state *b, lua_State *L, const lb_argument *argument);
size_t utf8_valid_prefix(const unsigned char *bytes, size_t length);

// MARK: types.c
lb_type type_at(lb_state *b, lua_State *L, int index);
// A scalar as it is, a type alone otherwise. [-0, +0, never raises]
void scalar_at(lb_state *b, lua_State *L, int index, lb_value *value);
const char *type_name_at(lb_state *b, lua_State *L, int index);

// MARK: views.c
bool is_view(lb_state *b, lua_State *L, int index);
// Pushes a view's table; false: there is only its encoding yet. [-0, +1 or 0, never raises]
bool view_push_table(lb_state *b, lua_State *L, int index);
// Pushes a view's table, decoding it if need be. [-0, +1, memory]
void view_open(lua_State *L, int index);
// Replaces a table on top, found at the key at `key`, by its view. [-1, +1, memory]
void view_wrap(lua_State *L, int view, int key);
enum { VIEW_TABLE = 1 };  // the user value of a view that is its table
// The bytes that stand for a view, if it was made with such. `memory` is that of the userdata.
const void *view_bytes(const void *memory, size_t *length);
int view_raise_write(lua_State *L, int index);  // never returns
void views_open(lb_state *b);                   // [-0, +0, memory]; runs on the desk

// MARK: drafts.c
void drafts_open(lb_state *b);  // [-0, +0, memory]; runs on the desk
bool is_draft(lb_state *b, lua_State *L, int index);
// The same of a userdata that has this metatable.
bool is_draft_by(lb_state *b, lua_State *L, int index, const void *metatable);
// Replaces a table on top, found in the draft, by its draft. [-1, +1, memory]
void draft_wrap(lua_State *L, int index);
// Writes the value on top at a key, or at a place of a list. [-1, +0, raises]
void draft_set(lua_State *L, int index, int key);
void draft_set_element(lua_State *L, int index, lua_Integer i);
// Moves an element within its list, where another one takes its place. [-0, +0, raises]
void draft_move_element(lua_State *L, int index, lua_Integer from, lua_Integer to);
// Gives the elements of a draft the order of a list of them. [-0, +0, raises]
void draft_permute(lua_State *L, int index, int list, lua_Integer length);
// The number of the draft on top in the plain part that is encoded; 0: it does not belong there.
uint32_t draft_number(lb_state *b, lua_State *L, int depth);

// MARK: remember.c
enum { OBJECT_MEMORY = 1 };  // the user value of an object with what remembering keeps
enum { COMPARED = 2 };       // arguments that are compared by value, the third and on

typedef struct remembered remembered;

// The calls with an object that are remembered, in the order in which they were made.
typedef struct {
    remembered *entries;
    int32_t count, capacity;
    int32_t next;  // the place of the next call
} memory;

// Pushes the remembered reply to a call whose arguments are on L; false: there is none, and the call's place
// is free for a new one. [-0, +2 or 0, never raises]
bool remembered_reply(lua_State *L, memory *m, int32_t *place);

// MARK: objects.c
// The memory of a usable object; NULL: it is none.
memory *object_memory(lua_State *L, int index);
bool is_object(lua_State *L, int index, int64_t *tag);
const char *object_name(lua_State *L, int index);

// MARK: suggest.c
size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

// MARK: frozen.c
// Replaces the table on top by a frozen stand-in: reads go through, writes raise. [-1, +1, memory]
void frozen_wrap(lua_State *L, const char *name);
// If the value is a stand-in, pushes its table. [-0, +1 or 0, never raises]
bool frozen_push_table(lua_State *L, int index);

// MARK: fields.c; both take the table on top of the desk
lb_status field_of_top(lb_state *b, const void *name, size_t length, lb_value *value);
lb_status fields_begin_top(lb_state *b);

// MARK: host.c
int host_trampoline(lua_State *L);
void host_open(lb_state *b);  // [-0, +0, memory]; runs on the desk

// MARK: the sandbox
typedef enum { READ_NONE, READ_TABLE, READ_VIEW, READ_FROZEN } readable;
// Pushes the raw table behind a table, a view or a stand-in. [-0, +1 or 0, memory]
readable read_push(lua_State *L, int index);
// The raw table at an index; raises if scripts may not write it. [-0, +0, raises]
void check_writable(lua_State *L, int index);
// Pushes a value's text: never an address. [-0, +1, raises]
void text_push(lua_State *L, int index);
extern const luaL_Reg base_functions[], metatable_functions[], iteration_functions[],
    coroutine_functions[], table_functions[], string_functions[], pattern_functions[],
    random_functions[], utf8_functions[];
lua_CFunction stock_format(void);  // Lua's string.format; known once a sandbox was opened
// A NaN at an index is replaced by the one whose text is the same on every machine. [-0, +0, never raises]
void number_replace(lua_State *L, int index);  // [-0, +0, never raises]
static inline void number_normalize(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return;
    lua_Number number = lua_tonumberx(L, index, NULL);
    if (number != number) number_replace(L, index);
}
void numbers_normalize(lua_State *L);  // those on the stack
// Pushes the metatable that a script gave a value, not Lua's own. [-0, +1 or 0, never raises]
bool metatable_push(lua_State *L, int index);
// Pushes a field of that metatable. [-0, +1 or 0, never raises]; needs two free slots
bool metafield_push(lua_State *L, int index, const char *name, size_t length);
void metatables_open(lb_state *b);  // [-0, +0, memory]; runs on the desk
void random_seed(lb_state *b);
void sandbox_open(lb_state *b);  // [-0, +0, memory]; runs on the desk

#endif
