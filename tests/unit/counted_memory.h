/* SPDX-License-Identifier: MIT
 *
 * counted_memory.h - replacements for malloc() and its relatives, put in place by the linker (see the Makefile). They
 * count the allocations, and make a chosen one fail.
 */
#pragma once

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

static atomic_long countdown; /* the allocation that brings it to 0 fails; below 0 none does */
static atomic_long live;      /* number of blocks and mappings that are not freed yet */
static atomic_bool armed;

static bool refused(void)
{
    if (!armed || atomic_fetch_sub(&countdown, 1) != 1) return false;
    errno = ENOMEM;
    return true;
}

static void *held(void *block)
{
    if (armed && block) live++;
    return block;
}

/* Declares the linker's two names of a function: __real_ for the original, __wrap_ for the replacement. */
#define COUNTED(result, name, parameters) result __real_##name parameters; result __wrap_##name parameters

/* Defines the replacement of an allocator that returns a new block or NULL. */
#define COUNTED_ALLOCATOR(name, parameters, arguments)                                                                 \
    COUNTED(void *, name, parameters);                                                                                 \
    void *__wrap_##name parameters { return refused() ? NULL : held(__real_##name arguments); }

COUNTED_ALLOCATOR(malloc, (size_t size), (size))
COUNTED_ALLOCATOR(calloc, (size_t count, size_t size), (count, size))
COUNTED_ALLOCATOR(aligned_alloc, (size_t alignment, size_t size), (alignment, size))
COUNTED(void *, realloc, (void *block, size_t size));
COUNTED(int, posix_memalign, (void **block, size_t alignment, size_t size));
COUNTED(void *, mmap, (void *address, size_t length, int protection, int flags, int file, off_t offset));
COUNTED(int, munmap, (void *address, size_t length));
COUNTED(void, free, (void *block));

void *__wrap_realloc(void *block, size_t size)
{
    if (refused()) return NULL;
    return block ? __real_realloc(block, size) : held(__real_realloc(block, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (refused()) return ENOMEM;
    const int error = __real_posix_memalign(block, alignment, size);
    if (!error) held(*block);
    return error;
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (refused()) return MAP_FAILED;
    void *const start = __real_mmap(address, length, protection, flags, file, offset);
    if (armed && start != MAP_FAILED) live++;
    return start;
}

int __wrap_munmap(void *address, size_t length)
{
    if (armed) live--;
    return __real_munmap(address, length);
}

void __wrap_free(void *block)
{
    if (armed && block) live--;
    __real_free(block);
}
