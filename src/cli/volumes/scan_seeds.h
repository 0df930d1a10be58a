/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.h - reads the seeds of a volume, which are other volumes, strokes and a box in three dimensions, into one
 * byte a voxel.
 */
#pragma once

#include "inputs.h"
#include "mask_file.h"
#include "scan.h"
#include "seeds.h"
#include "tilecut_volume.h"

/* Reads and combines all sources for `s`, which messages call `name`. `out` is as for photos, with width x height x
 * depth labels; call seeds_free() at the end. Errors as of seeds_read(). With request->team, `s` and the labels are
 * those of one part, while counts are those of all parts; the halo has no seeds. With request->spill, the labels are
 * stored there. */
int scan_seeds_read(const inputs *in, const scan_reading *request, const scan *s, const char *name, seeds *out,
                    notes *log, failure *why);

/* Returns at most how many bytes a voxel of the whole scan each part has in memory for files of seeds that are read
 * whole. `sample`: bytes of a voxel of the scan. */
uint64_t scan_seeds_bytes_of_whole(const inputs *in, uint64_t sample);

/* Adds a note if the seeds of both classes lie on the same grey values, as seeds_read() does for photos. `name` is that
 * of the first file of seeds or, if there is none, of the scan; `volume` is the scan as it is cut. EXIT_RUNTIME:
 * another part has failed. */
int scan_seeds_note(const char *name, const scan *s, const tilecut_exchange *team, const tilecut_volume *volume,
                    const seeds *got, notes *log, failure *why);

/* A file whose voxels become one byte each, such as a mask or a label map. */
typedef struct scan_bytes {
    const char *what;  /* the word for it in messages, such as "a mask" */
    uint8_t *out;      /* one byte a voxel of the scan; not owned */
    void *context;     /* of the functions below */
    void (*begin)(void *context, const scan *file);
    /* Returns the byte of voxel i; 0: it marks nothing; -1: its value has no meaning, and `why` says so. */
    int (*byte)(void *context, const char *name, const scan *file, size_t i, failure *why);
} scan_bytes;

/* Reads the volume `path` at its place on the scan `s`, which messages call `name`, and writes the bytes of marked
 * voxels to kind->out. EXIT_SEEDS, or as of scan_read(). */
int scan_bytes_read(const scan_reading *request, const char *path, const scan *s, const char *name,
                    const scan_bytes *kind, notes *log, failure *why);

/* Computes the distances between voxels in units of the smallest one; 1 if they are unknown. */
void scan_scale(const scan *s, double scale[3]);

/* Reads the mask `path` at its place on the scan: 0 and 255, or 0 and 1. Voxels that the mask does not cover are
 * background. `out` is as for mask_file_read(), one byte a voxel of the scan, 0 or 255. EXIT_SEEDS, or as of
 * scan_read(). */
int scan_mask_read(const scan_reading *request, const char *path, const scan *s, const char *name, mask_file *out,
                   notes *log, failure *why);
