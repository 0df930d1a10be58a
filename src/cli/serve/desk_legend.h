/* SPDX-License-Identifier: MIT
 *
 * desk_legend.h - the labels of a scan with several objects. During editing each voxel has a code: one of
 * tilecut_types.h, where TILECUT_FOREGROUND is the first object, or for other objects one from TILECUT_OUTSIDE + 1 on.
 * In files it has the number that belongs to the code.
 */
#pragma once

#include "label_legend.h"
#include "label_seeds.h"
#include "tilecut_volume.h"

typedef struct desk_legend {
    bool many;            /* true: there are several labels, and masks hold codes; false: masks hold 0 or 255 */
    bool there[256];      /* true for codes of the background and of objects */
    uint8_t number[256];  /* number of each code in files; only the background may have 0, where it means no object */
    label_legend of;      /* names and colours for each number */
} desk_legend;

/* Reads lines "CODE NUMBER COLOUR NAME", separated by tabs; the first line is the background. EXIT_USAGE on failure,
 * when `out` is unchanged. */
int desk_legend_read(const uint8_t *text, size_t size, desk_legend *out, failure *why);

/* Appends lines in this form. Returns false if memory ran out. */
bool desk_legend_write(const desk_legend *l, bytes *to);

/* Takes the names and colours of a label map, and turns its numbers into codes. EXIT_SEEDS: too many labels. */
int desk_legend_take(desk_legend *l, label_seeds *from, const char *name, failure *why);

/* Turns a mask into codes; codes that are not in use become background. */
void desk_legend_settle(const desk_legend *l, uint8_t *voxels, size_t count);

/* Divides a volume among the labels in `painted`, which are codes in use, and writes `labels`; or corrects `prior`. */
tilecut_status desk_legend_cut(const tilecut_volume *v, const uint8_t *painted, const uint8_t *prior,
                               const tilecut_params *how, uint8_t *labels, tilecut_report *report);

/* Appends a file `name` of codes that lies in space like the scan `of`: a file of labels, or of strokes if `painted`.
 * Errors as from scan_encode(). */
int desk_legend_encode(const desk_legend *l, const char *name, const scan *of, const uint8_t *codes, bool painted,
                       bytes *to, failure *why);
