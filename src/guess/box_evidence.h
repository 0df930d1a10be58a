/* SPDX-License-Identifier: MIT
 *
 * box_evidence.h - chooses the better of two masks of the same box. Both are minimum cuts, after learning from two
 * different first guesses. Their energies hardly tell which is better, so they are compared by measurements that are
 * not part of the energy.
 */
#pragma once

#include <stdbool.h>

#include "box_tally.h"
#include "tilecut.h"

/* Measurements of a mask. */
typedef struct tc_box_evidence {
    double filled; /* the share of the pixels inside the box that is foreground: 0 to 1                              */
    double ring;   /* intersection of two colour histograms, of the mask and of the pixels outside the box: 0 to 1   */
    double edge;   /* mean absolute difference of samples across the outline, summed over channels, in 8-bit levels  */
} tc_box_evidence;

/* Counts what a mask shows of its box, with several threads. `seeds` and `mask` are packed rows of the image's size;
 * the mask is 0 or 255. Returns false if there is no memory. */
bool tc_box_count(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, int threads,
                  tc_box_tally *sum);

/* Computes the measurements from these counts. */
tc_box_evidence tc_box_evidence_of(const tc_box_tally *t);

/* Counts what a mask shows of its box, and computes the measurements. The result is the same on every machine. */
bool tc_box_look(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, int threads,
                 tc_box_evidence *seen);

/* True if a mask fills nearly all or nearly nothing of its box. An object in a box drawn around it does neither. */
bool tc_box_mask_is_trivial(double filled);

/* True if a mask of `foreground` pixels shows no object: it is nearly empty or, in a tiny box, too small to reach from
 * side to side. `width` and `height` are those of the box. */
bool tc_box_lacks_object(int64_t foreground, int width, int height);

/* True if `other` is clearly better than `before`: its colours differ more from those outside the box, or it has
 * stronger edges along its outline, or its size is likely and that of `before` is not. The thresholds are from
 * docs/lab/quality.md. */
bool tc_box_is_better(const tc_box_evidence *other, const tc_box_evidence *before);
