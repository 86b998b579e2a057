// Lua's patterns as in the manual, with checks of the limits: a match can take quadratic time or
// worse without running a single Lua instruction.

#include "strings/matcher.h"

#include <string.h>

enum { LOOK_EVERY = 65536, DEPTH_LIMIT = 200 };

void lb_match_begin(
    matcher *m, lua_State *L, const char *text, size_t length, const char *pattern_end) {
    m->L = L;
    m->text = text;
    m->text_end = text + length;
    m->pattern_end = pattern_end;
    m->depth = 0;
    m->count = 0;
    m->steps = LOOK_EVERY;
}

// If this was as much work as there is between two checks, the next step checks.
void lb_match_charge(matcher *m, size_t steps) {
    STACK(m->L, 0, nothing);
    m->steps = steps < (size_t)m->steps ? m->steps - (int)steps : 1;
}

// A set is searched for each character.
static inline void charge_set(matcher *m, const char *p, const char *end) {
    if (end - p >= 16) lb_match_charge(m, (size_t)(end - p) / 16);
}

static inline void step(matcher *m) {
    if (--m->steps > 0) return;
    m->steps = LOOK_EVERY;
    lb_budget_charge(state_of(m->L), m->L, LOOK_EVERY);
}

void lb_match_step(matcher *m) {
    STACK(m->L, 0, anything);
    step(m);
}

// MARK: Single characters

static bool in(int c, int low, int high) { return c >= low && c <= high; }
static bool is_letter(int c) { return in(c | 0x20, 'a', 'z'); }
static bool is_digit(int c) { return in(c, '0', '9'); }

// ASCII only, regardless of the locale. A capital letter means the complement.
static bool in_class(int c, int name) {
    bool found;
    switch (name | 0x20) {
        case 'a': found = is_letter(c); break;
        case 'c': found = c < 0x20 || c == 0x7f; break;
        case 'd': found = is_digit(c); break;
        case 'g': found = in(c, 0x21, 0x7e); break;
        case 'l': found = in(c, 'a', 'z'); break;
        case 'p': found = in(c, 0x21, 0x7e) && !is_letter(c) && !is_digit(c); break;
        case 's': found = c == ' ' || in(c, '\t', '\r'); break;
        case 'u': found = in(c, 'A', 'Z'); break;
        case 'w': found = is_letter(c) || is_digit(c); break;
        case 'x': found = is_digit(c) || in(c | 0x20, 'a', 'f'); break;
        case 'z': found = c == 0; break;  // undocumented since 5.2, but still supported
        default: return c == name;
    }
    return in(name, 'A', 'Z') ? !found : found;
}

// The end of the single-character item at p.
static const char *item_end(matcher *m, const char *p) {
    if (*p == '%') {
        if (p + 1 == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 2;
    }
    if (*p != '[') return p + 1;
    const char *start = p++;
    if (p < m->pattern_end && *p == '^') p++;
    // A ']' at the start is an ordinary character.
    for (bool first = true;; first = false) {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p == ']' && !first) {
            charge_set(m, start, p);
            return p + 1;
        }
        p += *p == '%' && p + 1 < m->pattern_end ? 2 : 1;
    }
}

// True if c is in the set from '[' up to its ']' at `last`.
static bool in_set(int c, const char *p, const char *last) {
    bool wanted = true;
    p++;
    if (*p == '^') {
        wanted = false;
        p++;
    }
    while (p < last) {
        if (*p == '%') {
            if (in_class(c, (unsigned char)p[1])) return wanted;
            p += 2;
        } else if (p[1] == '-' && p + 2 < last) {
            if (in(c, (unsigned char)p[0], (unsigned char)p[2])) return wanted;
            p += 3;
        } else {
            if (c == (unsigned char)*p) return wanted;
            p++;
        }
    }
    return !wanted;
}

static bool matches_one(matcher *m, const char *s, const char *p, const char *end) {
    if (s >= m->text_end) return false;
    step(m);
    int c = (unsigned char)*s;
    switch (*p) {
        case '.': return true;
        case '%': return in_class(c, (unsigned char)p[1]);
        case '[': charge_set(m, p, end); return in_set(c, p, end - 1);
        default: return c == (unsigned char)*p;
    }
}

// MARK: Items of several characters

static const char *match(matcher *m, const char *s, const char *p);

static const char *most(matcher *m, const char *s, const char *p, const char *end) {
    ptrdiff_t n = 0;
    while (matches_one(m, s + n, p, end)) n++;
    for (; n >= 0; n--) {
        const char *found = match(m, s + n, end + 1);
        if (found != NULL) return found;
    }
    return NULL;
}

static const char *fewest(matcher *m, const char *s, const char *p, const char *end) {
    for (;; s++) {
        const char *found = match(m, s, end + 1);
        if (found != NULL) return found;
        if (!matches_one(m, s, p, end)) return NULL;
    }
}

static const char *balance(matcher *m, const char *s, const char *p) {
    if (m->pattern_end - p < 2)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != p[0]) return NULL;
    int level = 1;
    while (++s < m->text_end) {
        step(m);
        if (*s == p[1]) {
            if (--level == 0) return s + 1;
        } else if (*s == p[0]) {
            level++;
        }
    }
    return NULL;
}

