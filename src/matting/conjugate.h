/* SPDX-License-Identifier: MIT
 *
 * conjugate.h - the solver of the matting equations: conjugate gradients, preconditioned by an incomplete Cholesky
 * factorisation of each piece of the ribbon by itself (Saad, "Iterative methods for sparse linear systems", 2003,
 * chapters 9 and 10). The pieces depend on the trimap alone and sums are taken piece by piece in their order: one
 * answer, whatever the number of threads.
 */
#ifndef TC_CONJUGATE_H
#define TC_CONJUGATE_H

#include "laplacian.h"

typedef struct conjugate_limits {
    double tolerance; /* stops when the residual is this share of the right side, as the preconditioner measures */
    int iterations;   /* at most */
    int threads;
} conjugate_limits;

/* Solves s from the start in x[places]. Returns the iterations taken, or -1: no memory, x as it was. */
int tc_conjugate_solve(const matting_system *s, const conjugate_limits *limits, double *x);

#endif
