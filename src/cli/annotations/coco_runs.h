/* SPDX-License-Identifier: MIT
 *
 * coco_runs.h - what COCO's reader and writer share.
 *
 * COCO's compressed RLE writes run lengths as text. From the fourth run on, a run is written as its difference from the
 * run two before, which is of the same class. A number consists of groups of five bits in two's complement, the lowest
 * group first. All groups but the last are increased by 32; then all are increased by 48, to be printable.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "annotation.h"

/* Appends the text of `count` runs, without a closing zero. False: no memory. */
bool coco_runs_write(const uint32_t *runs, size_t count, bytes *text);

/* Reads the run at *text and moves *text behind it. `two_before` is the run two before this one, and 0 for the first
 * three. Returns false if the text is not a run. */
bool coco_runs_read(const char **text, int64_t two_before, uint32_t *run);

/* A COCO file with many pictures, being written. Zero-initialise; set `runs` to write run lengths instead
 * of polygons. */
typedef struct coco_file {
    bool runs;
    int number, count; /* number of the latest picture and of the latest object */
    json pictures, objects; /* owned */
} coco_file;

/* Adds a picture and its mask; if `same`, adds the mask to the latest picture instead. Returns false if
 * memory ran out. */
bool coco_add(coco_file *file, const annotation_about *about, const uint8_t *mask, bool same);

/* Appends the finished file to `sink`, with the categories of `about`. Frees `file` even if it fails.
 * EXIT_RESOURCES. */
int coco_end(coco_file *file, const annotation_about *about, bytes *sink, failure *why);
void coco_free(coco_file *file);

/* Writes a COCO file with one picture, as polygons. The outlines of objects with holes become keyholes (keyhole.h). */
int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
