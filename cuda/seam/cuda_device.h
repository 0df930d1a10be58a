/* SPDX-License-Identifier: MIT
 *
 * cuda_device.h - whether there is a device. The seam between the library and cuda/ is plain C without CUDA types, in
 * three headers: this one, cuda_solvers.h for the table of solvers, cuda_backend.h for graphs that stay on the device.
 * Without nvcc the file stub.c takes the place of the .cu files and answers every call with TILECUT_ENODEVICE.
 */
#ifndef TC_CUDA_DEVICE_H
#define TC_CUDA_DEVICE_H

#include <stddef.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const int tc_cuda_built; /* 1; 0 in the stub */

/* How many devices can be seen. */
int tc_cuda_devices(void);

/* TILECUT_OK when device `index` can be used; else ENODEVICE or EDEVICE with a sentence that says why not. `name`
 * (may be NULL) gets the device's name, at most `size` bytes with the final 0. */
tilecut_status tc_cuda_device(int index, char *name, size_t size);

/* The device that has the memory at `address`; EINVAL if none has. */
tilecut_status tc_cuda_device_of(const void *address, int *index);

#ifdef __cplusplus
}
#endif
#endif
