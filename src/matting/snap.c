/* SPDX-License-Identifier: MIT
 *
 * snap.c - moves the outline of a mask by a few pixels: tilecut_snap(). The cut knows one mixture of colours for the
 * whole photo and the contrast between neighbours. Here each pixel near the outline is compared with the colours that
 * lie inside and outside around it; docs/lab/quality.md has the measurements. For both classes, a Gaussian of the
 * colours around each place is fitted to the pixels that lie safely on one side of the outline. Sums of colours and of
 * their products are kept for square cells, and windows are sums over cells, so time does not depend on their size. A
 * pixel near the outline gets
 *
 *   how much more likely its colour is inside than outside, in nats, smoothed and limited to +- MOST
 *   + MOST * (2 s - 1), s: the share of the mask around it, smoothed
 *
 * and the label of the sign. Where s is 0 or 1, or one class has too few pixels around, the label stays. Both terms
 * are whole numbers.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "graph.h"
#include "sized.h"
#include "status.h"
#include "tilecut_correct.h"

enum {
    SIDE = 480,      /* of photos in which lengths are as below; in larger ones they grow with the shorter side       */
    ONE = 65536,     /* a share of 1                                                                                  */
    NAT = 256,       /* one nat                                                                                       */
    MOST = 4,        /* nats                                                                                          */
    EACH = 6,        /* nats at most before smoothing                                                                 */
    CELL = 4,        /* pixels                                                                                        */
    WINDOW = 5,      /* cells on each side, summed twice                                                              */
    FEWEST = 800,    /* a window needs one pixel of a class in so many                                                */
    SUMS = 10        /* pixels; red, green, blue; the products rr, rg, rb, gg, gb, bb                                 */
};

#define FLOOR 12.0 /* added to variances: what noise and rounding do to equal colours, in squared levels of 255 */

typedef struct sums {
    int64_t of[SUMS];
} sums;

/* A Gaussian: its mean, the inverse of its covariance in the order of the products, half of the logarithm of its
 * determinant. */
typedef struct gaussian {
    double mean[3], inverse[6], half_log;
    bool known;
} gaussian;

typedef struct outline {
    const tilecut_image *photo;
    const uint8_t *seeds;
    uint8_t *mask;
    int width, height, unit; /* unit: pixels for one of a photo of SIDE */
    int columns, rows;       /* of cells of CELL * unit pixels          */
    int32_t *share;          /* of the mask around each pixel           */
    int32_t *other;          /* a smaller surrounding's; then nats      */
    int32_t *room;
    uint8_t *silent;         /* no colours to compare a pixel with      */
    sums *cell[2];           /* of background and foreground            */
    gaussian *model[2][2];   /* the same, from all that is not quite at the outline, and from what lies deeper */
    sums *line;
} outline;

/* ---- Means over squares ------------------------------------------------------------------------ */

static int within(int x, int n) { return x < 0 ? 0 : x < n ? x : n - 1; }

/* Beyond the border, pixels are as at the border. */
static void mean_of_rows(const int32_t *from, int width, int height, int radius, int32_t *to)
{
    for (int y = 0; y < height; y++, from += width, to += width) {
        int32_t sum = 0;
        for (int x = -radius; x <= radius; x++) sum += from[within(x, width)];
        for (int x = 0; x < width; x++) {
            to[x] = sum / (2 * radius + 1);
            sum += from[within(x + radius + 1, width)] - from[within(x - radius, width)];
        }
    }
}

static void mean_of_columns(const int32_t *from, int width, int height, int radius, int32_t *sum, int32_t *to)
{
    const size_t w = (size_t)width;
    memset(sum, 0, w * sizeof *sum);
    for (int y = -radius; y <= radius; y++)
        for (size_t x = 0; x < w; x++) sum[x] += from[(size_t)within(y, height) * w + x];
    for (int y = 0; y < height; y++, to += w) {
        const int32_t *const enters = from + (size_t)within(y + radius + 1, height) * w;
        const int32_t *const leaves = from + (size_t)within(y - radius, height) * w;
        for (size_t x = 0; x < w; x++) {
            to[x] = sum[x] / (2 * radius + 1);
            sum[x] += enters[x] - leaves[x];
        }
    }
}

