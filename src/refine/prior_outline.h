/* SPDX-License-Identifier: MIT
 *
 * prior_outline.h - how far the outline of a mask to begin from may be off, as the mask itself tells. A mask of low
 * resolution does not know what lies within a cell, a polygon what lies between two corners.
 */
#ifndef TC_PRIOR_OUTLINE_H
#define TC_PRIOR_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "tilecut.h"

/* A cell that is no larger: the mask is of single pixels, perhaps smoothed. */
#define TC_OUTLINE_SHARP 2.5

/* Lengths in an image are in units: a pixel, or more if its shorter side has 720 pixels and more. */
int tc_outline_unit(int width, int height);

/* The outline is the line between values of at most 127 and at least 128. Distances in fifths of a pixel, as of
 * chamfer.h. */
typedef struct tc_outline {
    int width, height;
    double cell;    /* of how many pixels the mask seems to have been made; 1 or less: of single pixels  */
    double sag;     /* how far the outline may be off, the mean along it, in units                       */
    double detail;  /* how far the outline moves if the mask is smoothed a little, the mean, in units   */
    bool exact;     /* the mask follows its object pixel by pixel, so `left` is 0 all over               */
    bool soft;      /* its values are probabilities, rather than 0 and 255 alone                         */
    uint16_t *away; /* [pixels] to the nearest pixel of the other side; at least one                     */
    uint16_t *left; /* [pixels] how much farther the outline may be than here; 0: not even so far; owned,
                       together with `away`                                                              */
} tc_outline;

/* Measures `prior`, height rows of width probabilities of foreground in 255ths, `stride` apart. `reach`: how far its
 * outline may be off, in pixels; 0: as the mask tells. */
tilecut_status tc_outline_measure(const uint8_t *prior, size_t stride, int width, int height, double reach,
                                  tc_outline *outline);
void tc_outline_free(tc_outline *outline);

#endif
