/* SPDX-License-Identifier: MIT
 *
 * device_part.cuh - the contents of a tc_cuda_part of cuda_parts.h.
 */
#pragma once

#include "border_kernels.cuh"
#include "device_graph.cuh"

/* Device memory besides the grid. */
typedef struct part_rows {
    int32_t *out[TC_CUDA_SIDES], *in[TC_CUDA_SIDES]; /* [kinds][width]; for width see border_width()            */
    int32_t *level;                                  /* [width] scratch memory of one call, like the next three */
    uint8_t *bytes;                                  /* [width]                                                 */
    unsigned long long *counts;
    unsigned *arrived;
} part_rows;

struct tc_cuda_part {
    tc_cuda_graph *graph;
    grid_view view; /* the view of the graph's grid; the stream is the graph's, too */
    tc_cuda_border border[TC_CUDA_SIDES];
    part_rows rows;
    float *packed;     /* packed rows being copied to or from the host; NULL until there are any */
    size_t packed_bytes;
    void *memory;      /* memory of the rows; it is not from a pool, because only the pool's own device can access
                          that */
    cudaStream_t stream;
    size_t bytes;
    int device;
};

/* Waits until all work on the part's stream is done. */
static inline tilecut_status finish(const tc_cuda_part *part)
{
    return CUDA_STATUS(cudaStreamSynchronize(part->stream));
}

/* send() queues a copy to the device; fetch() copies from the device and waits until the copy is complete. */
static inline tilecut_status send(const tc_cuda_part *part, void *to, const void *from, size_t bytes)
{
    return CUDA_STATUS(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, part->stream));
}

static inline tilecut_status fetch(const tc_cuda_part *part, void *to, const void *from, size_t bytes)
{
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, part->stream));
    return finish(part);
}

static inline int border_blocks(const tc_cuda_part *part)
{
    return ceil_div((size_t)border_width(part->view), BORDER_BLOCK);
}
