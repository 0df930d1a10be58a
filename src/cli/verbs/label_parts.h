/* SPDX-License-Identifier: MIT
 *
 * label_parts.h - several labels of a photo or a volume that this process has read, cut in parts: each part is a thread
 * with some rows of it, or under mpirun each process. Labels are the same, bit for bit, as without parts.
 */
#pragma once

#include "options.h"
#include "tiled_job.h"
#include "tilecut_labels.h"

/* What is cut. One of photo and volume is there. */
typedef struct label_scene {
    const char *path;
    const tilecut_image *photo;
    const tilecut_volume *volume;
    const uint8_t *seeds;
    const tilecut_params *params;
    const tilecut_labels_params *how;
    job_teller teller;
} label_scene;

/* EXIT_USAGE if there cannot be so many parts (0: not given), or not on the device that is asked for. */
int label_parts_check(int parts, const common *asked, failure *why);

/* Cuts, and writes the labels of all parts. *first: false under mpirun in all processes but the one that goes on. There
 * one process has already printed what failed, and `why` is empty. */
int label_parts_cut(const label_scene *scene, int parts, uint8_t *labels, tilecut_labels_report *report, bool *first,
                    failure *why);
