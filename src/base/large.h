/* SPDX-License-Identifier: MIT
 *
 * large.h - memory for long arrays, in large pages where the system has them. The first touch of a page costs a trap
 * into the system, and an array of hundreds of megabytes has a hundred thousand small pages. Reads at random also find
 * the addresses of large pages in the processor's table more often.
 */
#ifndef TC_LARGE_H
#define TC_LARGE_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Uninitialized memory for free(); NULL: there is none. */
static inline void *tc_large_alloc(size_t bytes)
{
    const size_t page = (size_t)1 << 21, whole = (bytes + page - 1) & ~(page - 1);
    if (bytes < 2 * page) return malloc(bytes ? bytes : 1);
    void *const memory = aligned_alloc(page, whole);
#ifdef MADV_HUGEPAGE
    if (memory) (void)madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory;
}

#endif
