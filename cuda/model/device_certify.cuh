/* SPDX-License-Identifier: MIT
 *
 * device_certify.cuh - certify.c on a GPU, with the same numbers: proves the cut that a solve on the device has
 * found, and writes it as a mask.
 */
#ifndef TC_DEVICE_CERTIFY_CUH
#define TC_DEVICE_CERTIFY_CUH

#include "device_energy.cuh"

/* The sums of the proof, and counts of the mask. In device memory; zero at first. */
typedef struct proof_sums {
    unsigned long long flow, cut, violations, foreground, changed;
} proof_sums;

/* tc_certify() of cut.h for labels as bit rows, where a set bit means background. Those of tile t begin at
 * `background` + t * `step` words. Fills `sums`, and `mask` with 0 and 255. sums->changed counts the pixels that
 * differ from `before`, if that is not NULL. */
tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const uint32_t *background, size_t step,
                            const uint8_t *before, proof_sums *sums, uint8_t *mask, cudaStream_t stream);

#endif
