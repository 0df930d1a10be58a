/* SPDX-License-Identifier: MIT
 *
 * mask_keep.h - keeps a mask or label map in little memory, for undo: as runs of equal values if these are few;
 * otherwise as one bit per value if there are only two values, else as bytes. A noisy mask thus takes one bit per
 * voxel, where runs of five bytes would take far more.
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

/* Keeps a copy of `count` values. Returns false if memory runs out; nothing is kept then. */
bool mask_keep(const uint8_t *mask, size_t count, mask_kept *out);
void mask_restore(const mask_kept *kept, uint8_t *mask, size_t count);
