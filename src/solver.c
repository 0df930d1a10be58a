/* SPDX-License-Identifier: MIT
 *
 * solver.c - the table of solvers. A new one: its prototype in solver.h, its row here.
 */
#include "solver.h"

#include <string.h>

#include "tc_cuda.h"

const tc_solver tc_solvers[] = {
    {"bk", "search trees grown from both terminals (Boykov & Kolmogorov 2004)", TC_SOLVES_8, tc_solver_bk},
    {"tiles", "waves over bitboards of 32x32 tiles, local ones first", 0, tc_solver_tiles},
    {"cascade", "excess runs downhill by rows of pixels; push for what is left", TC_THREADED,
     tc_solver_cascade},
    {"push", "push-relabel in windowed waves, for long paths (Goldberg & Tarjan 1988)", 0, tc_solver_push},
    {"wave", "levels of exact distances, top to bottom (Hussein et al. 2007)", 0, tc_solver_wave},
    {"cuda", "tiles in registers, relabelled on bit rows, all on the GPU", TC_ON_CUDA, tc_cuda_solve},
    {"cuda-basic", "waves down BFS levels found by flags and prefix sums (Hussein et al. 2007)", TC_ON_CUDA,
     tc_cuda_basic},
    {"cuda-lockstep", "waves, with lockstep BFS (Hussein et al. 2007)", TC_ON_CUDA, tc_cuda_lockstep},
    {"cuda-tiled", "waves, with lists of tiles in shared memory (Hussein et al. 2007)", TC_ON_CUDA,
     tc_cuda_tiled},
    {"cuda-lockfree", "lock-free push-relabel, relabelled by the CPU (He & Hong 2010)", TC_ON_CUDA,
     tc_cuda_lockfree},
    {"cuda-queue", "the same with a queue of active nodes (Hsieh et al. 2024)", TC_ON_CUDA, tc_cuda_queue},
    {NULL, NULL, 0, NULL},
};

const tc_solver *tc_solver_find(const char *name)
{
    for (const tc_solver *row = tc_solvers; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

const tc_solver *tc_solver_auto(const tc_grid *grid, int threads)
{
    (void)threads;
    return tc_solver_find(grid->connectivity == 4 ? "cascade" : "bk");
}

const char *tilecut_solver_name(int index)
{
    for (int i = 0; i < index; i++)
        if (!tc_solvers[i].name) return NULL;
    return index < 0 ? NULL : tc_solvers[index].name;
}

const char *tilecut_solver_summary(int index)
{
    return tilecut_solver_name(index) ? tc_solvers[index].summary : NULL;
}

const char *tilecut_solver_device(int index)
{
    if (!tilecut_solver_name(index)) return NULL;
    return tc_solvers[index].can & TC_ON_CUDA ? "cuda" : "cpu";
}
