/* SPDX-License-Identifier: MIT
 *
 * owned.h - arrays that are taken one by one and given back together, as those of a search. All zero: there are none.
 */
#ifndef TC_OWNED_H
#define TC_OWNED_H

#include <stdbool.h>
#include <stdlib.h>

enum { TC_OWNED_MOST = 11 };

typedef struct tc_owned {
    void *piece[TC_OWNED_MOST];
    int count;
    bool lacks; /* one of them could not be had */
} tc_owned;

/* Takes over what an allocation has returned, and returns it. */
static inline void *tc_own(tc_owned *owned, void *piece)
{
    if (piece) owned->piece[owned->count++] = piece;
    else owned->lacks = true;
    return piece;
}

static inline void tc_owned_free(tc_owned *owned)
{
    for (int i = 0; i < owned->count; i++) free(owned->piece[i]);
}

#endif
