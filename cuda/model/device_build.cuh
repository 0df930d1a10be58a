/* SPDX-License-Identifier: MIT
 *
 * device_build.cuh - a grid filled from an image on the device, and other seeds for it: build_grid.c on a GPU, to the
 * same numbers.
 */
#ifndef TC_DEVICE_BUILD_CUH
#define TC_DEVICE_BUILD_CUH

#include "device_energy.cuh"

/* Capacities and excesses of all pixels, and zeros in the padding. */
tilecut_status grid_build(const device_energy *energy, const grid_view *grid, cudaStream_t stream);

/* Brings the excesses of rows y0 .. y1-1 up to date with `seeds`, labels for these rows, which are then in the
 * place of energy->seeds there. */
tilecut_status grid_reseed(const device_energy *energy, const grid_view *grid, const uint8_t *seeds, uint8_t *in_force,
                           int y0, int y1, cudaStream_t stream);

#endif
