/* SPDX-License-Identifier: MIT
 *
 * prior_outline.h - how far the outline of a mask to begin from may be off, as the mask itself tells. A mask of low
 * resolution does not know what lies within a cell, a polygon what lies between two corners.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sides.h"
#include "tilecut_correct.h"

/* A cell that is no larger: the mask is of single pixels, perhaps smoothed. */
#define TC_OUTLINE_SHARP 2.5

/* Lengths in an image are in units: a pixel, or more if its shorter side has 720 pixels and more. */
int tc_outline_unit(int width, int height);

/* The outline is the line between values of at most 127 and at least 128. Distances in fifths of a pixel, as of
 * chamfer.h. */
typedef struct tc_outline {
    tc_sides_lattice lattice;
    double cell;    /* of how many pixels the mask seems to have been made; 1 or less: of single pixels  */
    double sag;     /* how far the outline may be off, the mean along it, in units                       */
    double detail;  /* how far the outline moves if the mask is smoothed a little, the mean, in units   */
    bool exact;     /* the mask follows its object pixel by pixel, so `left` is 0 all over               */
    bool soft;      /* the mask's values are probabilities, rather than 0 and 255 alone                  */
    uint16_t *away; /* [pixels] distance to the nearest pixel of the other side; at least one pixel      */
    uint16_t *left; /* [pixels] how much farther away than this pixel the outline may be; 0: it cannot come so far;
                       owned, together with `away` */
} tc_outline;

/* The lattice of an image. */
static inline tc_nearness_lattice tc_flat_lattice(int width, int height)
{
    const tc_nearness_lattice lattice = {width, height, 0, {1, 1, 1}};
    return lattice;
}

/* Measures `prior`, rows of probabilities of foreground in 255ths, `stride` apart, over all of a lattice. `reach`: how
 * far its outline may be off, in pixels; 0: as the mask tells. In a volume pixels are steps of length 1, straight
 * pieces are those in slices, and `detail` is not measured. */
tilecut_status tc_outline_measure(const uint8_t *prior, size_t stride, const tc_nearness_lattice *lattice, double reach,
                                  tc_outline *outline);
void tc_outline_free(tc_outline *outline);

/* tilecut_outline_moved(), of an image or a volume. *out: {0} on entry. */
tilecut_status tc_outline_moved(const tilecut_image *image, const tc_nearness_lattice *lattice, const uint8_t *given,
                                const uint8_t *mask, tilecut_moved *out);
