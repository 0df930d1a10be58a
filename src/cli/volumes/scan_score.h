/* SPDX-License-Identifier: MIT
 *
 * scan_score.h - measures how well labels of a volume agree with ground truth.
 */
#pragma once

#include "score.h"

/* Scores one file of labels of a volume; boundary_f, which is for pictures only, is NAN. Values are as in pictures. In
 * the truth 0 is background, 255 (or 1, if no value is larger) foreground, and 128 is not judged. In the labels all
 * values from 128 on are foreground, or all above 0 if no value is larger than 1. EXIT_INPUT if sizes differ, if the
 * truth has other values, or if no voxel is judged. */
int scan_score_files(const char *labels, const char *truth, score *out, notes *log, failure *why);
