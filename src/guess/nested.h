/* SPDX-License-Identifier: MIT
 *
 * nested.h - limits the changes that strokes make to a mask: foreground strokes may only add to it, and background
 * strokes may only remove from it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"
#include "comm.h"

/* All arrays have a byte per pixel, in packed rows. If the image is split into parts, they hold this part's rows. */
typedef struct tc_nested {
    int width, height, connectivity;
    tc_comm *comm;         /* NULL: the image is not split into parts                                 */
    const uint8_t *seeds;
    const uint8_t *before; /* the mask without strokes                                                */
    uint8_t *mask;         /* the mask with strokes                                                   */
    bool doubted;          /* true: background strokes inside `before` may be evidence that all of `before` is wrong */
    int slice_rows;        /* for a volume, whose slices lie one below the other: rows of a slice; else 0 */
    int least;             /* with `doubted`: if less than 1 / least of `before` would be left, it is kept */
} tc_nested;

/* Background strokes do not mean all of the object: if the mask has less than 1 / TC_VANISHES of its pixels before,
 * only painted pixels are removed. */
enum { TC_VANISHES = 10 };

/* Restores `before` in every connected region that was added and contains no foreground stroke, or was removed and
 * contains no background stroke. The result is the minimum cut with these pixels fixed, and with all pixels fixed where
 * the masks agree: both masks agree around such a region, so its cost does not depend on other regions. With `doubted`,
 * foreground that was removed without a stroke is not restored if it is more than a fifth of `before`. But if less than
 * 1 / least as much foreground as in `before` would be left, all that was removed is restored except under background
 * strokes. *foreground, the number of foreground pixels in the mask, is updated. */
tilecut_status tc_nest(const tc_nested *n, int64_t *foreground);
