/* SPDX-License-Identifier: MIT
 *
 * conjugate.c - see conjugate.h. The incomplete factors are L D L', where the unit lower matrix L has entries only
 * where A has links; the entries that a complete elimination would add elsewhere are left out. A pivot that becomes too
 * small because of this is replaced by the diagonal of A, so the preconditioner is positive definite for every photo.
 */
#include "conjugate.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "simd.h"

/* Before factoring, the diagonal is raised by the share RAISED: A is not an M-matrix, and without this its incomplete
 * factors may grow without bound. A pivot below LEAST_PIVOT times the diagonal is replaced. */
static const double RAISED = 0.1, LEAST_PIVOT = 0.1;

typedef struct solver {
    const matting_system *s;
    float *factor[MATTING_LINKS];
    double *pivot;                  /* 1 / D; zero at known places    */
    double *x, *residual, *step, *image, *solved;
    double *part;                   /* [2][pieces] partial sums       */
    double along, back;             /* factors of this iteration: along the step, and along the step before */
} solver;

/* Neighbour k of a pixel lies up[k] rows above it and aside[k] columns to the right. */
static const int up[MATTING_LINKS] = {2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0};
static const int aside[MATTING_LINKS] = {-2, -1, 0, 1, 2, -2, -1, 0, 1, 2, -2, -1};

/* before() is the place of neighbour k of the run's first pixel p. after() is the place of the pixel whose neighbour k
 * is p. */
static int32_t before(const ribbon_run *r, int k) { return r->at[RIBBON_REACH - up[k]] + aside[k]; }
static int32_t after(const ribbon_run *r, int k) { return r->at[RIBBON_REACH + up[k]] - aside[k]; }

/* Returns how many of the two rows above a run have links within its piece. */
static int rows_above(const solver *v, int piece, const ribbon_run *r)
{
    const int depth = r->y - v->s->shape->run[v->s->shape->piece[piece]].y;
    return depth < 2 ? depth : 2;
}

/* Returns the first link of a run that leads to a pixel of the same piece. */
static int first_link(const solver *v, int piece, const ribbon_run *r)
{
    return 10 - 5 * rows_above(v, piece, r);
}

/* ---- the preconditioner ----------------------------------------------------------------------- */

/* Returns the index of k's link to j if neighbours k and j of a pixel are linked (j comes before k); -1 if they are
 * not. */
static int link_between(int k, int j)
{
    for (int m = 0; m < MATTING_LINKS; m++)
        if (up[j] - up[k] == up[m] && aside[j] - aside[k] == aside[m]) return m;
    return -1;
}

static void factor_pixel(const solver *v, const ribbon_run *r, int i, int first, int meet[MATTING_LINKS][MATTING_LINKS])
{
    const int32_t p = r->at[RIBBON_REACH] + i;
    double row[MATTING_LINKS] = {0}, pivot = (1 + RAISED) * v->s->diagonal[p]; /* row: L D */
    for (int k = first; k < MATTING_LINKS; k++) {
        const int32_t q = before(r, k) + i;
        double value = (double)v->s->link[k][p];
        for (int j = first; j < k; j++)
            if (meet[k][j] >= 0) value -= row[j] * (double)v->factor[meet[k][j]][q];
        row[k] = v->pivot[q] != 0 ? value : 0;
    }
    for (int k = first; k < MATTING_LINKS; k++) {
        const double l = row[k] * v->pivot[before(r, k) + i];
        v->factor[k][p] = (float)l;
        pivot -= l * row[k];
    }
    if (!(pivot > LEAST_PIVOT * v->s->diagonal[p])) pivot = v->s->diagonal[p];
    v->pivot[p] = pivot > 0 ? 1 / pivot : 1;
}

static void factor_piece(void *context, int piece)
{
    const solver *const v = context;
    const ribbon *const shape = v->s->shape;
    int meet[MATTING_LINKS][MATTING_LINKS];
    for (int k = 0; k < MATTING_LINKS; k++)
        for (int j = 0; j < k; j++) meet[k][j] = link_between(k, j);
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const ribbon_run *const r = &shape->run[n];
        const int first = first_link(v, piece, r);
        for (int i = 0; i < r->length; i++) factor_pixel(v, r, i, first, meet);
    }
}

