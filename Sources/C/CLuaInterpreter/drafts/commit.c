// Ends a call with drafts: undoes its writes if it failed, otherwise validates them. Only the
// writes are checked. If that is not sufficient, the whole state is encoded, which finds and names
// any error, such as a table in two places or a list with a hole.

#include "drafts/drafted_state.h"

void lb_draft_restore_mark(lua_State *L, lua_Integer shape) {
    STACK(L, 0, nothing);
    if (shape == SHAPE_RECORD)
        lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_RECORD);
    else
        lua_pushnil(L);
    lua_setmetatable(L, -2);
}

// MARK: Undoing

void lb_draft_undo(lua_State *L, int table, int old) {
    STACK(L, 0, memory);
    lua_pushnil(L);
    while (lua_next(L, old)) {
        const void *address = lua_touserdata(L, -2);
        if (address == &lb_draft_shape_key) {
            lua_Integer shape = lua_tointegerx(L, -1, NULL);
            lua_pushvalue(L, table);
            lb_draft_restore_mark(L, shape);
            lua_pop(L, 2);
            continue;
        }
        if (lua_touserdata(L, -1) == &lb_draft_nothing) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
        copy_field(L, table);
    }
}

// Gives written tables back to the script: they no longer stand for themselves.
static void forget_new_tables(lua_State *L, drafted_state *s) {
    STACK(L, 0, nothing);
    int top = lua_gettop(L);
    lua_getiuservalue(L, 1, STATE_CACHE);
    lua_getiuservalue(L, 1, STATE_NEW_TABLES);
    for (int32_t i = 0; i < s->new_tables; i++) {
        lua_rawgeti(L, -1, (lua_Integer)NEW_PARTS * i + NEW_VALUE);
        lua_pushnil(L);
        lua_rawset(L, -4);
    }
    s->new_tables = 0;
    lua_settop(L, top);
}

// A failure changes nothing.
static void renew(lua_State *L, drafted_state *s) {
    STACK(L, 0, memory);
    lua_createtable(L, 0, 1);
    if (s->new_tables > 0) {
        lua_createtable(L, NEW_PARTS, 0);
        forget_new_tables(L, s);
        lua_setiuservalue(L, 1, STATE_NEW_TABLES);
    }
    lua_setiuservalue(L, 1, STATE_LOG);
}

// Every step can be repeated, so the log stays unchanged on failure.
static int undo_body(lua_State *L) {
    reference_push(L, *(const int32_t *)lua_touserdata(L, 1));
    lua_replace(L, 1);
    lua_getiuservalue(L, 1, STATE_LOG);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        lb_draft_undo(L, 3, 4);
        lua_settop(L, 3);
    }
    renew(L, lua_touserdata(L, 1));
    return 0;
}

// MARK: New tables

enum { FEW = 64 };

// True if the table on top has this encoding, a string.
static bool has_encoding(
    lb_state *b, lua_State *L, int string, const void **ancestors, int depth) {
    STACK(L, 0, nothing);
    if (lua_type(L, -1) != LUA_TTABLE) return false;
    size_t length;
    const char *bytes = lua_tolstring(L, string, &length);
    return lb_encode_at(b, ancestors, depth) == LB_ISSUE_NONE && b->values.encoding.length == length
        && memcmp(b->values.encoding.bytes, bytes, length) == 0;
}

