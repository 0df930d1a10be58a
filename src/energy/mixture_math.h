/* SPDX-License-Identifier: MIT
 *
 * mixture_math.h - the formulas of mixture.c. Code that fits mixtures elsewhere, on a GPU, gets the same bits.
 *
 * For that, additions must also have the same order. A sum over samples consists of TC_LANES partial sums, called
 * lanes; each adds every TC_LANES-th sample in order. Then every group of 32 neighbouring lanes is added in pairs that
 * are 16, 8, 4, 2 and 1 apart, and the 8 results are added in the same way.
 */
#pragma once

#include <math.h>

#include "exact_math.h"
#include "mixture.h"

enum { TC_LANES = 256, TC_LLOYD_ROUNDS = 8, TC_EM_ROUNDS = 8 };

/* A squared distance larger than any between colours, for a sample while there is no centre. */
#define TC_FARTHEST 1e6

/* Variance added to every covariance, in squared levels. It stands for camera noise, rounding, and colours that a few
 * strokes do not show. Smaller values trust sparse strokes too much (docs/guide/quality.md). */
#define TC_REGULAR 30.0

static TC_BOTH inline double tc_squared_distance(double x, double y, double z, const double *centre)
{
    const double dx = x - centre[0], dy = y - centre[1], dz = z - centre[2];
    return dx * dx + dy * dy + dz * dz;
}

/* A random key: the sample with the highest key is drawn with a probability proportional to its `chance`. The key is
 * the logarithm of a random number divided by the chance (Efraimidis & Spirakis 2006), and so negative. This is the key
 * of sample i as a candidate for centre number `draw`, counted through all starts. */
static TC_BOTH inline double tc_draw_key(uint32_t draw, uint32_t i, double chance)
{
    uint32_t h = i * UINT32_C(0x9e3779b9) + draw * UINT32_C(0x7f4a7c15) + UINT32_C(20041);
    h ^= h >> 16, h *= UINT32_C(0x85ebca6b);
    h ^= h >> 13, h *= UINT32_C(0xc2b2ae35);
    h ^= h >> 16;
    return tc_log(((double)h + 0.5) / 4294967296.0) / chance;
}

/* Computes the cofactors of the positive definite matrix `c` (xx, xy, xz, yy, yz, zz). Returns its determinant. The
 * inverse is the cofactors divided by it. */
static TC_BOTH inline double tc_cofactors(const double *c, double *cofactor)
{
    cofactor[0] = c[3] * c[5] - c[4] * c[4];
    cofactor[1] = c[2] * c[4] - c[1] * c[5];
    cofactor[2] = c[1] * c[4] - c[2] * c[3];
    cofactor[3] = c[0] * c[5] - c[2] * c[2];
    cofactor[4] = c[1] * c[2] - c[0] * c[4];
    cofactor[5] = c[0] * c[3] - c[1] * c[1];
    return c[0] * cofactor[0] + c[1] * cofactor[1] + c[2] * cofactor[2];
}

/* 1 divided by the scale of a Gaussian whose covariance has this determinant. */
static TC_BOTH inline double tc_inverse_scale(double det)
{
    const double pi = 3.14159265358979323846;
    return sqrt(8 * pi * pi * pi * det);
}

/* The moments of a part, summed over all samples: the part's weight in the sample times 1, x, y, z, xx, xy, xz, yy,
 * yz, zz. */
enum { TC_MOMENTS = 10 };

static TC_BOTH inline void tc_moments_add(double *sums, double weight, double x, double y, double z)
{
    const double wx = weight * x, wy = weight * y, wz = weight * z;
    sums[0] += weight, sums[1] += wx, sums[2] += wy, sums[3] += wz;
    sums[4] += wx * x, sums[5] += wx * y, sums[6] += wx * z;
    sums[7] += wy * y, sums[8] += wy * z, sums[9] += wz * z;
}

/* True if a part of this weight is in use, and not a negligible part of `total`. */
static TC_BOTH inline int tc_part_in_use(double weight, double total)
{
    return weight > 1e-9 * total;
}

/* Computes the covariance from the moments divided by the weight. */
static TC_BOTH inline void tc_covariance(const double *moment, double *c)
{
    const double x = moment[1], y = moment[2], z = moment[3];
    c[0] = moment[4] - x * x + TC_REGULAR, c[1] = moment[5] - x * y, c[2] = moment[6] - x * z;
    c[3] = moment[7] - y * y + TC_REGULAR, c[4] = moment[8] - y * z, c[5] = moment[9] - z * z + TC_REGULAR;
}

/* Makes the Gaussian with these moments. It is all zero if it is not in use. */
static TC_BOTH inline void tc_gaussian_of(tc_gaussian *g, const double *sums, double total)
{
    double moment[TC_MOMENTS], c[6], cofactor[6];
    memset(g, 0, sizeof *g);
    if (!tc_part_in_use(sums[0], total)) return;
    for (int a = 1; a < TC_MOMENTS; a++) moment[a] = sums[a] / sums[0];
    tc_covariance(moment, c);
    const double det = tc_cofactors(c, cofactor);
    g->weight = sums[0] / total;
    for (int a = 0; a < 3; a++) g->mean[a] = moment[1 + a];
    for (int k = 0; k < 6; k++) g->precision[k] = cofactor[k] / det;
    g->scale = 1 / tc_inverse_scale(det);
}

/* The share of a sample that belongs to part k, computed from the density of that part and the density of all parts. A
 * sample at which all densities are 0 belongs to part 0. */
static TC_BOTH inline double tc_share(int k, double density, double all)
{
    return all > 0 ? density / all : k == 0;
}

/* The weight of a colour with `count` pixels, `seeded` of them in strokes. The class has `all` pixels, `painted` of
 * them in strokes. Strokes get `share` of the class's weight; the rest is distributed over all pixels. */
static TC_BOTH inline double tc_sample_weight(double count, double seeded, double all, double painted, double share)
{
    const double own = painted > 0 ? share * all / painted : 0, rest = painted > 0 ? 1 - share : 1;
    return rest * count + own * seeded;
}

/* The density of a part, which must be in use. */
static TC_BOTH inline double tc_gaussian_density(const tc_gaussian *g, double red, double green, double blue)
{
    const double x = red - g->mean[0], y = green - g->mean[1], z = blue - g->mean[2];
    const double *p = g->precision;
    return g->weight * g->scale *
           tc_exp(-0.5 * (p[0] * x * x + p[3] * y * y + p[5] * z * z) - p[1] * x * y - p[2] * x * z - p[4] * y * z);
}

/* The part to which a colour most likely belongs, by densities alone. */
static TC_BOTH inline int tc_likeliest_part(const tc_mixture *mixture, double x, double y, double z)
{
    double most = -1;
    int found = 0;
    for (int k = 0; k < TC_MIXTURE_PARTS; k++) {
        const tc_gaussian *const g = &mixture->part[k];
        const double density = g->weight > 0 ? tc_gaussian_density(g, x, y, z) : 0;
        if (density > most) most = density, found = k;
    }
    return found;
}
