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

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) \
    kernel<<<launch_shape(blocks), launch_shape(threads), 0, stream>>>(__VA_ARGS__)
#endif
