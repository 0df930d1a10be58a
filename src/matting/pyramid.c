/* SPDX-License-Identifier: MIT
 *
 * pyramid.c - see pyramid.h. Each coarser level halves the photo's sides; a coarse pixel is known where its four fine
 * pixels are known and agree.
 *
 * The answer of a coarse level becomes the start of the finer one. In each window of the coarse level, alpha is
 * fitted as a linear function of the colour, which is also the assumption of the method. The finer level evaluates
 * these functions at its own colours. This start is so close that few iterations are left.
 *
 * Conjugate gradients are stopped early on purpose. They find the smooth part of the answer first and noise last;
 * measured against true mattes, the error is smallest before they converge.
 */
#include "pyramid.h"

#include <stdlib.h>

#include "conjugate.h"
#include "lattice.h"
#include "parallel.h"
#include "samples.h"

/* FEW: with at most this many unknown pixels, no coarser level is used. */
enum { FEW = 200000, LEAST_SIDE = 32, FIRST_ITERATIONS = 400, LATER_ITERATIONS = 12 };
static const double TOLERANCE[] = {[PYRAMID_FINE] = 3e-4, [PYRAMID_ROUGH] = 3e-3};
/* The eps of Levin et al.: NOISE in the equations, as in their program; NOISE_BETWEEN in the fits between levels,
 * whose pixels are means of four. */
static const double NOISE = 1e-7, NOISE_BETWEEN = 1e-5;
/* A pixel is settled if alpha is this near to 0, or to 1, in the whole window around it in the coarse level. */
static const float CERTAIN = 0.01F;

typedef struct level {
    matte_photo photo;
    const uint8_t *trimap;
    uint8_t *unknown;
    float *alpha;
    ribbon shape;
    pyramid_care care;
    int threads;
} level;

/* ---- one level -------------------------------------------------------------------------------- */

static void load_level(const level *l, double *x)
{
    for (int n = 0; n < l->shape.runs; n++) {
        const ribbon_run *const r = &l->shape.run[n];
        const float *const from = l->alpha + (size_t)r->y * (size_t)l->photo.width + (size_t)r->x;
        for (int i = 0; i < r->length; i++) x[r->at[RIBBON_REACH] + i] = (double)from[i];
    }
}

static void unload(const level *l, const double *x)
{
    for (int n = 0; n < l->shape.runs; n++) {
        const ribbon_run *const r = &l->shape.run[n];
        float *const to = l->alpha + (size_t)r->y * (size_t)l->photo.width + (size_t)r->x;
        for (int i = 0; i < r->length; i++) {
            const double v = x[r->at[RIBBON_REACH] + i];
            to[i] = v > 0 ? v < 1 ? (float)v : 1 : 0;
        }
    }
}

/* Solves the equations, starting from l->alpha. With `sampled`, the priors from samples are part of the equations. */
static bool solve_level(const level *l, bool sampled)
{
    const size_t pixels = (size_t)l->photo.width * (size_t)l->photo.height;
    matting_known known = {.width = l->photo.width, .height = l->photo.height, .color = l->photo.color,
                           .alpha = l->alpha, .unknown = l->unknown, .noise = NOISE};
    const conjugate_limits limits = {TOLERANCE[l->care], sampled ? FIRST_ITERATIONS : LATER_ITERATIONS, l->threads};
    float *const prior = sampled ? malloc(2 * pixels * sizeof *prior) : NULL;
    double *const x = calloc((size_t)l->shape.places + 1, sizeof *x);
    matting_system system = {0};
    bool done = x && (prior || !sampled);
    if (done && sampled) {
        tc_samples_take(&l->shape, &l->photo, l->trimap, l->threads, prior, prior + pixels);
        known.prior = prior;
        known.trust = prior + pixels;
    }
    done = done && tc_laplacian_init(&system, &l->shape, &known, l->threads);
    free(prior);
    if (done) load_level(l, x);
    done = done && tc_conjugate_solve(&system, &limits, x) >= 0;
    if (done) unload(l, x);
    tc_laplacian_free(&system);
    free(x);
    return done;
}

/* ---- between levels --------------------------------------------------------------------------- */

typedef struct step {
    const level *fine, *coarse;
    float *color;     /* the colours of the coarse level */
    uint8_t *trimap;
    float (*line)[4]; /* for each coarse pixel the linear fit of its window: alpha = line . (r, g, b, 1) */
} step;

