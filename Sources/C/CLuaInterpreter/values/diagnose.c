// Finds why and where a value is not plain. It runs only after the encoder has failed. It does not
// depend on Lua's order of fields: of several culprits it names the one with the smallest keys.

#include "values/values.h"

#include <math.h>
#include <stdio.h>

enum { KEY_SHOWN = 40 };

// MARK: Paths

static void add(lb_state *b, const char *bytes, size_t length) {
    size_t room = ISSUE_TEXT - b->values.issue_length;
    if (length > room) length = room;
    memcpy(b->values.issue_text + b->values.issue_length, bytes, length);
    b->values.issue_length += length;
}

static bool is_name(const char *bytes, size_t length) {
    if (length == 0 || length > KEY_SHOWN) return false;
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
    }
    return true;
}

static void add_key(lb_state *b, const char *bytes, size_t length) {
    if (is_name(bytes, length)) {
        add(b, ".", 1);
        add(b, bytes, length);
        return;
    }
    add(b, LITERAL("[\""));
    for (size_t i = 0; i < length && i < KEY_SHOWN; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char escaped[8];
        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
            add(b, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", c));
        else
            add(b, bytes + i, 1);
    }
    if (length > KEY_SHOWN) add(b, LITERAL("…"));
    add(b, LITERAL("\"]"));
}

static void add_index(lb_state *b, lua_Integer index) {
    char text[32];
    add(b, text, (size_t)snprintf(text, sizeof text, "[" LUA_INTEGER_FMT "]", index));
}

// MARK: The keys of one table

typedef struct {
    lua_Integer positive, largest, smallest_other;
    bool has_other, has_float, has_odd;
    lua_Number float_key;
    lb_type odd;
    const char *text;  // the smallest string key
    size_t text_length, strings;
    bool bad_text;
} keys;

static bool text_before(const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order < 0 : a_length < b_length;
}

static void note_number(lua_State *L, keys *k) {
    if (!lua_isinteger(L, -1)) {
        lua_Number n = lua_tonumberx(L, -1, NULL);
        if (!k->has_float || n < k->float_key) k->float_key = n;
        k->has_float = true;
        return;
    }
    lua_Integer n = lua_tointegerx(L, -1, NULL);
    if (n < 1) {
        if (!k->has_other || n < k->smallest_other) k->smallest_other = n;
        k->has_other = true;
    } else {
        k->positive++;
        if (n > k->largest) k->largest = n;
    }
}

static void note_string(lua_State *L, keys *k) {
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    k->strings++;
    if (!utf8_is_valid(text, length)) k->bad_text = true;
    if (k->text != NULL && !text_before(text, length, k->text, k->text_length)) return;
    k->text = text;
    k->text_length = length;
}

static keys look_at_keys(lb_state *b, lua_State *L) {
    STACK(L, 0, nothing);
    keys k = {0};
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        lb_type type = lb_type_at(b, L, -1);
        if (type == LB_TYPE_STRING) {
            note_string(L, &k);
        } else if (type == LB_TYPE_INTEGER || type == LB_TYPE_NUMBER) {
            note_number(L, &k);
        } else {
            if (!k.has_odd || type < k.odd) k.odd = type;
            k.has_odd = true;
        }
    }
    return k;
}

static lua_Integer first_hole(lua_State *L) {
    STACK(L, 0, nothing);
    for (lua_Integer i = 1;; i++) {
        bool missing = lua_rawgeti(L, -1, i) == LUA_TNIL;
        lua_pop(L, 1);
        if (missing) return i;
    }
}

static lb_issue_kind issue_of_keys(lb_state *b, lua_State *L, const keys *k) {
    lb_issue *issue = &b->values.issue;
    if (k->has_odd) {
        issue->type = k->odd;
        return LB_ISSUE_KEY;
    }
    if (k->has_float) {
        issue->number = k->float_key;
        return LB_ISSUE_FLOAT_KEY;
    }
    if (k->has_other) {
        issue->integer = k->smallest_other;
        return LB_ISSUE_INDEX;
    }
    if (k->positive > 0 && k->strings > 0) {
        // Stored after the path in the same block.
        size_t shown = k->text_length < KEY_SHOWN ? k->text_length : KEY_SHOWN;
        size_t before = b->values.issue_length;
        add(b, k->text, shown);
        issue->text = (lb_text){b->values.issue_text + before, b->values.issue_length - before};
        b->values.issue_length = before;
        return LB_ISSUE_MIXED;
    }
    if (k->positive != k->largest) {
        issue->integer = first_hole(L);
        return LB_ISSUE_HOLE;
    }
    return k->bad_text ? LB_ISSUE_KEY_TEXT : LB_ISSUE_NONE;
}

