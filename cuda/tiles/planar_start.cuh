/* SPDX-License-Identifier: MIT
 *
 * planar_start.cuh - gives the tiles solver a start that usually is a maximum flow, where sources are connected, and
 * sinks are, too.
 */
#ifndef TC_PLANAR_START_CUH
#define TC_PLANAR_START_CUH

#include "grid_view.cuh"

size_t planar_scratch_bytes(const grid_view *grid);

/* Works on grids in which every terminal is hard (it has room for more than all links of its pixel can carry), all
 * sources are connected, and all sinks are, too. Writes the flow into the grid that follows from shortest walks in
 * the planar dual (planar_dual.cuh). As a rule this flow is maximum, and the solver that follows only has to prove
 * that. Any other grid is left unchanged, at the cost of a launch and one look at its terminals. `scratch` as for a
 * device_solver. Returns before the work is done; what follows on `stream` waits for it. */
tilecut_status planar_start(const grid_view *grid, void *scratch, cudaStream_t stream);

#endif
