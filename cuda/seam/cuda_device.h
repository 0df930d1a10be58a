/* SPDX-License-Identifier: MIT
 *
 * cuda_device.h - whether there is a usable device. The seam between the library and cuda/ is plain C without CUDA
 * types: this header, cuda_solvers.h with the table of solvers, cuda_backend.h with graphs that stay on the device, and
 * cuda_parts.h with parts of them. Networks have a seam of their own. In builds without nvcc, stubs replace the .cu
 * files and return TILECUT_ENODEVICE from every call.
 */
#pragma once

#include <stddef.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const int tc_cuda_built; /* 1, or 0 in the stub */

/* The number of devices that this process can see. */
int tc_cuda_devices(void);

/* Returns TILECUT_OK if device `index` can be used; else ENODEVICE or EDEVICE, with a sentence that says why. `name`,
 * which may be NULL, gets the device's name, at most `size` bytes including the final 0. */
tilecut_status tc_cuda_device(int index, char *name, size_t size);

/* Finds the device whose memory contains `address`. Returns EINVAL if there is none, with a sentence that begins with
 * `what`, for example "the image is". */
tilecut_status tc_cuda_device_of(const void *address, const char *what, int *index);

#ifdef __cplusplus
}
#endif