/* z[i] -= sum over k of l[k][i] * other[i + k], k = 0 .. 4, in this order. */
TC_VECTOR_LOOP static void gather_row(double *restrict z, const float *const l[5], const double *restrict other, int n)
{
    const float *restrict const l0 = l[0], *restrict const l1 = l[1], *restrict const l2 = l[2];
    const float *restrict const l3 = l[3], *restrict const l4 = l[4];
    for (int i = 0; i < n; i++) {
        double v = z[i] - (double)l0[i] * other[i];
        v -= (double)l1[i] * other[i + 1];
        v -= (double)l2[i] * other[i + 2];
        v -= (double)l3[i] * other[i + 3];
        z[i] = v - (double)l4[i] * other[i + 4];
    }
}

/* other[i + k] -= l[k][i] * z[i], k = 0 .. 4, one after the other. */
TC_VECTOR_LOOP static void scatter_row(const double *restrict z, const float *const l[5], double *restrict other, int n)
{
    for (int k = 0; k < 5; k++) {
        const float *restrict const own = l[k];
        double *restrict const to = other + k;
        for (int i = 0; i < n; i++) to[i] -= (double)own[i] * z[i];
    }
}

/* Sets l to the links of a run's first pixel to the row `above` rows above it, 1 or 2. Returns the place of the first
 * pixel there. */
static int32_t links_to_row(const solver *v, const ribbon_run *r, int above, const float *l[5])
{
    const int first = above == 2 ? 0 : 5;
    for (int k = 0; k < 5; k++) l[k] = v->factor[first + k] + r->at[RIBBON_REACH];
    return before(r, first);
}

/* solved = (L D L')^-1 residual, in one piece. */
static void precondition(const solver *v, int piece)
{
    const ribbon *const shape = v->s->shape;
    const int from = shape->piece[piece], to = shape->piece[piece + 1];
    double *const z = v->solved;
    for (int n = from; n < to; n++) {
        const ribbon_run *const r = &shape->run[n];
        const int32_t at = r->at[RIBBON_REACH];
        const float *l[5];
        memcpy(z + at, v->residual + at, (size_t)r->length * sizeof *z);
        for (int above = rows_above(v, piece, r); above > 0; above--)
            gather_row(z + at, l, z + links_to_row(v, r, above, l), r->length);
        for (int i = 0; i < r->length; i++)
            z[at + i] -= (double)v->factor[10][at + i] * z[at + i - 2] + (double)v->factor[11][at + i] * z[at + i - 1];
    }
    for (int n = from; n < to; n++) {
        const ribbon_run *const r = &shape->run[n];
        const int32_t at = r->at[RIBBON_REACH];
        for (int i = 0; i < r->length; i++) z[at + i] *= v->pivot[at + i];
    }
    for (int n = to - 1; n >= from; n--) {
        const ribbon_run *const r = &shape->run[n];
        const int32_t at = r->at[RIBBON_REACH];
        for (int i = r->length - 1; i >= 0; i--) {
            if (i > 0) z[at + i - 1] -= (double)v->factor[11][at + i] * z[at + i];
            if (i > 1) z[at + i - 2] -= (double)v->factor[10][at + i] * z[at + i];
        }
        const float *l[5];
        for (int above = rows_above(v, piece, r); above > 0; above--) {
            double *const other = z + links_to_row(v, r, above, l);
            scatter_row(z + at, l, other, r->length);
        }
    }
}

/* ---- products --------------------------------------------------------------------------------- */

/* out = A in, along one run. */
TC_VECTOR_LOOP static void multiply_run(const matting_system *s, const ribbon_run *r, const double *in, double *out)
{
    const int32_t at = r->at[RIBBON_REACH];
    const int n = r->length;
    double *restrict const to = out + at;
    for (int i = 0; i < n; i++) to[i] = s->diagonal[at + i] * in[at + i];
    for (int k = 0; k < MATTING_LINKS; k++) {
        const double *restrict const b = in + before(r, k), *restrict const a = in + after(r, k);
        const float *restrict const own = s->link[k] + at, *restrict const theirs = s->link[k] + after(r, k);
        for (int i = 0; i < n; i++) to[i] += (double)own[i] * b[i] + (double)theirs[i] * a[i];
    }
}

static double dot_runs(const ribbon *shape, int piece, const double *a, const double *b)
{
    double sum = 0;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const ribbon_run *const r = &shape->run[n];
        for (int i = 0; i < r->length; i++) sum += a[r->at[RIBBON_REACH] + i] * b[r->at[RIBBON_REACH] + i];
    }
    return sum;
}

