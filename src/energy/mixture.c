/* SPDX-License-Identifier: MIT
 *
 * mixture.c - fits Gaussian mixtures. It starts with k-means++ (Arthur & Vassilvitskii 2007) with a fixed random
 * sequence, and then runs expectation maximisation (Dempster, Laird & Rubin 1977). Samples are the distinct colours
 * of a coarse lattice with their pixel counts: thousands rather than millions, so a fit takes a millisecond.
 */
#include "mixture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mixture_math.h"
#include "simd.h"
#include "status.h"

enum { PARTS = TC_MIXTURE_PARTS };

tilecut_status tc_samples_init(tc_samples *samples, size_t count)
{
    *samples = (tc_samples){.count = count, .x = malloc((4 * count + 1) * sizeof(double))};
    if (!samples->x) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", count);
    samples->y = samples->x + count;
    samples->z = samples->y + count;
    samples->weight = samples->z + count;
    return TILECUT_OK;
}

void tc_samples_free(tc_samples *samples)
{
    free(samples->x);
    *samples = (tc_samples){0};
}

/* The arrays that a fit uses besides the samples. */
typedef struct fitting {
    const tc_samples *samples;
    double *density[PARTS]; /* [count] of each part at each sample; or 1 for the part to which a sample is assigned */
    double *sum;            /* [count] over all parts                                                           */
    double *best;           /* [count] while centres are chosen: the distance to the nearest one                */
    double (*lane)[TC_LANES]; /* [TC_MOMENTS] partial sums                                                    */
    double total;           /* of all weights                                                                   */
} fitting;

/* ---- Sums in lanes ---------------------------------------------------------------------------- */

static double sum_lanes(double lane[TC_LANES])
{
    for (int d = 16; d; d /= 2)
        for (int first = 0; first < TC_LANES; first += 32)
            for (int l = first; l < first + d; l++) lane[l] += lane[l + d];
    for (int d = TC_LANES / 64; d; d /= 2)
        for (int l = 0; l < d; l++) lane[32 * l] += lane[32 * (l + d)];
    return lane[0];
}

static int lanes_from(const tc_samples *samples, size_t first)
{
    return samples->count - first < TC_LANES ? (int)(samples->count - first) : TC_LANES;
}

/* Adds the shares of `n` samples in part k to the lanes' sums, like tc_moments_add() for each. */
TC_VECTOR_LOOP static void add_moments(int k, const double *restrict density, const double *restrict all,
                                       const double *restrict weight, const double *restrict x,
                                       const double *restrict y, const double *restrict z, int n,
                                       double (*restrict lane)[TC_LANES])
{
    for (int l = 0; l < n; l++) {
        const double w = tc_share(k, density[l], all[l]) * weight[l];
        const double wx = w * x[l], wy = w * y[l], wz = w * z[l];
        lane[0][l] += w, lane[1][l] += wx, lane[2][l] += wy, lane[3][l] += wz;
        lane[4][l] += wx * x[l], lane[5][l] += wx * y[l], lane[6][l] += wx * z[l];
        lane[7][l] += wy * y[l], lane[8][l] += wy * z[l], lane[9][l] += wz * z[l];
    }
}

static void sum_moments(const fitting *f, int k, double sums[TC_MOMENTS])
{
    const tc_samples *s = f->samples;
    memset(f->lane, 0, TC_MOMENTS * sizeof *f->lane);
    for (size_t i = 0; i < s->count; i += TC_LANES)
        add_moments(k, f->density[k] + i, f->sum + i, s->weight + i, s->x + i, s->y + i, s->z + i, lanes_from(s, i),
                    f->lane);
    for (int a = 0; a < TC_MOMENTS; a++) sums[a] = sum_lanes(f->lane[a]);
}

static double sum_weights(const tc_samples *samples)
{
    double lane[TC_LANES] = {0};
    for (size_t i = 0; i < samples->count; i++) lane[i % TC_LANES] += samples->weight[i];
    return sum_lanes(lane);
}

/* ---- The start -------------------------------------------------------------------------------- */

TC_VECTOR_LOOP static void draw_keys(const double *restrict weight, const double *restrict nearest, uint32_t draw,
                                     int count, double *restrict key)
{
    for (int i = 0; i < count; i++) {
        const double chance = weight[i] * nearest[i];
        key[i] = chance > 0 ? tc_draw_key(draw, (uint32_t)i, chance) : -HUGE_VAL;
    }
}

TC_VECTOR_LOOP static void approach(const double *restrict x, const double *restrict y, const double *restrict z,
                                    const double *restrict centre, int count, double *restrict nearest)
{
    for (int i = 0; i < count; i++) {
        const double d = tc_squared_distance(x[i], y[i], z[i], centre);
        nearest[i] = d < nearest[i] ? d : nearest[i];
    }
}

/* Draws a sample, likely one that is far from all centres so far. False: every sample is at a centre. */
static bool draw_centre(const fitting *f, const double *nearest, uint32_t draw, double centre[3])
{
    const tc_samples *s = f->samples;
    double *const key = f->density[0];
    size_t best = 0;
    draw_keys(s->weight, nearest, draw, (int)s->count, key);
    for (size_t i = 1; i < s->count; i++)
        if (key[i] > key[best]) best = i;
    centre[0] = s->x[best], centre[1] = s->y[best], centre[2] = s->z[best];
    return !isinf(key[best]);
}

