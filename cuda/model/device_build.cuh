/* SPDX-License-Identifier: MIT
 *
 * device_build.cuh - build_grid.c on a GPU: fills a grid from data on the device, and updates it for other seeds, with
 * the same numbers as on a CPU.
 */
#pragma once

#include "lattice_source.cuh"

/* Device memory that is to be set to 0. */
typedef struct cleared_words {
    uint32_t *at;
    size_t count;
} cleared_words;

/* Writes capacities and excesses of all pixels, and zeros in the padding. Also zeros two other pieces of memory, which
 * saves a launch for each. Sets *bad, on the device, to 1 if the arrays are not exact (tc_graph_check()). If *same, on
 * the device, is 1, the links in the grid have these capacities, and the flow there stays; NULL: they do not. */
tilecut_status grid_build(const device_lattice *lattice, const grid_view *grid, const cleared_words clear[2], int *bad,
                          const int *same, cudaStream_t stream);

/* For a grid that was built from an energy: updates the excesses of rows y0 .. y1 - 1 for the new labels `seeds` of
 * these rows. Copies the labels to `in_force`, the labels on the device. */
tilecut_status grid_reseed(const device_energy *energy, const grid_view *grid, const uint8_t *seeds, uint8_t *in_force,
                           int y0, int y1, cudaStream_t stream);
