/* SPDX-License-Identifier: MIT
 *
 * laplacian.h - the equations of closed-form matting (Levin, Lischinski & Weiss, "A closed-form solution to natural
 * image matting", PAMI 2008). In every window of 3 x 3 pixels alpha is taken for a linear function of the colour; what
 * the best such function leaves is a quadratic form in alpha, and the sum over all windows that of the matting
 * Laplacian
 *
 *   L(i, j) = sum over windows w with i and j:  [i = j] - (1 + (I_i - m)' (S + eps / |w| 1)^-1 (I_j - m)) / |w|
 *
 * with the window's mean colour m and covariance S. Known alphas move to the right side. The windows at the photo's
 * border are as large as fits.
 */
#ifndef TC_LAPLACIAN_H
#define TC_LAPLACIAN_H

#include "ribbon.h"

enum { MATTING_LINKS = 12 }; /* neighbours before a pixel: 2 in its row, 5 in each of the two rows above */

/* A x = b over a ribbon. Row i of A: diagonal[i], and for the neighbours before it link[k][i]: k = 0 .. 4 row y - 2,
 * x - 2 .. x + 2; 5 .. 9 row y - 1; 10, 11 the two to the left. A is symmetric. Zeros at known places. */
typedef struct matting_system {
    const ribbon *shape;
    float *link[MATTING_LINKS];
    double *diagonal, *right;
    void *memory;
} matting_system;

/* What is known: the photo's colours, and alpha. */
typedef struct matting_known {
    int width, height;
    const float *color;      /* width * height * 3, 0 .. 1 */
    const float *alpha;      /* width * height; read where not unknown */
    const uint8_t *unknown;
    const float *wish, *trust; /* NULL, or width * height: alpha is wished to be wish[p] with weight trust[p] */
    double noise;            /* eps: variances of colour below it count for nothing */
} matting_known;

/* False: no memory, and `s` is empty. */
bool tc_laplacian_init(matting_system *s, const ribbon *shape, const matting_known *known, int threads);
void tc_laplacian_free(matting_system *s);

#endif
