/* SPDX-License-Identifier: MIT
 *
 * device_part.cuh - the contents of a tc_cuda_part of cuda_parts.h.
 */
#ifndef TC_DEVICE_PART_CUH
#define TC_DEVICE_PART_CUH

#include "border_kernels.cuh"
#include "device_graph.cuh"

/* Device memory beside the grid. */
typedef struct part_rows {
    int32_t *out[TC_CUDA_SIDES], *in[TC_CUDA_SIDES]; /* [kinds][width]; width: border_width() */
    int32_t *level;                                  /* [width] scratch of one call; so are the next three */
    uint8_t *bytes;                                  /* [width]        */
    unsigned long long *counts;
    unsigned *arrived;
} part_rows;

struct tc_cuda_part {
    tc_cuda_graph *graph;
    grid_view view; /* of the graph, as is the stream */
    tc_cuda_border border[TC_CUDA_SIDES];
    part_rows rows;
    float *packed;     /* rows on their way to the host or from there; NULL until there are any */
    size_t packed_bytes;
    void *memory;      /* of the rows; not of a pool, which only its own device may reach */
    cudaStream_t stream;
    size_t bytes;
    int device;
};

/* Waits for what the part's stream was given to do. */
static inline tilecut_status finish(const tc_cuda_part *part)
{
    return CUDA_STATUS(cudaStreamSynchronize(part->stream));
}

/* Queues a copy to the device, or fetches one from it, which is there when the call returns. */
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

#endif
