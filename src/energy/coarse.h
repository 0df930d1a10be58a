/* SPDX-License-Identifier: MIT
 *
 * coarse.h - a smaller copy of an image with its seeds, to look around on cheaply.
 */
#ifndef TC_COARSE_H
#define TC_COARSE_H

#include <stdbool.h>

#include "exact_math.h"
#include "tilecut.h"

typedef struct tc_coarse {
    int factor;          /* of both sides; cells at the right and at the bottom may be cut off */
    tilecut_image image; /* mean samples of the cells; owned                                   */
    uint8_t *seeds;      /* foreground if one of a cell's pixels is and none background; the other way round; else
                            outside if one is                                                               */
} tc_coarse;

/* What a cell is that has shown `before`, with one more label in it: each stands for a set of those that were met. At
 * the end TC_COARSE_BOTH, for strokes of both kinds, means that it is unknown. */
enum { TC_COARSE_BOTH = 4 };

static TC_BOTH inline uint8_t tc_coarse_join(uint8_t before, uint8_t label)
{
    if (label == TILECUT_UNKNOWN || before == TC_COARSE_BOTH) return before;
    if (before == TILECUT_UNKNOWN || before == TILECUT_OUTSIDE) return label;
    return label == TILECUT_OUTSIDE || label == before ? before : (uint8_t)TC_COARSE_BOTH;
}

/* The mean sample of a cell of `pixels`. */
static TC_BOTH inline uint64_t tc_coarse_mean(uint64_t sum, uint64_t pixels)
{
    return (sum + pixels / 2) / pixels;
}

/* `factor` >= 1. On failure `coarse` is empty. */
tilecut_status tc_coarse_init(tc_coarse *coarse, const tilecut_image *image, const uint8_t *seeds, int factor);
void tc_coarse_free(tc_coarse *coarse);

/* Whether there is something to decide in the copy, and each class that `seeds` have. */
bool tc_coarse_will_do(const tc_coarse *coarse, const uint8_t *seeds, size_t pixels);

/* The mask of the large image, width * height, in which each pixel is as its cell in `small`. */
void tc_coarse_spread(const tc_coarse *coarse, const uint8_t *small, int width, int height, uint8_t *mask);

#endif
