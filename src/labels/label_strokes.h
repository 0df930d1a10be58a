/* SPDX-License-Identifier: MIT
 *
 * label_strokes.h - a label map and strokes that correct it: each label in its turn is a mask, corrected against all
 * others.
 */
#pragma once

#include "correction.h"
#include "solve.h"
#include "volume.h"

typedef struct tc_label_strokes {
    tilecut_image image;                /* of a volume its slices one below the other                           */
    const uint8_t *seeds;               /* [pixels] 0 unknown, else a label                                     */
    tc_setup setup;
    size_t pixels;
    uint8_t *labels;                    /* [pixels] the labels so far; owned, together with the next line       */
    uint8_t *two, *mask, *prior, *held; /* [pixels] one label against all others; see tc_correction             */
} tc_label_strokes;

/* EINVAL if the setup does not work with several labels, or its solver cannot cut an image of that size. */
tilecut_status tc_labels_check(const tc_setup *setup, int width, int height);

/* Begins from a copy of packed `labels`; the image is known. ENOMEM. Close it after a failure, too. */
tilecut_status tc_label_strokes_open(tc_label_strokes *c, const uint8_t *labels);
void tc_label_strokes_close(tc_label_strokes *c);

/* Writes two, mask, prior and held: the strokes of `label` against those of all others. */
tc_correction tc_label_strokes_of(const tc_label_strokes *c, int label, const tc_setup *setup);

/* Gives `label` the pixels of the corrected mask. Returns how many had another label. */
int64_t tc_label_strokes_take(const tc_label_strokes *c, int label);