/* Means of means over squares of 2 radius + 1 pixels, in place. o->room has a row more than the image. */
static void smooth(const outline *o, int radius, int32_t *plane)
{
    int32_t *const sum = o->room + (size_t)o->width * (size_t)o->height;
    for (int twice = 0; twice < 2; twice++) {
        mean_of_rows(plane, o->width, o->height, radius, o->room);
        mean_of_columns(o->room, o->width, o->height, radius, sum, plane);
    }
}

static void find_share(const outline *o, int radius, int32_t *share)
{
    const size_t pixels = (size_t)o->width * (size_t)o->height;
    for (size_t p = 0; p < pixels; p++) share[p] = o->mask[p] ? ONE : 0;
    smooth(o, radius, share);
}

/* ---- Colours around each cell ------------------------------------------------------------------ */

static int level(const tilecut_image *photo, const void *row, int sample)
{
    if (photo->depth == 8) return ((const uint8_t *)row)[sample];
    return (((const uint16_t *)row)[sample] * 255 + 32767) / 65535;
}

static void color_at(const tilecut_image *photo, int x, int y, int rgb[3])
{
    const void *const row = tc_image_row(photo, y);
    const int c = photo->channels;
    for (int k = 0; k < 3; k++) rgb[k] = level(photo, row, c * x + (c == 3 ? k : 0));
}

static void add_color(sums *s, const int rgb[3])
{
    int at = 4;
    s->of[0]++;
    for (int a = 0; a < 3; a++) {
        s->of[1 + a] += rgb[a];
        for (int b = a; b < 3; b++) s->of[at++] += rgb[a] * rgb[b];
    }
}

static size_t cell_of(const outline *o, int x, int y)
{
    const int side = CELL * o->unit;
    return (size_t)(y / side) * (size_t)o->columns + (size_t)(x / side);
}

/* Sums the colours of all pixels whose share is 0 or 1, each for its class. */
static void sum_sure(outline *o, const int32_t *share)
{
    const size_t cells = (size_t)o->columns * (size_t)o->rows;
    for (int k = 0; k < 2; k++) memset(o->cell[k], 0, cells * sizeof *o->cell[k]);
    for (int y = 0; y < o->height; y++)
        for (int x = 0; x < o->width; x++) {
            const size_t p = (size_t)y * (size_t)o->width + (size_t)x;
            int rgb[3];
            if (share[p] != 0 && share[p] != ONE) continue;
            color_at(o->photo, x, y, rgb);
            add_color(&o->cell[share[p] != 0][cell_of(o, x, y)], rgb);
        }
}

/* Sums n cells that lie `step` apart over windows, in place. Beyond the ends there is nothing. */
static void sum_line(sums *at, size_t step, int n, sums *line)
{
    sums window = {{0}};
    for (int i = 0; i < n; i++) line[i] = at[(size_t)i * step];
    for (int i = -WINDOW; i < n; i++)
        for (int k = 0; k < SUMS; k++) {
            if (i + WINDOW < n) window.of[k] += line[i + WINDOW].of[k];
            if (i - WINDOW - 1 >= 0) window.of[k] -= line[i - WINDOW - 1].of[k];
            if (i >= 0) at[(size_t)i * step].of[k] = window.of[k];
        }
}

static void sum_windows(const outline *o, sums *cell)
{
    const size_t columns = (size_t)o->columns;
    for (int twice = 0; twice < 2; twice++) {
        for (int y = 0; y < o->rows; y++) sum_line(cell + (size_t)y * columns, 1, o->columns, o->line);
        for (int x = 0; x < o->columns; x++) sum_line(cell + x, columns, o->rows, o->line);
    }
}

