/* SPDX-License-Identifier: MIT
 *
 * box_memo.h - stores the mask of a box without strokes between calls (tilecut_memo). Every new stroke needs that mask
 * as a first guess, and computing it takes a search. The mask depends only on the pixels, the box and the options; the
 * memo stores these as a key. It holds one mask: storing another replaces it.
 */
#pragma once

#include <stdbool.h>

#include "coarse.h"
#include "params.h"
#include "tilecut_correct.h"

struct tc_colors;

/* The data on which the mask of a box depends. Four 64-bit hashes stand for the pixels. */
typedef struct tc_memo_key {
    uint64_t pixels[4];
    int width, height, channels, depth;
    tc_window box;
    const struct tc_colors *colors;
    double lambda, sigma, data_weight, spatial;
    int connectivity, iterations, effort;
    bool islands;
} tc_memo_key;

/* Makes a key. `box`: the box of seeds without strokes; `setup` must have no prior mask. Reads all pixels. */
tc_memo_key tc_memo_key_of(const tilecut_image *image, const tc_setup *setup, const tc_window *box);

/* The result of tc_fit_box() for the box. */
typedef enum tc_fit {
    TC_FIT_UNKNOWN, /* not computed yet                                          */
    TC_FIT_AS_IT_IS,
    TC_FIT_BEYOND   /* pixels beyond its sides were learnt as background         */
} tc_fit;

/* If `memo` is NULL or in use by another thread, the functions below do nothing, and return false or TC_FIT_UNKNOWN.
 * Masks have the image's size, are 0 or 255, and have no foreground outside of the box. */

/* Writes the mask and the report stored for `key`; returns false if there are none. The times in the report are 0. */
bool tc_memo_recall(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask, tilecut_report *report);
/* Stores a mask and its report, and forgets everything stored before. If there is no memory, the memo is empty
 * afterwards. */
void tc_memo_keep(tilecut_memo *memo, const tc_memo_key *key, const uint8_t *mask, const tilecut_report *report);

/* Returns how the box of `key` was made to fit. Writes the resulting mask only for TC_FIT_BEYOND. */
tc_fit tc_memo_recall_fit(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask);
/* Stores how the box was made to fit, if the memo has that key. `mask` is read only for TC_FIT_BEYOND. */
void tc_memo_keep_fit(tilecut_memo *memo, const tc_memo_key *key, tc_fit fit, const uint8_t *mask);
