/* SPDX-License-Identifier: MIT
 *
 * islands.h - removes islands: foreground regions that are connected to no stroke, or have nothing of a prior mask.
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"
#include "comm.h"

enum { TC_ON_LAND = 1 }; /* a third value in a mask of 0 and 255: connected to a stroke */

/* A flood over a mask, or over a part of one. At first all is zero but mask, width, height, slice_rows and
 * connectivity. */
typedef struct tc_islands {
    uint8_t *mask;
    int width, height, connectivity;
    int slice_rows; /* of a volume, whose slices lie one below the other: rows of a slice; else 0 */
    size_t *at; /* stack of runs, or of pixels, that were reached and whose neighbours were not visited yet */
    size_t count, room;
} tc_islands;

/* A flood that has reached nothing yet. */
static inline tc_islands tc_islands_of(uint8_t *mask, int width, int height, int depth, int connectivity)
{
    const int slice_rows = connectivity == 6 || connectivity == 26 ? height : 0;
    const tc_islands flood = {mask, width, height * depth, connectivity, slice_rows, NULL, 0, 0};
    return flood;
}

/* Marks the foreground region around a pixel as reached; background is left as it is. False: no memory. */
bool tc_islands_reach(tc_islands *f, size_t pixel);

/* Calls tc_islands_reach() for all foreground seeds among pixels `from` to `end` - 1. *seeded: whether there are
 * any. */
bool tc_islands_reach_seeds(tc_islands *f, const uint8_t *seeds, size_t from, size_t end, bool *seeded);

/* Turns all foreground that was not reached to background, or leaves it as it is if `none`. Returns how many foreground
 * pixels are left. Frees the stack. */
int64_t tc_islands_sink(tc_islands *f, bool none);

/* Goes on from what tc_islands_reach() has reached in own rows, in this part and in all others. Rows that are not own
 * must be background. Without parts nothing is left to do. */
tilecut_status tc_islands_across(tc_islands *f, tc_comm *comm);

/* Turns every island of the flood's mask (0 or 255 a pixel) to background: a region, over 4 or 8 neighbours, or in a
 * volume 6 or 26, in which no pixel is a foreground seed. The flood has reached nothing yet. *foreground: the number of
 * foreground pixels left, of all parts. Without foreground seeds nothing changes. Of a part, foreground
 * in rows that are not own is turned to background, too.
 *
 * The rest of a minimum cut is a minimum cut of the graph in which the islands are seeded as background. Regions do
 * not touch, so the cost of one does not depend on the others. If another labelling of the rest were cheaper now, it
 * would have been cheaper before. */
tilecut_status tc_drop_islands(tc_comm *comm, const uint8_t *seeds, tc_islands flood, int64_t *foreground);

/* The most pixels of a hole that is filled: larger ones are as often right (docs/lab/quality.md). */
enum { TC_LARGEST_CRUMB = 32 };

/* A prior mask, rows of probabilities `stride` apart, with seeds and the lattice's neighbours. */
typedef struct tc_prior_mask {
    const uint8_t *prior, *seeds;
    size_t stride;
    int width, height, connectivity;
    int slice_rows; /* as of tc_islands */
} tc_prior_mask;

/* Gives back to a prior mask what its refined mask has away from it: foreground regions that hold no foreground of the
 * prior mask, and holes of at most TC_LARGEST_CRUMB pixels that hold no background of it; but nothing of a region with
 * a seed of its label. The rest is a minimum cut with these pixels fixed, as above. A mask that has nothing of the
 * prior mask's foreground keeps its own. *foreground: how many pixels are left; *changed: how many were given back. */
tilecut_status tc_give_back_specks(const tc_prior_mask *prior, uint8_t *mask, int64_t *foreground, int64_t *changed);
