/* SPDX-License-Identifier: MIT
 *
 * counts.h - what learning counts over all pixels of an image, or over own rows of a part of it: squared differences
 * between neighbours, and pixels by colour. All that is learnt follows from these whole numbers, so it does not matter
 * how many threads count.
 */
#ifndef TC_COUNTS_H
#define TC_COUNTS_H

#include "energy.h"

/* Tables of numbers of pixels, by bin of the lattice of colours or by entry of a palette: all pixels; those labelled
 * foreground, and those of any other label; those seeded foreground, background, outside. */
enum { TC_SEEN, TC_LABELLED_FG, TC_LABELLED_BG, TC_SEEDED_FG, TC_SEEDED_BG, TC_SEEDED_OUTSIDE, TC_COUNTS };

typedef struct tc_count {
    const tilecut_image *image;
    const uint8_t *labels, *seeds; /* [pixels] may be NULL if no table of them is wanted */
    int bits, threads;
    const tc_palette *palette;     /* has all colours of the image; NULL: tables have all bins */
    tc_comm *comm;
    uint32_t *of[TC_COUNTS];       /* [bins or entries] to add to; NULL: not wanted */
} tc_count;

tilecut_status tc_count_colors(const tc_count *count);

/* Squared differences of all links are summed by blocks of `rows` rows of the whole image. Those of an image are so
 * small that each sum is below 2^53. */
enum { TC_CONTRAST_ROWS = 32 };
void tc_count_contrast(const tc_energy *energy, int rows, int threads, int64_t *block);

#endif
