// Memory for Lua. Lua allocates and frees many small blocks, and passes a block's size when it
// frees it. So blocks of one size class come from pages of their own, and an empty page can serve
// any class. Larger blocks come from the C library.
//
// Pages are aligned, so the page of a block follows from the address of the block.
//
// Scripts/bench compares it with glibc's malloc: a cycle with 1,000 records that are read in full
// takes 0.85 of the time of a bare C program instead of 1.0; 10 keyed children, one of which
// changes, take 8.4 microseconds instead of 11.4.

#include "limits/pool.h"

#include <stdlib.h>
#include <string.h>

void lb_pool_enlist(pool *p, pool_page *page) {
    pool_page **first = &p->pages[class_of(page->size)];
    page->previous = NULL;
    page->next = *first;
    if (page->next != NULL) page->next->previous = page;
    *first = page;
    page->listed = true;
}

void lb_pool_delist(pool *p, pool_page *page) {
    if (page->previous != NULL)
        page->previous->next = page->next;
    else
        p->pages[class_of(page->size)] = page->next;
    if (page->next != NULL) page->next->previous = page->previous;
    page->listed = false;
}

pool_page *lb_pool_add_page(pool *p, size_t size) {
    pool_page *page = p->spare;
    if (page != NULL) {
        p->spare = page->next;
        p->spare_count--;
    } else {
        // C11 and some systems require a multiple of the alignment for aligned_alloc.
        void *made = NULL;
        if (posix_memalign(&made, PAGE, PAGE_SIZE) != 0) return NULL;
        page = made;
    }
    *page = (pool_page){.fresh = HEAD, .size = (uint32_t)size};
    lb_pool_enlist(p, page);
    return page;
}

void lb_pool_drop_page(pool *p, pool_page *page) {
    // The only page with room stays, because the next block of its class would need it again.
    if (page->next == NULL && page->previous == NULL) return;
    lb_pool_delist(p, page);
    if (p->spare_count >= SPARE_PAGES) {
        free(page);
        return;
    }
    page->next = p->spare;
    p->spare = page;
    p->spare_count++;
}

void *lb_pool_resize(pool *p, void *block, size_t old_size, size_t new_size) {
    if (block == NULL) return is_small(new_size) ? pool_take(p, new_size) : malloc(new_size);
    bool was_small = is_small(old_size), is_now = is_small(new_size);
    if (!was_small && !is_now) {
        void *moved = realloc(block, new_size);
        lb_signals_strike();
        return moved;
    }
    if (was_small && is_now && class_of(old_size) == class_of(new_size)) return block;
    void *moved = is_now ? pool_take(p, new_size) : malloc(new_size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    pool_free(p, block, old_size);
    return moved;
}

bool lb_pool_may_stay(size_t old_size, size_t new_size) {
    return is_small(old_size) == is_small(new_size);
}

void lb_pool_close(pool *p) {
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
