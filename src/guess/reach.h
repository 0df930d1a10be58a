/* SPDX-License-Identifier: MIT
 *
 * reach.h - two things that strokes tell besides their colours. A first guess where strokes are few: foreground is what
 * the foreground's strokes reach by a shorter way than the background's, where a way through alike colours is short.
 * And what each stroke says about the pixels around it.
 */
#ifndef TC_REACH_H
#define TC_REACH_H

#include "tilecut.h"

/* Writes two things into each byte of `guess`. Bit 0: whether the pixel's distance to the foreground's seeds is less
 * than its distance to background of either kind; both classes must occur. The other bits: a level of
 * tc_evidence_favour(), what strokes of both classes say of the pixel; what lies outside a box says nothing here. With
 * distances f and b to the strokes of either class, that is (b - f) / (b + f) * exp(-min(f, b) / TC_LEAN_FADES).
 *
 * A distance is the least sum, over all paths, of a step of TC_REACH_STEP and of the difference of the samples, in
 * 8-bit levels (a geodesic distance: Bai & Sapiro, ICCV 2007), found by sweeps over rows in whole numbers, so that
 * every machine computes the same. guess: width * height bytes, packed rows. */
tilecut_status tc_reach(const tilecut_image *image, const uint8_t *seeds, uint8_t *guess);

/* Writes such distances, with steps of `each`, from all pixels that have a label. map: [width * height]; 2^30 where
 * there is no such pixel. */
void tc_reach_ways(const tilecut_image *image, const uint8_t *seeds, uint8_t label, int each, int32_t *map);

enum { TC_REACH_STEP = 12 };
#define TC_LEAN_FADES 240.0

#endif
