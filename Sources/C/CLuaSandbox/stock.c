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
// A function whose arguments from `first` to `last` are numbers.
#define DEFINE_NUMERIC_AS(offered, library, name, first, last)                \
    SLOT(library, name)                                                       \
    offered(library##_##name) {                                               \
        for (int i = first; i <= last; i++) numeral_check(L, i);              \
        return call_slot(L, &slot_##library##_##name);                        \
    }
#define DEFINE_NUMERIC(library, name, first, last) \
    DEFINE_NUMERIC_AS(OFFERED, library, name, first, last)
#define DEFINE_TEXT_NUMERIC(library, name, first, last) \
    DEFINE_NUMERIC_AS(OFFERED_TEXT, library, name, first, last)
// A function all of whose arguments are numbers, however many they are.
#define DEFINE_ALL_NUMERIC(library, name)                                     \
    SLOT(library, name)                                                       \
    OFFERED(library##_##name) {                                               \
        int count = lua_gettop(L);                                            \
        size_t work = 0;                                                      \
        for (int i = 1; i <= count; i++) numeral_read(L, i, &work);           \
        return call_slot(L, &slot_##library##_##name);                        \
    }
#define ENTRY(library, name) {#name, library##_##name, &slot_##library##_##name},
#define END {NULL, NULL, NULL}

#define BASE(X) X(base, assert) X(base, rawequal)
#define BASE_NUMERIC(X) X(base, error, 2, 2) X(base, select, 1, 1)
#define STRING(X) X(string, len) X(string, lower) X(string, reverse) X(string, upper)
#define STRING_NUMERIC(X) X(string, byte, 2, 3) X(string, sub, 2, 3)
#define STRING_ALL_NUMERIC(X) X(string, char)
#define TABLE(X) X(table, pack)
#define MATH(X) X(math, type)
#define MATH_NUMERIC(X)                                                                           \
    X(math, abs, 1, 1) X(math, acos, 1, 1) X(math, asin, 1, 1) X(math, atan, 1, 2)                \
    X(math, ceil, 1, 1) X(math, cos, 1, 1) X(math, deg, 1, 1) X(math, exp, 1, 1)                  \
    X(math, floor, 1, 1) X(math, fmod, 1, 2) X(math, log, 1, 2) X(math, modf, 1, 1)               \
    X(math, rad, 1, 1) X(math, sin, 1, 1) X(math, sqrt, 1, 1) X(math, tan, 1, 1)                  \
    X(math, tointeger, 1, 1) X(math, ult, 1, 2)
#define UTF8_NUMERIC(X) X(utf8, codepoint, 2, 3) X(utf8, offset, 2, 3)
#define UTF8_ALL_NUMERIC(X) X(utf8, char)
#define ARITHMETIC(X)                                                                             \
    X(__add, 2) X(__sub, 2) X(__mul, 2) X(__mod, 2) X(__pow, 2) X(__div, 2) X(__idiv, 2) X(__unm, 1)

BASE(DEFINE)
BASE_NUMERIC(DEFINE_NUMERIC)
SLOT(base, tonumber)
STRING(DEFINE_TEXT)
STRING_NUMERIC(DEFINE_TEXT_NUMERIC)
STRING_ALL_NUMERIC(DEFINE_ALL_NUMERIC)
SLOT(string, format)
SLOT(string, pack)
SLOT(string, packsize)
SLOT(string, unpack)
TABLE(DEFINE)
MATH(DEFINE)
MATH_NUMERIC(DEFINE_NUMERIC)
UTF8_NUMERIC(DEFINE_TEXT_NUMERIC)
UTF8_ALL_NUMERIC(DEFINE_ALL_NUMERIC)
SLOT(utf8, codes)

// MARK: tonumber

OFFERED(base_tonumber) {
    numeral_check(L, 2);
    if (!is_numeral_long(L, 1)) return call_slot(L, &slot_base_tonumber);
    lua_pushnil(L);
    return 1;
}

// MARK: pack, packsize, unpack
// Lua's own read a format without checking the limits, so its length is limited.

// Returns the length of the format.
static const char *check_format(lua_State *L, size_t *length) {
    STACK(L, 0, anything);
    const char *format = luaL_checklstring(L, 1, length);
    luaL_argcheck(L, *length <= LOOK_AT, 1, "format is too long");
    return format;
}

OFFERED_TEXT(string_pack) {
    size_t length, work = 0;
    const char *format = check_format(L, &length), *end = format + length;
    int argument = 1;
    for (const char *p = format; p < end; p++) {
        switch (*p) {
            case 'b': case 'B': case 'h': case 'H': case 'i': case 'I': case 'l': case 'L':
            case 'j': case 'J': case 'T': case 'f': case 'd': case 'n':
                argument++;
                if (argument <= lua_gettop(L)) numeral_read(L, argument, &work);
                break;
            case 's': case 'z': case 'c': argument++; break;
            case 'X': p++; break;  // the next option only says how to align
            default: break;
        }
    }
    return call_slot(L, &slot_string_pack);
}

OFFERED_TEXT(string_packsize) {
    size_t length;
    check_format(L, &length);
    return call_slot(L, &slot_string_packsize);
}

OFFERED_TEXT(string_unpack) {
    size_t length;
    check_format(L, &length);
    numeral_check(L, 3);
    return call_slot(L, &slot_string_unpack);
}

// MARK: Arithmetic with numerals

#define DEFINE_ARITHMETIC(name, operands)                                                         \
    SLOT(arithmetic, name)                                                                        \
    OFFERED(arithmetic_##name) {                                                                  \
        for (int i = 1; i <= operands; i++)                                                       \
            if (is_numeral_long(L, i))                                                            \
                return luaL_error(L, "attempt to perform arithmetic on a text that is too long"); \
        return call_slot(L, &slot_arithmetic_##name);                                             \
    }
#define ARITHMETIC_ENTRY(name, operands) {#name, arithmetic_##name, &slot_arithmetic_##name},
#define NUMERIC_ENTRY(library, name, first, last) ENTRY(library, name)
ARITHMETIC(DEFINE_ARITHMETIC)

// MARK: All of them

const stock_function lb_stock_base[] = {
    BASE(ENTRY) BASE_NUMERIC(NUMERIC_ENTRY) ENTRY(base, tonumber) END};
const stock_function lb_stock_string[] = {
    STRING(ENTRY) STRING_NUMERIC(NUMERIC_ENTRY) STRING_ALL_NUMERIC(ENTRY) ENTRY(string, pack)
    ENTRY(string, packsize) ENTRY(string, unpack){"format", NULL, &slot_string_format}, END};
const stock_function lb_stock_table[] = {TABLE(ENTRY) END};
const stock_function lb_stock_math[] = {MATH(ENTRY) MATH_NUMERIC(NUMERIC_ENTRY) END};
const stock_function lb_stock_utf8[] = {
    UTF8_NUMERIC(NUMERIC_ENTRY) UTF8_ALL_NUMERIC(ENTRY){"codes", NULL, &slot_utf8_codes}, END};
const stock_function lb_stock_arithmetic[] = {ARITHMETIC(ARITHMETIC_ENTRY) END};

lua_CFunction lb_stock_format(void) {
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

const luaL_Reg lb_utf8_functions[] = {{"codes", utf8_codes}, {NULL, NULL}};
