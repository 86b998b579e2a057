// Reads and shows values for the functions that scripts can call.

#ifndef LB_ACCESS_H
#define LB_ACCESS_H

#include "state.h"

// Pushes a value's metatable as the script set it, not Lua's own.
bool lb_metatable_push(lua_State *L, int index);
// Pushes a field of that metatable. Needs two free slots.
bool lb_metafield_push(lua_State *L, int index, const char *name, size_t length);
typedef enum { READ_NONE, READ_TABLE, READ_VIEW, READ_LIBRARY } readable;
// Pushes the raw table behind a table, a view or a read-only stand-in. [memory]
readable lb_read_push(lua_State *L, int index);
// Raises if scripts may not write the table at an index. [raises]
void lb_check_writable(lua_State *L, int index);
// Pushes a value's text, never with an address. [raises]
void lb_text_push(lua_State *L, int index);

// Numbers may be given as text, but reading a long numeral takes a tenth of a second or more,
// without a look at the limits. A longer text than this is not taken for a number.
enum { LONGEST_NUMERAL = 1 << 16 };
static inline bool is_numeral_long(lua_State *L, int index) {
    // The length of a number is 0.
    return lua_rawlen(L, index) > LONGEST_NUMERAL && lua_type(L, index) == LUA_TSTRING;
}
// Raises for such a text. [argument errors]
static inline void numeral_check(lua_State *L, int index) {
    STACK(L, 0, anything);
    if (is_numeral_long(L, index)) luaL_argerror(L, index, "text is too long for a number");
}
// Replaces a numeral by its number, for functions that read many; `work` counts it. [raises]
void lb_numeral_read_text(lua_State *L, int index, size_t *work);
static inline void numeral_read(lua_State *L, int index, size_t *work) {
    if (lua_type(L, index) == LUA_TSTRING) lb_numeral_read_text(L, index, work);
}
// luaL_checkinteger and luaL_optinteger for these texts.
lua_Integer lb_check_other_integer(lua_State *L, int index);
static inline lua_Integer check_integer(lua_State *L, int index) {
    return lua_isinteger(L, index) ? lua_tointeger(L, index) : lb_check_other_integer(L, index);
}
lua_Integer lb_opt_integer(lua_State *L, int index, lua_Integer otherwise);

// Charges one pass over a text, if it is long. [raises if a limit has tripped]
enum { LONG_TEXT = 4096 };
void lb_text_charge_long(lua_State *L, size_t length);
static inline void text_charge(lua_State *L, size_t length) {
    if (length >= LONG_TEXT) lb_text_charge_long(L, length);
}

// Replaces a NaN at an index by the one whose text is the same on every machine.
void lb_number_replace(lua_State *L, int index);
static inline void number_normalize(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return;
    lua_Number number = lua_tonumberx(L, index, NULL);
    if (number != number) lb_number_replace(L, index);
}
void lb_numbers_normalize(lua_State *L);  // all numbers on the stack

#endif
