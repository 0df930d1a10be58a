/* SPDX-License-Identifier: MIT
 *
 * scan_families.h - draws volumes with seeds and ground truth, for measurements and tests. The same family, size and
 * seed give the same voxels on every machine.
 */
#pragma once

#include "scan.h"

typedef struct scan_drawing {
    int size;           /* voxels along each side                 */
    uint64_t seed;
    uint8_t *voxels;    /* size^3 grey values; owned              */
    uint8_t *labels;    /* seeds: 0 unknown, 1 object, 2 background; owned */
} scan_drawing;

typedef struct scan_family {
    const char *name, *summary;
    const char *colors; /* colour model of its energy; NULL: the usual one */
    void (*draw)(scan_drawing *d);
} scan_family;

extern const scan_family scan_families[]; /* the table of families; its last row has the name NULL */

const scan_family *scan_family_find(const char *name); /* NULL: no such name */

/* Allocates and draws a volume. Call scan_drawing_free() afterwards, also on failure. EXIT_USAGE: the size is not
 * possible. Returns EXIT_RESOURCES if memory runs out. */
int scan_family_draw(const scan_family *family, int size, uint64_t seed, scan_drawing *out, failure *why);
void scan_drawing_free(scan_drawing *d);

/* Writes d->voxels or d->labels, whichever is given as `what`, in the format of `path`. */
int scan_drawing_encode(const scan_drawing *d, uint8_t *what, const char *path, bytes *sink, failure *why);

#define SCAN_FAMILY(name, colors, summary) void scan_family_##name(scan_drawing *d);
#include "scan_families.def"
#undef SCAN_FAMILY
