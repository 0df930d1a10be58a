/* SPDX-License-Identifier: MIT
 *
 * prior.h - prior masks: a prior mask is soft evidence for its labels, which is weaker near its outline.
 */
#pragma once

#include <stddef.h>

#include "nearness.h"
#include "tilecut.h"

/* Levels of a prior mask: 0 is certain foreground, TC_PRIOR_LEVELS / 2 no evidence, TC_PRIOR_LEVELS - 1 certain
 * background. */
enum { TC_PRIOR_LEVELS = 255 };

/* From this distance to the outline on, in pixels, the prior mask has its full weight. */
enum { TC_PRIOR_REACH = 10 };

/* Turns a prior mask into levels. `prior` has `height` packed rows of `width` bytes; each byte is the probability p
 * of foreground in 255ths, and counts as foreground from 128 on. The level is round(127 * clip(d / TC_PRIOR_REACH, 0,
 * 1) * |2 p - 1|) away from the middle, on the side of p. d is the distance to the outline, a chamfer distance in
 * integers (Borgefors 1986, weights 5, 7, 11). level: width * height bytes. */
void tc_prior_levels(const uint8_t *prior, int width, int height, uint8_t *level);

/* A stroke that contradicts the prior mask lowers confidence in it up to this many pixels around. That is the radius
 * for a stroke that lies as deep within the wrong label as levels can express (docs/guide/quality.md). */
enum { TC_PRIOR_DOUBT = 150 };

/* Lowers confidence in a prior mask around seeds that contradict it. Levels move towards the middle: all the way at
 * such a seed, and less with distance, up to TC_PRIOR_DOUBT * m pixels. m, 0 .. 1, is the mean distance of those seeds'
 * levels from the middle. So a stroke near the outline corrects the outline, and a stroke far from it shows that the
 * prior mask is badly wrong there. */
tilecut_status tc_prior_confidence(const uint8_t *prior, const uint8_t *seeds, int width, int height,
                             uint8_t *level);

/* Levels of a mask of which some pixels are kept. KEPT: a pixel keeps its label. FREE: neither label is favoured.
 * Between the first and the last level, levels below FREE favour the foreground and levels above it the background; the
 * difference from FREE is the number of steps. */
enum {
    TC_LEVELS_A_NAT = 8,
    TC_FREE = TC_PRIOR_LEVELS / 2,
    TC_KEPT_FOREGROUND = 0,
    TC_KEPT_BACKGROUND = TC_PRIOR_LEVELS - 1
};
