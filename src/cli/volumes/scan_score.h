/* SPDX-License-Identifier: MIT
 *
 * scan_score.h - how well labels of a volume agree with ground truth.
 */
#pragma once

#include <stdint.h>

#include "failure.h"

/* Values as in pictures: in the truth 0 is background, 255 (or 1, if nothing is larger) foreground, 128 not judged; in
 * the labels everything from 128 on is foreground, or everything above 0 if nothing is larger than 1. */
typedef struct scan_score {
    int64_t labelled, wrong;
    double error_rate, iou;
} scan_score;

/* Scores one file of labels. EXIT_INPUT when sizes differ, truth holds other values, or nothing is judged. */
int scan_score_files(const char *labels, const char *truth, scan_score *out, notes *log, failure *why);
