/* SPDX-License-Identifier: MIT
 *
 * launch.cuh - the launch of a kernel as a call, so that a GPU in software can take its place
 * (tests/unit/software_gpu). What the host does around kernels is then tested without a GPU, too.
 */
#pragma once

#include <cuda_runtime.h>

/* Blocks, or threads, as a number or in up to three directions. */
template <class Number> static inline dim3 launch_shape(Number count)
{
    return dim3{(unsigned)count};
}

static inline dim3 launch_shape(dim3 counts)
{
    return counts;
}

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) \
    kernel<<<launch_shape(blocks), launch_shape(threads), 0, stream>>>(__VA_ARGS__)
#endif
