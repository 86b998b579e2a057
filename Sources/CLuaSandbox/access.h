// What the functions for scripts read and show of values.

#ifndef LB_ACCESS_H
#define LB_ACCESS_H

#include "state.h"

enum { METATABLE_OF_SCRIPT = 1 };  // the key of the script's own metatable in Lua's metatable
// Pushes a value's metatable as the script set it, not Lua's own. [-0, +1 or 0, never raises]
bool metatable_push(lua_State *L, int index);
// Pushes a field of that metatable. [-0, +1 or 0, never raises]; needs two free slots
bool metafield_push(lua_State *L, int index, const char *name, size_t length);
typedef enum { READ_NONE, READ_TABLE, READ_VIEW, READ_LIBRARY } readable;
// Pushes the raw table behind a table, a view or a read-only stand-in. [-0, +1 or 0, memory]
readable read_push(lua_State *L, int index);
// Raises if scripts may not write the table at an index. [-0, +0, raises]
void check_writable(lua_State *L, int index);
// Pushes a value's text, never with an address. [-0, +1, raises]
void text_push(lua_State *L, int index);

// Replaces a NaN at an index by the one whose text is the same on every machine. [-0, +0, never raises]
void number_replace(lua_State *L, int index);
static inline void number_normalize(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return;
    lua_Number number = lua_tonumberx(L, index, NULL);
    if (number != number) number_replace(L, index);
}
void numbers_normalize(lua_State *L);  // all numbers on the stack

#endif
