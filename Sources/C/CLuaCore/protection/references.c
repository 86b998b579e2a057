// References: slots of the registry that are made in advance, so that taking and releasing one only
// assigns to an existing slot, which neither allocates nor raises.

#include "protection/protection.h"

#include <stdlib.h>

enum { FIRST_COUNT = 64 };

void lb_reference_reserve(lb_state *b, int32_t count) {
    STACK(b->core.main, 0, memory);
    if (b->protection.free_count >= count) return;
    lua_State *L = b->core.main;
    int32_t old = b->protection.reference_capacity, capacity = old == 0 ? FIRST_COUNT : old * 2;
    int32_t *slots = realloc(b->protection.free_references, (size_t)capacity * sizeof(int32_t));
    if (slots == NULL) luaL_error(L, "not enough memory");
    b->protection.free_references = slots;
    uint64_t *tables = realloc(b->protection.reference_tables, (size_t)capacity * sizeof(uint64_t));
    if (tables == NULL) luaL_error(L, "not enough memory");
    b->protection.reference_tables = tables;
    luaL_checkstack(L, 1, NULL);
    for (int32_t i = old; i < capacity; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, FIRST_REFERENCE + i);
    }
    b->protection.reference_capacity = capacity;
    while (capacity > old) slots[b->protection.free_count++] = FIRST_REFERENCE + --capacity;
}

int32_t lb_reference_take(lb_state *b, lua_State *L) {
    STACK(L, -1, nothing);
    int32_t reference = b->protection.free_references[--b->protection.free_count];
    lua_rawseti(L, LUA_REGISTRYINDEX, reference);
    *reference_tables(b, reference) = 0;
    return reference;
}

void lb_reference_release(lb_state *b, int32_t reference) {
    STACK(b->core.main, 0, nothing);
    if (reference < FIRST_REFERENCE) return;
    lua_pushboolean(b->core.main, 0);
    lua_rawseti(b->core.main, LUA_REGISTRYINDEX, reference);
    b->protection.free_references[b->protection.free_count++] = reference;
}

static int reserve_body(lua_State *L) {
    lb_reference_reserve(state_of(L), 1);
    return 0;
}

lb_status lb_reference_prepare(lb_state *b) {
    STACK(b->core.main, 0, nothing);
    return b->protection.free_count > 0 ? LB_OK : lb_protect(b, reserve_body, NULL, 0);
}

lb_status lb_reference_make(lb_state *b, lua_CFunction body, void *context, int32_t *reference) {
    lb_status status = lb_reference_prepare(b);
    if (status == LB_OK) status = lb_protect(b, body, context, 1);
    if (status == LB_OK) *reference = lb_reference_take(b, b->core.main);
    return status;
}
