// States with drafts: making one of an encoded value, and telling the value of an older version from the tables
// of today and what was changed since.

#include "drafts.h"
#include "isolation/remote.h"

static uint32_t u32(const unsigned char *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

enum { LIST = 0x09, RECORD = 0x0A, HEAD = 9 };

static const unsigned char *end_of_string(const unsigned char *at) {
    return at[0] == 0x07 ? at + 2 + at[1] : at + 5 + u32(at + 1);
}

static const unsigned char *end_of(const unsigned char *at) {
    switch (at[0]) {
        case 0x00:
        case 0x01:
        case 0x02: return at + 1;
        case 0x03: return at + 2;
        case 0x04: return at + 5;
        case 0x05:
        case 0x06: return at + 9;
        case 0x07:
        case 0x08: return end_of_string(at);
        default: return at + u32(at + 1);
    }
}

// MARK: Making

static uint64_t count_values(const unsigned char *at) {
    if (at[0] < LIST) return 1;
    uint64_t sum = 1;
    bool record = at[0] == RECORD;
    uint32_t count = u32(at + 5);
    for (at += HEAD; count > 0; count--, at = end_of(at)) {
        if (record) at = end_of_string(at);
        sum += count_values(at);
    }
    return sum;
}

static bool has_tables(const unsigned char *at) {
    bool record = at[0] == RECORD;
    uint32_t count = u32(at + 5);
    for (at += HEAD; count > 0; count--, at = end_of(at)) {
        if (record) at = end_of_string(at);
        if (at[0] >= LIST) return true;
    }
    return false;
}

static bool has_large(uint32_t large, const unsigned char *at) {
    if (at[0] < LIST) return false;
    bool record = at[0] == RECORD;
    uint32_t count = u32(at + 5);
    if (count > large) return true;
    for (at += HEAD; count > 0; count--, at = end_of(at)) {
        if (record) at = end_of_string(at);
        if (has_large(large, at)) return true;
    }
    return false;
}

bool lb_has_large(const lb_state *b, const void *encoding) {
    return b->remote == NULL && has_large(b->configuration.large_count, encoding);
}

/* The ledger is at 1, the tops at 2. [-0, +1, memory] */
static void push_top(lua_State *L, const unsigned char *at, uint32_t depth) {
    ledger *g = lua_touserdata(L, 1);
    decode_push(L, at);
    draft_make(L, 1, depth, (uint32_t)++g->tops);
    lua_pushvalue(L, -1);
    lua_rawseti(L, 2, g->tops);
    uint64_t values = count_values(at);
    // Some entry may be an empty table, which counts as one value.
    if (values == 1 + (uint64_t)u32(at + 5) && !has_tables(at)) draft_flatten(L);
    g->values += values;
    g->size += u32(at + 1);
}

/* The plain part, with drafts where tables are large. [-0, +1, memory] */
static void push_plain(lua_State *L, const unsigned char *at, uint32_t depth) {
    if (at[0] < LIST) {
        decode_push(L, at);
        return;
    }
    bool record = at[0] == RECORD;
    uint32_t count = u32(at + 5);
    if (count > state_of(L)->configuration.large_count) {
        push_top(L, at, depth);
        return;
    }
    luaL_checkstack(L, 6, NULL);
    lua_createtable(L, record ? 0 : (int)count, record ? (int)count : 0);
    if (record && count == 0) draft_restore_mark(L, SHAPE_RECORD);
    at += HEAD;
    for (uint32_t i = 1; i <= count; i++) {
        if (record) {
            decode_push(L, at);
            at = end_of_string(at);
        }
        push_plain(L, at, depth + 1);
        at = end_of(at);
        if (record)
            lua_rawset(L, -3);
        else
            lua_rawseti(L, -2, i);
    }
}

static void push_ledger(lua_State *L) {
    ledger *g = lua_newuserdatauv(L, sizeof(ledger), LEDGER_VALUES);
    *g = (ledger){0};
    lua_createtable(L, 0, 1);
    lua_setiuservalue(L, -2, LEDGER_LOG);
    lua_createtable(L, 0, 4);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_WEAK);
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, -2, LEDGER_CACHE);
    lua_createtable(L, 1, 0);
    lua_setiuservalue(L, -2, LEDGER_TOPS);
    lua_createtable(L, FRESH_PARTS, 0);
    lua_setiuservalue(L, -2, LEDGER_FRESH);
}

static int make_body(lua_State *L) {
    const void *encoding = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    lua_settop(L, 0);
    push_ledger(L);
    lua_getiuservalue(L, 1, LEDGER_TOPS);
    push_plain(L, encoding, 0);
    reference_reserve(b, 2);
    lua_remove(L, 2);
    return 2;
}

