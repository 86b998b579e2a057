// Lua's own functions, each behind one that checks the limits first.

#include "sandbox.h"

// All states have the same functions, so every opened sandbox stores the same pointers.
#define SLOT(library, name) static _Atomic(lua_CFunction) slot_##library##_##name;

static int call_slot(lua_State *L, _Atomic(lua_CFunction) *slot) {
    return atomic_load_explicit(slot, memory_order_relaxed)(L);
}

#define DEFINE(library, name) \
    SLOT(library, name)       \
    OFFERED(library##_##name) { return call_slot(L, &slot_##library##_##name); }
#define DEFINE_TEXT(library, name) \
    SLOT(library, name)            \
    OFFERED_TEXT(library##_##name) { return call_slot(L, &slot_##library##_##name); }
// A function that reads a format without checking the limits, so the length of the format is limited.
#define DEFINE_PACKING(library, name)                                         \
    SLOT(library, name)                                                       \
    OFFERED_TEXT(library##_##name) {                                          \
        size_t length;                                                        \
        luaL_checklstring(L, 1, &length);                                     \
        luaL_argcheck(L, length <= LOOK_AT, 1, "format is too long");         \
        return call_slot(L, &slot_##library##_##name);                        \
    }
#define ENTRY(library, name) {#name, library##_##name, &slot_##library##_##name},
#define END {NULL, NULL, NULL}

#define BASE(X)                                                                                     \
    X(base, assert) X(base, error) X(base, rawequal) X(base, select) X(base, tonumber)
#define STRING(X)                                                                                   \
    X(string, byte) X(string, char) X(string, len) X(string, lower) X(string, reverse)              \
    X(string, sub) X(string, upper)
#define PACKING(X) X(string, pack) X(string, packsize) X(string, unpack)
#define TABLE(X) X(table, pack)
#define MATH(X)                                                                                     \
    X(math, abs) X(math, acos) X(math, asin) X(math, atan) X(math, ceil) X(math, cos) X(math, deg)  \
    X(math, exp) X(math, floor) X(math, fmod) X(math, log) X(math, max) X(math, min)                \
    X(math, modf) X(math, rad) X(math, sin) X(math, sqrt) X(math, tan) X(math, tointeger)           \
    X(math, type) X(math, ult)
#define UTF8(X) X(utf8, char) X(utf8, codepoint) X(utf8, len) X(utf8, offset)

BASE(DEFINE)
STRING(DEFINE_TEXT)
PACKING(DEFINE_PACKING)
TABLE(DEFINE)
MATH(DEFINE)
UTF8(DEFINE_TEXT)
SLOT(string, format)
SLOT(utf8, codes)

const stock_function stock_base[] = {BASE(ENTRY) END};
const stock_function stock_string[] = {STRING(ENTRY) PACKING(ENTRY){"format", NULL, &slot_string_format}, END};
const stock_function stock_table[] = {TABLE(ENTRY) END};
const stock_function stock_math[] = {MATH(ENTRY) END};
const stock_function stock_utf8[] = {UTF8(ENTRY){"codes", NULL, &slot_utf8_codes}, END};

lua_CFunction stock_format(void) {
    return atomic_load_explicit(&slot_string_format, memory_order_relaxed);
}

// MARK: utf8.codes, whose iterator is a function of Lua's too

OFFERED(next_code) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

OFFERED_TEXT(utf8_codes) {
    int results = call_slot(L, &slot_utf8_codes);
    lua_pushvalue(L, -results);
    lua_pushcclosure(L, next_code, 1);
    lua_replace(L, -results - 1);
    return results;
}

const luaL_Reg utf8_functions[] = {{"codes", utf8_codes}, {NULL, NULL}};
