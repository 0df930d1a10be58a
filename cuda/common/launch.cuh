/* SPDX-License-Identifier: MIT
 *
 * launch.cuh - the launch of a kernel as a call, so that a GPU in software can take its place
 * (tests/unit/software_gpu). What the host does around kernels is then tested without a GPU, too.
 */
#ifndef TC_LAUNCH_CUH
#define TC_LAUNCH_CUH

#include <cuda_runtime.h>

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) kernel<<<(unsigned)(blocks), threads, 0, stream>>>(__VA_ARGS__)
#endif

#endif
