// Memory for Lua. Lua makes and drops many small blocks, and says how large a block is when it gives it
// back; so blocks of one size class are cut from pages of their own, and a page that is empty again serves
// any class. Larger blocks are the C library's.
//
// A page is aligned to its size, so a block's page is found by its address.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 1 << 14,
    // What a page takes: less than its alignment, so that the C library can lay pages side by side.
    PAGE_SIZE = PAGE - 64,
    STEP = 16,  // between size classes
    LARGEST = POOL_CLASSES * STEP,
    SPARE_PAGES = 16,  // empty pages that are kept
};

typedef struct block {
    struct block *next;
} block;

// A page is in the list of its class while it has room.
struct pool_page {
    pool_page *next, *previous;
    block *freed;
    uint32_t fresh;  // where the blocks begin that were never given out
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

// The address sanitizer watches blocks only when each is one of the C library's.
#if defined(__SANITIZE_ADDRESS__) || POOL_HAS_FEATURE(address_sanitizer)
static inline bool is_small(size_t size) { return false; }
#else
static inline bool is_small(size_t size) { return size <= LARGEST; }
#endif

static inline int class_of(size_t size) { return (int)((size + STEP - 1) / STEP) - 1; }

static inline pool_page *page_of(void *block) {
    return (pool_page *)((uintptr_t)block & ~(uintptr_t)(PAGE - 1));
}

static void enlist(pool *p, pool_page *page) {
    pool_page **first = &p->pages[class_of(page->size)];
    page->previous = NULL;
    page->next = *first;
    if (page->next != NULL) page->next->previous = page;
    *first = page;
    page->listed = true;
}

static void delist(pool *p, pool_page *page) {
    if (page->previous != NULL)
        page->previous->next = page->next;
    else
        p->pages[class_of(page->size)] = page->next;
    if (page->next != NULL) page->next->previous = page->previous;
    page->listed = false;
}

static pool_page *add_page(pool *p, size_t size) {
    pool_page *page = p->spare;
    if (page != NULL) {
        p->spare = page->next;
        p->spare_count--;
    } else if ((page = aligned_alloc(PAGE, PAGE_SIZE)) == NULL) {
        return NULL;
    }
    *page = (pool_page){.fresh = HEAD, .size = (uint32_t)size};
    enlist(p, page);
    return page;
}

static void drop_page(pool *p, pool_page *page) {
    // The only page with room stays: the next block of its class would need it again.
    if (page->next == NULL && page->previous == NULL) return;
    delist(p, page);
    if (p->spare_count >= SPARE_PAGES) {
        free(page);
        return;
    }
    page->next = p->spare;
    p->spare = page;
    p->spare_count++;
}

static inline void *take(pool *p, size_t wanted) {
    int class = class_of(wanted);
    pool_page *page = p->pages[class];
    if (page == NULL && (page = add_page(p, (size_t)(class + 1) * STEP)) == NULL) return NULL;
    page->used++;
    block *taken = page->freed;
    if (taken != NULL) {
        page->freed = taken->next;
    } else {
        taken = (block *)((char *)page + page->fresh);
        page->fresh += page->size;
    }
    if (page->freed == NULL && page->fresh + page->size > PAGE_SIZE) delist(p, page);
    return taken;
}

static inline void give(pool *p, void *given) {
    pool_page *page = page_of(given);
    block *freed = given;
    freed->next = page->freed;
    page->freed = freed;
    if (!page->listed) enlist(p, page);
    if (--page->used == 0) drop_page(p, page);
}

void pool_free(pool *p, void *block, size_t size) {
    if (block == NULL) return;
    if (is_small(size))
        give(p, block);
    else
        free(block);
}

void *pool_resize(pool *p, void *block, size_t old_size, size_t new_size) {
    if (block == NULL) return is_small(new_size) ? take(p, new_size) : malloc(new_size);
    bool was_small = is_small(old_size), is_now = is_small(new_size);
    if (!was_small && !is_now) return realloc(block, new_size);
    if (was_small && is_now && class_of(old_size) == class_of(new_size)) return block;
    void *moved = is_now ? take(p, new_size) : malloc(new_size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    pool_free(p, block, old_size);
    return moved;
}

bool pool_may_stay(size_t old_size, size_t new_size) {
    return is_small(old_size) == is_small(new_size);
}

void pool_close(pool *p) {
    for (int class = 0; class < POOL_CLASSES; class++) {
        while (p->pages[class] != NULL) {
            pool_page *page = p->pages[class];
            p->pages[class] = page->next;
            free(page);
        }
    }
    while (p->spare != NULL) {
        pool_page *page = p->spare;
        p->spare = page->next;
        free(page);
    }
}
