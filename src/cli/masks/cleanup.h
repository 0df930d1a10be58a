/* SPDX-License-Identifier: MIT
 *
 * cleanup.h - clean-up of a mask after the cut, of photos and volumes, as options: tilecut_clean() does it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "tilecut_correct.h"

/* The steps, in this order. All zero: nothing is done. */
typedef struct cleanup {
    bool keep_largest;
    int min_area, fill_holes; /* pixels */
    bool connected;
} cleanup;

extern const option cleanup_options[]; /* into a cleanup */

enum { CLEANUP_BYTES = 5 }; /* bytes of memory per pixel that clean-up needs */

bool cleanup_wanted(const cleanup *what);

/* The pixels of a mask, as in tilecut_cleaning: depth 0 is a photo. */
typedef struct cleanup_lattice {
    int width, height, depth, connectivity;
} cleanup_lattice;

tilecut_cleaning cleanup_of(const cleanup *what, const cleanup_lattice *of);

/* `mask` holds 0 or 255. False: no memory, and the mask is unchanged. */
bool cleanup_mask(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *of, uint8_t *mask,
                  tilecut_cleaned *done);
