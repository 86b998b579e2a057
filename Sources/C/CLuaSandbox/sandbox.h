// The functions for scripts: Lua's own behind a check of the limits, and replacements for some.

#ifndef LB_SANDBOX_H
#define LB_SANDBOX_H

#include "access.h"
#include "calls/calls.h"
#include "trace/trace.h"

#include <stdatomic.h>

// Makes a state with the sandbox in it. [never raises]
lb_status lb_sandbox_open(const lb_configuration *configuration, lb_state **state);

// MARK: Functions that scripts can call
// Lua also calls them from C, as metamethods while it unwinds for example, where no hook runs.
#define OFFERED(name)                          \
    static int name##_body(lua_State *L);      \
    static int name(lua_State *L) {            \
        budget_look(L);                        \
        return name##_body(L);                 \
    }                                          \
    static int name##_body(lua_State *L)
// Like OFFERED, for a function that turns numbers into text.
#define OFFERED_TEXT(name)                     \
    static int name##_body(lua_State *L);      \
    static int name(lua_State *L) {            \
        budget_look(L);                        \
        lb_numbers_normalize(L);               \
        return name##_body(L);                 \
    }                                          \
    static int name##_body(lua_State *L)

extern const luaL_Reg lb_base_functions[], lb_metatable_functions[],
    lb_library_metatable_functions[], lb_late_metamethods[], lb_iteration_functions[],
    lb_coroutine_functions[], lb_table_functions[], lb_string_functions[], lb_pattern_functions[],
    lb_random_functions[], lb_extreme_functions[], lb_power_functions[], lb_utf8_functions[],
    lb_utf8_length_functions[], lb_io_functions[], lb_os_functions[], lb_debug_functions[];

// MARK: base.c
// Prints a line. [raises]
void lb_print_text(lua_State *L, const char *text, size_t length);
// Raises the errors of lua_rawset for a key, which contain no place. [raises]
void lb_check_raw_key(lua_State *L, int key);

// MARK: stock.c
typedef struct {
    const char *name;              // NULL: the end
    lua_CFunction offered;         // the function for scripts; NULL: used by our functions only
    _Atomic(lua_CFunction) *slot;  // keeps Lua's own function
} stock_function;

extern const stock_function lb_stock_base[], lb_stock_string[], lb_stock_table[], lb_stock_math[],
    lb_stock_utf8[], lb_stock_arithmetic[];
lua_CFunction lb_stock_format(void);  // Lua's string.format; available after a sandbox was opened

// MARK: comparison.c
// True if the value at x is less than the one at y, as Lua says. [raises]
bool lb_is_less(lua_State *L, int x, int y);

// MARK: readonly.c
// Replaces the table on top by a stand-in that can be read, but not written. [memory]
void lb_readonly_wrap(lua_State *L, const char *name);
// If the value is a stand-in, pushes its table.
bool lb_readonly_push_table(lua_State *L, int index);

// MARK: late.c
// Pushes a global that is made when it is first read. [memory]
bool lb_late_push(lua_State *L, const char *name);
// Sets the fields of `package` that are texts, in the table on top. [memory]
void lb_package_set_texts(lua_State *L);
// Makes reads of absent names in the table of globals on top raise an error. [memory]
void lb_late_refuse_unknown(lua_State *L);

// MARK: library.c
void lb_library_open(lua_State *L);  // [memory]

// MARK: plain.c
void lb_plain_open(lua_State *L);  // [memory]

// MARK: system/io.c
// Sets the files and `write` in the table on top. [memory]
void lb_io_set_files(lua_State *L);

// MARK: metatables.c
void lb_metatables_open(lb_state *b);  // [memory]; runs on the main thread

// MARK: random.c
void lb_random_seed(lb_state *b);  // from the seed of the configuration
// Advances a state and returns its next number.
uint64_t lb_random_advance(uint64_t state[4]);

#endif
