// Makes a state with drafts from its encoding, and an older one from the tables and later changes.

#include "drafts/drafted_state.h"

// MARK: Making states

static uint64_t count_values(const unsigned char *at, uint64_t *tables) {
    if (!is_container(at)) return 1;
    uint64_t sum = 1;
    bool record = at[0] == TAG_RECORD;
    uint32_t count = container_count(at);
    ++*tables;
    for (at += HEADER; count > 0; count--, at = value_end(at)) {
        if (record) at = string_end(at);
        sum += count_values(at, tables);
    }
    return sum;
}

static bool has_large(uint32_t large, const unsigned char *at) {
    if (!is_container(at)) return false;
    bool record = at[0] == TAG_RECORD;
    uint32_t count = container_count(at);
    if (count > large) return true;
    for (at += HEADER; count > 0; count--, at = value_end(at)) {
        if (record) at = string_end(at);
        if (has_large(large, at)) return true;
    }
    return false;
}

bool lb_drafts_has_large(const lb_state *b, const void *encoding) {
    return has_large(b->core.configuration.large_count, encoding);
}

// The drafts' shared state is at 1, the roots at 2.
static void push_root(lua_State *L, const unsigned char *at, uint32_t depth) {
    STACK(L, +1, memory);
    drafted_state *s = lua_touserdata(L, 1);
    lb_decode_push(L, at);
    lb_draft_make(L, 1, depth, (uint32_t)++s->roots);
    lua_pushvalue(L, -1);
    lua_rawseti(L, 2, s->roots);
    uint64_t tables = 0;
    s->values += count_values(at, &tables);
    if (tables == 1) lb_draft_flatten(L);
    s->size += container_size(at);
}

// The plain part, with drafts where tables are large.
static void push_plain(lua_State *L, const unsigned char *at, uint32_t depth) {
    STACK(L, +1, memory);
    if (!is_container(at)) {
        lb_decode_push(L, at);
        return;
    }
    bool record = at[0] == TAG_RECORD;
    uint32_t count = container_count(at);
    if (count > state_of(L)->core.configuration.large_count) {
        push_root(L, at, depth);
        return;
    }
    luaL_checkstack(L, 6, NULL);
    lua_createtable(L, record ? 0 : (int)count, record ? (int)count : 0);
    if (record && count == 0) lb_draft_restore_mark(L, SHAPE_RECORD);
    at += HEADER;
    for (uint32_t i = 1; i <= count; i++) {
        if (record) {
            lb_decode_push(L, at);
            at = string_end(at);
        }
        push_plain(L, at, depth + 1);
        at = value_end(at);
        if (record)
            lua_rawset(L, -3);
        else
            lua_rawseti(L, -2, i);
    }
}

static void push_state(lua_State *L) {
    STACK(L, +1, memory);
    drafted_state *s = lua_newuserdatauv(L, sizeof(drafted_state), STATE_VALUES);
    *s = (drafted_state){0};
    lua_createtable(L, 0, 1);
    lua_setiuservalue(L, -2, STATE_LOG);
    lua_createtable(L, 0, 4);
    lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_WEAK);
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, -2, STATE_CACHE);
    lua_createtable(L, 1, 0);
    lua_setiuservalue(L, -2, STATE_ROOTS);
    lua_createtable(L, NEW_PARTS, 0);
    lua_setiuservalue(L, -2, STATE_NEW_TABLES);
}

static int make_body(lua_State *L) {
    const void *encoding = lua_touserdata(L, 1);
    lb_state *b = state_of(L);
    lua_settop(L, 0);
    push_state(L);
    lua_getiuservalue(L, 1, STATE_ROOTS);
    push_plain(L, encoding, 0);
    lb_reference_reserve(b, 2);
    lua_remove(L, 2);
    return 2;
}

