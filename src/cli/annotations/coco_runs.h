/* SPDX-License-Identifier: MIT
 *
 * coco_runs.h - what reading and writing COCO have in common.
 *
 * Run lengths as text, as in COCO's compressed RLE: from the fourth run on, a run is written as its difference to the
 * run two before, which is of the same class. A number consists of groups of five bits in two's complement, the lowest
 * first. All groups but the last are increased by 32; then all are increased by 48, to be printable.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "annotation.h"

/* Appends the text of `count` runs, without a closing zero. False: no memory. */
bool coco_runs_write(const uint32_t *runs, size_t count, bytes *text);

/* Reads the run at *text, and moves *text behind it. `two_before`: the run two before it, 0 for the first three.
 * False: this is no run. */
bool coco_runs_read(const char **text, int64_t two_before, uint32_t *run);

/* A COCO file about many pictures, while it is made. Zero-initialise it, and set `runs` to write run lengths instead of
 * polygons. */
typedef struct coco_file {
    bool runs;
    int number, count; /* number of the last picture, and of the last object */
    json pictures, objects; /* owned */
} coco_file;

/* Adds a picture and its mask. With `same`, adds the mask to the last picture instead. False: no memory. */
bool coco_add(coco_file *file, const annotation_about *about, const uint8_t *mask, bool same);

/* Appends the finished file to `sink`, with the categories of `about`. Frees `file` in any case. EXIT_RESOURCES. */
int coco_end(coco_file *file, const annotation_about *about, bytes *sink, failure *why);
void coco_free(coco_file *file);

/* Writes one annotation whose segmentation is polygons; objects with holes become keyholes. */
int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
