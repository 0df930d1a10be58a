/* SPDX-License-Identifier: MIT
 *
 * device_volume.cuh - the contents of a tc_cuda_volume of cuda_volume.h.
 */
#ifndef TC_DEVICE_VOLUME_CUH
#define TC_DEVICE_VOLUME_CUH

#include "device_lane.cuh"
#include "device_scope.cuh"
#include "tiles_solver.cuh"
#include "volume_kernels.cuh"
#include "volume_model.cuh"

extern "C" {
#include "cuda_volume.h"
}

/* Everything that determines how much memory a volume takes. */
typedef struct volume_plan {
    volume_shape shape;
    bool arrays;      /* capacities are given; else there are voxels:    */
    bool symmetric[3]; /* of arrays: links weigh the same both ways      */
    int depth;        /* bits of a grey value                            */
    int32_t keys;
    model_request request;
} volume_plan;

struct tc_cuda_volume {
    volume_plan plan;
    grid_view view;
    device_memory memory;
    void *scratch;       /* the solver's; before a solve, voxels as they came and what learning needs */
    size_t scratch_bytes, bytes;
    voxel_source voxels;
    array_source arrays;
    learnt *facts;
    proof_sums *sums;
    volume_range *range;
    int *bad;
    int device; /* its index */
    device_lane *lane;
    cudaStream_t stream;
    tiles_session session; /* of the last solve */
};

static inline size_t volume_count(const volume_shape *shape)
{
    return (size_t)shape->width * (size_t)shape->height * (size_t)shape->depth;
}

/* Allocates a volume of that plan. On failure *volume is NULL. */
tilecut_status volume_allocate(tc_cuda_volume **volume, const volume_plan *plan, int device);

/* Queues the building of the grid, and times it by the watch of the lane. */
tilecut_status volume_build(tc_cuda_volume *volume);

/* After a solve: the sums of the proof over slices first .. end - 1, and the mask of all, on the device. */
tilecut_status volume_prove(const tc_cuda_volume *volume, int first, int end, proof_sums *sums);
uint8_t *volume_mask(const tc_cuda_volume *volume);

#endif
