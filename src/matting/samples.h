/* SPDX-License-Identifier: MIT
 *
 * samples.h - estimates the alpha of an unknown pixel from the known colours around it. Rays in eight directions find
 * the nearest known object and background pixels. Of all pairs (F, B) of their colours, the pair is taken whose mixture
 * alpha F + (1 - alpha) B explains the pixel's colour best; near samples are preferred to far ones (after Gastal &
 * Oliveira, "Shared sampling for real-time alpha matting", Eurographics 2010). The result is a prior alpha and the
 * trust in it, for laplacian.h.
 */
#pragma once

#include "laplacian.h"

/* Writes prior and trust (width * height floats each) at the unknown pixels of `shape`. Does not read known->prior. */
void tc_samples_take(const ribbon *shape, const matting_known *known, int threads, float *prior, float *trust);
