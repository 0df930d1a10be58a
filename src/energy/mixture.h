/* SPDX-License-Identifier: MIT
 *
 * mixture.h - mixtures of Gaussians with full covariance over colours, fitted to weighted samples.
 */
#pragma once

#include "tilecut.h"

enum { TC_MIXTURE_PARTS = 5 }; /* as in Rother et al. 2004 */

/* Distinct colours in units of 8-bit levels. Each stands for `weight` pixels. All arrays have `count` entries. */
typedef struct tc_samples {
    size_t count;
    double *x, *y, *z; /* the channels */
    double *weight;
} tc_samples;

/* One part of a mixture, weight * N(color; mean, covariance), prepared for evaluation. */
typedef struct tc_gaussian {
    double weight;       /* share of the whole mixture; 0: the part is unused           */
    double mean[3];
    double precision[6]; /* inverse covariance: xx, xy, xz, yy, yz, zz                  */
    double scale;        /* 1 / sqrt((2 pi)^3 det)                                      */
} tc_gaussian;

typedef struct tc_mixture {
    tc_gaussian part[TC_MIXTURE_PARTS];
} tc_mixture;

/* Allocates `count` samples, uninitialised. */
tilecut_status tc_samples_init(tc_samples *samples, size_t count);
void tc_samples_free(tc_samples *samples);

/* Fits a mixture to `samples` (at least one): k-means++ from a fixed seed, Lloyd's iterations, then expectation
 * maximisation with regularised covariances. The same samples in the same order always give the same mixture, with any
 * number of threads. Another `start`, counted from 0, may give another mixture; with TC_MIXTURE_GO_ON, expectation
 * maximisation starts from the mixture as it is. */
enum { TC_MIXTURE_GO_ON = -1 };
tilecut_status tc_mixture_fit(tc_mixture *mixture, const tc_samples *samples, int start, int threads);

/* Writes the probability densities at the colours of `samples`, per cubed level: [count]. `scratch` also has [count]
 * entries. */
void tc_mixture_densities(const tc_mixture *mixture, const tc_samples *samples, double *scratch, double *density);
