/* SPDX-License-Identifier: MIT
 *
 * label_parts.h - divides a photo or volume that this process has read among several labels, in parts: each part is a
 * thread with some of the rows, or under mpirun a process. The labels are the same as without parts, bit for bit.
 */
#pragma once

#include "options.h"
#include "job_part.h"
#include "tilecut_labels.h"

/* The input: a photo or a volume; the other one is NULL. */
typedef struct label_scene {
    const char *path;
    const tilecut_image *photo;
    const tilecut_volume *volume;
    const uint8_t *seeds;
    const tilecut_params *params;
    const tilecut_labels_params *how;
    failure_report report;
} label_scene;

/* Returns EXIT_USAGE if `parts` (0: not given) is too large, or if parts are impossible on the chosen device. */
int label_parts_check(int parts, const common *asked, failure *why);

/* Cuts, and writes the labels of all parts. Under mpirun, *first is true only in the process that goes on. In the
 * others `why` is empty, because one process has already printed the error. */
int label_parts_cut(const label_scene *scene, int parts, uint8_t *labels, tilecut_labels_report *report, bool *first,
                    failure *why);
