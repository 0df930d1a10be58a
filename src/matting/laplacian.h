/* SPDX-License-Identifier: MIT
 *
 * laplacian.h - the equations of closed-form matting (Levin, Lischinski & Weiss, "A closed-form solution to natural
 * image matting", PAMI 2008). Alpha is assumed to be a linear function of the colour in every window of 3 x 3 pixels.
 * The squared error of the best linear function in a window is a quadratic form in alpha; the sum of these forms over
 * all windows is given by the matting Laplacian
 *
 *   L(i, j) = sum over windows w with i and j:  [i = j] - (1 + (I_i - m)' (S + eps / |w| 1)^-1 (I_j - m)) / |w|
 *
 * with the window's mean colour m and covariance S. Terms with known alphas move to the right side. Windows are clipped
 * at the photo's border.
 */
#pragma once

#include "ribbon.h"

enum { MATTING_LINKS = 12 }; /* neighbours that come before a pixel: 2 in its row, 5 in each of the two rows above */

/* The equations A x = b over the places of a ribbon; A is symmetric. diagonal[i] is A(i, i). link[k][i] couples pixel
 * i at x, y with its k-th neighbour before it: k = 0 .. 4 are x - 2 .. x + 2 in row y - 2, 5 .. 9 the same in row y -
 * 1, and 10, 11 are x - 2, x - 1 in row y. All is zero at known places. */
typedef struct matting_system {
    const ribbon *shape;
    float *link[MATTING_LINKS];
    double *diagonal, *right;
    void *memory;
} matting_system;

/* The known data: the photo's colours, and alpha outside the unknown pixels. */
typedef struct matting_known {
    int width, height;
    const float *color;      /* width * height * 3, 0 .. 1 */
    const float *alpha;      /* width * height; not read at unknown pixels */
    const uint8_t *unknown;
    const float *prior, *trust; /* NULL, or width * height: adds a term trust[p] * (alpha[p] - prior[p])^2 */
    double noise;            /* eps: a colour variance far below this counts as zero */
} matting_known;

/* Assembles the equations. Returns false if there is no memory; `s` is then empty. */
bool tc_laplacian_init(matting_system *s, const ribbon *shape, const matting_known *known, int threads);
void tc_laplacian_free(matting_system *s);
