/* SPDX-License-Identifier: MIT
 *
 * box_tally.h - the counts from which a mask of a box is judged (box_evidence.h in src/guess). They are whole numbers,
 * so host and device count the same.
 */
#pragma once

#include "exact_math.h"

/* Colours are counted in cubes of 32 levels. */
enum { TC_TALLY_STEPS = 8, TC_TALLY_BINS = TC_TALLY_STEPS * TC_TALLY_STEPS * TC_TALLY_STEPS };

/* Pairs are neighbours inside the box, side by side or one above the other. The difference of a pair is the sum over
 * channels of the absolute difference, in 8-bit levels. */
typedef struct tc_box_tally {
    int64_t mask[TC_TALLY_BINS];    /* pixels of the mask, by colour                           */
    int64_t outside[TC_TALLY_BINS]; /* pixels outside the box that are not in the mask, by colour */
    int64_t in_mask, in_ring, open; /* pixels of the mask, outside the box, and inside the box */
    int64_t links, across;          /* pairs that the outline divides, and the sum of their differences */
} tc_box_tally;

/* Returns the bin of a colour. The levels are 0 to 255; a grey pixel has three equal ones. */
static TC_BOTH inline int tc_tally_bin(int red, int green, int blue)
{
    const int levels = 256 / TC_TALLY_STEPS;
    return (red / levels * TC_TALLY_STEPS + green / levels) * TC_TALLY_STEPS + blue / levels;
}
