/* SPDX-License-Identifier: MIT
 *
 * whole.h - sums and rows across the parts of one image (tilecut_parts.h). Code that learns from an image, or counts
 * something in it, gets a tc_whole. It counts in its own rows and passes its sums to the tc_whole, and gets those of
 * the whole image. NULL stands for an image in one part, whose sums are complete already.
 */
#ifndef TC_WHOLE_H
#define TC_WHOLE_H

#include <stdbool.h>

#include "tilecut_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_whole {
    const tilecut_exchange *with;
    struct tc_whole *root; /* that of the whole image, if this is one of a window in it; else this itself */
    bool broken;     /* another part has left: nothing is asked of the exchange any more */
    int first, rows; /* own rows, in the part's image                                 */
    int above;       /* rows of the whole image above the first row of the part's     */
    int height;      /* of the whole image                                            */
    int store;       /* of tilecut_part                                               */
    /* Computes tc_nearness() on CUDA device `device`; NULL: the host does. All parts have it, or none. */
    tilecut_status (*nearness)(struct tc_whole *whole, const uint8_t *seeds, int width, int height, uint8_t *level);
    int device;
    void (*rest)(const void *idle); /* before each meeting: gives back what need not be in memory; NULL: nothing is */
    const void *idle;
    tilecut_part_report told;
} tc_whole;

/* Own rows of an image of `height` rows: from first to end - 1. */
typedef struct tc_own_rows {
    int first, end;
} tc_own_rows;

static inline tc_own_rows tc_own_rows_of(const tc_whole *whole, int height)
{
    return whole ? (tc_own_rows){whole->first, whole->first + whole->rows} : (tc_own_rows){0, height};
}

/* Where the first row of a part's image lies in the whole image. */
static inline int tc_whole_above(const tc_whole *whole)
{
    return whole ? whole->above : 0;
}

/* Rows of the whole image. */
static inline int tc_whole_height(const tc_whole *whole, int height)
{
    return whole ? whole->height : height;
}

/* ECANCELLED if a part has left. */
tilecut_status tc_whole_sum(tc_whole *whole, int64_t *values, size_t count);
tilecut_status tc_whole_sum32(tc_whole *whole, uint32_t *values, size_t count); /* the sums must be below 2^32 */
tilecut_status tc_whole_sum_whole(tc_whole *whole, double *values, size_t count); /* of whole numbers          */

/* *any: whether it is true in any part. */
tilecut_status tc_whole_any(tc_whole *whole, bool *any);

/* Gives all parts the bytes of part `from`: a whole number of words. */
tilecut_status tc_whole_share(tc_whole *whole, int from, int64_t *words, size_t count);

/* ECANCELLED if another part has left, for code that has not asked each call. */
tilecut_status tc_whole_check(const tc_whole *whole);

/* all: [parts][count] the values of each part. */
tilecut_status tc_whole_gather(tc_whole *whole, const int64_t *values, size_t count, int64_t *all);

/* The least and the greatest number of all parts, from those of each. */
tilecut_status tc_whole_range(tc_whole *whole, double range[2]);

/* See tilecut_exchange; `whole` is not NULL. What need not go is NULL only if whole->with->one_way. */
tilecut_status tc_whole_swap(tc_whole *whole, const void *to_above, const void *to_below, void *from_above,
                              void *from_below, size_t bytes);

/* The same between devices; only if whole->with has it. */
tilecut_status tc_whole_swap_there(tc_whole *whole, const void *to_above, const void *to_below, void *from_above,
                                   void *from_below, size_t bytes);

static inline bool tc_has_above(const tc_whole *whole)
{
    return whole->with->part > 0;
}

static inline bool tc_has_below(const tc_whole *whole)
{
    return whole->with->part + 1 < whole->with->parts;
}

#ifdef __cplusplus
}
#endif
#endif
