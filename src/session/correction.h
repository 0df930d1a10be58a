/* SPDX-License-Identifier: MIT
 *
 * correction.h - corrects a mask by the seeds that contradict it (tilecut_correct.h).
 */
#pragma once

#include "coarse.h"
#include "params.h"
#include "tilecut_correct.h"

/* A mask to correct, and the seeds that correct it. All structs have their full size, and rows are packed. */
typedef struct tc_correction {
    const tilecut_image *image;
    const uint8_t *seeds;
    const tc_setup *setup; /* has a prior mask */
    uint8_t *mask;         /* 0 or 255; after a failure it may be half corrected */
    const uint8_t *held;   /* nonzero where the mask must not change; NULL: nowhere. Not for tc_correct_learning() */
} tc_correction;

/* True if pixel p is a seed of class `foreground` while the mask has the other class there. Reads both, so that loops
 * over pixels use vectors. */
static inline bool tc_contradicts(const uint8_t *seeds, const uint8_t *mask, size_t p, bool foreground)
{
    const uint8_t seed = seeds[p], label = mask[p];
    return seed == (foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND) && (label != 0) != foreground;
}

/* Three ways to correct c->mask: by strokes, with colours learnt from the whole image; by strokes, with colours
 * learnt from a window, outside of which nothing changes; and by learning anew from all seeds. *report must be {0}
 * on entry. */
tilecut_status tc_correct(const tc_correction *c, tilecut_report *report);
tilecut_status tc_correct_within(const tc_correction *c, const tc_window *window, tilecut_report *report);
tilecut_status tc_correct_learning(const tc_correction *c, tilecut_report *report);

/* The steps of tc_correct(). Opening makes the graph, and a session whose mask is c->mask; after a failure, free those
 * that are not NULL. Held pixels count as painted, but no colours are learnt from them, because the graph has been made
 * already. Painting applies all contradicting seeds of one class as one stroke, and writes c->mask. */
tilecut_status tc_correct_open(const tc_correction *c, tilecut_graph **graph, tilecut_session **session);
void tc_correct_hold(const tc_correction *c, tilecut_session *session);
tilecut_status tc_correct_paint(const tc_correction *c, tilecut_session *session, bool foreground,
                                tilecut_report *report);

/* The correction that a caller of a public function asks for. The image of a volume has its slices one below the
 * other. */
typedef struct tc_correction_task {
    const tilecut_image *image;
    const uint8_t *seeds;
    int how;               /* TILECUT_BY_STROKES or TILECUT_BY_LEARNING          */
    const uint8_t *before; /* the mask to correct, packed; nonzero is foreground */
} tc_correction_task;

/* Counts the pixels that a correction has added to a mask and removed from it, in *out. */
void tc_corrected_count(const uint8_t *before, const uint8_t *after, size_t pixels, tilecut_corrected *out);

/* Writes the corrected mask, packed, 0 or 255. On failure the mask is not changed. */
tilecut_status tc_correct_mask(const tc_correction_task *task, tc_setup *setup, uint8_t *mask, tilecut_corrected *out,
                               tilecut_report *report);
