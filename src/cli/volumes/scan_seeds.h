/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.h - seeds of a volume: other volumes of its size, strokes and a box in three dimensions -> one byte a
 * voxel.
 */
#pragma once

#include "inputs.h"
#include "mask_file.h"
#include "scan.h"
#include "seeds.h"

/* Reads and combines all sources for `s`, which messages call `name`. `out` is as for photos, width x height x depth
 * labels; seeds_free() when done. Errors as of seeds_read(). With request->team, `s` and the labels are those of one
 * part, while counts are those of all parts; the halo has no seeds. With request->spill, the labels lie there. */
int scan_seeds_read(const inputs *in, const scan_reading *request, const scan *s, const char *name, seeds *out,
                    notes *log, failure *why);

/* Reads the mask `path`, where it lies on the scan: 0 and 255, or 0 and 1. Voxels that it does not have are background.
 * `out` as of mask_file_read(), one byte a voxel of the scan, 0 or 255. EXIT_SEEDS, or as of scan_read(). */
int scan_mask_read(const scan_reading *request, const char *path, const scan *s, const char *name, mask_file *out,
                   notes *log, failure *why);
