// References: slots of the registry that are made ahead of need, so that taking and releasing one is
// an assignment to a slot that exists, which neither allocates nor raises.

#include "internal.h"
#include "isolation/remote.h"

#include <stdlib.h>

enum { FIRST_COUNT = 64 };

void reference_reserve(lb_state *b, int32_t count) {
    if (b->free_count >= count) return;
    lua_State *L = b->desk;
    int32_t old = b->reference_capacity, capacity = old == 0 ? FIRST_COUNT : old * 2;
    int32_t *slots = realloc(b->free_references, (size_t)capacity * sizeof(int32_t));
    if (slots == NULL) luaL_error(L, "not enough memory");
    b->free_references = slots;
    luaL_checkstack(L, 1, NULL);
    for (int32_t i = old; i < capacity; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, FIRST_REFERENCE + i);
    }
    b->reference_capacity = capacity;
    while (capacity > old) slots[b->free_count++] = FIRST_REFERENCE + --capacity;
}

int32_t reference_take(lb_state *b, lua_State *L) {
    int32_t reference = b->free_references[--b->free_count];
    lua_rawseti(L, LUA_REGISTRYINDEX, reference);
    return reference;
}

/* [-0, +0, never raises] */
void lb_release(lb_state *b, int32_t reference) {
    if (b->remote != NULL) return remote_release(b, reference);
    if (reference < FIRST_REFERENCE) return;
    lua_pushboolean(b->desk, 0);
    lua_rawseti(b->desk, LUA_REGISTRYINDEX, reference);
    b->free_references[b->free_count++] = reference;
}

static int reserve_body(lua_State *L) {
    reference_reserve(state_of(L), 1);
    return 0;
}

/* [-0, +0, never raises] */
lb_status reference_prepare(lb_state *b) {
    return b->free_count > 0 ? LB_OK : protect(b, reserve_body, NULL, 0);
}

/* [-0, +0, never raises] */
lb_status lb_retain(lb_state *b, int32_t reference, int32_t *copy) {
    if (b->remote != NULL) return remote_retain(b, reference, copy);
    lb_status status = reference_prepare(b);
    if (status != LB_OK) return status;
    reference_push(b->desk, reference);
    *copy = reference_take(b, b->desk);
    return LB_OK;
}

/* [-0, +0, never raises] */
lb_type lb_reference_type(lb_state *b, int32_t reference) {
    if (b->remote != NULL) return remote_type(b, reference);
    reference_push(b->desk, reference);
    lb_type type = type_at(b, b->desk, -1);
    lua_pop(b->desk, 1);
    return type;
}

/* [-0, +0, never raises] */
const void *lb_reference_identity(lb_state *b, int32_t reference) {
    if (b->remote != NULL) return remote_identity(b, reference);
    reference_push(b->desk, reference);
    const void *identity = lua_topointer(b->desk, -1);
    lua_pop(b->desk, 1);
    return identity;
}
