/* SPDX-License-Identifier: MIT
 *
 * device_islands.cuh - src/graph/islands.c on the device: what of a mask hangs together with the strokes.
 */
#ifndef TC_DEVICE_ISLANDS_CUH
#define TC_DEVICE_ISLANDS_CUH

#include "device_certify.cuh"

size_t islands_scratch_bytes(int width, int height);

/* Queues it on `stream`: of `mask`, 0 and 255, what hangs together over 4 neighbours with a foreground pixel of `seeds`
 * stays. sums->foreground are its pixels then, sums->changed those that are not so in `before`, if that is not NULL;
 * the other sums become 0. All pointers are device memory. */
tilecut_status islands_drop(const uint8_t *seeds, int width, int height, const uint8_t *before, void *scratch,
                            uint8_t *mask, proof_sums *sums, cudaStream_t stream);

#endif
