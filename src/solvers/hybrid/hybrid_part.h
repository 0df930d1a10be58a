/* SPDX-License-Identifier: MIT
 *
 * hybrid_part.h - some tiles of a grid that a device holds, as a separate grid on the CPU. That grid is the rectangle
 * around the tiles, or in a volume the cuboid; all other tiles in it are empty. Nothing is pushed into empty tiles or
 * out of the rectangle, because no pixel there reaches a sink. So any result of a solver in the part is a flow of the
 * whole grid.
 */
#pragma once

#include "cuda_solvers.h"

/* A box of tiles in three dimensions, the third of which is the slice. */
typedef struct tc_hybrid_box {
    int first[3], size[3];
} tc_hybrid_box;

typedef struct tc_hybrid_part {
    const tc_grid *whole; /* only its size is used               */
    const int32_t *tile;  /* [count] numbers of the tiles in `whole` */
    int count;
    tc_hybrid_box box;
    tc_grid grid;
    tc_packed_tiles packed; /* the tiles in the form in which they are copied; owned */
} tc_hybrid_part;

/* Allocates memory. `whole` and `tile` must live as long as the part. Errors: ENOMEM. */
tilecut_status tc_hybrid_part_init(tc_hybrid_part *part, const tc_grid *whole, const int32_t *tile, int count);
void tc_hybrid_part_free(tc_hybrid_part *part);

/* Copy the packed tiles to their places in the part's grid, and back. */
void tc_hybrid_part_unpack(tc_hybrid_part *part);
void tc_hybrid_part_pack(tc_hybrid_part *part);

size_t tc_hybrid_tile_bytes(const tc_grid *grid); /* size of a packed tile */
