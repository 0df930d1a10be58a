/* SPDX-License-Identifier: MIT
 *
 * pyramid.h - computes the alpha of a trimap from samples and the matting equations (samples.h, laplacian.h,
 * conjugate.h). With few unknown pixels the equations are solved directly, with many from coarse to fine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MATTE_BACKGROUND = 0, MATTE_UNKNOWN = 128, MATTE_OBJECT = 255 }; /* values of a trimap */

typedef struct matte_photo {
    int width, height;
    const float *color; /* width * height * 3, 0 .. 1 */
} matte_photo;

/* How accurate alpha has to be: fine enough to be shown, or only enough to find where it is neither 0 nor 1. */
typedef enum pyramid_care { PYRAMID_FINE, PYRAMID_ROUGH } pyramid_care;

/* Writes alpha[width * height], 0 .. 1; exactly 0 or 1 at known pixels of the trimap. Returns false if there is no
 * memory. */
bool tc_pyramid_alpha(const matte_photo *photo, const uint8_t *trimap, pyramid_care care, int threads, float *alpha);
