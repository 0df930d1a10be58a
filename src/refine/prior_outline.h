/* SPDX-License-Identifier: MIT
 *
 * prior_outline.h - estimates how far the outline of a prior mask may be off, from the mask itself. A mask of low
 * resolution is uncertain within a cell, and a polygon between two corners.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sides.h"
#include "tilecut_correct.h"

/* With a cell no larger than this, the mask is made of single pixels, maybe smoothed. */
#define TC_OUTLINE_SHARP 2.5

/* Lengths in an image are in units: one pixel, or more if its shorter side has 720 pixels or more. */
int tc_outline_unit(int width, int height);

/* The outline is the line between values of at most 127 and of at least 128. Distances are in fifths of a pixel, as in
 * chamfer.h. */
typedef struct tc_outline {
    tc_sides_lattice lattice;
    double cell;    /* the size in pixels of the cells of which the mask seems to be made; 1 or less: single pixels */
    double deviation; /* by how many units, on average, the outline may be off                           */
    double detail;  /* by how many units, on average, the outline moves if the mask is smoothed a little */
    bool exact;     /* true: the mask follows its object pixel by pixel, so `left` is 0 everywhere       */
    bool soft;      /* true: the mask's values are probabilities, not only 0 and 255                     */
    uint16_t *away; /* [pixels] distance to the nearest pixel of the other side; at least one pixel      */
    uint16_t *left; /* [pixels] how much farther than this pixel the outline may be off, plus 1; 0: it cannot be off as
                       far as this pixel; one owned allocation with `away` */
} tc_outline;

/* Returns the lattice of an image. */
static inline tc_nearness_lattice tc_flat_lattice(int width, int height)
{
    const tc_nearness_lattice lattice = {width, height, 0, {1, 1, 1}};
    return lattice;
}

/* Measures `prior`, packed rows of foreground probabilities in 255ths, over a whole lattice. `reach` is how far its
 * outline may be off, in pixels; 0: this is estimated from the mask. In a volume the unit is a step of length 1,
 * straight pieces are found in slices, and `detail` is not measured. */
tilecut_status tc_outline_measure(const uint8_t *prior, const tc_nearness_lattice *lattice, double reach,
                                  tc_outline *outline);
void tc_outline_free(tc_outline *outline);

/* Does the work of tilecut_outline_moved(), for an image or a volume. *out must be {0} on entry. */
tilecut_status tc_outline_moved(const tilecut_image *image, const tc_nearness_lattice *lattice, const uint8_t *given,
                                const uint8_t *mask, tilecut_moved *out);
