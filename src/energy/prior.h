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

/* Levels of a mask that strokes correct. KEPT: a pixel keeps its label. COSTLY: a change costs TC_CHANGE_NATS. FREE: a
 * change costs nothing. Between the first and the last level, levels below FREE favour the foreground and levels above
 * it the background; the difference from FREE is the number of steps. */
enum {
    TC_LEVELS_A_NAT = 8,
    TC_FREE = TC_PRIOR_LEVELS / 2,
    TC_KEPT_FOREGROUND = 0,
    TC_COSTLY_FOREGROUND = TC_FREE - 2 * TC_LEVELS_A_NAT,
    TC_COSTLY_BACKGROUND = TC_FREE + 2 * TC_LEVELS_A_NAT,
    TC_KEPT_BACKGROUND = TC_PRIOR_LEVELS - 1
};

/* How strokes change a mask; docs/lab/quality.md says where the numbers come from. The depth of a stroke is its
 * distance to the nearest pixel that already has its label. If the stroke adds to the mask, its depth is limited to the
 * radius of a disc (or ball) as large as the mask, and no pixel beyond twice that radius changes. */
#define TC_CHANGE_NATS 2.0  /* the cost of a change where it is not free */
enum {
    TC_FREE_WITHIN = 3,     /* changes are free up to this many times half the depth away from a stroke */
    TC_COSTLY_WITHIN = 8,   /* changes are possible up to this many times half the depth away from it */
    TC_HELD_WITHIN = 1,     /* changes are not free up to half way from an agreeing stroke to the other class */
    TC_KEPT_PART = 4        /* pixels are kept up to a quarter of that distance */
};

/* Finds the levels of `mask` (nonzero is foreground) under all strokes in `seeds`, whatever their order. A stroke frees
 * only pixels with the other label, and keeps only pixels with its own. So one more stroke of a class moves each
 * pixel's level to that class's side, or leaves it. */
tilecut_status tc_prior_strokes(const uint8_t *mask, const uint8_t *seeds, const tc_nearness_lattice *lattice,
                                uint8_t *level);
