/* SPDX-License-Identifier: MIT
 *
 * alloc_list.h - memory for arrays: a list of arrays that are allocated one by one and freed together (all zero is an
 * empty list), and a function that makes growing lists larger.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { TC_ALLOC_LIST_MOST = 11 };

typedef struct tc_alloc_list {
    void *piece[TC_ALLOC_LIST_MOST];
    int count;
    bool lacks; /* true: an allocation has failed */
} tc_alloc_list;

/* Adds `piece`, the result of an allocation, to the list of owned memory, and returns it. */
static inline void *tc_own(tc_alloc_list *owned, void *piece)
{
    if (piece) owned->piece[owned->count++] = piece;
    else owned->lacks = true;
    return piece;
}

static inline void tc_alloc_list_free(tc_alloc_list *owned)
{
    for (int i = 0; i < owned->count; i++) free(owned->piece[i]);
}

/* Makes sure that a list of `count` items of `size` bytes has room for one more item, and returns the list. *room is
 * the number of items that fit. Returns NULL if there is no memory; the list then stays as it is. */
static inline void *tc_list_grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room) return list;
    const size_t more = *room ? 2 * *room : 16;
    void *const grown = realloc(list, more * size);
    if (grown) *room = more;
    return grown;
}
