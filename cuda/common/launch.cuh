/* SPDX-License-Identifier: MIT
 *
 * launch.cuh - the launch of a kernel as a call, which a GPU of software can stand in for (tests/unit/software_gpu). So
 * what the host does around kernels is tested where there is no GPU, too.
 */
#ifndef TC_LAUNCH_CUH
#define TC_LAUNCH_CUH

#include <cuda_runtime.h>

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) kernel<<<(unsigned)(blocks), threads, 0, stream>>>(__VA_ARGS__)
#endif

#endif