// Replaces the new table at a key by a copy, or by the old value if that is equal. False: it is not
// a plain value by itself. The table, the key and the value are on top.
static bool copy_new_table(lb_state *b, lua_State *L, drafted_state *s, int depth) {
    STACK(L, 0, memory);
    const void *ancestors[MAXIMUM_VALUE_DEPTH] = {NULL};
    int table = lua_gettop(L) - 2, key = table + 1;
    if (depth >= MAXIMUM_VALUE_DEPTH || lb_encode_at(b, ancestors, depth) != LB_ISSUE_NONE)
        return false;
    uint64_t values = b->values.encoded_values;
    lua_pushlstring(L, (const char *)b->values.encoding.bytes, b->values.encoding.length);
    lua_getiuservalue(L, 1, STATE_LOG);
    lua_pushvalue(L, table);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    lua_pushvalue(L, key);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    // The old table may have moved. Many tables are not compared: each would be encoded twice.
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    if (!s->moved && s->new_tables <= FEW && has_encoding(b, L, table + 3, ancestors, depth)) {
        lua_rawset(L, table);
    } else {
        lua_settop(L, table + 3);
        s->values += values;
        s->size += lua_rawlen(L, -1) + 8;
        // Copies ignore the memory limit, so a value that is too large is not copied.
        if (s->values > b->core.configuration.value_count
            || s->size > b->core.configuration.value_size) {
            lua_settop(L, table + 2);
            return false;
        }
        lua_pushvalue(L, key);
        lb_decode_push(L, lua_tolstring(L, table + 3, NULL));
        lua_rawset(L, table);
    }
    lua_settop(L, table + 2);
    return true;
}

static bool copy_new_tables(lb_state *b, lua_State *L, drafted_state *s) {
    STACK(L, 0, memory);
    lua_getiuservalue(L, 1, STATE_CACHE);
    lua_getiuservalue(L, 1, STATE_NEW_TABLES);
    int places = lua_gettop(L);
    bool fine = true;
    for (int32_t i = 0; fine && i < s->new_tables; i++) {
        lua_Integer place = (lua_Integer)NEW_PARTS * i;
        lua_rawgeti(L, places, place + NEW_DEPTH);
        int depth = (int)lua_tointegerx(L, -1, NULL);
        lua_pop(L, 1);
        lua_rawgeti(L, places, place + NEW_TABLE);
        lua_rawgeti(L, places, place + NEW_KEY);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) == LUA_TTABLE) {
            lua_pushvalue(L, -1);
            lua_rawget(L, places - 1);
            bool is_new = lua_rawequal(L, -1, -2);
            lua_pop(L, 1);
            if (is_new) fine = copy_new_table(b, L, s, depth);
        }
        lua_settop(L, places);
    }
    lua_settop(L, places - 2);
    return fine;
}

typedef struct {
    int32_t shared;
    uint64_t entries;  // in the remaining log
} commit_request;

static int commit_body(lua_State *L) {
    commit_request *r = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    reference_push(L, r->shared);
    lua_replace(L, 1);
    drafted_state *s = lua_touserdata(L, 1);
    if (s->whole) return 0;
    b->values.drafts = DRAFTS_REFUSED;
    bool fine = s->new_tables == 0 || copy_new_tables(b, L, s);
    b->values.drafts = DRAFTS_FOLLOWED;
    if (!fine) {
        s->whole = true;
        return 0;
    }
    validation v = {.b = b, .s = s};
    lua_settop(L, 1);
    lua_getiuservalue(L, 1, STATE_LOG);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        if (!lb_validate_table(L, &v, 3, 4, &r->entries)) {
            lua_pushvalue(L, 3);
            lua_pushnil(L);
            lua_rawset(L, 2);
        }
        if (v.whole) s->whole = true;
        lua_settop(L, 3);
    }
    return 0;
}

// MARK: The call

// Leaves the previous log on the stack.
static int take_body(lua_State *L) {
    reference_push(L, *(const int32_t *)lua_touserdata(L, 1));
    lua_replace(L, 1);
    lb_reference_reserve(state_of(L), 1);
    lua_getiuservalue(L, 1, STATE_LOG);
    renew(L, lua_touserdata(L, 1));
    return 1;
}

static bool log_is_empty(lua_State *L, int32_t reference) {
    STACK(L, 0, nothing);
    reference_push(L, reference);
    lua_getiuservalue(L, -1, STATE_LOG);
    lua_pushnil(L);
    bool empty = !lua_next(L, -2);
    lua_pop(L, empty ? 2 : 4);
    return empty;
}

