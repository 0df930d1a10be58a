/* SPDX-License-Identifier: MIT
 *
 * energy_math.h - the formulas of energy.c. Code that fills its tables elsewhere, on a GPU, gets the same bits.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "exact_math.h"
#include "lattice.h"

/* The largest capacity of a link between pixels, and of a link to a terminal or the capacity K of a seed, in quanta. */
#define TC_MAX_LINK 262144.0
#define TC_MAX_TERMINAL 2097152.0

/* Returns beta = 1 / (2 <d^2>), computed from `sum`, the sum of squared differences over `links` links, in squared
 * levels of the image's depth. Returns 0 for an image of a single colour. */
static TC_BOTH inline double tc_automatic_beta(int depth, double sum, double links)
{
    double mean = links > 0 ? sum / links : 0;
    if (depth == 16) mean /= 257.0 * 257.0;
    return mean > 0 ? 1 / (2 * mean) : 0;
}

/* Rounds beta for volumes: converts it to sigma and back, which may change its last bit. */
static TC_BOTH inline double tc_beta_by_sigma(double beta)
{
    const double sigma = sqrt(1 / (2 * beta));
    return 1 / (2 * sigma * sigma);
}

/* The number of links in a grid of w x h x d pixels; d is 1 for an image. */
static TC_BOTH inline double tc_count_links(double w, double h, double d, int connectivity)
{
    double links = (w - 1) * h * d + w * (h - 1) * d + w * h * (d - 1);
    if (connectivity == 8 || connectivity == 26) links += 2 * (w - 1) * (h - 1) * d;
    if (connectivity == 26) links += 2 * (d - 1) * ((w - 1) * h + w * (h - 1) + 2 * (w - 1) * (h - 1));
    return links;
}

/* The squared 8-bit difference that a contrast key stands for. */
static TC_BOTH inline double tc_contrast_of(int depth, int32_t key)
{
    double squared = key;
    if (depth == 8) return squared;
    if (key >= 1 << 11) {
        const int exponent = (key >> 10) - 1;
        squared = ((double)((key & 1023) + 1024) + 0.5) * (double)(INT64_C(1) << exponent);
    }
    return squared / (257.0 * 257.0);
}

/* The capacity of a link with that contrast, in quanta, before rounding: Boykov & Jolly 2001, eq. 3. scale = lambda /
 * quantum. */
static TC_BOTH inline double tc_link_weight(double scale, double beta, double contrast)
{
    return scale * tc_exp(-beta * contrast);
}

/* Converts a cost in model units to a capacity in quanta. scale = weight of the cost / quantum. */
static TC_BOTH inline int32_t tc_capacity(double cost, double scale)
{
    return (int32_t)tc_round(cost * scale);
}

/* Does the same as tc_capacity(), limited to the largest capacity of a terminal link. */
static TC_BOTH inline int32_t tc_capacity_within(double cost, double scale)
{
    return tc_capacity(cost < TC_MAX_TERMINAL / scale ? cost : TC_MAX_TERMINAL / scale, scale);
}

/* Costs are summed as whole numbers in units of 1 / TC_COST_PARTS, so that a sum does not depend on its order;
 * |cost| < 2^27. */
#define TC_COST_PARTS 16777216.0

static TC_BOTH inline int64_t tc_cost_parts(float cost)
{
    return (int64_t)tc_round((double)cost * TC_COST_PARTS);
}

static TC_BOTH inline double tc_shared_cost(double data_weight, int64_t parts)
{
    return data_weight * ((double)parts / TC_COST_PARTS);
}

/* Returns the smallest power of two that keeps links, terminal links and K within their bounds. */
static TC_BOTH inline double tc_choose_quantum(double lambda, int connectivity, double highest_terminal)
{
    const double links = connectivity == 8 ? 4 + 4 * sqrt(0.5) : 4;
    double finest = TC_MAX_TERMINAL / (1 + links * lambda);
    int exponent;
    if (lambda > 0) finest = fmin(finest, TC_MAX_LINK / lambda);
    if (highest_terminal > 0) finest = fmin(finest, TC_MAX_TERMINAL / highest_terminal);
    (void)frexp(finest, &exponent); /* finest in [2^(exponent-1), 2^exponent) */
    return ldexp(1.0, 1 - exponent);
}

/* The share of a class's weight that goes to its `seeded` pixels alone when colours are learnt. The image has `pixels`
 * pixels, of which `outside` lie outside a box. With a box, a dot should hardly change a good guess, and long strokes
 * should overrule a bad one. So the share grows with the square root of the part of the guess that they cover. With a
 * prior it is small, because the prior mask already shows most colours. */
static TC_BOTH inline double tc_seeds_share(double pixels, double outside, double seeded, bool guessed, bool prior)
{
    if (prior) return 0.1;
    if (!guessed) return 0.5;
    const double share = 3 * sqrt(seeded / (0.64 * (pixels - outside)));
    return share < 0.6 ? share : 0.6;
}

/* True if a pixel lies in the ellipse with the middle of a box and `part` times its width and height. */
static TC_BOTH inline bool tc_in_ellipse(const tc_extent *box, double part, int x, int y)
{
    const double radius_x = 0.5 * part * (box->x1 - box->x0 + 1), radius_y = 0.5 * part * (box->y1 - box->y0 + 1);
    const double u = (x - 0.5 * (box->x0 + box->x1)) / radius_x, v = (y - 0.5 * (box->y0 + box->y1)) / radius_y;
    return u * u + v * v <= 1;
}

/* True if a pixel or voxel is foreground in the first guess from a box. The guess is an ellipsoid of nine tenths of the
 * box's sides, because corners and edges of a box mostly show background. In an image, whose box has a depth of 1, it
 * is an ellipse. */
static TC_BOTH inline bool tc_in_guess(const tc_block *box, int x, int y, int z)
{
    const double u = (x - box->x - 0.5 * (box->width - 1)) / (0.45 * box->width);
    const double v = (y - box->y - 0.5 * (box->height - 1)) / (0.45 * box->height);
    const double w = (z - box->z - 0.5 * (box->depth - 1)) / (0.45 * box->depth);
    return u * u + v * v + w * w <= 1;
}

/* Returns K of Boykov & Jolly, in quanta: more than all links of a pixel carry together. `links` is the sum over the
 * kinds of links of the greatest capacity of one such link; a pixel has two links of each kind. */
static TC_BOTH inline int32_t tc_seed_capacity(int32_t links, double quantum)
{
    const double one = floor(1 / quantum);
    return 2 * links + (int32_t)(one > 1 ? one : 1);
}
