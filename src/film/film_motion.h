/* SPDX-License-Identifier: MIT
 *
 * film_motion.h - which pixels move as the object does, and which move as the ground around it does. This is evidence
 * of its own, which may contradict the last mask.
 */
#pragma once

#include "film_match.h"

/* ACROSS, DOWN: how far the ground may move from frame to frame, in small pixels. */
enum { TC_MOTION_ACROSS = 24, TC_MOTION_DOWN = 10 };

/* How the object moves, in whole small pixels. */
typedef struct tc_moving {
    const tc_small *before; /* a frame with labels                                         */
    int came_x, came_y;     /* from that one to the frame at hand                          */
    int to_x, to_y;         /* from the frame at hand to the other one                     */
} tc_moving;

/* Adds what `other`, a frame before or after `frame`, says to two maps of small pixels, packed, which begin as
 * TC_MATCH_FAR: the least squared distance of the patch around each pixel to one of the other frame that is where the
 * object's moves lead, and to one where moves of the ground in its neighbourhood lead. Where the ground moves as the
 * object does it says nothing. ENOMEM. */
tilecut_status tc_motion(const tc_small *frame, const tc_small *other, const tc_moving *as, int threads,
                         int32_t *along, int32_t *apart);
