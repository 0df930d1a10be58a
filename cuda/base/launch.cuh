/* SPDX-License-Identifier: MIT
 *
 * launch.cuh - launches kernels through a function, so that a software GPU can take the place of the device
 * (tests/unit/software_gpu). That way the host code around kernels can be tested without a GPU, too.
 */
#pragma once

#include <cuda_runtime.h>

/* The number of blocks or threads, as one number or in up to three dimensions. */
template <class Number> static inline dim3 launch_shape(Number count)
{
    return dim3{(unsigned)count};
}

static inline dim3 launch_shape(dim3 counts)
{
    return counts;
}

/* A launch takes 2^31 - 1 blocks along x, but only 65,535 along y. So blocks that lie in rows, `across` in each, are
 * counted along x. These are the row of a block, and its place there. */
static __device__ inline int block_row(int across)
{
    return (int)(blockIdx.x / (unsigned)across);
}

static __device__ inline int block_column(int across)
{
    return (int)(blockIdx.x % (unsigned)across);
}

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) \
    kernel<<<launch_shape(blocks), launch_shape(threads), 0, stream>>>(__VA_ARGS__)
#endif
