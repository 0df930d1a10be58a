/* SPDX-License-Identifier: MIT
 *
 * device_certify.cuh - the cut that a solve on the device has found, proven and written as a mask: certify.c on a
 * GPU, to the same numbers.
 */
#ifndef TC_DEVICE_CERTIFY_CUH
#define TC_DEVICE_CERTIFY_CUH

#include "device_energy.cuh"

/* What the proof adds up to, and the mask. In device memory; zeroed before. */
typedef struct proof_sums {
    unsigned long long flow, cut, violations, foreground, changed;
} proof_sums;

/* tc_certify() of cut.h for labels as bit rows, a set bit for background: those of tile t at `background` + t *
 * `step` words. Fills `sums`, and `mask` with 0 and 255; sums->changed are pixels that are not so in `before`, if
 * that is not NULL. */
tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const uint32_t *background, size_t step,
                            const uint8_t *before, proof_sums *sums, uint8_t *mask, cudaStream_t stream);

#endif
