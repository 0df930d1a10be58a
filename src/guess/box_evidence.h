/* SPDX-License-Identifier: MIT
 *
 * box_evidence.h - which of two masks of a box is the better one. Both are minimum cuts, of what two first guesses have
 * taught, and which of them has less energy is luck as often as not. So things are asked that the energy does not know.
 */
#ifndef TC_BOX_EVIDENCE_H
#define TC_BOX_EVIDENCE_H

#include <stdbool.h>

#include "tilecut.h"

/* What can be seen of a mask. */
typedef struct tc_box_evidence {
    double filled; /* of what is open, the part that is in the mask: 0 to 1                                          */
    double ring;   /* how much the mask's colours are those outside of the box: 0 to 1, what histograms of both share */
    double edge;   /* the mean difference of the samples across the outline, summed over channels, in 8-bit levels    */
} tc_box_evidence;

/* image, seeds, mask: of one size, mask 0 or 255 in packed rows. The same on every machine.
 * False: no memory. */
bool tc_box_look(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, tc_box_evidence *seen);

/* Whether a mask is nearly all or nearly nothing of its box, which no object is in a box drawn around it. */
bool tc_box_says_nothing(double filled);

/* Whether another mask is plainly better: it has less in common with what lies outside, or better edges along its
 * outline; or it says something where the one before did not. Chosen and measured in docs/lab/quality.md. */
bool tc_box_is_better(const tc_box_evidence *other, const tc_box_evidence *before);

#endif
