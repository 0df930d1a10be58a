/* SPDX-License-Identifier: MIT
 *
 * mixture.c - fitting Gaussian mixtures. The start is k-means++ (Arthur & Vassilvitskii 2007) with a fixed
 * random sequence, the fit expectation maximisation (Dempster, Laird & Rubin 1977). Samples are the distinct
 * colours of a coarse lattice with their numbers, thousands rather than millions, so a fit takes milliseconds.
 */
#include "mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

enum { PARTS = TC_MIXTURE_PARTS, LLOYD_ROUNDS = 8, EM_ROUNDS = 8 };

/* Variance added to every covariance, in squared levels: camera noise, rounding, and what a few strokes have
 * not seen. Smaller values trust sparse strokes too much (docs/quality.md). */
static const double regular = 30;

static double squared_distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Draws a sample with probability proportional to weight * chance[i]; -1 when all of that is zero. */
static ptrdiff_t draw(const tc_sample *samples, const double *chance, size_t count, uint64_t *state)
{
    double total = 0;
    ptrdiff_t last = -1;
    for (size_t i = 0; i < count; i++) total += samples[i].weight * chance[i];
    double left = total * uniform(state);
    for (size_t i = 0; i < count; i++) {
        const double share = samples[i].weight * chance[i];
        if (!(share > 0)) continue;
        last = (ptrdiff_t)i;
        left -= share;
        if (left < 0) break;
    }
    return last;
}

/* Chooses up to PARTS centres far from each other; returns how many. `nearest` is scratch, [count]. */
static int choose_centres(const tc_sample *samples, size_t count, double *nearest, double centre[PARTS][3])
{
    uint64_t state = 20041;
    int chosen = 0;
    for (size_t i = 0; i < count; i++) nearest[i] = 1;
    while (chosen < PARTS) {
        const ptrdiff_t at = draw(samples, nearest, count, &state);
        if (at < 0) break;
        memcpy(centre[chosen], samples[at].color, sizeof centre[chosen]);
        for (size_t i = 0; i < count; i++) {
            const double d = squared_distance(samples[i].color, centre[chosen]);
            if (chosen == 0 || d < nearest[i]) nearest[i] = d;
        }
        chosen++;
    }
    return chosen;
}

/* Assigns each sample to the nearest centre, as shares of 0 and 1, and moves the centres there. */
static void lloyd_round(const tc_sample *samples, size_t count, double centre[PARTS][3], int centres,
                        double *share)
{
    double sum[PARTS][3] = {{0}}, weight[PARTS] = {0};
    memset(share, 0, count * PARTS * sizeof *share);
    for (size_t i = 0; i < count; i++) {
        int best = 0;
        for (int k = 1; k < centres; k++)
            if (squared_distance(samples[i].color, centre[k]) < squared_distance(samples[i].color, centre[best]))
                best = k;
        share[i * PARTS + (size_t)best] = 1;
        weight[best] += samples[i].weight;
        for (int c = 0; c < 3; c++) sum[best][c] += samples[i].weight * samples[i].color[c];
    }
    for (int k = 0; k < centres; k++)
        for (int c = 0; c < 3 && weight[k] > 0; c++) centre[k][c] = sum[k][c] / weight[k];
}

/* Inverts the symmetric matrix `c` (xx, xy, xz, yy, yz, zz), which is positive definite. */
static void set_covariance(tc_gaussian *g, const double c[6])
{
    const double xx = c[3] * c[5] - c[4] * c[4], xy = c[2] * c[4] - c[1] * c[5];
    const double xz = c[1] * c[4] - c[2] * c[3];
    const double det = c[0] * xx + c[1] * xy + c[2] * xz, pi = 3.14159265358979323846;
    g->precision[0] = xx / det;
    g->precision[1] = xy / det;
    g->precision[2] = xz / det;
    g->precision[3] = (c[0] * c[5] - c[2] * c[2]) / det;
    g->precision[4] = (c[1] * c[2] - c[0] * c[4]) / det;
    g->precision[5] = (c[0] * c[3] - c[1] * c[1]) / det;
    g->scale = 1 / sqrt(8 * pi * pi * pi * det);
}