/* ---- Gaussians --------------------------------------------------------------------------------- */

/* ln x for x > 0, the same on every machine: x = m 2^e, 0.5 <= m < 1, and the series of artanh for ln m. */
static double logarithm(double x)
{
    int exponent;
    const double m = frexp(x, &exponent), t = (m - 1) / (m + 1), square = t * t;
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * t * sum + exponent * 0.6931471805599453;
}

static gaussian fit(const sums *s, double fewest)
{
    const double n = (double)s->of[0];
    gaussian g = {.known = n >= fewest};
    double v[6];
    if (!g.known) return g;
    for (int a = 0; a < 3; a++) g.mean[a] = (double)s->of[1 + a] / n;
    for (int a = 0, at = 0; a < 3; a++)
        for (int b = a; b < 3; b++, at++)
            v[at] = (double)s->of[4 + at] / n - g.mean[a] * g.mean[b] + (a == b ? FLOOR : 0);
    const double minor[6] = {v[3] * v[5] - v[4] * v[4], v[2] * v[4] - v[1] * v[5], v[1] * v[4] - v[2] * v[3],
                             v[0] * v[5] - v[2] * v[2], v[1] * v[2] - v[0] * v[4], v[0] * v[3] - v[1] * v[1]};
    const double determinant = v[0] * minor[0] + v[1] * minor[1] + v[2] * minor[2];
    for (int k = 0; k < 6; k++) g.inverse[k] = minor[k] / determinant;
    g.half_log = 0.5 * logarithm(determinant);
    return g;
}

/* Fits the models of one kind to the sums. */
static void fit_all(outline *o, int kind)
{
    const int side = CELL * o->unit, wide = 2 * WINDOW + 1;
    const double fewest = (double)side * side * wide * wide * wide * wide / FEWEST;
    const size_t cells = (size_t)o->columns * (size_t)o->rows;
    for (int k = 0; k < 2; k++) {
        sum_windows(o, o->cell[k]);
        for (size_t c = 0; c < cells; c++) o->model[kind][k][c] = fit(&o->cell[k][c], fewest);
    }
}

/* The logarithm of the density at a colour, less a constant. */
static double likelihood(const gaussian *g, const int rgb[3])
{
    const double r = rgb[0] - g->mean[0], q = rgb[1] - g->mean[1], b = rgb[2] - g->mean[2];
    const double *const m = g->inverse;
    return -0.5 * (r * (m[0] * r + 2 * (m[1] * q + m[2] * b)) + q * (m[3] * q + 2 * m[4] * b) + m[5] * b * b) -
           g->half_log;
}

static double limited(double x, double most) { return x > most ? most : x < -most ? -most : x; }

static bool near_outline(const outline *o, size_t p) { return o->share[p] != 0 && o->share[p] != ONE; }

/* How much likelier a colour is in the foreground, in parts of a nat, by one kind of models. *known: false if one class
 * has too few pixels around. */
static int32_t compare(const outline *o, int kind, size_t cell, const int rgb[3], bool *known)
{
    const gaussian *const background = &o->model[kind][0][cell], *const foreground = &o->model[kind][1][cell];
    *known = background->known && foreground->known;
    if (!*known) return 0;
    return (int32_t)floor(limited(likelihood(foreground, rgb) - likelihood(background, rgb), EACH) * NAT + 0.5);
}

/* ---- The outline ------------------------------------------------------------------------------- */

/* Writes what colours say of each pixel near the outline, and whether they say nothing. */
static void compare_all(const outline *o, int32_t *nats, uint8_t *silent)
{
    for (int y = 0; y < o->height; y++)
        for (int x = 0; x < o->width; x++) {
            const size_t p = (size_t)y * (size_t)o->width + (size_t)x, cell = cell_of(o, x, y);
            bool known = false, deep;
            int rgb[3];
            nats[p] = 0;
            if (near_outline(o, p)) {
                color_at(o->photo, x, y, rgb);
                nats[p] = (compare(o, 0, cell, rgb, &known) + compare(o, 1, cell, rgb, &deep)) / 2;
            }
            silent[p] = !known;
        }
}

