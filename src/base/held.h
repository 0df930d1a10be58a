/* SPDX-License-Identifier: MIT
 *
 * held.h - a long array with several holders, all in one thread at a time. The last one to drop it frees it.
 */
#ifndef TC_HELD_H
#define TC_HELD_H

#include <stdbool.h>

#include "large.h"

enum { TC_HELD_HEAD = 64 }; /* bytes before the array, which begin with the number of holders */

static inline int *tc_holders_of(const uint8_t *array)
{
    return (int *)(void *)(uintptr_t)(array - TC_HELD_HEAD);
}

/* Uninitialized bytes with one holder; NULL: there is no memory. */
static inline uint8_t *tc_held_new(size_t bytes)
{
    uint8_t *const memory = (uint8_t *)tc_large_alloc(TC_HELD_HEAD + bytes);
    if (!memory) return NULL;
    *tc_holders_of(memory + TC_HELD_HEAD) = 1;
    return memory + TC_HELD_HEAD;
}

/* One more holder; returns the array. NULL is fine here and below. */
static inline uint8_t *tc_held_hold(uint8_t *array)
{
    if (array) ++*tc_holders_of(array);
    return array;
}

static inline void tc_held_drop(uint8_t *array)
{
    if (array && --*tc_holders_of(array) == 0) free(array - TC_HELD_HEAD);
}

static inline bool tc_held_shared(const uint8_t *array)
{
    return array && *tc_holders_of(array) > 1;
}

#endif