/* The Gaussian of the samples' k-th shares. */
static void maximise(tc_gaussian *g, const tc_sample *samples, size_t count, const double *share, int k,
                     double total)
{
    double weight = 0, c[6] = {0};
    memset(g, 0, sizeof *g);
    for (size_t i = 0; i < count; i++) {
        const double w = share[i * PARTS + (size_t)k] * samples[i].weight;
        weight += w;
        for (int a = 0; a < 3; a++) g->mean[a] += w * samples[i].color[a];
    }
    if (!(weight > 1e-9 * total)) return;
    for (int a = 0; a < 3; a++) g->mean[a] /= weight;
    for (size_t i = 0; i < count; i++) {
        const double w = share[i * PARTS + (size_t)k] * samples[i].weight / weight;
        const double x = samples[i].color[0] - g->mean[0], y = samples[i].color[1] - g->mean[1];
        const double z = samples[i].color[2] - g->mean[2];
        c[0] += w * x * x, c[1] += w * x * y, c[2] += w * x * z;
        c[3] += w * y * y, c[4] += w * y * z, c[5] += w * z * z;
    }
    c[0] += regular, c[3] += regular, c[5] += regular;
    g->weight = weight / total;
    set_covariance(g, c);
}

static double density(const tc_gaussian *g, const double color[3])
{
    const double x = color[0] - g->mean[0], y = color[1] - g->mean[1], z = color[2] - g->mean[2];
    const double *p = g->precision;
    if (!(g->weight > 0)) return 0;
    return g->weight * g->scale *
           exp(-0.5 * (p[0] * x * x + p[3] * y * y + p[5] * z * z) - p[1] * x * y - p[2] * x * z - p[4] * y * z);
}

double tc_mixture_density(const tc_mixture *mixture, const double color[3])
{
    double sum = 0;
    for (int k = 0; k < PARTS; k++) sum += density(&mixture->part[k], color);
    return sum;
}

/* How much of each sample each Gaussian accounts for. */
static void expect(const tc_mixture *mixture, const tc_sample *samples, size_t count, double *share)
{
    for (size_t i = 0; i < count; i++) {
        double part[PARTS], sum = 0;
        for (int k = 0; k < PARTS; k++) sum += part[k] = density(&mixture->part[k], samples[i].color);
        for (int k = 0; k < PARTS; k++)
            if (sum > 0) share[i * PARTS + (size_t)k] = part[k] / sum; /* else as it was */
    }
}

static void maximise_all(tc_mixture *mixture, const tc_sample *samples, size_t count, const double *share)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) total += samples[i].weight;
    for (int k = 0; k < PARTS; k++) maximise(&mixture->part[k], samples, count, share, k, total);
}

static void em_round(tc_mixture *mixture, const tc_sample *samples, size_t count, double *share)
{
    expect(mixture, samples, count, share);
    maximise_all(mixture, samples, count, share);
}

tilecut_status tc_mixture_fit(tc_mixture *mixture, const tc_sample *samples, size_t count)
{
    double centre[PARTS][3];
    double *share = malloc(count * PARTS * sizeof *share), *nearest = malloc(count * sizeof *nearest);
    tilecut_status status = TILECUT_OK;

    if (!share || !nearest) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a mixture of %zu colours", count);
        goto done;
    }
    const int centres = choose_centres(samples, count, nearest, centre);
    for (int round = 0; round < LLOYD_ROUNDS; round++) lloyd_round(samples, count, centre, centres, share);
    maximise_all(mixture, samples, count, share);
    for (int round = 0; round < EM_ROUNDS; round++) em_round(mixture, samples, count, share);
done:
    free(share);
    free(nearest);
    return status;
}

tilecut_status tc_mixture_refit(tc_mixture *mixture, const tc_sample *samples, size_t count)
{
    double *share = calloc(count * PARTS, sizeof *share);
    if (!share) return tc_fail(TILECUT_ENOMEM, "no memory for a mixture of %zu colours", count);
    for (size_t i = 0; i < count; i++) share[i * PARTS] = 1; /* what no part reaches is the first one's */
    for (int round = 0; round < EM_ROUNDS; round++) em_round(mixture, samples, count, share);
    free(share);
    return TILECUT_OK;
}
