/* SPDX-License-Identifier: MIT
 *
 * laplacian.c - see laplacian.h. A pixel collects its row of the matrix from the nine windows that contain it, so
 * pieces of the ribbon are independent. Each thread stores the statistics of the windows in three rows of the photo; as
 * it moves down, a new row replaces the oldest.
 */
#include "laplacian.h"

#include <stdlib.h>
#include <string.h>

#include "lattice.h"
#include "parallel.h"

enum { SIDE = 3 };

/* A window: number of pixels, mean colour, and (S + eps / |w|)^-1 as xx xy xz yy yz zz. */
typedef struct window {
    double count, mean[3], inverse[6];
} window;

typedef struct assembly {
    matting_system *to;
    const matting_known *known;
    window *rows;   /* [threads][SIDE][width] */
    int *row_of;    /* [threads][SIDE] the row of the photo that each of them holds; -1: none */
} assembly;

/* Replaces the symmetric matrix m by its inverse, by cofactors. */
static void invert(double m[6])
{
    const double c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5], c02 = m[1] * m[4] - m[2] * m[3];
    const double c11 = m[0] * m[5] - m[2] * m[2], c12 = m[1] * m[2] - m[0] * m[4], c22 = m[0] * m[3] - m[1] * m[1];
    const double by = 1 / (m[0] * c00 + m[1] * c01 + m[2] * c02);
    const double inverse[6] = {c00 * by, c01 * by, c02 * by, c11 * by, c12 * by, c22 * by};
    memcpy(m, inverse, sizeof inverse);
}

static const float *color_at(const matting_known *k, int x, int y)
{
    return k->color + 3 * ((size_t)y * (size_t)k->width + (size_t)x);
}

/* The difference between a colour and a mean colour. */
static void offset(const float *color, const double mean[3], double out[3])
{
    for (int c = 0; c < 3; c++) out[c] = (double)color[c] - mean[c];
}

static void look_through(const matting_known *k, int x, int y, window *w)
{
    const int x0 = tc_most(x - 1, 0), x1 = tc_least(x + 1, k->width - 1);
    const int y0 = tc_most(y - 1, 0), y1 = tc_least(y + 1, k->height - 1);
    *w = (window){.count = (double)((x1 - x0 + 1) * (y1 - y0 + 1))};
    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++)
            for (int c = 0; c < 3; c++) w->mean[c] += (double)color_at(k, i, j)[c];
    for (int c = 0; c < 3; c++) w->mean[c] /= w->count;
    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++) {
            double d[3];
            offset(color_at(k, i, j), w->mean, d);
            const double product[6] = {d[0] * d[0], d[0] * d[1], d[0] * d[2], d[1] * d[1], d[1] * d[2], d[2] * d[2]};
            for (int s = 0; s < 6; s++) w->inverse[s] += product[s];
        }
    for (int s = 0; s < 6; s++) w->inverse[s] /= w->count;
    for (int c = 0, s = 0; c < 3; s += 3 - c, c++) w->inverse[s] += k->noise / w->count;
    invert(w->inverse);
}

/* Returns the statistics of the windows around the columns of `run` in row y of the photo. */
static const window *window_row(const assembly *a, int worker, const ribbon_run *run, int y)
{
    window *const row = a->rows + ((size_t)worker * SIDE + (size_t)(y % SIDE)) * (size_t)a->known->width;
    const int end = tc_least(run->x + run->length + 1, a->known->width);
    for (int x = tc_most(run->x - 1, 0); x < end; x++)
        if (y != a->row_of[((size_t)worker * SIDE + (size_t)(y % SIDE)) * (size_t)a->known->width + (size_t)x]) {
            look_through(a->known, x, y, &row[x]);
            a->row_of[((size_t)worker * SIDE + (size_t)(y % SIDE)) * (size_t)a->known->width + (size_t)x] = y;
        }
    return row;
}

