/* SPDX-License-Identifier: MIT
 *
 * nested.h - strokes change a mask only where they ask for it: those of the foreground only add to it, those of the
 * background only take away.
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
    bool doubted;          /* whether background strokes inside `before` may show that all of `before` is wrong */
    int slice_rows;        /* of a volume, whose slices lie one below the other: rows of a slice; else 0 */
} tc_nested;

/* Restores `before` in every connected region that is added and holds no foreground stroke, or is taken away and holds
 * no background stroke. The result is the minimum cut with these pixels fixed, as well as all pixels where the masks
 * agreed: around such a region both masks agree, so its cost does not depend on other regions. If it may be doubted,
 * what is taken away without a stroke and is more than a fifth of `before` stays away. *foreground, the number of
 * foreground pixels in the mask, is kept up to date. */
tilecut_status tc_nest(const tc_nested *n, int64_t *foreground);