static void halve_row(void *context, int y)
{
    const step *const s = context;
    const int width = s->fine->photo.width, height = s->fine->photo.height, half = (width + 1) / 2;
    const int rows[2] = {2 * y, tc_least(2 * y + 1, height - 1)};
    for (int x = 0; x < half; x++) {
        const size_t to = (size_t)y * (size_t)half + (size_t)x;
        float sum[3] = {0};
        int known[2] = {0};
        for (int j = 0; j < 4; j++) {
            const size_t p = (size_t)rows[j / 2] * (size_t)width + (size_t)tc_least(2 * x + j % 2, width - 1);
            for (size_t c = 0; c < 3; c++) sum[c] += s->fine->photo.color[3 * p + c];
            known[0] += s->fine->trimap[p] == MATTE_BACKGROUND;
            known[1] += s->fine->trimap[p] == MATTE_OBJECT;
        }
        for (size_t c = 0; c < 3; c++) s->color[3 * to + c] = sum[c] / 4;
        s->trimap[to] = known[0] == 4 ? MATTE_BACKGROUND : known[1] == 4 ? MATTE_OBJECT : MATTE_UNKNOWN;
    }
}

/* Solves S a = v for a symmetric 3 x 3 matrix S, given as xx xy xz yy yz zz, by cofactors. */
static void solve_three(const double s[6], const double v[3], double a[3])
{
    const double c00 = s[3] * s[5] - s[4] * s[4], c01 = s[2] * s[4] - s[1] * s[5], c02 = s[1] * s[4] - s[2] * s[3];
    const double c11 = s[0] * s[5] - s[2] * s[2], c12 = s[1] * s[2] - s[0] * s[4], c22 = s[0] * s[3] - s[1] * s[1];
    const double by = 1 / (s[0] * c00 + s[1] * c01 + s[2] * c02);
    a[0] = (c00 * v[0] + c01 * v[1] + c02 * v[2]) * by;
    a[1] = (c01 * v[0] + c11 * v[1] + c12 * v[2]) * by;
    a[2] = (c02 * v[0] + c12 * v[1] + c22 * v[2]) * by;
}

/* Computes the linear function of the colour that fits alpha best in the window around (x, y). */
static void fit_line(const level *l, int x, int y, float line[4])
{
    const int width = l->photo.width, x1 = tc_least(x + 1, width - 1), y1 = tc_least(y + 1, l->photo.height - 1);
    double n = 0, mean[4] = {0}, s[6] = {0}, v[3] = {0}, a[3];
    for (int j = tc_most(y - 1, 0); j <= y1; j++)
        for (int i = tc_most(x - 1, 0); i <= x1; i++) {
            const size_t p = (size_t)j * (size_t)width + (size_t)i;
            for (size_t c = 0; c < 3; c++) mean[c] += (double)l->photo.color[3 * p + c];
            mean[3] += (double)l->alpha[p];
            n++;
        }
    for (int c = 0; c < 4; c++) mean[c] /= n;
    for (int j = tc_most(y - 1, 0); j <= y1; j++)
        for (int i = tc_most(x - 1, 0); i <= x1; i++) {
            const size_t p = (size_t)j * (size_t)width + (size_t)i;
            double d[3];
            for (size_t c = 0; c < 3; c++) d[c] = (double)l->photo.color[3 * p + c] - mean[c];
            for (int c = 0, k = 0; c < 3; c++) {
                v[c] += d[c] * ((double)l->alpha[p] - mean[3]) / n;
                for (int e = c; e < 3; e++, k++) s[k] += d[c] * d[e] / n;
            }
        }
    s[0] += NOISE_BETWEEN;
    s[3] += NOISE_BETWEEN;
    s[5] += NOISE_BETWEEN;
    solve_three(s, v, a);
    for (int c = 0; c < 3; c++) line[c] = (float)a[c];
    line[3] = (float)(mean[3] - a[0] * mean[0] - a[1] * mean[1] - a[2] * mean[2]);
}

static void fit_row(void *context, int y)
{
    const step *const s = context;
    const level *const l = s->coarse;
    const int y0 = tc_most(y - 1, 0), y1 = tc_least(y + 1, l->photo.height - 1);
    for (int x = 0; x < l->photo.width; x++) {
        bool wanted = false;
        for (int j = y0; j <= y1; j++)
            for (int i = tc_most(x - 1, 0); i <= tc_least(x + 1, l->photo.width - 1); i++)
                wanted = wanted || l->unknown[(size_t)j * (size_t)l->photo.width + (size_t)i];
        if (wanted) fit_line(l, x, y, s->line[(size_t)y * (size_t)l->photo.width + (size_t)x]);
    }
}

/* For one axis: finds the coarse pixel that contains fine pixel `at`, and the second nearest coarse pixel. */
static void between(int at, int size, int out[2])
{
    out[0] = at / 2;
    out[1] = at % 2 ? tc_least(out[0] + 1, size - 1) : tc_most(out[0] - 1, 0);
}

/* Returns the alpha of a fine pixel: the fits of the four nearest coarse pixels, evaluated at its own colour and
 * weighted by nearness. */
