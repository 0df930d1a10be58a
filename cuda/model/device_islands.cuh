/* SPDX-License-Identifier: MIT
 *
 * device_islands.cuh - src/graph/islands.c on the device: removes foreground that is connected to no stroke.
 */
#ifndef TC_DEVICE_ISLANDS_CUH
#define TC_DEVICE_ISLANDS_CUH

#include "device_certify.cuh"

size_t islands_scratch_bytes(int width, int height);

/* Queues on `stream`: in `mask`, 0 and 255, only foreground stays that is connected, over 4 or 8 neighbours, to a
 * foreground pixel of `seeds`. In `sums`, which must be 0, foreground counts what is left, changed the pixels that
 * differ from `before`, if that is not NULL. All pointers are device memory. Unless `done` is NULL, nothing happens
 * if 0 is there when it is looked at. */
tilecut_status islands_drop(const uint8_t *seeds, int width, int height, bool diagonal, const uint8_t *before,
                            const int *done, void *scratch, uint8_t *mask, proof_sums *sums, cudaStream_t stream);

#endif
