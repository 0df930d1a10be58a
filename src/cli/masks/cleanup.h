/* SPDX-License-Identifier: MIT
 *
 * cleanup.h - the options for cleaning a mask of a photo or a volume after the cut. tilecut_clean() does the work.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "tilecut_correct.h"

/* The steps, in this order. All zero: the mask is not cleaned. */
typedef struct cleanup {
    bool keep_largest;
    int min_area, fill_holes; /* smallest region kept, largest hole filled, in pixels */
    bool connected;
} cleanup;

extern const option cleanup_options[]; /* fill a `cleanup` */

bool cleanup_wanted(const cleanup *what);

/* Size and neighbours of a mask, as in tilecut_cleaning; depth 0 is a photo. */
typedef struct cleanup_lattice {
    int width, height, depth, connectivity;
} cleanup_lattice;

tilecut_cleaning cleanup_of(const cleanup *what, const cleanup_lattice *of);

/* Cleans `mask`, whose values are 0 or 255. Returns false if memory runs out; the mask is then unchanged. */
bool cleanup_mask(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *of, uint8_t *mask,
                  tilecut_cleaned *done);
