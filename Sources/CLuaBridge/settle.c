// What becomes of the writes of a call with drafts, once it has ended: they are undone if it failed, else judged.
// Only what was written is looked at. Where that does not suffice, the state is encoded as a whole, which finds
// and names whatever is wrong: a table that stands in two places, say, or a list with a hole.

#include "drafts.h"
#include "isolation/remote.h"

void draft_restore_mark(lua_State *L, lua_Integer shape) {
    if (shape == SHAPE_RECORD)
        lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    else
        lua_pushnil(L);
    lua_setmetatable(L, -2);
}

bool draft_run(lb_state *b, lua_CFunction body, void *context, int results) {
    lua_State *L = b->desk;
    bool outer = b->privileged;
    b->privileged = true;
    b->refused_size = 0;
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, context);
    int code = lua_pcall(L, 1, results, 0);
    if (code != LUA_OK) lua_pop(L, 1);
    b->privileged = outer;
    protect_settle(b);
    return code == LUA_OK;
}

// MARK: Undoing

void draft_undo(lua_State *L, int table, int notes) {
    lua_pushnil(L);
    while (lua_next(L, notes)) {
        const void *address = lua_touserdata(L, -2);
        if (address == &draft_shape_key) {
            lua_Integer shape = lua_tointegerx(L, -1, NULL);
            lua_pushvalue(L, table);
            draft_restore_mark(L, shape);
            lua_pop(L, 2);
            continue;
        }
        if (lua_touserdata(L, -1) == &draft_nothing) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, table);
    }
}

/* What was written is the script's own again, and does not stand for itself. [-0, +0, never raises] */
static void forget_fresh(lua_State *L, ledger *g) {
    int top = lua_gettop(L);
    lua_getiuservalue(L, 1, LEDGER_CACHE);
    lua_getiuservalue(L, 1, LEDGER_FRESH);
    for (int32_t i = 0; i < g->fresh; i++) {
        lua_rawgeti(L, -1, (lua_Integer)FRESH_PARTS * i + FRESH_VALUE);
        lua_pushnil(L);
        lua_rawset(L, -4);
    }
    g->fresh = 0;
    lua_settop(L, top);
}

/* A failure leaves all as it is. [-0, +0, memory] */
static void renew(lua_State *L, ledger *g) {
    lua_createtable(L, 0, 1);
    if (g->fresh > 0) {
        lua_createtable(L, FRESH_PARTS, 0);
        forget_fresh(L, g);
        lua_setiuservalue(L, 1, LEDGER_FRESH);
    }
    lua_setiuservalue(L, 1, LEDGER_LOG);
}

/* Every step may be taken again, so a failure leaves the log as it is. */
static int undo_body(lua_State *L) {
    reference_push(L, *(const int32_t *)lua_touserdata(L, 1));
    lua_replace(L, 1);
    lua_getiuservalue(L, 1, LEDGER_LOG);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        draft_undo(L, 3, 4);
        lua_settop(L, 3);
    }
    renew(L, lua_touserdata(L, 1));
    return 0;
}

// MARK: Fresh tables

enum { FEW = 64 };

/* Whether the table on top has this encoding, a string. [-0, +0, never raises] */
static bool has_encoding(
    lb_state *b, lua_State *L, int string, const void **ancestors, int depth) {
    if (lua_type(L, -1) != LUA_TTABLE) return false;
    size_t length;
    const char *bytes = lua_tolstring(L, string, &length);
    return encode_at(b, ancestors, depth) == LB_ISSUE_NONE && b->encoding.length == length
        && memcmp(b->encoding.bytes, bytes, length) == 0;
}

/* Replaces the fresh table at a key by a copy, or by what was there if it is equal. False: it is no plain value by
   itself. The table, the key and the value are on top. [-0, +0, memory] */
