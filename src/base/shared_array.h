/* SPDX-License-Identifier: MIT
 *
 * shared_array.h - a long array with a reference count: several owners, in any threads, may hold it, and the last one
 * to drop it frees it.
 */
#pragma once

#include <stdbool.h>

#include "large.h"

enum { TC_SHARED_HEAD = 64 }; /* bytes before the array; they begin with the number of references */

static inline int *tc_references_of(const uint8_t *array)
{
    return (int *)(void *)(uintptr_t)(array - TC_SHARED_HEAD);
}

/* Allocates uninitialised bytes with one reference; NULL if there is no memory. */
static inline uint8_t *tc_shared_new(size_t bytes)
{
    uint8_t *const memory = (uint8_t *)tc_large_alloc(TC_SHARED_HEAD + bytes);
    if (!memory) return NULL;
    *tc_references_of(memory + TC_SHARED_HEAD) = 1;
    return memory + TC_SHARED_HEAD;
}

/* Adds a reference and returns the array. NULL is allowed here and below. */
static inline uint8_t *tc_shared_hold(uint8_t *array)
{
    if (array) (void)__atomic_add_fetch(tc_references_of(array), 1, __ATOMIC_RELAXED);
    return array;
}

static inline void tc_shared_drop(uint8_t *array)
{
    if (array && __atomic_sub_fetch(tc_references_of(array), 1, __ATOMIC_ACQ_REL) == 0) free(array - TC_SHARED_HEAD);
}

static inline bool tc_shared_is_shared(const uint8_t *array)
{
    return array && __atomic_load_n(tc_references_of(array), __ATOMIC_ACQUIRE) > 1;
}