// MARK: Descending

// Each level inspects everything below it, so the work is limited.
static bool child_fails(lb_state *b, const void **ancestors, int depth) {
    if (b->values.diagnosis_left == 0 || b->limits.stop) return false;
    bool fails = lb_encode_at(b, ancestors, depth) != LB_ISSUE_NONE;
    uint64_t done = b->values.encoded_values;
    b->values.diagnosis_left -= done < b->values.diagnosis_left ? done : b->values.diagnosis_left;
    return fails;
}

// Pushes the first element that fails and adds it to the path. False: no element fails.
static bool descend_list(
    lb_state *b, lua_State *L, const void **ancestors, int depth, lua_Integer n) {
    STACK_EITHER(L, +1, 0, nothing);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        if (child_fails(b, ancestors, depth)) {
            add_index(b, i);
            return true;
        }
        lua_pop(L, 1);
    }
    return false;
}

// Pushes the field with the smallest key among those that fail.
static bool descend_record(lb_state *b, lua_State *L, const void **ancestors, int depth) {
    STACK_EITHER(L, +1, 0, nothing);
    const char *found = NULL;
    size_t found_length = 0, length;
    int table = lua_gettop(L);
    lua_pushnil(L);  // the value found so far
    lua_pushnil(L);
    while (lua_next(L, table)) {
        const char *key = lua_tolstring(L, -2, &length);
        bool earlier = found == NULL || text_before(key, length, found, found_length);
        if (earlier && child_fails(b, ancestors, depth)) {
            found = key;
            found_length = length;
            lua_replace(L, table + 1);
        } else {
            lua_pop(L, 1);
        }
    }
    if (found == NULL) {
        lua_pop(L, 1);
        return false;
    }
    add_key(b, found, found_length);
    return true;
}

static lb_issue_kind issue_of_table(
    lb_state *b, lua_State *L, const void **ancestors, int depth, bool *descended) {
    STACK_EITHER(L, +1, 0, nothing);
    const void *identity = lua_topointer(L, -1);
    if (lua_getmetatable(L, -1)) {
        bool marked = lua_topointer(L, -1) == b->core.record_metatable;
        lua_pop(L, 1);
        if (!marked) return LB_ISSUE_METATABLE;
    }
    for (int i = 0; i < depth; i++)
        if (ancestors[i] == identity) return LB_ISSUE_CYCLE;
    if ((uint32_t)depth >= b->core.configuration.value_depth) return LB_ISSUE_DEPTH;
    ancestors[depth] = identity;
    keys k = look_at_keys(b, L);
    lb_issue_kind kind = issue_of_keys(b, L, &k);
    if (kind != LB_ISSUE_NONE) return kind;
    *descended = k.strings > 0 ? descend_record(b, L, ancestors, depth + 1)
                               : descend_list(b, L, ancestors, depth + 1, k.largest);
    return LB_ISSUE_NONE;
}

static lb_issue_kind issue_of_scalar(lb_state *b, lua_State *L, lb_type type) {
    if (type == LB_TYPE_STRING) return LB_ISSUE_TEXT;
    if (type == LB_TYPE_NUMBER)
        return isnan(lua_tonumberx(L, -1, NULL)) ? LB_ISSUE_NAN : LB_ISSUE_INFINITY;
    b->values.issue.type = type;
    return LB_ISSUE_TYPE;
}

void lb_diagnose(lb_state *b, lb_issue_kind kind, const void **ancestors) {
    STACK(b->core.main, 0, nothing);
    lua_State *L = b->core.main;
    int top = lua_gettop(L);
    b->values.issue_length = 0;
    b->values.diagnosis_left = b->core.configuration.value_count;
    b->values.issue = (lb_issue){.kind = kind};
    // If a value is too large, no single place is the cause.
    bool whole = kind == LB_ISSUE_COUNT || kind == LB_ISSUE_SIZE || kind == LB_ISSUE_MEMORY
        || !lua_checkstack(L, ENCODING_ROOM);
    for (int depth = 0; !whole; depth++) {
        lb_type type = lb_type_at(b, L, -1);
        if (type == LB_TYPE_VIEW) {
            lb_view_push_table(b, L, -1);
            type = LB_TYPE_TABLE;
        }
        bool descended = false;
        b->values.issue.kind = type == LB_TYPE_TABLE
            ? issue_of_table(b, L, ancestors, depth, &descended) : issue_of_scalar(b, L, type);
        if (!descended) break;
    }
    if (b->values.issue.kind == LB_ISSUE_NONE) b->values.issue.kind = LB_ISSUE_INSIDE;
    b->values.issue.path = (lb_text){b->values.issue_text, b->values.issue_length};
    lua_settop(L, top);
}
