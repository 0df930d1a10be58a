/* SPDX-License-Identifier: MIT
 *
 * label_score.h - compares two label maps, label by label. They are pictures or volumes of whole numbers.
 */
#pragma once

#include <stdint.h>

#include "failure.h"

/* The result of a comparison. Voxels that are 255 in the truth are not judged. 0 is no label: it has no row and counts
 * in no mean, but a label where the truth has 0 is wrong. */
typedef struct label_score {
    int64_t judged, wrong;
    int64_t found[256], truth[256], both[256]; /* number of pixels of each label: in the map, in the truth, in both */
    int labels;                                /* number of labels that occur in the truth, without 0 */
    double dice, iou;                          /* means over these labels */
} label_score;

static inline double label_dice(const label_score *s, int label)
{
    return 2.0 * (double)s->both[label] / (double)(s->found[label] + s->truth[label]);
}

static inline double label_iou(const label_score *s, int label)
{
    return (double)s->both[label] / (double)(s->found[label] + s->truth[label] - s->both[label]);
}

/* Compares the label maps of two files; in scans, the voxels that lie at the same place. Returns EXIT_SEEDS for
 * pictures of different sizes, colours, numbers above 255, or a truth without labels; EXIT_INPUT for files that cannot
 * be read and for scans whose voxels do not coincide; EXIT_RESOURCES if memory runs out. */
int label_score_files(const char *map, const char *truth, label_score *out, notes *log, failure *why);