static bool copy_fresh(lb_state *b, lua_State *L, ledger *g, int depth) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH] = {NULL};
    int table = lua_gettop(L) - 2, key = table + 1;
    if (depth >= MAXIMUM_VALUE_DEPTH || encode_at(b, ancestors, depth) != LB_ISSUE_NONE) return false;
    uint64_t values = b->encoded_values;
    lua_pushlstring(L, (const char *)b->encoding.bytes, b->encoding.length);
    lua_getiuservalue(L, 1, LEDGER_LOG);
    lua_pushvalue(L, table);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    lua_pushvalue(L, key);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    // What was there may be elsewhere by now. Many are not compared: all would be encoded twice.
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    if (!g->moved && g->fresh <= FEW && has_encoding(b, L, table + 3, ancestors, depth)) {
        lua_rawset(L, table);
    } else {
        lua_settop(L, table + 3);
        g->values += values;
        g->size += lua_rawlen(L, -1) + 8;
        // Copies are made whatever the memory limit says, so not of what is too much anyway.
        if (g->values > b->configuration.value_count || g->size > b->configuration.value_size)
            return false;
        lua_pushvalue(L, key);
        decode_push(L, lua_tolstring(L, table + 3, NULL));
        lua_rawset(L, table);
    }
    lua_settop(L, table + 2);
    return true;
}

/* [-0, +0, memory] */
static bool copy_all_fresh(lb_state *b, lua_State *L, ledger *g) {
    lua_getiuservalue(L, 1, LEDGER_CACHE);
    lua_getiuservalue(L, 1, LEDGER_FRESH);
    int fresh = lua_gettop(L);
    for (int32_t i = 0; i < g->fresh; i++) {
        lua_Integer place = (lua_Integer)FRESH_PARTS * i;
        lua_rawgeti(L, fresh, place + FRESH_DEPTH);
        int depth = (int)lua_tointegerx(L, -1, NULL);
        lua_pop(L, 1);
        lua_rawgeti(L, fresh, place + FRESH_TABLE);
        lua_rawgeti(L, fresh, place + FRESH_KEY);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) == LUA_TTABLE) {
            lua_pushvalue(L, -1);
            lua_rawget(L, fresh - 1);
            bool is_fresh = lua_rawequal(L, -1, -2);
            lua_pop(L, 1);
            if (is_fresh && !copy_fresh(b, L, g, depth)) return false;
        }
        lua_settop(L, fresh);
    }
    lua_settop(L, fresh - 2);
    return true;
}

typedef struct {
    int32_t ledger;
    uint64_t entries;  // in the log that remains
} settle_request;

static int settle_body(lua_State *L) {
    settle_request *r = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    reference_push(L, r->ledger);
    lua_replace(L, 1);
    ledger *g = lua_touserdata(L, 1);
    if (g->whole) return 0;
    b->drafts = DRAFTS_REFUSED;
    bool fine = g->fresh == 0 || copy_all_fresh(b, L, g);
    b->drafts = DRAFTS_FOLLOWED;
    if (!fine) {
        g->whole = true;
        return 0;
    }
    judgement j = {.b = b, .g = g};
    lua_settop(L, 1);
    lua_getiuservalue(L, 1, LEDGER_LOG);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        if (!judge_table(L, &j, 3, 4, &r->entries)) {
            lua_pushvalue(L, 3);
            lua_pushnil(L);
            lua_rawset(L, 2);
        }
        if (j.whole) g->whole = true;
        lua_settop(L, 3);
    }
    return 0;
}

// MARK: The call

/* Leaves the log that was. */
static int take_body(lua_State *L) {
    reference_push(L, *(const int32_t *)lua_touserdata(L, 1));
    lua_replace(L, 1);
    reference_reserve(state_of(L), 1);
    lua_getiuservalue(L, 1, LEDGER_LOG);
    renew(L, lua_touserdata(L, 1));
    return 1;
}

static bool log_is_empty(lua_State *L, int32_t reference) {
    reference_push(L, reference);
    lua_getiuservalue(L, -1, LEDGER_LOG);
    lua_pushnil(L);
    bool empty = !lua_next(L, -2);
    lua_pop(L, empty ? 2 : 4);
    return empty;
}