static bool at_frontier(matcher *m, const char *s, const char *set, const char *end) {
    step(m);
    charge_set(m, set, end);
    int before = s == m->text ? 0 : (unsigned char)s[-1];
    int after = s < m->text_end ? (unsigned char)*s : 0;
    return !in_set(before, set, end - 1) && in_set(after, set, end - 1);
}

// MARK: Captures

static const char *open_capture(matcher *m, const char *s, const char *p, ptrdiff_t kind) {
    if (m->count >= MAXIMUM_CAPTURES) luaL_error(m->L, "too many captures");
    m->captures[m->count++] = (capture){s, kind};
    const char *found = match(m, s, p);
    if (found == NULL) m->count--;
    return found;
}

static const char *close_capture(matcher *m, const char *s, const char *p) {
    int i = m->count - 1;
    while (i >= 0 && m->captures[i].length != CAPTURE_OPEN) i--;
    if (i < 0) luaL_error(m->L, "invalid pattern capture");
    m->captures[i].length = s - m->captures[i].start;
    const char *found = match(m, s, p);
    if (found == NULL) m->captures[i].length = CAPTURE_OPEN;
    return found;
}

static const char *same_again(matcher *m, const char *s, int digit) {
    int i = digit - '1';
    if (i < 0 || i >= m->count || m->captures[i].length == CAPTURE_OPEN)
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    ptrdiff_t length = m->captures[i].length;
    if (length == CAPTURE_POSITION) return NULL;
    lb_match_charge(m, (size_t)length);
    if (m->text_end - s < length) return NULL;
    return memcmp(m->captures[i].start, s, (size_t)length) == 0 ? s + length : NULL;
}

void lb_match_push_capture(matcher *m, int i, const char *start, const char *end) {
    STACK(m->L, +1, anything);
    if (i >= m->count) {
        if (i != 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    const capture *c = &m->captures[i];
    if (c->length == CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
    if (c->length == CAPTURE_POSITION)
        lua_pushinteger(m->L, c->start - m->text + 1);
    else
        lua_pushlstring(m->L, c->start, (size_t)c->length);
}

int lb_match_push_captures(matcher *m, const char *start, const char *end) {
    int count = m->count == 0 && start != NULL ? 1 : m->count;
    STACK(m->L, count, anything);
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++) lb_match_push_capture(m, i, start, end);
    return count;
}

// MARK: Matching

// Matches the item at p in one step if it is not a single character. True: `s` and `p` have moved
// past it, or `s` is NULL because there is no match.
static bool match_special(matcher *m, const char **s, const char **p) {
    if (**p != '%' || *p + 1 == m->pattern_end) return false;
    char what = (*p)[1];
    if (what == 'b') {
        *s = balance(m, *s, *p + 2);
        *p += 4;
        return true;
    }
    if (what == 'f') {
        const char *set = *p + 2;
        if (set == m->pattern_end || *set != '[')
            luaL_error(m->L, "missing '[' after '%%f' in pattern");
        const char *end = item_end(m, set);
        if (!at_frontier(m, *s, set, end)) *s = NULL;
        *p = end;
        return true;
    }
    if (!is_digit(what)) return false;
    *s = same_again(m, *s, what);
    *p += 2;
    return true;
}

static const char *match_items(matcher *m, const char *s, const char *p) {
    while (p < m->pattern_end) {
        if (*p == '(') {
            bool position = p + 1 < m->pattern_end && p[1] == ')';
            return position ? open_capture(m, s, p + 2, CAPTURE_POSITION)
                            : open_capture(m, s, p + 1, CAPTURE_OPEN);
        }
        if (*p == ')') return close_capture(m, s, p + 1);
        if (*p == '$' && p + 1 == m->pattern_end) return s == m->text_end ? s : NULL;
        if (match_special(m, &s, &p)) {
            if (s == NULL) return NULL;
            continue;
        }
        const char *end = item_end(m, p), *found;
        switch (end < m->pattern_end ? *end : '\0') {
            case '*': return most(m, s, p, end);
            case '+': return matches_one(m, s, p, end) ? most(m, s + 1, p, end) : NULL;
            case '-': return fewest(m, s, p, end);
            case '?':
                if (matches_one(m, s, p, end) && (found = match(m, s + 1, end + 1)) != NULL)
                    return found;
                p = end + 1;
                continue;
            default: break;
        }
        if (!matches_one(m, s, p, end)) return NULL;
        s++;
        p = end;
    }
    return s;
}

static const char *match(matcher *m, const char *s, const char *p) {
    if (p == m->pattern_end) return s;
    if (m->depth++ >= DEPTH_LIMIT) luaL_error(m->L, "pattern too complex");
    const char *found = match_items(m, s, p);
    m->depth--;
    return found;
}

const char *lb_match_at(matcher *m, const char *at, const char *pattern) {
    STACK(m->L, 0, anything);
    m->count = 0;
    m->depth = 0;
    step(m);
    return match(m, at, pattern);
}
