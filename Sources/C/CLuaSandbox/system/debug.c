// The library debug, as far as it tells places: getinfo and traceback. Its getmetatable is the
// global one. It reaches no variable, no function that was not given, no hook and no registry.

#include "sandbox.h"

#include <string.h>

enum {
    SHOWN = 22,          // lines of a traceback
    LEVELS_A_STEP = 16,  // calls that are passed over in the time of an instruction
};

// The thread that a call is about, and where its other arguments begin.
static lua_State *thread_argument(lua_State *L, int *first) {
    lua_State *co = lua_tothread(L, 1);
    *first = co != NULL ? 2 : 1;
    return co != NULL ? co : L;
}

// Finds the call at a level, whose way there costs time.
static bool find_level(lua_State *L, lua_State *co, lua_Integer level, lua_Debug *ar) {
    enum { DEEPEST = 1000000 };  // Lua's stack has room for less
    if (level < 0 || level > DEEPEST) return false;
    lb_budget_charge(state_of(L), L, (uint64_t)level / LEVELS_A_STEP);
    return lua_getstack(co, (int)level, ar);
}

static void set_text(lua_State *L, const char *name, const char *text) {
    STACK(L, 0, memory);
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, int number) {
    STACK(L, 0, memory);
    lua_pushinteger(L, number);
    lua_setfield(L, -2, name);
}

OFFERED(debug_getinfo) {
    int first;
    lua_Debug ar;
    lua_State *co = thread_argument(L, &first);
    const char *what = luaL_optstring(L, first + 1, "Slu");
    bool is_function = lua_type(L, first) == LUA_TFUNCTION;
    if (is_function) {
        lua_pushvalue(L, first);
        lua_getinfo(L, ">Su", &ar);
        ar.currentline = -1;
    } else {
        if (!find_level(L, co, check_integer(L, first), &ar)) {
            lua_pushnil(L);
            return 1;
        }
        lua_getinfo(co, "Slu", &ar);
    }
    lua_createtable(L, 0, 12);
    if (strchr(what, 'S') != NULL) {
        bool is_c = *ar.what == 'C';
        lua_pushfstring(L, is_c ? "=[C]" : "@%s", chunk_of(&ar));
        lua_setfield(L, -2, "source");
        set_text(L, "short_src", chunk_of(&ar));
        set_text(L, "what", ar.what);
        set_number(L, "linedefined", ar.linedefined);
        set_number(L, "lastlinedefined", ar.lastlinedefined);
    }
    if (strchr(what, 'l') != NULL) set_number(L, "currentline", ar.currentline);
    if (strchr(what, 'u') != NULL) {
        set_number(L, "nups", ar.nups);
        set_number(L, "nparams", ar.nparams);
        lua_pushboolean(L, ar.isvararg);
        lua_setfield(L, -2, "isvararg");
    }
    if (is_function && strchr(what, 'f') != NULL) {
        lua_pushvalue(L, first);
        lua_setfield(L, -2, "func");
    }
    return 1;
}

static void add_level(lua_State *L, luaL_Buffer *text, const lua_Debug *ar) {
    if (*ar->what == 'C') {
        luaL_addstring(text, "\n\t[C]: in ?");
        return;
    }
    if (*ar->what == 'm')
        lua_pushfstring(L, "\n\t%s:%d: in main chunk", chunk_of(ar), ar->currentline);
    else
        lua_pushfstring(
            L, "\n\t%s:%d: in function <%s:%d>", chunk_of(ar), ar->currentline, chunk_of(ar),
            ar->linedefined);
    luaL_addvalue(text);
}

OFFERED(debug_traceback) {
    int first;
    lua_Debug ar;
    lua_State *co = thread_argument(L, &first);
    if (!lua_isnoneornil(L, first) && lua_type(L, first) != LUA_TSTRING
        && lua_type(L, first) != LUA_TNUMBER) {
        lua_pushvalue(L, first);
        return 1;
    }
    lua_Integer level = lb_opt_integer(L, first + 1, co == L ? 1 : 0);
    luaL_Buffer text;
    lb_require_stack(L);
    lua_settop(L, first + 1);
    luaL_buffinit(L, &text);
    if (!lua_isnil(L, first)) {
        lua_pushvalue(L, first);
        luaL_addvalue(&text);
        luaL_addchar(&text, '\n');
    }
    luaL_addstring(&text, "stack traceback:");
    for (int i = 0; find_level(L, co, level, &ar); i++, level++) {
        if (i == SHOWN) {
            luaL_addstring(&text, "\n\t...");
            break;
        }
        lua_getinfo(co, "Sl", &ar);
        add_level(L, &text, &ar);
    }
    luaL_pushresult(&text);
    return 1;
}

const luaL_Reg lb_debug_functions[] = {
    {"getinfo", debug_getinfo}, {"traceback", debug_traceback}, {NULL, NULL}};
