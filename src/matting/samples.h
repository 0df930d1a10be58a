/* SPDX-License-Identifier: MIT
 *
 * samples.h - estimates the alpha of an unknown pixel from the known colours around it. Rays in eight directions find
 * the nearest known object and background pixels. Of all pairs (F, B) of their colours, the pair is taken whose mixture
 * alpha F + (1 - alpha) B explains the pixel's colour best; near samples are preferred to far ones (after Gastal &
 * Oliveira, "Shared sampling for real-time alpha matting", Eurographics 2010). The result is a prior alpha and the
 * trust in it, for laplacian.h.
 */
#pragma once

#include "pyramid.h"
#include "ribbon.h"

/* Writes prior and trust (width * height floats each) at the pixels of `shape`, which are the unknown ones of `trimap`
 * (width * height). */
void tc_samples_take(const ribbon *shape, const matte_photo *photo, const uint8_t *trimap, int threads, float *prior,
                     float *trust);
