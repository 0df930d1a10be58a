/* SPDX-License-Identifier: MIT
 *
 * planar_start.cuh - a maximum flow to begin with, for a grid with one hard source and one hard sink.
 */
#ifndef TC_PLANAR_START_CUH
#define TC_PLANAR_START_CUH

#include "grid_view.cuh"

size_t planar_scratch_bytes(const grid_view *grid);

/* Where every terminal link has room for all that its pixel's links can carry, and both sources and sinks hang
 * together, the flow is laid into the grid that shortest ways in the planar dual (planar_dual.cuh) give: as a rule a
 * maximum one, and whoever solves on has only that to prove. Any other grid is left as it is, which takes a launch
 * and one look at its terminals. `scratch` as of a device_solver. Returns before it is done: what follows on
 * `stream` waits for it. */
tilecut_status planar_start(const grid_view *grid, void *scratch, cudaStream_t stream);

#endif
