/* SPDX-License-Identifier: MIT
 *
 * snap.h - moves the outline of a mask by a few pixels, to where the colours on both sides of it say that it is. The
 * cut knows one mixture of colours for the whole photo and the contrast between neighbours. Here each pixel near the
 * outline is compared with the colours that lie inside and outside around it. What was measured is in
 * docs/lab/quality.md.
 */
#ifndef CLI_SNAP_H
#define CLI_SNAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tilecut_types.h"

enum { SNAP_BYTES = 48 }; /* most memory per pixel that it needs */

typedef struct snapped {
    int64_t added, removed; /* pixels */
} snapped;

/* `photo` of 8 or 16 bits, packed; `seeds`: a label of tilecut_types.h for each of its pixels, which keeps seeded ones
 * as they are; `mask`: as many bytes, 0 or 255. The outline moves by at most four pixels, or more if the photo's
 * shorter side has 720 pixels and more: then by another four for each further 480.
 * Linear in the pixels, and the same bits on every machine. False: no memory, and the mask is unchanged. */
bool snap_mask(const tilecut_image *photo, const uint8_t *seeds, uint8_t *mask, snapped *done);

#endif
