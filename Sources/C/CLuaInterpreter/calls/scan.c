// Looks through a long source text for what Lua's compiler takes long for: its work must stay in
// proportion to the length of the text, because no hook can stop it. The scan reads words as Lua
// does, keeps count of the open blocks and brackets, and bounds
//
// - the fields of fields: to name one in an error, Lua goes back through all instructions;
// - `and` and `or`, `elseif`, and jumps in a function, whose lists Lua walks again and again;
// - the variables that Lua goes through to find each name;
// - the digits of a number.
//
// The compiler itself bounds nesting, and rejects what is not Lua and so may be miscounted.

#include "calls/calls.h"

#include <string.h>

enum {
    FIELDS = 256,            // of fields
    CHAIN = 256,             // `and` and `or` in an expression
    BRANCHES = 256,          // `elseif` in a statement
    JUMPS = 256,             // `break`, `goto` and labels of a function
    NUMERAL = 1024,          // bytes
    UPVALUES = 255,          // of a function; Lua's limit
    DEEPEST = 512,           // nested blocks and brackets; Lua's limit is less
};
// The variables that are compared for all names, which takes a tenth of a second.
static const uint64_t MOST_LOOKUPS = 100000000;

typedef enum {
    BLOCK_FUNCTION, BLOCK_IF, BLOCK_LOOP, BLOCK_REPEAT, BRACKET, CALL_BRACKET, BRACE,
} nesting_kind;

typedef struct {
    nesting_kind kind;
    uint32_t chain;      // in the expression that is being read
    uint32_t fields;     // after the last name
    uint32_t branches;   // of a BLOCK_IF
    uint32_t variables, constants;   // visible before this, in all functions around
    uint32_t jumps, upvalues;        // of the function, in its entry
} nesting;

typedef struct {
    const char *at, *end;
    int32_t line;
    const char *word;  // the last word
    size_t length;
    nesting open[DEEPEST];
    int depth, function;  // the innermost entry, and the entry of the innermost function
    uint32_t variables;   // that are visible, in all functions around
    uint32_t captured;    // their upvalues
    uint32_t constants;   // those with <const>, which Lua counts again for each register
    uint64_t lookups;
    bool declares;        // the words until `=` or `in` or the next statement name variables
    bool in_parameters, after_value, after_dot;
} scan;

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_name_byte(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

// The level of a long bracket that opens here; -1: none.
static int long_level(const scan *s) {
    const char *p = s->at + 1;
    while (p < s->end && *p == '=') p++;
    return p < s->end && *p == '[' ? (int)(p - s->at - 1) : -1;
}

static void skip_long(scan *s, int level) {
    s->at += level + 2;
    while (s->at < s->end) {
        if (*s->at == '\n') s->line++;
        if (*s->at++ != ']') continue;
        int count = 0;
        while (s->at < s->end && *s->at == '=' && count < level) {
            s->at++;
            count++;
        }
        if (count == level && s->at < s->end && *s->at == ']') {
            s->at++;
            return;
        }
    }
}

static void skip_quoted(scan *s) {
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote) {
        if (*s->at == '\n') s->line++;
        s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
    }
    if (s->at < s->end) s->at++;
}

static void skip_space(scan *s) {
    while (s->at < s->end) {
        char c = *s->at;
        if (c == '\n') s->line++;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            s->at++;
        } else if (c == '-' && s->at + 1 < s->end && s->at[1] == '-') {
            s->at += 2;
            int level = s->at < s->end && *s->at == '[' ? long_level(s) : -1;
            if (level >= 0)
                skip_long(s, level);
            else
                while (s->at < s->end && *s->at != '\n' && *s->at != '\r') s->at++;
        } else {
            return;
        }
    }
}

