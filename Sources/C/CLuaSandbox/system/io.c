// The library io on a system without files: nothing opens, and writes go where `print` writes.

#include "sandbox.h"

#include <string.h>

static const char no_files[] = "flows have no files";

static int refuse_file(lua_State *L) {
    enum { NO_ENTRY = 2 };
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s", luaL_checkstring(L, 1), no_files);
    lua_pushinteger(L, NO_ENTRY);
    return 3;
}

OFFERED(io_open) { return refuse_file(L); }

OFFERED(io_lines) {
    const char *name = luaL_optstring(L, 1, NULL);
    return name == NULL ? luaL_error(L, no_files) : luaL_error(L, "%s: %s", name, no_files);
}

OFFERED(io_tmpfile) {
    lua_pushnil(L);
    lua_pushstring(L, no_files);
    return 2;
}

OFFERED(io_nothing) {
    lua_pushnil(L);
    return 1;
}

OFFERED(io_true) {
    lua_pushboolean(L, true);
    return 1;
}

// True if the value is a table of this library that stands for a file.
static bool is_file(lua_State *L, int index) {
    STACK(L, 0, memory);
    if (!lb_readonly_push_table(L, index)) return false;
    bool is = lua_getfield(L, -1, "setvbuf") == LUA_TFUNCTION;
    lua_pop(L, 2);
    return is;
}

OFFERED(io_type) {
    luaL_checkany(L, 1);
    if (is_file(L, 1))
        lua_pushliteral(L, "file");
    else
        lua_pushnil(L);
    return 1;
}

// Prints texts and numbers from `first` on, without the line end that is the last of them.
static void write_texts(lua_State *L, int first) {
    STACK(L, 0, anything);
    int count = lua_gettop(L);
    luaL_Buffer text;
    size_t length;
    lb_require_stack(L);
    luaL_buffinit(L, &text);
    for (int i = first; i <= count; i++) {
        lb_budget_check(state_of(L), L);
        const char *part = luaL_checklstring(L, i, &length);
        luaL_addlstring(&text, part, length);
    }
    luaL_pushresult(&text);
    const char *all = lua_tolstring(L, -1, &length);
    if (length > 0) lb_print_text(L, all, all[length - 1] == '\n' ? length - 1 : length);
    lua_pop(L, 1);
}

OFFERED_TEXT(io_write) {
    write_texts(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

OFFERED_TEXT(file_write) {
    write_texts(L, 2);
    lua_settop(L, 1);
    return 1;
}

const luaL_Reg lb_io_functions[] = {
    {"close", io_true}, {"flush", io_true},     {"lines", io_lines}, {"open", io_open},
    {"read", io_nothing}, {"tmpfile", io_tmpfile}, {"type", io_type},   {NULL, NULL},
};

static const luaL_Reg file_functions[] = {
    {"close", io_true},    {"flush", io_true},    {"lines", io_lines}, {"read", io_nothing},
    {"seek", io_nothing}, {"setvbuf", io_true}, {"write", file_write}, {NULL, NULL},
};

void lb_io_set_files(lua_State *L) {
    STACK(L, 0, memory);
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (int i = 0; i < COUNT_OF(names); i++) {
        lua_createtable(L, 0, 8);
        luaL_setfuncs(L, file_functions, 0);
        lb_readonly_wrap(L, "a file");
        lua_setfield(L, -2, names[i]);
    }
    lua_getfield(L, -1, "stdout");
    lua_pushcclosure(L, io_write, 1);
    lua_setfield(L, -2, "write");
}
