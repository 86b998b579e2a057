// Memory accounting. The limit is soft: when it is exceeded, the running thread stops at its next
// instruction, where a collection is safe. Only beyond twice the limit is a block refused. Lua then
// runs an emergency collection and asks again, in the middle of an operation. Up to 5.4.7 the
// collection can free the table that Lua is about to grow. So the second request is refused too,
// however much is free: Lua raises an error without using that table again.

#include "limits/pool.h"

enum { LARGE_GROWTH = 1 << 20 };  // bytes that take a tenth of a millisecond and more to fill

// Records that a block was refused. This is a memory limit error unless another limit has tripped.
static void allocation_refuse(lb_state *b, const void *block, size_t size) {
    lb_budget_stop(b, STOP_MEMORY);
    b->limits.refused_block = block;
    b->limits.refused_size = size;
    // Lua does not report this error, so its place is captured here. The block may be the stack.
    bool is_moved = block != NULL && !lb_release_shows_moved_stacks();
    if (b->limits.running != NULL && !is_moved) lb_budget_capture(b, b->limits.running, false);
}

// True if Lua repeats the request that was just refused. The block itself may be gone.
static bool is_repeated(lb_state *b, const void *block, size_t size) {
    bool repeated = b->limits.refused_size == size && b->limits.refused_block == block;
    b->limits.refused_size = 0;
    return repeated;
}

static bool must_refuse(lb_state *b, size_t growth) {
#ifdef DEBUG
    if (b->limits.fails_allocation && b->limits.allocation_countdown-- <= 0)
        return !b->limits.fails_once || b->limits.allocation_countdown == -1;
#endif
    if (b->limits.closing || b->limits.privileged) return false;
    // A function in C would fill the block before it sees that its call has been stopped.
    if (growth >= LARGE_GROWTH && b->limits.stop) return true;
    size_t limit = b->core.configuration.memory_limit, after = b->limits.memory_in_use + growth;
    if (after <= limit) return false;
    if (after / 2 > limit || after < growth) return true;
    if (after > b->limits.memory_peak) b->limits.memory_peak = after;
    if (!b->limits.pressure) {
        b->limits.pressure = 1;
        if (b->limits.running != NULL) lb_budget_arm(b, b->limits.running);
    }
    return false;
}

static inline bool is_easy(const lb_state *b, size_t size) {
#ifdef DEBUG
    if (b->limits.fails_allocation) return false;
#endif
    return is_small(size) && b->limits.memory_in_use + size <= b->core.configuration.memory_limit
        && b->limits.refused_size == 0;
}

// A small block within the limit, the common case; NULL: needs a closer look.
static inline void *take_small(lb_state *b, size_t size) {
    void *taken = is_easy(b, size) ? pool_take(&b->limits.pool, size) : NULL;
    if (taken != NULL) b->limits.memory_in_use += size;
    return taken;
}

static inline void *allocate(lb_state *b, void *block, size_t old_size, size_t new_size) {
    if (block == NULL) {
        if (new_size == 0) return NULL;
        void *taken = take_small(b, new_size);
        if (taken != NULL) return taken;
        old_size = 0;  // Lua passes the kind of the object
    } else if (new_size == 0) {
        pool_free(&b->limits.pool, block, old_size);
        b->limits.memory_in_use -= old_size;
        return NULL;
    }
    bool grows = new_size > old_size;
    if (grows && b->limits.refused_size != 0 && is_repeated(b, block, new_size)) return NULL;
    void *moved = grows && must_refuse(b, new_size - old_size)
        ? NULL
        : lb_pool_resize(&b->limits.pool, block, old_size, new_size);
    if (moved == NULL) {
        if (!grows && lb_pool_may_stay(old_size, new_size)) return block;
        allocation_refuse(b, block, new_size);
        return NULL;
    }
    b->limits.memory_in_use = b->limits.memory_in_use - old_size + new_size;
    return moved;
}

void *lb_allocator_resize(void *state, void *block, size_t old_size, size_t new_size) {
    lb_signals_strike();
    void *taken = allocate(state, block, old_size, new_size);
    lb_signals_strike();
    return taken;
}

bool lb_is_table_sure(const lb_state *b, uint32_t count) {
    size_t nodes = b->limits.fields_size;
    while (count > 1) {
        nodes *= 2;
        count = (count + 1) / 2;
    }
    return b->limits.table_size != 0 && is_easy(b, b->limits.table_size + nodes)
        && class_of(b->limits.table_size) != class_of(nodes)
        && b->limits.pool.pages[class_of(b->limits.table_size)] != NULL
        && b->limits.pool.pages[class_of(nodes)] != NULL;
}

void lb_measure_tables(lb_state *b) {
    STACK(b->core.main, 0, memory);
    lua_State *L = b->core.main;
    size_t before = b->limits.memory_in_use;
    lua_createtable(L, 0, 0);
    size_t empty = b->limits.memory_in_use - before;
    lua_createtable(L, 0, 1);
    b->limits.table_size = empty;
    b->limits.fields_size = b->limits.memory_in_use - before - 2 * empty;
    lua_pop(L, 2);
}