static float raised(const step *s, int x, int y)
{
    static const float weight[2] = {0.75F, 0.25F};
    const matte_photo *const fine = &s->fine->photo, *const coarse = &s->coarse->photo;
    const float *const color = fine->color + 3 * ((size_t)y * (size_t)fine->width + (size_t)x);
    int column[2], row[2];
    float sum = 0;
    between(x, coarse->width, column);
    between(y, coarse->height, row);
    for (int k = 0; k < 4; k++) {
        const float *const line = s->line[(size_t)row[k / 2] * (size_t)coarse->width + (size_t)column[k % 2]];
        sum += weight[k / 2] * weight[k % 2] * (line[0] * color[0] + line[1] * color[1] + line[2] * color[2] + line[3]);
    }
    return sum > 0 ? sum < 1 ? sum : 1 : 0;
}

/* Returns 0 or 1 if the coarse level is certain of that alpha in the window around fine pixel (x, y), else -1. */
static int settled(const step *s, int x, int y)
{
    const matte_photo *const coarse = &s->coarse->photo;
    const int x1 = tc_least(x / 2 + 1, coarse->width - 1), y1 = tc_least(y / 2 + 1, coarse->height - 1);
    bool clear = true, opaque = true;
    for (int j = tc_most(y / 2 - 1, 0); j <= y1; j++)
        for (int i = tc_most(x / 2 - 1, 0); i <= x1; i++) {
            const float alpha = s->coarse->alpha[(size_t)j * (size_t)coarse->width + (size_t)i];
            clear = clear && alpha < CERTAIN;
            opaque = opaque && alpha > 1 - CERTAIN;
        }
    return clear ? 0 : opaque ? 1 : -1;
}

/* Sets the start of row y of the fine level. Settled pixels are no longer unknown. */
static void raise_row(void *context, int y)
{
    const step *const s = context;
    const level *const l = s->fine;
    for (int x = 0; x < l->photo.width; x++) {
        const size_t p = (size_t)y * (size_t)l->photo.width + (size_t)x;
        if (!l->unknown[p]) continue;
        const int answer = settled(s, x, y);
        l->unknown[p] = answer < 0;
        l->alpha[p] = answer < 0 ? raised(s, x, y) : (float)answer;
    }
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void level_free(level *l)
{
    tc_ribbon_free(&l->shape);
    free(l->unknown);
}

static bool start_level(level *l)
{
    const size_t pixels = (size_t)l->photo.width * (size_t)l->photo.height;
    l->unknown = malloc(pixels);
    if (!l->unknown) return false;
    for (size_t p = 0; p < pixels; p++) {
        l->unknown[p] = l->trimap[p] == MATTE_UNKNOWN;
        l->alpha[p] = l->unknown[p] ? 0.5F : (float)(l->trimap[p] == MATTE_OBJECT);
    }
    return true;
}

static bool alpha_from_below(const level *l);

/* Solves a level. With many unknown pixels the coarser levels are solved first. */
static bool alpha_of_level(level *l)
{
    int64_t unknown = 0;
    for (size_t p = 0; p < (size_t)l->photo.width * (size_t)l->photo.height; p++) unknown += l->unknown[p];
    const bool alone = unknown <= FEW || l->photo.width < LEAST_SIDE || l->photo.height < LEAST_SIDE;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): l->unknown is freed with the level, by the code that began it */
    return (alone || alpha_from_below(l)) && tc_ribbon_init(&l->shape, l->unknown, l->photo.width, l->photo.height) &&
           solve_level(l, alone);
}

static bool alpha_from_below(const level *l)
{
    const int width = (l->photo.width + 1) / 2, height = (l->photo.height + 1) / 2;
    const size_t pixels = (size_t)width * (size_t)height;
    level below = {.care = l->care, .threads = l->threads};
    step s = {.fine = l, .coarse = &below, .color = malloc(3 * pixels * sizeof *s.color), .trimap = malloc(pixels)};
    below.photo = (matte_photo){width, height, s.color};
    below.trimap = s.trimap;
    below.alpha = malloc(pixels * sizeof *below.alpha);
    bool done = s.color && s.trimap && below.alpha;
    if (done) tc_parallel(l->threads, height, halve_row, &s);
    done = done && start_level(&below) && alpha_of_level(&below);
    s.line = done ? malloc(pixels * sizeof *s.line) : NULL;
    done = s.line != NULL;
    if (done) {
        tc_parallel(l->threads, height, fit_row, &s);
        tc_parallel(l->threads, l->photo.height, raise_row, &s);
    }
    level_free(&below);
    free(below.alpha);
    free(s.color);
    free(s.trimap);
    free(s.line);
    return done;
}

bool tc_pyramid_alpha(const matte_photo *photo, const uint8_t *trimap, pyramid_care care, int threads, float *alpha)
{
    level l = {.photo = *photo, .trimap = trimap, .alpha = alpha, .care = care, .threads = threads};
    const bool done = start_level(&l) && alpha_of_level(&l);
    level_free(&l);
    return done;
}
