/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.h - seeds of a volume: other volumes of its size, strokes and a box in three dimensions -> one byte a
 * voxel.
 */
#ifndef CLI_SCAN_SEEDS_H
#define CLI_SCAN_SEEDS_H

#include "inputs.h"
#include "scan.h"
#include "seeds.h"

/* Reads and combines all sources for `s`, which messages call `name`. `out` is as for photos, width x height x depth
 * labels; seeds_free() when done. Errors as of seeds_read(). With wish->team `s` and the labels are a part's, and
 * counts are those of all; in the halo nothing is known. With wish->spill the labels are its own. */
int scan_seeds_read(const inputs *in, const scan_wish *wish, const scan *s, const char *name, seeds *out, notes *log,
                    failure *why);

/* ---- shared by scan_seeds*.c ---- */

/* The last one: both classes have claimed it, and that was counted. */
enum { MARK_BACKGROUND = 1, MARK_FOREGROUND = 2, MARK_OUTSIDE = 4, MARK_CONTESTED = 8 };

typedef struct scan_marks {
    const inputs *in;
    const scan *scan;
    const scan_team *team;
    scan_own own;       /* slices       */
    const char *name;   /* of the scan */
    seeds *out;
    uint8_t *bits;      /* marks of each voxel; out->label at last */
    seeds_part *part;   /* the present source                      */
    int64_t clash;      /* the first voxel of the whole that both classes claim, -1: none */
    notes *log;
} scan_marks;

/* Marks a voxel of the whole, if it is of own slices; where later sources win, removes what was there before. */
void scan_mark(scan_marks *m, int x, int y, int z, uint8_t bit);
void scan_begin_part(scan_marks *m, const char *name, const char *format);

/* scan_strokes.c: EXIT_SEEDS for a stroke or box that lies outside the volume. */
int scan_apply_strokes(scan_marks *m, failure *why);
int scan_apply_box(scan_marks *m, failure *why);

#endif
