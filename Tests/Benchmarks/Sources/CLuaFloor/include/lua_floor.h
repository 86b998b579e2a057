#ifndef LUA_FLOOR_H
#define LUA_FLOOR_H

#include <stddef.h>

/// A plain C host for one flow, without anything that a real host needs: sandbox, limits, rollback,
/// copies. Its cost is the floor that the benchmark compares the real host with.
typedef struct lua_floor lua_floor;

/// Loads a flow: a `state` table, an `apply` of functions by type, a `render`. NULL if it fails.
lua_floor *lua_floor_open(const char *source);

void lua_floor_close(lua_floor *floor);

/// Calls `apply.inc(state, { type = "inc", by = 1 })`. Returns 0 if that failed.
int lua_floor_apply(lua_floor *floor);

/// Calls `render(state)` and walks its result once. Returns the number of values, 0 on failure.
size_t lua_floor_render(lua_floor *floor);

#endif
