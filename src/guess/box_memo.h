/* SPDX-License-Identifier: MIT
 *
 * box_memo.h - what a box says without the strokes in it, kept between calls (tilecut_memo). Each stroke needs that as
 * a guess, and it takes a search to find. It depends on pixels, box and options alone, so a memo knows of which ones it
 * is: of others it is forgotten.
 */
#ifndef TC_BOX_MEMO_H
#define TC_BOX_MEMO_H

#include <stdbool.h>

#include "coarse.h"
#include "params.h"
#include "tilecut_correct.h"

struct tc_colors;

/* Of what something is known. Pixels are told apart by four sums of all samples. */
typedef struct tc_memo_key {
    uint64_t pixels[4];
    int width, height, channels, depth;
    tc_window box;
    const struct tc_colors *colors;
    double lambda, sigma, data_weight, spatial;
    int connectivity, iterations, effort;
    bool islands;
} tc_memo_key;

/* `box`: of seeds that are a box and nothing else. `setup` has no prior mask. Reads all pixels. */
tc_memo_key tc_memo_key_of(const tilecut_image *image, const tc_setup *setup, const tc_window *box);

/* How a box was made to fit. */
typedef enum tc_fit {
    TC_FIT_UNKNOWN, /* nobody has looked yet                                */
    TC_FIT_AS_IT_IS,
    TC_FIT_BEYOND   /* what lies beyond its sides was taught as background  */
} tc_fit;

/* All that follow do nothing, and recall nothing, if `memo` is NULL or another thread is at it. Masks are of the image,
 * 0 or 255, and have no foreground outside of the box. */

/* The mask of the box. The report's times are 0, for nothing was done. */
bool tc_memo_recall(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask, tilecut_report *told);
/* Forgets all else. Without memory for that, nothing is known. */
void tc_memo_keep(tilecut_memo *memo, const tc_memo_key *key, const uint8_t *mask, const tilecut_report *told);

/* What has become of that box. `mask` is written only for TC_FIT_BEYOND. */
tc_fit tc_memo_recall_fit(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask);
void tc_memo_keep_fit(tilecut_memo *memo, const tc_memo_key *key, tc_fit fit, const uint8_t *mask);

#endif
