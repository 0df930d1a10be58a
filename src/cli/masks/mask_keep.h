/* SPDX-License-Identifier: MIT
 *
 * mask_keep.h - a mask or label map in little memory, for undo: runs of equal values where these are few, else a bit a
 * value if there are only two, else a byte each. So a mask of noise takes an eighth of a byte a voxel, not five.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

typedef struct mask_kept {
    enum { MASK_RUNS, MASK_BITS, MASK_BYTES } as;
    bytes data;
} mask_kept;

/* False: no memory, and nothing is kept. */
bool mask_keep(const uint8_t *mask, size_t count, mask_kept *out);
void mask_restore(const mask_kept *kept, uint8_t *mask, size_t count);