/* [-0, +0, never raises] */
lb_status lb_make_drafts(lb_state *b, const void *encoding, lb_drafts *drafts) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    *drafts = (lb_drafts){0};
    if (b->remote != NULL) return LB_ABSENT;  // its states always cross as values
    lb_status status = protect(b, make_body, (void *)encoding, 2);
    if (status != LB_OK) return status;
    ledger *g = lua_touserdata(b->desk, -2);
    b->drafts = DRAFTS_NUMBERED;
    b->numbering = g;
    g->round++;
    lb_issue_kind issue = encode_at(b, ancestors, 0);
    b->drafts = DRAFTS_FOLLOWED;
    if (issue != LB_ISSUE_NONE) {
        lua_pop(b->desk, 2);
        return LB_MEMORY;
    }
    drafts->plain = b->encoding.bytes;
    drafts->plain_length = b->encoding.length;
    drafts->table = reference_take(b, b->desk);
    drafts->ledger = reference_take(b, b->desk);
    return LB_OK;
}

// MARK: Older versions

/* Pushes what the plain part was made of. The ledger is at `ledger_index`. [-0, +1, memory] */
static void push_from_plain(lua_State *L, const lb_drafts *drafts, int ledger_index) {
    lua_getiuservalue(L, ledger_index, LEDGER_TOPS);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_TOPS);
    decode_push(L, drafts->plain);
}

/* As draft_run, for what decodes a plain part. */
static bool run_with_tops(lb_state *b, lua_CFunction body, const void *context, int results) {
    bool fine = draft_run(b, body, (void *)context, results);
    lua_pushboolean(b->desk, 0);
    lua_rawseti(b->desk, LUA_REGISTRYINDEX, KEPT_TOPS);
    return fine;
}

static int remake_body(lua_State *L) {
    const lb_drafts *drafts = lua_touserdata(L, 1);
    reference_reserve(state_of(L), 1);
    reference_push(L, drafts->ledger);
    push_from_plain(L, drafts, 2);
    return 1;
}

/* [-0, +0, never raises] */
lb_status lb_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table) {
    if (b->remote != NULL) return LB_ABSENT;
    if (!run_with_tops(b, remake_body, drafts, 1)) return LB_MEMORY;
    *table = reference_take(b, b->desk);
    return LB_OK;
}

/* Pushes a copy of the table at an index, its elements not copied. [-0, +1, memory] */
static void push_copy(lua_State *L, int table) {
    lua_createtable(L, (int)lua_rawlen(L, table), 0);
    int copy = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, copy);
    }
}

/* Takes the changes of the journal on top back, in copies of the tables. [-1, +0, memory] */
static void take_back_all(lua_State *L, int copies) {
    int journal = lua_gettop(L), table = journal + 1, notes = journal + 2, copy = journal + 3;
    lua_pushnil(L);
    while (lua_next(L, journal)) {
        lua_pushvalue(L, table);
        if (lua_rawget(L, copies) == LUA_TNIL) {
            lua_pop(L, 1);
            push_copy(L, table);
            lua_pushvalue(L, table);
            lua_pushvalue(L, copy);
            lua_rawset(L, copies);
        }
        draft_undo(L, copy, notes);
        lua_settop(L, table);
    }
    lua_settop(L, journal - 1);
}

typedef struct {
    const lb_drafts *drafts;
    const int32_t *journals;
    int32_t count;
} version_request;

/* Leaves the copies and the plain part. */
static int version_body(lua_State *L) {
    enum { LEDGER = 2, COPIES = 3 };
    const version_request *r = lua_touserdata(L, 1);
    reference_push(L, r->drafts->ledger);
    lua_createtable(L, 0, 4);
    // The newest first, and before them the changes of a call that is under way or was not undone.
    lua_getiuservalue(L, LEDGER, LEDGER_LOG);
    take_back_all(L, COPIES);
    for (int32_t i = r->count; i-- > 0;) {
        reference_push(L, r->journals[i]);
        take_back_all(L, COPIES);
    }
    push_from_plain(L, r->drafts, LEDGER);
    return 2;
}

/* [-0, +0, never raises] */
lb_status lb_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value) {
    if (b->remote != NULL) return LB_ABSENT;
    version_request request = {drafts, journals, count};
    if (!run_with_tops(b, version_body, &request, 2)) return LB_MEMORY;
    // It was within the limits when it was made.
    lb_configuration known = b->configuration;
    b->configuration.value_count = UINT64_MAX;
    b->configuration.value_size = INT32_MAX;
    b->substitutes = lua_gettop(b->desk) - 1;
    lb_status status = encode_top(b, value);
    b->substitutes = 0;
    b->configuration = known;
    lua_pop(b->desk, 2);
    return status;
}
