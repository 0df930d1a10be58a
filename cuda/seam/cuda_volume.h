/* SPDX-License-Identifier: MIT
 *
 * cuda_volume.h - volumes that stay on a CUDA device from voxels, or from arrays of capacities, to labels. See
 * cuda_device.h.
 */
#ifndef TC_CUDA_VOLUME_H
#define TC_CUDA_VOLUME_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda_solvers.h"
#include "params.h"
#include "tilecut_volume.h"

/* The graph of a volume on the device. Opaque. Of voxels of 8 bits it holds some 39 bytes a voxel. */
typedef struct tc_cuda_volume tc_cuda_volume;

/* How it was made. */
typedef struct tc_cuda_volume_origin {
    double copy_ms, model_ms, build_ms;
    double beta, quantum;
} tc_cuda_volume_origin;

typedef struct tc_cuda_volume_answer {
    int64_t flow, cut, foreground;
    int64_t violations; /* of the preflow's rules; if not 0, the answer is not valid             */
    bool unfinished;    /* a CPU is better for the rest: fetch the residual grid and go on there */
    double solve_ms, certify_ms, copy_ms;
    size_t bytes;       /* of device memory                                                      */
} tc_cuda_volume_answer;

/* Learns on the device what tc_volume_open() learns on the host, with setup->comm from all parts, and builds
 * the grid. The voxels have been checked, but for those that are no numbers: EINVAL. This checks seeds. `distance`:
 * tc_volume_distances(). *volume out, owned by the caller; NULL on failure. */
tilecut_status tc_cuda_volume_learn(tc_cuda_volume **volume, const tilecut_volume *voxels, const double distance[3],
                                    const uint8_t *seeds, const tc_setup *setup, tc_cuda_volume_origin *origin);

/* Builds it from arrays, whose size has been checked and from[] set. ERANGE for capacities that tc_graph_check() would
 * refuse, unless they have been `checked`, too. */
tilecut_status tc_cuda_volume_take(tc_cuda_volume **volume, const tilecut_volume_arrays *arrays, bool checked,
                                   int device, tc_cuda_volume_origin *origin);

void tc_cuda_volume_destroy(tc_cuda_volume *volume); /* NULL is fine */

/* Solves. Fills unfinished, solve_ms and bytes of the answer. */
tilecut_status tc_cuda_volume_solve(tc_cuda_volume *volume, const tc_solve_params *params,
                                    tc_cuda_volume_answer *answer);

/* After a solve that has finished on the device: labels, proof and mask. Capacities are computed from the voxels again.
 * `mask` is written only if the answer is proven. */
tilecut_status tc_cuda_volume_conclude(tc_cuda_volume *volume, uint8_t *mask, tc_cuda_volume_answer *answer);

/* Copies the residual grid to a grid of the same size on the host. */
tilecut_status tc_cuda_volume_fetch(const tc_cuda_volume *volume, tc_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
