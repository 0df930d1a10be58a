/* SPDX-License-Identifier: MIT
 *
 * stub_volume.c - replaces the GPU's functions for volumes in builds without nvcc. A file of its own, so that a test
 * can put a device of its own in its place.
 */
#include "cuda_volume.h"
#include "stub.h"

STUB tilecut_status tc_cuda_volume_take(tc_cuda_volume **volume, const tilecut_volume_arrays *arrays, bool checked,
                                        int device, tc_cuda_volume_origin *origin)
{
    *volume = NULL;
    *origin = (tc_cuda_volume_origin){0};
    return tc_cuda_device(device, NULL, 0);
}

STUB tilecut_status tc_cuda_volume_learn(tc_cuda_volume **volume, const tilecut_volume *voxels,
                                         const double distance[3], const uint8_t *seeds, const tc_setup *setup,
                                         tc_cuda_volume_origin *origin)
{
    return tc_cuda_volume_take(volume, NULL, true, setup->device, origin);
}

STUB_DOES_NOTHING(tc_cuda_volume_destroy, tc_cuda_volume *volume)
STUB_FAILS(tc_cuda_volume_solve, tc_cuda_volume *volume, const tc_solve_params *params, tc_cuda_volume_answer *answer)
STUB_FAILS(tc_cuda_volume_conclude, tc_cuda_volume *volume, uint8_t *mask, tc_cuda_volume_answer *answer)
STUB_FAILS(tc_cuda_volume_fetch, const tc_cuda_volume *volume, tc_grid *grid)
