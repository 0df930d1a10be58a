/* SPDX-License-Identifier: MIT
 *
 * session_history.h - stores what is needed to undo the strokes and learning steps of a session.
 */
#pragma once

#include "coarse.h"
#include "stroke.h"
#include "model_update.h"

/* The pixels in which two masks differ, as bits within their bounding box. In a volume the rows of all slices are
 * numbered in one sequence. Every stroke and every change numbers them in this way. */
typedef struct tc_patch {
    tc_window window;
    int64_t pixels;
    uint8_t *bits; /* [window] rows of whole bytes; NULL: no pixel differs; owned */
} tc_patch;

/* Returns the bounding box of all bytes in which two maps of this size differ, and how many differ. If none differs,
 * its width is 0. */
tc_window tc_changed_window(const uint8_t *before, const uint8_t *after, int width, int height, int64_t *pixels);

/* Makes the patch of the pixels that a stroke has changed. On failure `patch` is empty. */
tilecut_status tc_patch_of_change(const tc_stroke_change *change, tc_patch *patch);
/* Makes the patch of the pixels in which two masks of 0 and 255, of the given size, differ. On failure `patch` is
 * empty. */
tilecut_status tc_patch_of_masks(const uint8_t *before, const uint8_t *after, int width, int height, tc_patch *patch);
/* Flips the label of the patch's pixels in `mask`. */
void tc_patch_apply(const tc_patch *patch, int width, uint8_t *mask);

typedef struct tc_step {
    tc_patch patch;
    int64_t foreground; /* number of foreground pixels of the mask before the step */
    tc_window painted; /* the window in which seeds have changed                   */
    uint8_t *seeds;    /* [painted] the seeds before the step; owned; NULL for a learning step */
    int update;        /* number of strokes in tc_model_update before the step     */
    tc_energy energy;  /* for a learning step: the energy before it, with its tables */
    tc_model_update trainings; /* for a learning step: the tc_model_update before it       */
} tc_step;

/* A stack of steps. All zero is an empty stack. */
typedef struct tc_history {
    tc_step *step;
    int count;
    size_t room;
} tc_history;

/* Makes room for one more step. Does not change the existing steps. */
tilecut_status tc_history_make_room(tc_history *history);
void tc_history_free(tc_history *history); /* empties it */
void tc_step_free(tc_step *step);