lb_status lb_drafts_make(lb_state *b, const void *encoding, lb_drafts *drafts) {
    STACK(b->core.main, 0, nothing);
    lb_status status = lb_protect(b, make_body, (void *)encoding, 2);
    if (status != LB_OK) return status;
    if (lb_draft_encode_plain(b, lua_touserdata(b->core.main, -2)) != LB_ISSUE_NONE) {
        lua_pop(b->core.main, 2);
        return LB_MEMORY;
    }
    drafts->plain = b->values.encoding.bytes;
    drafts->plain_length = b->values.encoding.length;
    drafts->table = lb_reference_take(b, b->core.main);
    drafts->shared = lb_reference_take(b, b->core.main);
    *reference_tables(b, drafts->table) = b->values.met_tables;
    return LB_OK;
}

// MARK: Older versions

// Pushes the table for the plain part. The drafts' shared state is at `state_index`.
static void push_from_plain(lua_State *L, const lb_drafts *drafts, int state_index) {
    STACK(L, +1, memory);
    lua_getiuservalue(L, state_index, STATE_ROOTS);
    lua_rawseti(L, LUA_REGISTRYINDEX, KEPT_DRAFT_ROOTS);
    lb_decode_push(L, drafts->plain);
}

// Like lb_protect_privileged, for functions that decode a plain part.
static bool run_with_roots(lb_state *b, lua_CFunction body, const void *context, int results) {
    STACK_EITHER(b->core.main, 0, results, nothing);
    bool fine = lb_protect_privileged(b, body, (void *)context, results);
    lua_pushboolean(b->core.main, 0);
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, KEPT_DRAFT_ROOTS);
    return fine;
}

static int remake_body(lua_State *L) {
    const lb_drafts *drafts = lua_touserdata(L, 1);
    lb_reference_reserve(state_of(L), 1);
    reference_push(L, drafts->shared);
    push_from_plain(L, drafts, 2);
    return 1;
}

lb_status lb_drafts_remake_table(lb_state *b, const lb_drafts *drafts, int32_t *table) {
    STACK(b->core.main, 0, nothing);
    b->values.met_tables = 0;
    if (!run_with_roots(b, remake_body, drafts, 1)) return LB_MEMORY;
    *table = lb_reference_take(b, b->core.main);
    *reference_tables(b, *table) = b->values.met_tables;
    return LB_OK;
}

// Pushes a shallow copy of the table at an index.
static void push_copy(lua_State *L, int table) {
    STACK(L, +1, memory);
    lua_createtable(L, (int)lua_rawlen(L, table), 0);
    int copy = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) copy_field(L, copy);
}

// Undoes the changes of the journal on top in copies of the tables.
static void take_back_all(lua_State *L, int copies) {
    STACK(L, -1, memory);
    int journal = lua_gettop(L), table = journal + 1, old = journal + 2, copy = journal + 3;
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
        lb_draft_undo(L, copy, old);
        lua_settop(L, table);
    }
    lua_settop(L, journal - 1);
}

typedef struct {
    const lb_drafts *drafts;
    const int32_t *journals;
    int32_t count;
} version_request;

// Leaves the copies and the plain part on the stack.
static int version_body(lua_State *L) {
    enum { STATE = 2, COPIES = 3 };
    const version_request *r = lua_touserdata(L, 1);
    reference_push(L, r->drafts->shared);
    lua_createtable(L, 0, 4);
    // First the changes of a call that runs or was not undone, then the journals, newest first.
    lua_getiuservalue(L, STATE, STATE_LOG);
    take_back_all(L, COPIES);
    for (int32_t i = r->count; i-- > 0;) {
        reference_push(L, r->journals[i]);
        take_back_all(L, COPIES);
    }
    push_from_plain(L, r->drafts, STATE);
    return 2;
}

lb_status lb_drafts_encode_version(
    lb_state *b, const lb_drafts *drafts, const int32_t *journals, int32_t count, lb_value *value) {
    STACK(b->core.main, 0, nothing);
    version_request request = {drafts, journals, count};
    if (!run_with_roots(b, version_body, &request, 2)) return LB_MEMORY;
    // The version was within the limits when it was made.
    lb_configuration known = b->core.configuration;
    b->core.configuration.value_count = UINT64_MAX;
    b->core.configuration.value_size = INT32_MAX;
    b->values.substitutes = lua_gettop(b->core.main) - 1;
    lb_status status = lb_encode_top(b, value);
    b->values.substitutes = 0;
    b->core.configuration = known;
    lua_pop(b->core.main, 2);
    return status;
}