static double total(const solver *v, int which)
{
    double sum = 0;
    for (int i = 0; i < v->s->shape->pieces; i++) sum += v->part[which * v->s->shape->pieces + i];
    return sum;
}

/* ---- the steps of an iteration, each a parallel loop over the pieces --------------------------- */

/* Sets residual = b - A x and preconditions it. The partial sums are b' M b and r' M r, where r is the residual and M
 * the preconditioner. */
static void begin_piece(void *context, int piece)
{
    const solver *const v = context;
    const ribbon *const shape = v->s->shape;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const int32_t at = shape->run[n].at[RIBBON_REACH];
        memcpy(v->residual + at, v->s->right + at, (size_t)shape->run[n].length * sizeof *v->residual);
    }
    precondition(v, piece);
    v->part[shape->pieces + piece] = dot_runs(shape, piece, v->residual, v->solved);
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const ribbon_run *const r = &shape->run[n];
        multiply_run(v->s, r, v->x, v->image);
        for (int i = 0; i < r->length; i++) v->residual[r->at[RIBBON_REACH] + i] -= v->image[r->at[RIBBON_REACH] + i];
    }
    precondition(v, piece);
    v->part[piece] = dot_runs(shape, piece, v->residual, v->solved);
}

/* Sets image = A step. Partial sum: step . image */
static void multiply_piece(void *context, int piece)
{
    const solver *const v = context;
    const ribbon *const shape = v->s->shape;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++)
        multiply_run(v->s, &shape->run[n], v->step, v->image);
    v->part[piece] = dot_runs(shape, piece, v->step, v->image);
}

/* x += along * step, residual -= along * image, then preconditions the residual. Partial sum: residual . solved */
static void advance_piece(void *context, int piece)
{
    const solver *const v = context;
    const ribbon *const shape = v->s->shape;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const int32_t at = shape->run[n].at[RIBBON_REACH], end = at + shape->run[n].length;
        for (int32_t p = at; p < end; p++) {
            v->x[p] += v->along * v->step[p];
            v->residual[p] -= v->along * v->image[p];
        }
    }
    precondition(v, piece);
    v->part[piece] = dot_runs(shape, piece, v->residual, v->solved);
}

/* step = solved + back * step */
static void turn_piece(void *context, int piece)
{
    const solver *const v = context;
    const ribbon *const shape = v->s->shape;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const int32_t at = shape->run[n].at[RIBBON_REACH], end = at + shape->run[n].length;
        for (int32_t p = at; p < end; p++) v->step[p] = v->solved[p] + v->back * v->step[p];
    }
}

static int iterate(solver *v, const conjugate_limits *limits)
{
    const int pieces = v->s->shape->pieces, threads = limits->threads;
    int count = 0;
    tc_parallel(threads, pieces, begin_piece, v);
    double now = total(v, 0);
    const double enough = limits->tolerance * limits->tolerance * total(v, 1);
    v->back = 0;
    while (now > enough && now > 0 && count < limits->iterations) {
        tc_parallel(threads, pieces, turn_piece, v);
        tc_parallel(threads, pieces, multiply_piece, v);
        const double curvature = total(v, 0);
        if (!(curvature > 0)) break; /* possible only by rounding: no further improvement */
        v->along = now / curvature;
        tc_parallel(threads, pieces, advance_piece, v);
        const double next = total(v, 0);
        v->back = next / now;
        now = next;
        count++;
    }
    return count;
}

int tc_conjugate_solve(const matting_system *s, const conjugate_limits *limits, double *x)
{
    const size_t n = (size_t)s->shape->places + 1, vectors = 5;
    const size_t doubles = vectors * n + 2 * (size_t)s->shape->pieces;
    const size_t bytes = doubles * sizeof(double) + MATTING_LINKS * n * sizeof(float);
    solver v = {.s = s, .x = x};
    double *const memory = calloc(1, bytes);
    if (!memory) return -1;
    double **const each[] = {&v.pivot, &v.residual, &v.step, &v.image, &v.solved};
    for (size_t i = 0; i < vectors; i++) *each[i] = memory + i * n;
    v.part = memory + vectors * n;
    float *const factors = (float *)(void *)(v.part + 2 * s->shape->pieces);
    for (int k = 0; k < MATTING_LINKS; k++) v.factor[k] = factors + (size_t)k * n;
    tc_parallel(limits->threads, s->shape->pieces, factor_piece, &v);
    const int count = iterate(&v, limits);
    free(memory);
    return count;
}
