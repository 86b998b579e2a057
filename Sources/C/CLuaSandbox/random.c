// math.random with a state that the host can read and restore. The generator is xoshiro256** by
// David Blackman and Sebastiano Vigna, <https://prng.di.unimi.it>, seeded by splitmix64.

#include "sandbox.h"

static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t lb_random_advance(uint64_t s[4]) {
    uint64_t result = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotated(s[3], 45);
    return result;
}

// A uniformly distributed number from 0 to limit. Numbers past the last whole multiple are redrawn.
static uint64_t up_to(uint64_t s[4], uint64_t limit) {
    if (limit == UINT64_MAX) return lb_random_advance(s);
    uint64_t count = limit + 1, rest = (UINT64_MAX % count + 1) % count, drawn;
    do drawn = lb_random_advance(s);
    while (drawn > UINT64_MAX - rest);
    return drawn % count;
}

void lb_random_seed(lb_state *b) {
    uint64_t seed = b->core.configuration.seed;
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        b->sandbox.random[i] = z ^ (z >> 31);
    }
}

// random(), random(0), random(m), random(m, n), as in the manual.
OFFERED(math_random) {
    uint64_t *s = state_of(L)->sandbox.random;
    lua_Integer low = 1, high;
    switch (lua_gettop(L)) {
        case 0:
            lua_pushnumber(L, (lua_Number)((double)(lb_random_advance(s) >> 11) * 0x1p-53));
            return 1;
        case 1:
            high = check_integer(L, 1);
            if (high == 0) {
                lua_pushinteger(L, (lua_Integer)lb_random_advance(s));
                return 1;
            }
            break;
        case 2:
            low = check_integer(L, 1);
            high = check_integer(L, 2);
            break;
        default: return luaL_error(L, "wrong number of arguments");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
    uint64_t drawn = up_to(s, (uint64_t)high - (uint64_t)low);
    lua_pushinteger(L, (lua_Integer)(drawn + (uint64_t)low));
    return 1;
}

const luaL_Reg lb_random_functions[] = {{"random", math_random}, {NULL, NULL}};
