/* SPDX-License-Identifier: MIT
 *
 * session_history.h - what it takes to undo the strokes and lessons of a session.
 */
#ifndef TC_SESSION_HISTORY_H
#define TC_SESSION_HISTORY_H

#include "stroke.h"
#include "teach.h"

/* The pixels of a mask that differ before and after, as bits of the rectangle around them. */
typedef struct tc_patch {
    tc_window window;
    int64_t pixels;
    uint8_t *bits; /* [window] rows of whole bytes; NULL: none differ; owned */
} tc_patch;

/* Of what a stroke has changed. On failure `patch` holds nothing. */
tilecut_status tc_patch_of_change(const tc_stroke_change *change, tc_patch *patch);
/* Of two whole masks. */
tilecut_status tc_patch_of_masks(const uint8_t *before, const uint8_t *after, int width, int height, tc_patch *patch);
/* Turns those pixels of `mask` to the other label. */
void tc_patch_apply(const tc_patch *patch, int width, uint8_t *mask);
void tc_patch_free(tc_patch *patch);

typedef struct tc_step {
    tc_patch patch;
    int64_t foreground; /* pixels of the mask before                         */
    tc_window painted; /* where seeds have changed                           */
    uint8_t *seeds;    /* [painted] those before; NULL: a lesson; owned      */
    int taught;        /* strokes in tc_taught before                        */
    tc_energy energy;  /* of a lesson: the one before it, with its tables    */
    tc_taught lessons; /* of a lesson: what strokes had taught before it     */
} tc_step;

/* A stack. All zero: empty. */
typedef struct tc_history {
    tc_step *step;
    int count, room;
} tc_history;

/* Makes sure that one more step fits; what it had is unchanged. */
tilecut_status tc_history_make_room(tc_history *history);
void tc_history_free(tc_history *history); /* empties it */
void tc_step_free(tc_step *step);

#endif
