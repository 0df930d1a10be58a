/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cuh - nearness.c on the device.
 */
#ifndef TC_DEVICE_NEARNESS_CUH
#define TC_DEVICE_NEARNESS_CUH

#include "check.cuh"

size_t nearness_scratch_bytes(int width, int height);

/* tc_nearness() of src/nearness.h, queued on `stream`; all pointers are device memory. */
tilecut_status nearness_find(const uint8_t *seeds, int width, int height, void *scratch, uint8_t *level,
                             cudaStream_t stream);

#endif
