/* SPDX-License-Identifier: MIT
 *
 * label_strokes.h - a label map and strokes that correct it. Each label in turn is treated as a mask and corrected
 * against all others.
 */
#pragma once

#include "correction.h"
#include "solve.h"
#include "volume.h"

typedef struct tc_label_strokes {
    tilecut_image image;                /* the image; for a volume, its slices one below the other              */
    const uint8_t *seeds;               /* [pixels] a label, or 0 where nothing is painted                      */
    tc_setup setup;
    size_t pixels;
    uint8_t *labels;                    /* [pixels] the present labels; one owned allocation with the next line */
    uint8_t *two, *mask, *prior, *held; /* [pixels] for one label against all others; see tc_correction         */
} tc_label_strokes;

/* Errors: EINVAL if the setup does not work with several labels, or if its solver cannot cut an image of that size. */
tilecut_status tc_labels_check(const tc_setup *setup, int width, int height);

/* Begins with a copy of the packed `labels`; the fields of the image must be set. Errors: ENOMEM. Call
 * tc_label_strokes_close() after a failure, too. */
tilecut_status tc_label_strokes_open(tc_label_strokes *c, const uint8_t *labels);
void tc_label_strokes_close(tc_label_strokes *c);

/* Prepares the correction of `label`: writes two, mask, prior and held, with the strokes of `label` as foreground and
 * those of all other labels as background. */
tc_correction tc_label_strokes_of(const tc_label_strokes *c, int label, const tc_setup *setup);

/* Gives `label` the pixels of the corrected mask. Returns how many of them had another label. */
int64_t tc_label_strokes_take(const tc_label_strokes *c, int label);
