/* SPDX-License-Identifier: MIT
 *
 * large.h - memory for long arrays, in large pages where the system has them. The first touch of a page costs a trap
 * into the system, and an array of hundreds of megabytes has a hundred thousand small pages. Random reads of large
 * pages also find the address in the processor's table (TLB) more often.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Asks the system for large pages for the part of `memory` that they can cover. Returns `memory`, which may be NULL. */
static inline void *tc_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)1 << 21;
    const uintptr_t from = ((uintptr_t)memory + page - 1) & ~(uintptr_t)(page - 1), to = (uintptr_t)memory + bytes;
    if (memory && from + page <= to) (void)madvise((void *)from, (to - from) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)bytes;
#endif
    return memory;
}

/* Allocates uninitialised memory, to be released by free(). Returns NULL if there is not enough. If at least half of a
 * large page is needed, a whole one is taken: that is quicker than 256 small pages. */
static inline void *tc_large_alloc(size_t bytes)
{
    const size_t page = (size_t)1 << 21, whole = (bytes + page - 1) & ~(page - 1);
    if (bytes < page / 2) return malloc(bytes ? bytes : 1);
    return tc_large_pages(aligned_alloc(page, whole), whole);
}
