/* SPDX-License-Identifier: MIT
 *
 * tiles_engine.cuh - what the host needs to run the solver `cuda`, which is compiled once for each neighbourhood.
 */
#pragma once

#include "tiles_solver.cuh"

/* The state in device memory between launches. A launch ends after some rounds, so that the host can check whether the
 * solve was cancelled, and whether a CPU should continue. */
typedef struct progress {
    struct {
        unsigned arrived; /* the counter of the barrier */
        block_order seats;
    } launch; /* zeroed before every launch */
    unsigned round, label_round;
    int done;
    device_run run;
} progress;

/* The solver for one neighbourhood. */
typedef struct tiles_engine {
    int neighbours;
    /* Lays out `scratch`, and returns its size. All memory from view->todo to the end must be 0 at the start. */
    size_t (*lay_out)(const grid_view *grid, void *scratch, tiles_view *view, progress **state);
    const void *kernel;                      /* tiles_kernel() with BLOCK threads; with `fresh` it makes bit rows
                                                first */
    tilecut_status (*deliver)(const tiles_view *view, int blocks, cudaStream_t stream); /* adds the flow in inboxes */
    /* Call it after deliver(). Writes one word per tile to device memory, see TC_TILE_ACTIVE in cuda_solvers.h. */
    tilecut_status (*inspect)(const tiles_view *view, int blocks, uint32_t *words, cudaStream_t stream);
} tiles_engine;

extern const tiles_engine tiles_engine_4, tiles_engine_6, tiles_engine_8;
