/* SPDX-License-Identifier: MIT
 *
 * counts.h - counts for learning: sums of squared differences between neighbours, and histograms of colours, over an
 * image or over the own rows of a part. Models are learnt from these whole numbers alone, so the number of threads that
 * count does not change them.
 */
#pragma once

#include "energy.h"

/* Histograms over the bins of the lattice of colours, or over the entries of a palette: of all pixels; of pixels
 * labelled foreground, and of pixels labelled background or outside; of pixels seeded foreground, background, and
 * outside.
  */
enum { TC_SEEN, TC_LABELLED_FG, TC_LABELLED_BG, TC_SEEDED_FG, TC_SEEDED_BG, TC_SEEDED_OUTSIDE, TC_COUNTS };

typedef struct tc_count {
    const tilecut_image *image;
    const uint8_t *labels, *seeds; /* [pixels] may be NULL if no histogram needs them */
    bool far;                      /* true: pixels labelled TILECUT_OUTSIDE do not count, as in tc_training_set */
    bool marks;                    /* true: of[TC_SEEN] alone is wanted, without a palette, and only whether it is 0 */
    int bits, threads;
    const tc_palette *palette;     /* histograms have one entry per colour of the palette; NULL: one per bin */
    tc_comm *comm;
    uint32_t *of[TC_COUNTS];       /* [bins or entries] the counts are added to these; NULL: not counted */
} tc_count;

tilecut_status tc_count_colors(const tc_count *count);

/* Sums the squared differences of all links in blocks of `rows` rows, counted from the top of the whole image. Writes
 * block[i] only for blocks with own rows. With TC_CONTRAST_ROWS, as for images, each sum is below 2^53. */
enum { TC_CONTRAST_ROWS = 32 };
void tc_count_contrast(const tc_energy *energy, int rows, int threads, int64_t *block);