// The rest of a number, of which Lua takes a sign only after its kind of exponent.
static void skip_number(scan *s) {
    bool is_hex = s->at + 1 < s->end && s->at[0] == '0' && (s->at[1] | 0x20) == 'x';
    char exponent = is_hex ? 'p' : 'e';
    while (s->at < s->end && (is_name_byte(*s->at) || *s->at == '.')) {
        bool may_be_signed = (*s->at++ | 0x20) == exponent;
        if (may_be_signed && s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
    }
}

// The length of the symbol here, of those that matter.
static size_t symbol_length(const scan *s) {
    const char *p = s->at;
    char following = p + 1 < s->end ? p[1] : 0;
    switch (*p) {
        case '.': return following != '.' ? 1 : p + 2 < s->end && p[2] == '.' ? 3 : 2;
        case ':': return following == ':' ? 2 : 1;
        case '=': case '<': case '>': case '~': return following == '=' ? 2 : 1;
        default: return 1;
    }
}

// Reads a word: a name, a number, a text or a symbol.
static bool next_word(scan *s) {
    skip_space(s);
    if (s->at >= s->end) return false;
    s->word = s->at;
    char c = *s->at, following = s->at + 1 < s->end ? s->at[1] : 0;
    if (is_digit(c) || (c == '.' && is_digit(following))) {
        skip_number(s);
    } else if (is_name_byte(c)) {
        while (s->at < s->end && is_name_byte(*s->at)) s->at++;
    } else if (c == '"' || c == '\'') {
        skip_quoted(s);
    } else if (c == '[' && long_level(s) >= 0) {
        skip_long(s, long_level(s));
    } else {
        s->at += symbol_length(s);
    }
    s->length = (size_t)(s->at - s->word);
    return true;
}

static bool is(const scan *s, const char *word) {
    return s->length == strlen(word) && memcmp(s->word, word, s->length) == 0;
}

static bool is_any(const scan *s, const char *const *words) {
    for (; *words != NULL; words++)
        if (is(s, *words)) return true;
    return false;
}

static nesting *top(scan *s) { return &s->open[s->depth]; }

// These return what keeps the text from being compiled; NULL: nothing.

static const char *begin(scan *s, nesting_kind kind) {
    if (s->depth + 1 == DEEPEST) return "it is nested too deeply";
    s->open[++s->depth] =
        (nesting){.kind = kind, .variables = s->variables, .constants = s->constants};
    return NULL;
}

static const char *count_field(scan *s) {
    return ++top(s)->fields > FIELDS ? "a field has more than 256 fields before it" : NULL;
}

static const char *count_jump(scan *s) {
    return ++s->open[s->function].jumps > JUMPS ? "a function has more than 256 jumps" : NULL;
}

// Ends the innermost block, and brackets in it that are still open.
static void end_block(scan *s) {
    while (s->depth > 0 && top(s)->kind >= BRACKET) s->depth--;
    if (s->depth == 0) return;
    if (s->depth == s->function) {
        s->captured -= top(s)->upvalues;
        s->function--;
        while (s->function > 0 && s->open[s->function].kind != BLOCK_FUNCTION) s->function--;
    }
    s->variables = top(s)->variables;
    s->constants = top(s)->constants;
    s->depth--;
}

static void end_bracket(scan *s) {
    if (s->depth == 0 || top(s)->kind < BRACKET) return;
    nesting inner = *top(s);
    s->depth--;
    // What stands in parentheses belongs to the expression around them.
    if (inner.kind == BRACKET) top(s)->chain += inner.chain;
}

static const char *const beginnings[] = {
    "local", "return", "if", "while", "for", "repeat", "until", "do", "then", "end", "else",
    "elseif", "function", "break", "goto", "in", NULL};
static const char *const operators[] = {"and", "or", "not", "nil", "true", "false", NULL};

static void take_name(scan *s) {
    nesting *f = &s->open[s->function];
    if (s->declares || s->in_parameters) s->variables++;
    s->lookups += 1 + s->variables + s->captured;
    if (f->upvalues < UPVALUES && s->function > 0) {
        f->upvalues++;
        s->captured++;
    }
}

static const char *take_keyword(scan *s) {
    bool is_function = is(s, "function");
    if (is_function && s->declares) s->variables++;
    s->declares = is(s, "local") || is(s, "for");
    if (!is_function) top(s)->chain = top(s)->fields = 0;
    if (is_function) {
        const char *obstacle = begin(s, BLOCK_FUNCTION);
        s->function = s->depth;
        s->in_parameters = true;
        return obstacle;
    }
    if (is(s, "if")) return begin(s, BLOCK_IF);
    if (is(s, "while") || is(s, "for")) return begin(s, BLOCK_LOOP);
    if (is(s, "repeat")) return begin(s, BLOCK_REPEAT);
    if (is(s, "break") || is(s, "goto")) return count_jump(s);
    if (is(s, "do")) {
        // That of a loop belongs to it.
        bool is_own = top(s)->kind != BLOCK_LOOP || top(s)->branches++ > 0;
        return is_own ? begin(s, BLOCK_REPEAT) : NULL;
    }
    if (is(s, "elseif")) {
        if (++top(s)->branches > BRANCHES) return "a statement has more than 256 'elseif'";
    } else if (is(s, "until")) {
        // The variables of the block are visible in the condition, so they stay.
        uint32_t variables = s->variables, constants = s->constants;
        end_block(s);
        s->variables = variables;
        s->constants = constants;
    } else if (is(s, "end")) {
        end_block(s);
    }
    return NULL;
}

static const char *take_symbol(scan *s) {
    switch (s->word[0]) {
        case '(':
            s->declares = false;
            return begin(s, s->after_value ? CALL_BRACKET : BRACKET);
        case '.': return s->length == 1 ? count_field(s) : NULL;
        case '[': {
            if (s->length > 1) break;  // a text
            const char *obstacle = count_field(s);
            return obstacle != NULL ? obstacle : begin(s, CALL_BRACKET);
        }
        case '{': return begin(s, BRACE);
        case ')': s->in_parameters = false; end_bracket(s); break;
        case ']':
        case '}': end_bracket(s); break;
        case '=':
            if (s->length > 1) break;
            s->declares = false;
            top(s)->chain = top(s)->fields = 0;
            break;
        case ';': s->declares = false; top(s)->chain = top(s)->fields = 0; break;
        case ',': top(s)->chain = top(s)->fields = 0; break;
        case '<':
            // Not every comparison with such a name is an attribute, but each attribute is counted.
            if (s->end - s->at > 5 && memcmp(s->at, "const", 5) == 0) s->constants++;
            break;
        case ':': return s->length == 1 ? count_field(s) : count_jump(s);
        default: break;
    }
    return NULL;
}

static const char *take(scan *s) {
    char c = s->word[0];
    bool is_name = is_name_byte(c) && !is_digit(c), is_value = false;
    const char *obstacle = NULL;
    if (s->length > NUMERAL && (is_digit(c) || c == '.'))
        return "a number has more than 1024 digits";
    if (is_name && !s->after_dot && is_any(s, beginnings)) {
        obstacle = take_keyword(s);
        is_value = is(s, "end");
    } else if (is_name && !s->after_dot && is_any(s, operators)) {
        if ((is(s, "and") || is(s, "or")) && ++top(s)->chain > CHAIN)
            return "an expression has more than 256 'and' and 'or'";
    } else if (is_name) {
        if (!s->after_dot) {
            top(s)->fields = 0;
            take_name(s);
        }
        is_value = true;
    } else if (!is_digit(c)) {
        obstacle = take_symbol(s);
        is_value = c == ')' || c == ']' || c == '}' || c == '"' || c == '\''
            || (c == '[' && s->length > 1);
    }
    if (top(s)->chain > CHAIN) return "an expression has more than 256 'and' and 'or'";
    s->lookups += 4 * (uint64_t)s->constants;
    if (s->lookups > MOST_LOOKUPS) return "its names have too many variables to choose from";
    s->after_dot = (c == '.' || c == ':') && s->length == 1;
    s->after_value = is_value;
    return obstacle;
}

const char *lb_source_obstacle(const char *source, size_t length, int32_t *line) {
    scan s = {.at = source, .end = source + length, .line = 1};
    s.open[0] = (nesting){.kind = BLOCK_FUNCTION};
    while (next_word(&s)) {
        const char *obstacle = take(&s);
        if (obstacle == NULL) continue;
        *line = s.line;
        return obstacle;
    }
    return NULL;
}
