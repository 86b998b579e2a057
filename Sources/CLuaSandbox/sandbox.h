// The functions for scripts: those of Lua's own library behind a look at the limits, and others in
// place of some.

#ifndef LB_SANDBOX_H
#define LB_SANDBOX_H

#include "calls/calls.h"

#include <stdatomic.h>

// Makes a state with the sandbox in it. [never raises]
lb_status sandbox_open(const lb_configuration *configuration, lb_state **state);

// MARK: Functions that scripts can call
// Lua calls them from C too, as a metamethod while it unwinds, say, where no hook runs; so each looks at the limits
// before it does anything.
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

extern const luaL_Reg base_functions[], metatable_functions[], iteration_functions[],
    coroutine_functions[], table_functions[], string_functions[], pattern_functions[],
    random_functions[], utf8_functions[];

// MARK: stock.c
typedef struct {
    const char *name;              // NULL: the end
    lua_CFunction offered;         // what scripts get; NULL: one of ours builds on it
    _Atomic(lua_CFunction) *slot;  // where Lua's function is kept
} stock_function;

extern const stock_function stock_base[], stock_string[], stock_table[], stock_math[], stock_utf8[];
lua_CFunction stock_format(void);  // Lua's string.format; known once a sandbox was opened

// MARK: access.c
enum { METATABLE_OF_SCRIPT = 1 };  // the key in Lua's metatable of a script's own
// Pushes the metatable that a script gave a value, not Lua's own. [-0, +1 or 0, never raises]
bool metatable_push(lua_State *L, int index);
// Pushes a field of that metatable. [-0, +1 or 0, never raises]; needs two free slots
bool metafield_push(lua_State *L, int index, const char *name, size_t length);
typedef enum { READ_NONE, READ_TABLE, READ_VIEW, READ_LIBRARY } readable;
// Pushes the raw table behind a table, a view or a read-only stand-in. [-0, +1 or 0, memory]
readable read_push(lua_State *L, int index);
// Raises if scripts may not write the table at an index. [-0, +0, raises]
void check_writable(lua_State *L, int index);
// Pushes a value's text: never an address. [-0, +1, raises]
void text_push(lua_State *L, int index);

// A NaN at an index is replaced by the one whose text is the same on every machine. [-0, +0, never
// raises]
void number_replace(lua_State *L, int index);
static inline void number_normalize(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return;
    lua_Number number = lua_tonumberx(L, index, NULL);
    if (number != number) number_replace(L, index);
}
void numbers_normalize(lua_State *L);  // those on the stack

// MARK: readonly.c
// Replaces the table on top by a stand-in: reads go through, writes raise. [-1, +1, memory]
void readonly_wrap(lua_State *L, const char *name);
// If the value is a stand-in, pushes its table. [-0, +1 or 0, never raises]
bool readonly_push_table(lua_State *L, int index);

// MARK: metatables.c
void metatables_open(lb_state *b);  // [-0, +0, memory]; runs on the main thread

// MARK: random.c
void random_seed(lb_state *b);

#endif