/* Encodes the plain part of the state on top of the desk. False: it has to be encoded as a whole. */
static bool encode_plain_part(lb_state *b, ledger *g) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    b->drafts = DRAFTS_NUMBERED;
    b->numbering = g;
    g->round++;
    lb_issue_kind issue = encode_at(b, ancestors, 0);
    b->drafts = DRAFTS_FOLLOWED;
    if (issue != LB_ISSUE_NONE || b->met_large) return false;
    return g->values + b->encoded_values <= b->configuration.value_count
        && g->size + b->encoding.length <= b->configuration.value_size;
}

static lb_status find_change(
    lb_state *b, const lb_drafts *drafts, ledger *g, lb_drafts_change *change) {
    settle_request request = {drafts->ledger, 0};
    bool logged = !log_is_empty(b->desk, drafts->ledger);
    if (logged && !draft_run(b, settle_body, &request, 0)) {
        b->drafts = DRAFTS_FOLLOWED;
        return LB_MEMORY;
    }
    change->entries = request.entries;
    reference_push(b->desk, drafts->table);
    if (!g->whole && encode_plain_part(b, g)) {
        lua_pop(b->desk, 1);
        logged = request.entries > 0;
        bool same = b->encoding.length == drafts->plain_length
            && memcmp(b->encoding.bytes, drafts->plain, drafts->plain_length) == 0;
        change->kind = logged || !same ? LB_DRAFTS_CHANGED : LB_DRAFTS_UNCHANGED;
        change->plain = b->encoding.bytes;
        change->plain_length = b->encoding.length;
    } else {
        lb_status status = encode_top(b, &change->value);
        lua_pop(b->desk, 1);
        if (status != LB_OK) return status == LB_CONVERSION ? LB_CHANGED_CONVERSION : status;
        change->kind = LB_DRAFTS_WHOLE;
    }
    if (!logged && g->fresh == 0) return LB_OK;
    int32_t reference = drafts->ledger;
    if (!draft_run(b, take_body, &reference, 1)) return LB_MEMORY;
    if (change->kind == LB_DRAFTS_UNCHANGED || !logged)
        lua_pop(b->desk, 1);
    else
        change->journal = reference_take(b, b->desk);
    return LB_OK;
}

static bool undo(lb_state *b, const ledger *g, int32_t reference) {
    if (log_is_empty(b->desk, reference) && g->fresh == 0) return true;
    return draft_run(b, undo_body, &reference, 0) || draft_run(b, undo_body, &reference, 0);
}

typedef struct {
    const lb_drafts *drafts;
    ledger *g;
    lb_value *result;
    lb_drafts_change *change;
} drafting_request;

static lb_status take_changes(lb_state *b, void *context) {
    const drafting_request *r = context;
    r->g->open = false;
    // What the result was encoded to stays where it is.
    buffer kept = b->encoding;
    b->encoding = b->changed;
    lb_status status = find_change(b, r->drafts, r->g, r->change);
    b->changed = b->encoding;
    b->encoding = kept;
    if (status == LB_OK) return LB_OK;
    lb_release(b, r->result->reference);
    r->result->reference = 0;
    return status;
}

/* [-0, +0, never raises] */
lb_status lb_call_drafting(
    lb_state *b, int32_t function, const lb_argument *arguments, int32_t count, int32_t wants,
    const lb_drafts *drafts, bool writes, lb_value *result, lb_drafts_change *change) {
    if (b->remote != NULL) return LB_ABSENT;
    *change = (lb_drafts_change){.kind = LB_DRAFTS_UNCHANGED};
    reference_push(b->desk, drafts->ledger);
    ledger *g = lua_touserdata(b->desk, -1);
    lua_pop(b->desk, 1);
    g->whole = g->moved = false;
    g->open = writes;
    call_request request = {function, arguments, count, wants == 0 ? 0 : 1};
    drafting_request after = {drafts, g, result, change};
    lb_status status = call_and_then(b, &request, wants, result, take_changes, &after);
    g->open = false;
    if (status == LB_OK) {
        g->retired = change->kind == LB_DRAFTS_WHOLE;
        return LB_OK;
    }
    bool undone = undo(b, g, drafts->ledger);
    // Else the log stays, by which the old version can be told from the tables.
    g->retired = !undone;
    change->kind = undone ? LB_DRAFTS_UNCHANGED : LB_DRAFTS_WHOLE;
    return status;
}