static void move_outline(const outline *o, const int32_t *nats, const uint8_t *silent, tilecut_corrected *done)
{
    const size_t pixels = (size_t)o->width * (size_t)o->height;
    *done = (tilecut_corrected){0};
    for (size_t p = 0; p < pixels; p++) {
        if (silent[p] || (o->seeds && o->seeds[p] != TILECUT_UNKNOWN)) continue;
        const int32_t color = nats[p] < -MOST * NAT ? -MOST * NAT : nats[p] > MOST * NAT ? MOST * NAT : nats[p];
        const int32_t favour = color + (int32_t)((2 * o->share[p] - ONE) * (int64_t)(MOST * NAT) / ONE);
        if (!favour || (favour > 0) == (o->mask[p] != 0)) continue;
        *(favour > 0 ? &done->added : &done->removed) += 1;
        o->mask[p] = favour > 0 ? 255 : 0;
    }
}

/* o->other is first the share of a small surrounding, then what colours say. */
static void snap(outline *o, tilecut_corrected *done)
{
    find_share(o, o->unit, o->other);
    sum_sure(o, o->other);
    fit_all(o, 0);
    find_share(o, 2 * o->unit, o->share);
    sum_sure(o, o->share);
    fit_all(o, 1);
    compare_all(o, o->other, o->silent);
    smooth(o, o->unit, o->other);
    move_outline(o, o->other, o->silent, done);
}

/* False: no memory, and the mask is unchanged. */
static bool snap_mask(const tilecut_image *photo, const uint8_t *seeds, uint8_t *mask, tilecut_corrected *done)
{
    const int shorter = photo->width < photo->height ? photo->width : photo->height;
    const size_t pixels = (size_t)photo->width * (size_t)photo->height;
    outline o = {.photo = photo, .seeds = seeds, .mask = mask, .width = photo->width, .height = photo->height};
    o.unit = shorter < SIDE ? 1 : (shorter + SIDE / 2) / SIDE;
    o.columns = (o.width - 1) / (CELL * o.unit) + 1, o.rows = (o.height - 1) / (CELL * o.unit) + 1;
    const size_t cells = (size_t)o.columns * (size_t)o.rows;
    o.share = malloc(pixels * sizeof *o.share), o.other = malloc(pixels * sizeof *o.other);
    o.room = malloc((pixels + (size_t)o.width) * sizeof *o.room), o.silent = malloc(pixels);
    o.line = malloc((size_t)(o.columns > o.rows ? o.columns : o.rows) * sizeof *o.line);
    bool room = o.share && o.other && o.room && o.silent && o.line;
    for (int k = 0; k < 2; k++) {
        o.cell[k] = malloc(cells * sizeof *o.cell[k]);
        o.model[0][k] = malloc(cells * sizeof *o.model[0][k]), o.model[1][k] = malloc(cells * sizeof *o.model[1][k]);
        room = room && o.cell[k] && o.model[0][k] && o.model[1][k];
    }
    if (room) snap(&o, done);
    for (int k = 0; k < 2; k++) free(o.cell[k]), free(o.model[0][k]), free(o.model[1][k]);
    free(o.share), free(o.other), free(o.room), free(o.silent), free(o.line);
    return room;
}

tilecut_status tilecut_snap(const tilecut_image *given, const uint8_t *seeds, uint8_t *mask,
                            tilecut_corrected *corrected)
{
    tilecut_corrected out = {0};
    tilecut_image photo;
    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    NEED(tc_sized_check(corrected, "tilecut_corrected"));
    NEED(tc_image_read(&photo, given));
    if (!snap_mask(&photo, seeds, mask, &out)) return tc_fail(TILECUT_ENOMEM, "no memory to move an outline");
    TC_WRITE(corrected, &out, corrected);
    return TILECUT_OK;
}
