// Matches one Lua pattern at one place.

#ifndef LB_MATCHER_H
#define LB_MATCHER_H

#include "sandbox.h"

enum { MAXIMUM_CAPTURES = 32 };

typedef struct {
    const char *start;
    ptrdiff_t length;  // or one of the two below
} capture;

enum { CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

typedef struct {
    lua_State *L;
    const char *text, *text_end, *pattern_end;
    int depth, steps, count;
    bool has_metatable;  // the table of replacements of gsub
    capture captures[MAXIMUM_CAPTURES];
} matcher;

void lb_match_begin(
    matcher *m, lua_State *L, const char *text, size_t length, const char *pattern_end);
// Counts a step of work, and periodically checks the limits. [raises]
void lb_match_step(matcher *m);
// Counts work, so that the next check comes earlier.
void lb_match_charge(matcher *m, size_t steps);
// The end of the match of `pattern` at `at`; NULL: no match. [raises]
const char *lb_match_at(matcher *m, const char *at, const char *pattern);
// Pushes capture `i`, counted from 0; the whole match if there are no captures. [raises]
void lb_match_push_capture(matcher *m, int i, const char *start, const char *end);
// Pushes all captures, or the whole match. [raises]
int lb_match_push_captures(matcher *m, const char *start, const char *end);

#endif
