// The functions of math that Lua 5.4 leaves out unless it is built for code of earlier releases.

#include "sandbox.h"

#include <math.h>

static double number_argument(lua_State *L, int index) {
    numeral_check(L, index);
    return (double)luaL_checknumber(L, index);
}

static int give(lua_State *L, double number) {
    lua_pushnumber(L, (lua_Number)number);
    return 1;
}

OFFERED(math_cosh) { return give(L, cosh(number_argument(L, 1))); }

OFFERED(math_sinh) { return give(L, sinh(number_argument(L, 1))); }

OFFERED(math_tanh) { return give(L, tanh(number_argument(L, 1))); }

OFFERED(math_log10) { return give(L, log10(number_argument(L, 1))); }

OFFERED(math_pow) { return give(L, pow(number_argument(L, 1), number_argument(L, 2))); }

OFFERED(math_frexp) {
    int exponent = 0;
    lua_pushnumber(L, (lua_Number)frexp(number_argument(L, 1), &exponent));
    lua_pushinteger(L, exponent);
    return 2;
}

OFFERED(math_ldexp) {
    enum { FAR = 10000 };  // beyond all exponents
    lua_Integer exponent = check_integer(L, 2);
    if (exponent > FAR) exponent = FAR;
    if (exponent < -FAR) exponent = -FAR;
    return give(L, ldexp(number_argument(L, 1), (int)exponent));
}

const luaL_Reg lb_power_functions[] = {
    {"cosh", math_cosh}, {"frexp", math_frexp}, {"ldexp", math_ldexp}, {"log10", math_log10},
    {"pow", math_pow},   {"sinh", math_sinh},   {"tanh", math_tanh},   {NULL, NULL},
};
