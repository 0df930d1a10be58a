/* SPDX-License-Identifier: MIT
 *
 * islands.h - removes islands: regions of foreground that are connected to no stroke, or that contain no foreground of
 * a prior mask.
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"
#include "comm.h"

enum { TC_ON_LAND = 1 }; /* a third value in a mask of 0 and 255: foreground that is connected to a stroke */

/* A flood over a mask, or over a part of one. At first all fields are zero but mask, width, height, slice_rows and
 * connectivity. */
typedef struct tc_islands {
    uint8_t *mask;
    int width, height, connectivity;
    int slice_rows; /* for a volume, whose slices lie one below the other: rows of a slice; else 0 */
    size_t *at; /* a stack of runs, or of pixels, that were reached and whose neighbours were not visited yet */
    size_t count, room;
} tc_islands;

/* Returns a flood that has reached nothing yet. */
static inline tc_islands tc_islands_of(uint8_t *mask, int width, int height, int depth, int connectivity)
{
    const int slice_rows = connectivity == 6 || connectivity == 26 ? height : 0;
    const tc_islands flood = {mask, width, height * depth, connectivity, slice_rows, NULL, 0, 0};
    return flood;
}

/* Marks the foreground region around a pixel as reached; does nothing if the pixel is background. Returns false if
 * there is no memory. */
bool tc_islands_reach(tc_islands *f, size_t pixel);

/* Calls tc_islands_reach() for all foreground seeds among pixels `from` to `end` - 1. Sets *seeded to true if there are
 * any. */
bool tc_islands_reach_seeds(tc_islands *f, const uint8_t *seeds, size_t from, size_t end, bool *seeded);

/* Turns all foreground that was not reached into background or, with `none`, leaves it as it is. Returns the number of
 * foreground pixels that are left. Frees the stack. */
int64_t tc_islands_sink(tc_islands *f, bool none);

/* Continues the flood from the own pixels that are reached, in this part and in all others. Rows that are not the
 * part's own must be background. Without parts it does nothing. */
tilecut_status tc_islands_across(tc_islands *f, tc_comm *comm);

/* Turns every island of the flood's mask (0 or 255 a pixel) into background. An island is a connected region in which
 * no pixel is a foreground seed; connected means by 4 or 8 neighbours, or in a volume by 6 or 26. The flood must have
 * reached nothing yet. *foreground is the number of foreground pixels left in all parts. Without foreground seeds
 * nothing changes. In a part, foreground in rows that are not its own becomes background, too.
 *
 * The rest of a minimum cut is a minimum cut of the graph in which the islands are seeded as background. Regions do not
 * touch, so the cost of a region does not depend on the others. If another labelling of the rest cost less after the
 * removal, it would have cost less before, too. */
tilecut_status tc_drop_islands(tc_comm *comm, const uint8_t *seeds, tc_islands flood, int64_t *foreground);

/* The largest hole that is filled, in pixels: larger holes are right as often as wrong (docs/lab/quality.md). */
enum { TC_LARGEST_SPECK = 32 };

/* A prior mask, as rows of probabilities `stride` apart; with seeds, and with the number of neighbours of the
 * lattice. */
typedef struct tc_prior_mask {
    const uint8_t *prior, *seeds;
    int width, height, connectivity;
    int slice_rows; /* as in tc_islands */
} tc_prior_mask;

/* Restores a prior mask where its refined mask has isolated differences: removes foreground regions that contain no
 * foreground of the prior mask, and fills holes of at most TC_LARGEST_SPECK pixels that contain no background of it.
 * Leaves any region with a seed of its label alone. The rest is a minimum cut with these pixels fixed, as above. If a
 * mask contains no foreground of the prior mask at all, it stays as it is. *foreground is the number of foreground
 * pixels left, and *changed the number of pixels restored. */
tilecut_status tc_give_back_specks(const tc_prior_mask *prior, uint8_t *mask, int64_t *foreground, int64_t *changed);
