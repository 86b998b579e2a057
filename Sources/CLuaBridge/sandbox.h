// The functions that the sandbox takes from Lua's own library.

#ifndef CLUABRIDGE_SANDBOX_H
#define CLUABRIDGE_SANDBOX_H

#include "internal.h"

#include <stdatomic.h>

typedef struct {
    const char *name;                  // NULL: the end
    lua_CFunction offered;             // what scripts get; NULL: one of ours builds on it
    _Atomic(lua_CFunction) *slot;      // where Lua's function is kept
} stock_function;

extern const stock_function stock_base[], stock_string[], stock_table[], stock_math[], stock_utf8[];

#endif
