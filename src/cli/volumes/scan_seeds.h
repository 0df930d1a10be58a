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

/* Reads and combines all sources for `s`, which messages call `name`. `out` is as for photos, with width x height x
 * depth labels; call seeds_free() at the end. Errors as of seeds_read(). With request->team, `s` and the labels are
 * those of one part, while counts are those of all parts; the halo has no seeds. With request->spill, the labels are
 * stored there. */
int scan_seeds_read(const inputs *in, const scan_reading *request, const scan *s, const char *name, seeds *out,
                    notes *log, failure *why);

/* Reads the mask `path` at its place on the scan: 0 and 255, or 0 and 1. Voxels that the mask does not cover are
 * background. `out` is as for mask_file_read(), one byte a voxel of the scan, 0 or 255. EXIT_SEEDS, or as of
 * scan_read(). */
int scan_mask_read(const scan_reading *request, const char *path, const scan *s, const char *name, mask_file *out,
                   notes *log, failure *why);
