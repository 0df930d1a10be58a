/* SPDX-License-Identifier: MIT
 *
 * stub_volume.c - replaces the GPU's functions for volumes in builds without nvcc. A file of its own, so that a test
 * can put a device of its own in its place.
 */
#include "cuda_volume.h"

tilecut_status tc_cuda_volume_learn(tc_cuda_volume **volume, const tilecut_volume *voxels, const double distance[3],
                                    const uint8_t *seeds, const tc_setup *setup, tc_cuda_volume_origin *origin)
{
    (void)voxels, (void)distance, (void)seeds;
    *volume = NULL;
    *origin = (tc_cuda_volume_origin){0};
    return tc_cuda_device(setup->device, NULL, 0);
}

tilecut_status tc_cuda_volume_take(tc_cuda_volume **volume, const tilecut_volume_arrays *arrays, int device,
                                   tc_cuda_volume_origin *origin)
{
    (void)arrays;
    *volume = NULL;
    *origin = (tc_cuda_volume_origin){0};
    return tc_cuda_device(device, NULL, 0);
}

/* Without a volume the functions below are never called. */
void tc_cuda_volume_destroy(tc_cuda_volume *volume)
{
    (void)volume;
}

tilecut_status tc_cuda_volume_solve(tc_cuda_volume *volume, const tc_solve_params *params,
                                    tc_cuda_volume_answer *answer)
{
    (void)volume, (void)params;
    *answer = (tc_cuda_volume_answer){0};
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_volume_conclude(tc_cuda_volume *volume, uint8_t *mask, tc_cuda_volume_answer *answer)
{
    (void)volume, (void)mask, (void)answer;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_volume_fetch(const tc_cuda_volume *volume, tc_grid *grid)
{
    (void)volume, (void)grid;
    return tc_cuda_device(0, NULL, 0);
}
