// Files of a library have more than a flow's own: `load`, and globals that they can write, with own
// tables in place of the read-only libraries. All library files of a flow share these globals.

#include "sandbox.h"

#include <string.h>

enum { PIECE = 1 << 16 };       // bytes of a text for `load`
enum { NAME = 40 };             // of its name, in messages
enum { BYTES_A_STEP = 8 };      // the compiler's work, in instructions

// MARK: load

// Joins the pieces that a function gives.
static void push_pieces(lua_State *L, int function) {
    STACK(L, +1, anything);
    luaL_Buffer text;
    size_t total = 0, length = 0;
    lb_require_stack(L);
    luaL_buffinit(L, &text);
    do {
        lb_budget_charge(state_of(L), L, 1);
        lua_pushvalue(L, function);
        lua_call(L, 0, 1);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            break;
        }
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
        length = lua_rawlen(L, -1);
        total += length;
        luaL_addvalue(&text);
    } while (length > 0 && total <= PIECE);
    luaL_pushresult(&text);
}

// Pushes a chunk's name as Lua shows that of a text: in brackets, unlike that of any file.
static void push_chunk_name(lua_State *L, const char *name) {
    STACK(L, +1, memory);
    char shown[NAME + 1];
    size_t length = 0;
    if (*name == '@' || *name == '=') name++;
    for (; length < NAME && (unsigned char)name[length] >= ' ' && name[length] != 0x7F; length++)
        shown[length] = name[length];
    // No character is cut in two.
    while (length == NAME && length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) length--;
    shown[length] = 0;
    lua_pushfstring(L, "=[string \"%s%s\"]", shown, name[length] == 0 ? "" : "...");
}

static int refuse(lua_State *L, const char *message) {
    lua_pushnil(L);
    lua_pushstring(L, message);
    return 2;
}

OFFERED(library_load) {
    enum { TEXT = 1, CHUNK_NAME, MODE, ENVIRONMENT };
    lb_state *b = state_of(L);
    bool has_environment = !lua_isnone(L, ENVIRONMENT);
    bool is_text = lua_type(L, TEXT) == LUA_TSTRING;
    const char *name = luaL_optstring(L, CHUNK_NAME, NULL), *mode = luaL_optstring(L, MODE, "bt");
    if (!is_text) luaL_checktype(L, TEXT, LUA_TFUNCTION);
    lua_settop(L, ENVIRONMENT);
    if (!is_text) {
        push_pieces(L, TEXT);
        lua_replace(L, TEXT);
    }
    size_t length;
    const char *text = lua_tolstring(L, TEXT, &length);
    if (length > PIECE) return refuse(L, "the text has more than 65536 bytes");
    if (strchr(mode, 't') == NULL)
        return refuse(L, "attempt to load a text chunk (mode is not 't')");
    push_chunk_name(L, name != NULL ? name : is_text ? text : "=(load)");
    lb_require_stack(L);
    lb_budget_charge(b, L, length / BYTES_A_STEP);
    int status = luaL_loadbufferx(L, text, length, lua_tolstring(L, -1, NULL), "t");
    lb_budget_check(b, L);
    if (status == LUA_ERRMEM) return lua_error(L);
    if (status != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    if (has_environment)
        lua_pushvalue(L, ENVIRONMENT);
    else
        lb_package_push_environment(L);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
    return 1;
}

// MARK: What would show or change what is the host's

// The memory in use would differ between runs.
OFFERED(library_collectgarbage) {
    lua_pushinteger(L, 0);
    return 1;
}

// The seed is the session's.
OFFERED(library_randomseed) {
    (void)L;
    return 0;
}

static const luaL_Reg library_functions[] = {
    {"collectgarbage", library_collectgarbage}, {"load", library_load}, {NULL, NULL}};
static const luaL_Reg library_math_functions[] = {{"randomseed", library_randomseed}, {NULL, NULL}};

// MARK: The environment

// Replaces the read-only table on top by a copy.
static void copy_readonly(lua_State *L) {
    STACK(L, 0, anything);
    if (!lb_readonly_push_table(L, -1)) return;
    lua_createtable(L, 0, 24);
    lua_pushnil(L);
    while (lua_next(L, -3)) copy_field(L, -3);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static int make_environment(lua_State *L) {
    static const char *const late[] = {"io", "os", "debug", "_VERSION"};
    lua_settop(L, 0);
    lua_createtable(L, 0, 48);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_GLOBALS);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        copy_readonly(L);
        copy_field(L, 1);
    }
    for (int i = 0; i < COUNT_OF(late); i++) {
        lb_late_push(L, late[i]);
        copy_readonly(L);
        lua_setfield(L, 1, late[i]);
    }
    lua_createtable(L, 0, 8);
    lb_package_push(L, "loaded");
    lua_setfield(L, -2, "loaded");
    lb_package_push(L, "preload");
    lua_setfield(L, -2, "preload");
    lb_package_set_texts(L);
    lua_setfield(L, 1, "package");
    lua_pushvalue(L, 1);
    lua_setfield(L, 1, LUA_GNAME);
    lua_getfield(L, 1, "math");
    luaL_setfuncs(L, library_math_functions, 0);
    lua_getfield(L, 1, "debug");
    luaL_setfuncs(L, lb_library_metatable_functions, 0);
    lua_settop(L, 1);
    luaL_setfuncs(L, lb_library_metatable_functions, 0);
    luaL_setfuncs(L, library_functions, 0);
    return 1;
}

void lb_library_open(lua_State *L) {
    STACK(L, 0, memory);
    lua_pushcfunction(L, make_environment);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_LIBRARY_MAKER);
}
