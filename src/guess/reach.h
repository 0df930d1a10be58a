/* SPDX-License-Identifier: MIT
 *
 * reach.h - geodesic distances to the strokes, which are short along paths through similar colours. They are used in
 * two ways: as a first guess if there are few strokes (each pixel gets the class of the nearer strokes), and as
 * evidence of each stroke for the pixels around it.
 */
#pragma once

#include "tilecut.h"

/* Sample i of a row of the image, as one of 256 levels. */
static inline int tc_level_at(const tilecut_image *image, const void *row, size_t i)
{
    return image->depth == 8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i] >> 8;
}

/* Writes two things into each byte of `guess`. Bit 0 is set if the pixel's distance to the foreground's seeds is less
 * than its distances to background strokes and to the outside of a box; both classes must occur. The other bits are a
 * level of tc_evidence_favour(), the evidence of the strokes alone, without the outside of a box. With distances f and
 * b to foreground and background strokes it is (b - f) / (b + f) * exp(-min(f, b) / TC_EVIDENCE_FADES) of the greatest
 * evidence.
 *
 * A distance is the length of the shortest path to a seed, where a step to a neighbour costs TC_REACH_STEP plus the
 * difference of the samples in 8-bit levels, summed over channels (a geodesic distance: Bai & Sapiro, ICCV 2007). It is
 * found by sweeps over rows in whole numbers, so every machine computes the same. guess: width * height bytes, packed
 * rows. */
tilecut_status tc_reach(const tilecut_image *image, const uint8_t *seeds, uint8_t *guess);

/* The cost of each step in an image: `each`, in place of TC_REACH_STEP, plus the difference of the samples. Close it
 * after a failure, too. Errors: ENOMEM. */
enum { TC_WAY_LEFT, TC_WAY_ABOVE = 2, TC_WAYS = 4 }; /* 1 is the step up to the left, and 3 the step up to the right */
typedef struct tc_ways {
    int width, height;
    uint16_t *step[TC_WAYS]; /* [pixels] cost of the step from each pixel to that neighbour */
    uint16_t *memory;
} tc_ways;
tilecut_status tc_ways_open(tc_ways *ways, const tilecut_image *image, int each);
void tc_ways_close(tc_ways *ways);

/* Writes the distance of each pixel to the nearest pixel with that label. map: [width * height]; 2^30 everywhere if no
 * pixel has the label. */
void tc_reach_ways(const tc_ways *ways, const uint8_t *seeds, uint8_t label, int32_t *map);

enum { TC_REACH_STEP = 12 };
#define TC_EVIDENCE_FADES 240.0
