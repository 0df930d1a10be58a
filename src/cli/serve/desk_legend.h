/* SPDX-License-Identifier: MIT
 *
 * desk_legend.h - the labels of a scan that is edited: more objects than one. While it is edited each voxel has a code:
 * those of tilecut_types.h, where TILECUT_FOREGROUND is the first object, and from TILECUT_OUTSIDE + 1 on the others.
 * In files it has the number that goes with the code.
 */
#pragma once

#include "label_legend.h"
#include "label_seeds.h"
#include "tilecut_volume.h"

typedef struct desk_legend {
    bool many;            /* there are several labels, and masks hold codes; false: masks hold 0 or 255       */
    bool there[256];      /* codes of background and objects                                                  */
    uint8_t number[256];  /* in files, by code; 0, background alone: what no object has                       */
    label_legend of;      /* names and colours, by number                                                     */
} desk_legend;

/* Reads lines "CODE NUMBER COLOUR NAME", separated by tabs, the background's first. EXIT_USAGE; `out` is then as
 * before. */
int desk_legend_read(const uint8_t *text, size_t size, desk_legend *out, failure *why);

/* Appends such lines. False: no memory. */
bool desk_legend_write(const desk_legend *l, bytes *to);

/* Takes names and colours of a label map, and turns its numbers into codes. EXIT_SEEDS: too many labels. */
int desk_legend_take(desk_legend *l, label_seeds *from, const char *name, failure *why);

/* Makes codes of a mask, and background of codes that are not there. */
void desk_legend_settle(const desk_legend *l, uint8_t *voxels, size_t count);

/* Divides a volume among the labels of `painted`, codes that are there, into `labels`; or corrects those of `prior`. */
tilecut_status desk_legend_cut(const tilecut_volume *v, const uint8_t *painted, const uint8_t *prior,
                               const tilecut_params *how, uint8_t *labels, tilecut_report *report);

/* Appends the file `name` of codes, in the place of `scan`: of labels, or of strokes if `painted`. Errors as from
 * scan_encode(). */
int desk_legend_encode(const desk_legend *l, const char *name, const scan *of, const uint8_t *codes, bool painted,
                       bytes *to, failure *why);
