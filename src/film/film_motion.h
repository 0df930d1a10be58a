/* SPDX-License-Identifier: MIT
 *
 * film_motion.h - finds which pixels move as the object does, and which move as the background around it. This is
 * separate evidence, which may contradict the last mask.
 */
#pragma once

#include "film_match.h"

/* ACROSS, DOWN: how far the background may move from frame to frame, in small pixels. */
enum { TC_MOTION_ACROSS = 24, TC_MOTION_DOWN = 10 };

/* How the object moves, in whole small pixels. */
typedef struct tc_moving {
    const tc_small *before; /* a frame with labels                                         */
    int came_x, came_y;     /* the object's movement from the frame `before` to the present frame */
    int to_x, to_y;         /* the object's movement from the present frame to the other one */
} tc_moving;

/* Updates two maps of small pixels, packed, which must be TC_MATCH_FAR at first, with the evidence of `other`, a frame
 * before or after `frame`. An entry is the smallest squared distance between the patch around a pixel and a patch of
 * the other frame: in the first map one to which the object's moves lead, in the second map one to which moves of the
 * surrounding background lead. Where the background moves as the object does, there is no evidence. Errors: ENOMEM. */
tilecut_status tc_motion(const tc_small *frame, const tc_small *other, const tc_moving *as, int threads,
                         int32_t *along, int32_t *apart);
