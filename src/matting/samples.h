/* SPDX-License-Identifier: MIT
 *
 * samples.h - what the colours around an unknown pixel say about its alpha. Rays in eight directions meet the nearest
 * known object and background; of all pairs of colours (F, B) that were met the one is taken that explains the pixel's
 * colour best as alpha F + (1 - alpha) B, near samples before far ones (after Gastal & Oliveira, "Shared sampling for
 * real-time alpha matting", Eurographics 2010). The answer is a wish with a trust, for laplacian.h.
 */
#ifndef TC_SAMPLES_H
#define TC_SAMPLES_H

#include "laplacian.h"

/* Writes wish and trust (width * height floats) at the unknown pixels of `shape`; `known` without a wish. */
void tc_samples_take(const ribbon *shape, const matting_known *known, int threads, float *wish, float *trust);

#endif