/* Adds the terms of window w, around (wx, wy), for pixel (x, y) and its neighbours: sum[dy][dx] = -L(i, j). */
static void add_window(const matting_known *k, const window *w, int wx, int wy, int x, int y,
                       double sum[RIBBON_ROWS][RIBBON_ROWS])
{
    const double *const m = w->inverse;
    double d[3], e[3];
    offset(color_at(k, x, y), w->mean, d);
    const double u = m[0] * d[0] + m[1] * d[1] + m[2] * d[2], v = m[1] * d[0] + m[3] * d[1] + m[4] * d[2];
    const double t = m[2] * d[0] + m[4] * d[1] + m[5] * d[2];
    const double share = 1 / w->count;
    const int x1 = tc_least(wx + 1, k->width - 1), y1 = tc_least(wy + 1, k->height - 1);
    for (int j = tc_most(wy - 1, 0); j <= y1; j++)
        for (int i = tc_most(wx - 1, 0); i <= x1; i++) {
            offset(color_at(k, i, j), w->mean, e);
            const double dot = u * e[0] + v * e[1] + t * e[2];
            sum[j - y + RIBBON_REACH][i - x + RIBBON_REACH] += (1 + dot) * share;
        }
}

/* Writes row i of the system. A row of L sums to zero, so the diagonal is minus the sum of the links as stored. */
static void store_row(const assembly *a, int x, int y, int32_t i, double sum[RIBBON_ROWS][RIBBON_ROWS])
{
    const matting_known *const k = a->known;
    double diagonal = 0, right = 0;
    for (int j = 0; j < RIBBON_ROWS; j++)
        for (int c = 0; c < RIBBON_ROWS; c++) {
            const int px = x + c - RIBBON_REACH, py = y + j - RIBBON_REACH, order = j * RIBBON_ROWS + c;
            if (order == MATTING_LINKS || px < 0 || py < 0 || px >= k->width || py >= k->height) continue;
            const size_t p = (size_t)py * (size_t)k->width + (size_t)px;
            const float link = (float)-sum[j][c];
            diagonal -= (double)link;
            if (!k->unknown[p]) right -= (double)link * (double)k->alpha[p];
            else if (order < MATTING_LINKS) a->to->link[order][i] = link;
        }
    if (k->trust) {
        const size_t p = (size_t)y * (size_t)k->width + (size_t)x;
        diagonal += (double)k->trust[p];
        right += (double)k->trust[p] * (double)k->prior[p];
    }
    a->to->diagonal[i] = diagonal;
    a->to->right[i] = right;
}

static void assemble_piece(void *context, int piece, int worker)
{
    const assembly *const a = context;
    const matting_known *const k = a->known;
    const ribbon *const shape = a->to->shape;
    for (int n = shape->piece[piece]; n < shape->piece[piece + 1]; n++) {
        const ribbon_run *const run = &shape->run[n];
        const window *row[SIDE] = {0};
        for (int j = -1; j <= 1; j++)
            if (run->y + j >= 0 && run->y + j < k->height) row[j + 1] = window_row(a, worker, run, run->y + j);
        for (int i = 0; i < run->length; i++) {
            double sum[RIBBON_ROWS][RIBBON_ROWS] = {{0}};
            const int x = run->x + i;
            for (int j = 0; j < SIDE; j++)
                for (int wx = tc_most(x - 1, 0); row[j] && wx <= tc_least(x + 1, k->width - 1); wx++)
                    add_window(k, &row[j][wx], wx, run->y + j - 1, x, run->y, sum);
            store_row(a, x, run->y, run->at[RIBBON_REACH] + i, sum);
        }
    }
}

static bool alloc_system(matting_system *s)
{
    const size_t n = (size_t)s->shape->places + 1, doubles = 2 * n * sizeof(double);
    s->memory = calloc(1, doubles + MATTING_LINKS * n * sizeof(float));
    if (!s->memory) return false;
    s->diagonal = s->memory;
    s->right = s->diagonal + n;
    for (int k = 0; k < MATTING_LINKS; k++) s->link[k] = (float *)(void *)(s->right + n) + (size_t)k * n;
    return true;
}

bool tc_laplacian_init(matting_system *s, const ribbon *shape, const matting_known *known, int threads)
{
    const size_t cells = (size_t)threads * SIDE * (size_t)known->width;
    *s = (matting_system){.shape = shape};
    assembly a = {s, known, malloc(cells * sizeof *a.rows), malloc(cells * sizeof *a.row_of)};
    const bool room = a.rows && a.row_of && alloc_system(s);
    if (room) {
        memset(a.row_of, 0xff, cells * sizeof *a.row_of);
        tc_parallel_workers(threads, shape->pieces, assemble_piece, &a);
    }
    free(a.rows);
    free(a.row_of);
    return room;
}

void tc_laplacian_free(matting_system *s)
{
    free(s->memory);
    *s = (matting_system){0};
}
