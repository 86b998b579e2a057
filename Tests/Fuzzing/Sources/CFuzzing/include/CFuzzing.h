// Functions in C for the fuzzing program.

#ifndef CFUZZING_H
#define CFUZZING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libFuzzer's driver: reads its options, and calls `run` for each input.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t length));

// Runs a chunk in stock Lua with all libraries and two string arguments, and copies the string that
// it returns. False: it failed, returned something else, or ran a million instructions.
bool stock_lua_run(
    const char *source, size_t source_length, const char *first, size_t first_length,
    const char *second, size_t second_length, char *result, size_t *result_length);

enum { STOCK_LUA_RESULT = 1 << 16 };

#if defined(SIGNALS_AT_ALLOCATIONS)
// The bridge's own, for Scripts/fuzz --signals.
void lb_signals(uint64_t seed, uint32_t places, uint32_t stops_of_256);
#endif

#endif