lb_issue_kind lb_draft_encode_plain(lb_state *b, drafted_state *s) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    b->values.drafts = DRAFTS_NUMBERED;
    b->values.numbering = s;
    b->values.round = ++s->round;
    lb_issue_kind issue = lb_encode_at(b, ancestors, 0);
    b->values.drafts = DRAFTS_FOLLOWED;
    return issue;
}

// False: the whole state must be encoded.
static bool encode_plain_part(lb_state *b, drafted_state *s) {
    lb_issue_kind issue = lb_draft_encode_plain(b, s);
    if (issue != LB_ISSUE_NONE || b->values.met_large || b->values.met_view) return false;
    return s->values + b->values.encoded_values <= b->core.configuration.value_count
        && s->size + b->values.encoding.length <= b->core.configuration.value_size;
}

lb_status lb_drafts_commit(
    lb_state *b, const lb_drafts *drafts, drafted_state *s, lb_drafts_change *change) {
    STACK(b->core.main, 0, nothing);
    s->open = false;
    commit_request request = {drafts->shared, 0};
    bool logged = !log_is_empty(b->core.main, drafts->shared);
    if (logged && !lb_protect_privileged(b, commit_body, &request, 0)) {
        b->values.drafts = DRAFTS_FOLLOWED;
        return LB_MEMORY;
    }
    change->entries = request.entries;
    reference_push(b->core.main, drafts->table);
    if (!s->whole && encode_plain_part(b, s)) {
        lua_pop(b->core.main, 1);
        logged = request.entries > 0;
        bool same = b->values.encoding.length == drafts->plain_length
            && memcmp(b->values.encoding.bytes, drafts->plain, drafts->plain_length) == 0;
        change->kind = logged || !same ? LB_DRAFTS_CHANGED : LB_DRAFTS_UNCHANGED;
        change->plain = b->values.encoding.bytes;
        change->plain_length = b->values.encoding.length;
        change->has_strangers = met_strangers(b, drafts->table);
    } else {
        lb_status status = lb_encode_top(b, &change->value);
        lua_pop(b->core.main, 1);
        if (status != LB_OK) return status == LB_CONVERSION ? LB_CHANGED_CONVERSION : status;
        change->kind = LB_DRAFTS_WHOLE;
    }
    if (!logged && s->new_tables == 0) return LB_OK;
    int32_t reference = drafts->shared;
    if (!lb_protect_privileged(b, take_body, &reference, 1)) return LB_MEMORY;
    if (change->kind == LB_DRAFTS_UNCHANGED || !logged)
        lua_pop(b->core.main, 1);
    else
        change->journal = lb_reference_take(b, b->core.main);
    return LB_OK;
}

static bool undo(lb_state *b, const drafted_state *s, int32_t reference) {
    if (log_is_empty(b->core.main, reference) && s->new_tables == 0) return true;
    return lb_protect_privileged(b, undo_body, &reference, 0)
        || lb_protect_privileged(b, undo_body, &reference, 0);
}

drafted_state *lb_drafts_begin(lb_state *b, const lb_drafts *drafts, bool writes) {
    STACK(b->core.main, 0, nothing);
    reference_push(b->core.main, drafts->shared);
    drafted_state *s = lua_touserdata(b->core.main, -1);
    lua_pop(b->core.main, 1);
    s->whole = s->moved = false;
    s->open = writes;
    return s;
}

void lb_drafts_end(
    lb_state *b, const lb_drafts *drafts, drafted_state *s, lb_status status,
    lb_drafts_change *change) {
    s->open = false;
    if (status == LB_OK) {
        s->retired = change->kind == LB_DRAFTS_WHOLE;
        return;
    }
    bool undone = undo(b, s, drafts->shared);
    // Otherwise the log stays, because the old version is computed from the tables and the log.
    s->retired = !undone;
    change->kind = undone ? LB_DRAFTS_UNCHANGED : LB_DRAFTS_WHOLE;
}
