// The release of the loaded Lua. Headers and lua_version say 5.4; each library has its full name.

#include "core/core.h"

#include <string.h>

// Exported by the library, but in no public header. Weak, so it may be missing in the loaded one.
extern const char lua_ident[] __attribute__((weak));

const char *lb_release_ident(void) { return lua_ident; }

bool lb_release_shows_moved_stacks(void) {
    static const char start[] = "$LuaVersion: Lua 5.4.";
    size_t length = sizeof(start) - 1;
    if (lua_ident == NULL || strncmp(lua_ident, start, length) != 0) return false;
    char digit = lua_ident[length], next = digit == '\0' ? '\0' : lua_ident[length + 1];
    return digit >= '0' && digit <= '4' && next == ' ';
}