/* Chooses up to PARTS centres that are far from each other. Returns how many. */
static int choose_centres(const fitting *f, int start, double centre[PARTS][3])
{
    const tc_samples *s = f->samples;
    double *const nearest = f->sum;
    int chosen = 0;
    for (size_t i = 0; i < s->count; i++) nearest[i] = TC_FARTHEST;
    while (chosen < PARTS && draw_centre(f, nearest, (uint32_t)(start * PARTS + chosen), centre[chosen])) {
        approach(s->x, s->y, s->z, centre[chosen], (int)s->count, nearest);
        chosen++;
    }
    return chosen;
}

TC_VECTOR_LOOP static void note_nearer(const double *restrict x, const double *restrict y, const double *restrict z,
                                       const double *restrict centre, int k, int count, double *restrict least,
                                       double *restrict best)
{
    for (int i = 0; i < count; i++) {
        const double d = tc_squared_distance(x[i], y[i], z[i], centre);
        best[i] = d < least[i] ? k : best[i];
        least[i] = d < least[i] ? d : least[i];
    }
}

TC_VECTOR_LOOP static void mark_part(const double *restrict best, int k, int count, double *restrict density)
{
    for (int i = 0; i < count; i++) density[i] = best[i] == k;
}

/* Assigns each sample to the nearest centre. */
static void assign(const fitting *f, double centre[PARTS][3], int centres)
{
    const tc_samples *s = f->samples;
    for (size_t i = 0; i < s->count; i++) f->sum[i] = TC_FARTHEST, f->best[i] = 0;
    for (int k = 0; k < centres; k++) note_nearer(s->x, s->y, s->z, centre[k], k, (int)s->count, f->sum, f->best);
    for (int k = 0; k < PARTS; k++) mark_part(f->best, k, (int)s->count, f->density[k]);
    for (size_t i = 0; i < s->count; i++) f->sum[i] = 1;
}

static void lloyd_round(const fitting *f, double centre[PARTS][3], int centres)
{
    assign(f, centre, centres);
    for (int k = 0; k < centres; k++) {
        double sums[TC_MOMENTS];
        sum_moments(f, k, sums);
        for (int a = 0; a < 3 && sums[0] > 0; a++) centre[k][a] = sums[1 + a] / sums[0];
    }
}

/* ---- Expectation maximisation ----------------------------------------------------------------- */

/* The maximisation step: new Gaussians from the samples' shares in each part. */
static void maximise(const fitting *f, tc_mixture *mixture)
{
    for (int k = 0; k < PARTS; k++) {
        double sums[TC_MOMENTS];
        sum_moments(f, k, sums);
        tc_gaussian_of(&mixture->part[k], sums, f->total);
    }
}

TC_VECTOR_LOOP static void set_density(const tc_gaussian *g, const double *restrict x, const double *restrict y,
                                       const double *restrict z, int count, double *restrict density)
{
    const tc_gaussian part = *g;
    for (int i = 0; i < count; i++) density[i] = tc_gaussian_density(&part, x[i], y[i], z[i]);
}

TC_VECTOR_LOOP static void add_to(const double *restrict term, int count, double *restrict sum)
{
    for (int i = 0; i < count; i++) sum[i] += term[i];
}

/* The density of part k at each sample; 0 if the part is unused. */
static void evaluate(const tc_mixture *mixture, const tc_samples *s, int k, double *density)
{
    if (mixture->part[k].weight > 0) set_density(&mixture->part[k], s->x, s->y, s->z, (int)s->count, density);
    else memset(density, 0, s->count * sizeof *density);
}

void tc_mixture_densities(const tc_mixture *mixture, const tc_samples *samples, double *scratch, double *density)
{
    evaluate(mixture, samples, 0, density);
    for (int k = 1; k < PARTS; k++) {
        evaluate(mixture, samples, k, scratch);
        add_to(scratch, (int)samples->count, density);
    }
}

static void em_round(const fitting *f, tc_mixture *mixture)
{
    const tc_samples *s = f->samples;
    for (int k = 0; k < PARTS; k++) {
        evaluate(mixture, s, k, f->density[k]);
        if (k == 0) memcpy(f->sum, f->density[0], s->count * sizeof *f->sum);
        else add_to(f->density[k], (int)s->count, f->sum);
    }
    maximise(f, mixture);
}

static bool fitting_init(fitting *f, const tc_samples *samples)
{
    double *const memory = malloc(((PARTS + 2) * samples->count + TC_MOMENTS * TC_LANES) * sizeof *memory);
    *f = (fitting){.samples = samples, .sum = memory, .total = sum_weights(samples)};
    if (!memory) return false;
    f->best = memory + samples->count;
    for (int k = 0; k < PARTS; k++) f->density[k] = memory + (size_t)(k + 2) * samples->count;
    f->lane = (double (*)[TC_LANES])(memory + (PARTS + 2) * samples->count);
    return true;
}

tilecut_status tc_mixture_fit(tc_mixture *mixture, const tc_samples *samples, int start)
{
    double centre[PARTS][3];
    fitting f;

    if (!fitting_init(&f, samples))
        return tc_fail(TILECUT_ENOMEM, "no memory for a mixture of %zu colours", samples->count);
    const int centres = choose_centres(&f, start, centre);
    for (int round = 0; round < TC_LLOYD_ROUNDS; round++) lloyd_round(&f, centre, centres);
    maximise(&f, mixture);
    for (int round = 0; round < TC_EM_ROUNDS; round++) em_round(&f, mixture);
    free(f.sum);
    return TILECUT_OK;
}

tilecut_status tc_mixture_refit(tc_mixture *mixture, const tc_samples *samples)
{
    fitting f;

    if (!fitting_init(&f, samples))
        return tc_fail(TILECUT_ENOMEM, "no memory for a mixture of %zu colours", samples->count);
    for (int round = 0; round < TC_EM_ROUNDS; round++) em_round(&f, mixture);
    free(f.sum);
    return TILECUT_OK;
}
