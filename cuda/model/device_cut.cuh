/* SPDX-License-Identifier: MIT
 *
 * device_cut.cuh - around a solve on the device: the grid is filled from an image, the cut read out, proven and
 * written as a mask. src/grid/grid.c and src/graph/certify.c on a GPU, to the same numbers.
 */
#ifndef TC_DEVICE_CUT_CUH
#define TC_DEVICE_CUT_CUH

#include "device_energy.cuh"

/* What the proof adds up to, and the mask. In device memory; zeroed before. */
typedef struct cut_sums {
    unsigned long long flow, cut, violations, foreground, changed;
} cut_sums;

/* Capacities and excesses of all pixels, and zeros in the padding. */
tilecut_status grid_build(const device_energy *energy, const grid_view *grid, cudaStream_t stream);

/* Brings the excesses of rows y0 .. y1-1 up to date with `seeds`, labels for these rows, which are then in the
 * place of energy->seeds there. */
tilecut_status grid_reseed(const device_energy *energy, const grid_view *grid, const uint8_t *seeds, uint8_t *in_force,
                           int y0, int y1, cudaStream_t stream);

/* tc_certify() of cut.h for labels as bit rows, a set bit for background: those of tile t at `background` + t *
 * `step` words. Fills `sums`, and `mask` with 0 and 255; sums->changed are pixels that are not so in `before`, if
 * that is not NULL. */
tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const uint32_t *background, size_t step,
                            const uint8_t *before, cut_sums *sums, uint8_t *mask, cudaStream_t stream);

#endif
