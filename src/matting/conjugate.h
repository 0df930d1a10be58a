/* SPDX-License-Identifier: MIT
 *
 * conjugate.h - solves the matting equations by conjugate gradients. The preconditioner is an incomplete Cholesky
 * factorisation of each piece of the ribbon by itself (Saad, "Iterative methods for sparse linear systems", 2003,
 * chapters 9 and 10). The pieces depend on the trimap alone, and sums are taken piece by piece in a fixed order. So
 * the answer does not depend on the number of threads.
 */
#pragma once

#include "laplacian.h"

typedef struct conjugate_limits {
    double tolerance; /* stop when residual / right side is at most this, both in the preconditioner's norm */
    int iterations;   /* the most iterations */
    int threads;
} conjugate_limits;

/* Solves s. x[places] holds the start on entry and the solution on return. Returns the number of iterations, or -1 if
 * there is no memory; x is then unchanged. */
int tc_conjugate_solve(const matting_system *s, const conjugate_limits *limits, double *x);
