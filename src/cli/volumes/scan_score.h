/* SPDX-License-Identifier: MIT
 *
 * scan_score.h - measures how well labels of a volume agree with ground truth.
 */
#pragma once

#include "scan.h"
#include "score.h"

/* Labels and the truth that they are compared with. */
typedef struct scan_pair {
    scan labels, truth;
    scan_map map; /* maps voxels of the truth to voxels of the labels */
} scan_pair;

/* Reads the files of labels and truth. One may be turned or flipped against the other if both say where they lie, but
 * they have to cover the same voxels of the patient; otherwise EXIT_INPUT. Free the pair in any case. */
int scan_pair_read(const char *labels, const char *truth, scan_pair *pair, notes *log, failure *why);
void scan_pair_free(scan_pair *pair);

/* Returns the voxel of the labels that lies where voxel i of the truth lies. */
size_t scan_pair_place(const scan_pair *pair, size_t i);

/* Scores one file of labels of a volume; boundary_f, which is for pictures only, is NAN. Values are as in pictures. In
 * the truth 0 is background, 255 (or 1, if no value is larger) foreground, and 128 is not judged. In the labels all
 * values from 128 on are foreground, or all above 0 if no value is larger than 1. EXIT_INPUT if sizes differ, if the
 * truth has other values, or if no voxel is judged. */
int scan_score_files(const char *labels, const char *truth, score *out, notes *log, failure *why);
