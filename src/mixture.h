/* SPDX-License-Identifier: MIT
 *
 * mixture.h - mixtures of Gaussians with full covariance over colours, fitted to weighted samples.
 */
#ifndef TC_MIXTURE_H
#define TC_MIXTURE_H

#include "tilecut.h"

enum { TC_MIXTURE_PARTS = 5 }; /* as in Rother et al. 2004 */

/* `weight` pixels of the same colour, in units of 8-bit levels. */
typedef struct tc_sample {
    double color[3];
    double weight;
} tc_sample;

/* weight * N(color; mean, covariance), ready for evaluation. */
typedef struct tc_gaussian {
    double weight;       /* of the whole mixture; 0: unused                             */
    double mean[3];
    double precision[6]; /* inverse covariance: xx, xy, xz, yy, yz, zz                  */
    double scale;        /* 1 / sqrt((2 pi)^3 det)                                      */
} tc_gaussian;

typedef struct tc_mixture {
    tc_gaussian part[TC_MIXTURE_PARTS];
} tc_mixture;

/* Fits a mixture to `count` >= 1 samples: k-means++ from a fixed seed, Lloyd's iterations, then expectation
 * maximisation, covariances regularised. The same samples in the same order give the same mixture. */
tilecut_status tc_mixture_fit(tc_mixture *mixture, const tc_sample *samples, size_t count);

/* More rounds of expectation maximisation, from the mixture as it is, on other samples. */
tilecut_status tc_mixture_refit(tc_mixture *mixture, const tc_sample *samples, size_t count);

/* Probability density at `color`, per cubed level. */
double tc_mixture_density(const tc_mixture *mixture, const double color[3]);

#endif
