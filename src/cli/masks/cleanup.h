/* SPDX-License-Identifier: MIT
 *
 * cleanup.h - clean-up of a mask after the cut, of photos and volumes: drops specks and fills holes. In a photo
 * foreground regions are connected over 8 neighbours and background regions over 4 (Rosenfeld's pair): a closed thin
 * line has an inside, and a diagonal hair is one region. In a volume foreground is connected over 26 or 6 neighbours,
 * as it was cut, and background over 6. A region that has a seed of its own label is never changed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* The steps, in this order. All zero: nothing is done. */
typedef struct cleanup {
    bool keep_largest; /* drop all foreground but the largest region, the first one among equals              */
    int min_area;      /* drop foreground regions of fewer pixels; 0: none                                    */
    int fill_holes;    /* fill background regions of at most so many pixels, not touching the border; 0: none */
    bool connected;    /* drop foreground regions without a foreground seed                                   */
} cleanup;

typedef struct cleaned {
    int64_t regions_dropped, pixels_dropped, holes_filled, pixels_filled;
} cleaned;

extern const option cleanup_options[]; /* into a cleanup */

enum { CLEANUP_BYTES = 5 }; /* bytes of memory per pixel that clean-up needs */

bool cleanup_wanted(const cleanup *what);

/* The pixels of a mask. A volume has `depth` layers; a photo is width x 1 x height, its rows are layers. Where there is
 * one pixel along an axis no border lies across it. */
typedef struct cleanup_lattice {
    int width, rows, layers;
    bool faces; /* foreground is connected over faces alone, not over edges and corners */
} cleanup_lattice;

/* For a mask in parts, of which only some layers are here: how this part meets the others. The functions are those of
 * tilecut_exchange, and return not 0 if another part has left. */
typedef struct cleanup_team {
    int part, parts;
    int64_t above; /* layers of the whole above the first one here */
    void *context;
    int (*sum)(void *context, int64_t *values, size_t count);
    int (*swap)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t size);
} cleanup_team;

typedef enum cleanup_end { CLEANUP_DONE, CLEANUP_NO_MEMORY, CLEANUP_ALONE /* another part has left */ } cleanup_end;

/* `seeds`: a label of tilecut_types.h for each pixel; `mask`: as many bytes, 0 or 255. Linear in the pixels. False: no
 * memory, and the mask is unchanged. */
bool cleanup_mask(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *lattice, uint8_t *mask,
                  cleaned *done);

/* cleanup_mask() for some layers of a mask, without a halo. All parts call this, and *done is what this part has done;
 * a region in several parts is counted by one of them. On failure the mask may be half cleaned. */
cleanup_end cleanup_part(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *lattice, uint8_t *mask,
                         const cleanup_team *team, cleaned *done);
