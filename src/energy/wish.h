/* SPDX-License-Identifier: MIT
 *
 * wish.h - a mask that is wished for: soft evidence for its labels, the weaker the nearer its edge is.
 */
#ifndef TC_WISH_H
#define TC_WISH_H

#include <stddef.h>

#include "tilecut.h"

/* Levels of a wish: 0 foreground for sure, TC_WISH_LEVELS / 2 nothing at all, TC_WISH_LEVELS - 1 background. */
enum { TC_WISH_LEVELS = 255 };

/* Where that many pixels lie between a pixel and the edge, and more, the wish has its full weight. */
enum { TC_WISH_REACH = 10 };

/* Turns `wish`, height rows of width bytes that are `stride` apart, each the probability p of foreground in 255ths,
 * into levels: round(127 * clip(d / TC_WISH_REACH, 0, 1) * |2 p - 1|) away from the middle, on the side of p,
 * foreground from 128 on; d is the distance to the edge between both, a chamfer distance in integers (Borgefors 1986,
 * weights 5, 7, 11). level: width * height bytes. */
void tc_wish_levels(const uint8_t *wish, size_t stride, int width, int height, uint8_t *level);

/* Pixels around a stroke against a wish in which the wish is doubted, where the stroke lies as deep in what was wished
 * for as levels tell (docs/guide/quality.md). */
enum { TC_WISH_DOUBT = 150 };

/* Doubts a wish around seeds that contradict it: levels go towards the middle, all the way at such a seed, not at all
 * from TC_WISH_DOUBT * m pixels on, where m, 0 .. 1, is the mean distance of those seeds' levels from the middle. A
 * stroke beside the edge corrects the edge; one far from it says that the wish is wrong there, and how badly. */
tilecut_status tc_wish_doubt(const uint8_t *wish, size_t stride, const uint8_t *seeds, int width, int height,
                             uint8_t *level);

#endif
