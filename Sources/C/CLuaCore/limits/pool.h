// Allocating and freeing small blocks. Inline, because this is Lua's most frequent operation.

#ifndef CLUABRIDGE_POOL_H
#define CLUABRIDGE_POOL_H

#include "limits/limits.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    // Small, since a small script has one page of each class, most of them nearly empty.
    PAGE = 1 << 11,
    // Smaller than its alignment, so that the C library can place pages next to each other.
    PAGE_SIZE = PAGE - 64,
    STEP = 16,
    LARGEST = 512,
    SPARE_PAGES = 128,  // the number of empty pages to keep
};

// The sizes of blocks: few, with Lua's most frequent ones among them, such as those of tables.
static const uint16_t class_sizes[POOL_CLASSES] = {16, 32, 48, 64, 96, 128, 192, 256, 384, LARGEST};
// The class of each multiple of STEP.
static const uint8_t step_classes[LARGEST / STEP + 1] = {
    0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
    8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9,
};

typedef struct block {
    struct block *next;
} block;

// A page is in its class's list while it has room.
struct pool_page {
    pool_page *next, *previous;
    block *freed;
    uint32_t fresh;  // the start of the blocks never used so far
    uint32_t used;   // blocks given out
    uint32_t size;   // of a block
    bool listed;
};

enum { HEAD = (sizeof(pool_page) + STEP - 1) / STEP * STEP };

#if defined(__has_feature)
#define POOL_HAS_FEATURE(name) __has_feature(name)
#else
#define POOL_HAS_FEATURE(name) 0
#endif

// The address sanitizer can only check blocks that come from the C library.
#if defined(__SANITIZE_ADDRESS__) || POOL_HAS_FEATURE(address_sanitizer)
static inline bool is_small(size_t size) { return false; }
#else
static inline bool is_small(size_t size) { return size <= LARGEST; }
#endif

static inline int class_of(size_t size) { return step_classes[(size + STEP - 1) / STEP]; }

static inline pool_page *page_of(void *block) {
    return (pool_page *)((uintptr_t)block & ~(uintptr_t)(PAGE - 1));
}

// Adds a page that has room again to its class's list.
void lb_pool_enlist(pool *p, pool_page *page);
// Removes a full page from it.
void lb_pool_delist(pool *p, pool_page *page);
pool_page *lb_pool_add_page(pool *p, size_t size);  // NULL: out of memory
// Releases an empty page.
void lb_pool_drop_page(pool *p, pool_page *page);

static inline void *pool_take(pool *p, size_t wanted) {
    int class = class_of(wanted);
    pool_page *page = p->pages[class];
    if (page == NULL && (page = lb_pool_add_page(p, class_sizes[class])) == NULL) return NULL;
    page->used++;
    block *taken = page->freed;
    if (taken != NULL) {
        page->freed = taken->next;
    } else {
        taken = (block *)((char *)page + page->fresh);
        page->fresh += page->size;
    }
    if (page->freed == NULL && page->fresh + page->size > PAGE_SIZE) lb_pool_delist(p, page);
    return taken;
}

static inline void pool_give(pool *p, void *given) {
    pool_page *page = page_of(given);
    block *freed = given;
    freed->next = page->freed;
    page->freed = freed;
    if (!page->listed) lb_pool_enlist(p, page);
    if (--page->used == 0) lb_pool_drop_page(p, page);
}

static inline void pool_free(pool *p, void *block, size_t size) {
    if (is_small(size))
        pool_give(p, block);
    else
        free(block);
    lb_signals_strike();
}

#endif
