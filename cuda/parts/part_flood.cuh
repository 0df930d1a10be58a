/* SPDX-License-Identifier: MIT
 *
 * part_flood.cuh - the host's side of the search of a part; the kernels are in flood.cuh. The search uses the memory of
 * a solve that has ended: its bit rows, the pixels that a relabelling reached, and the list of tiles, which must be
 * empty at the beginning.
 */
#pragma once

#include "tiles_solver.cuh"

/* The functions for one number of neighbours. `blocks` is the number of blocks that can run at the same time. */
typedef struct part_flood {
    tilecut_status (*scan)(const tiles_view *view, int blocks, cudaStream_t stream);
    tilecut_status (*reach)(const tiles_view *view, int y, const uint8_t *news, cudaStream_t stream);
    tilecut_status (*get_reached)(const tiles_view *view, int y, uint8_t *reached, cudaStream_t stream);
    tilecut_status (*count)(const tiles_view *view, int blocks, unsigned long long counts[2], cudaStream_t stream);
    /* Floods from the tiles on the list, and empties the list. *arrived is the counter of the barrier. */
    tilecut_status (*flood)(const tiles_view *view, unsigned *arrived, cudaStream_t stream);
} part_flood;

extern const part_flood part_flood_4, part_flood_6, part_flood_8;
