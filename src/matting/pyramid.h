/* SPDX-License-Identifier: MIT
 *
 * pyramid.h - the alpha of a trimap: samples and the matting equations (samples.h, laplacian.h, conjugate.h), solved as
 * they are where there are few unknown pixels, from coarse to fine where there are many.
 */
#ifndef TC_PYRAMID_H
#define TC_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>

enum { MATTE_BACKGROUND = 0, MATTE_UNKNOWN = 128, MATTE_OBJECT = 255 }; /* of a trimap */

typedef struct matte_photo {
    int width, height;
    const float *color; /* width * height * 3, 0 .. 1 */
} matte_photo;

/* How near the answer is to be: to look at, or only to tell where it is neither 0 nor 1. */
typedef enum pyramid_care { PYRAMID_FINE, PYRAMID_ROUGH } pyramid_care;

/* alpha[width * height], 0 .. 1: exactly 0 and 1 where the trimap knows. False: no memory. */
bool tc_pyramid_alpha(const matte_photo *photo, const uint8_t *trimap, pyramid_care care, int threads, float *alpha);

#endif
