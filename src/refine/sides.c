/* SPDX-License-Identifier: MIT
 *
 * sides.c - see sides.h. Sums of colours and of their products are computed for square cells, and windows are sums over
 * cells, so the time does not depend on their size.
 */
#include "sides.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "colors.h"
#include "simd.h"
#include "status.h"

enum {
    EACH = 6,        /* the most evidence of a pixel before smoothing, in nats     */
    CELL = 4,        /* the side of a cell in units                                */
    WINDOW = 5,      /* a window reaches this many cells to each side; the sums of windows are summed over windows
                        again */
    FEWEST = 800     /* a window needs at least one pixel of a class per this many pixels */
};

#define FLOOR 12.0 /* added to variances, for noise and rounding, in squared levels of 255 */

/* A Gaussian: its mean, the inverse of its covariance in the order of the products, and half of the logarithm of its
 * determinant. */
typedef struct gaussian {
    double mean[3], inverse[6], half_log;
    bool known;
} gaussian;

typedef struct sides {
    const tilecut_image *image;
    const uint8_t *place;
    int width, height, slice_rows;
    int side[3], cells[3];   /* the size of a cell in pixels, and the number of cells, along x, y and z */
    tc_color_sums *cell[2];  /* sums of colours by cell, for background [0] and foreground [1] */
    gaussian *model[2][2];   /* two Gaussians for each class: of the sure pixels, and of the deep ones */
    tc_color_sums *line;
    int32_t *room;           /* scratch memory of tc_sides_smooth() */
    tc_alloc_list held;
} sides;

/* ---- Colours around each cell ------------------------------------------------------------------ */

static void color_at(const tilecut_image *image, int x, int y, int rgb[3])
{
    const int c = image->channels;
    const void *const row = tc_image_row(image, y);
    for (int k = 0; k < 3; k++) {
        const int at = c * x + (c == 3 ? k : 0);
        rgb[k] = image->depth == 8 ? ((const uint8_t *)row)[at]
                                   : (((const uint16_t *)row)[at] * 255 + 32767) / 65535;
    }
}

static void add_color(tc_color_sums *s, const int rgb[3])
{
    int at = 4;
    s->of[0]++;
    for (int a = 0; a < 3; a++) {
        s->of[1 + a] += rgb[a];
        for (int b = a; b < 3; b++) s->of[at++] += rgb[a] * rgb[b];
    }
}

static size_t cell_of(const sides *s, int x, int y)
{
    const int row = y % s->slice_rows / s->side[1], layer = y / s->slice_rows / s->side[2];
    return ((size_t)layer * (size_t)s->cells[1] + (size_t)row) * (size_t)s->cells[0] + (size_t)(x / s->side[0]);
}

static size_t cells_of(const sides *s)
{
    return (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2];
}

static void sum_known(const sides *s, int flag)
{
    for (int k = 0; k < 2; k++) memset(s->cell[k], 0, cells_of(s) * sizeof *s->cell[k]);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int what = s->place[(size_t)y * (size_t)s->width + (size_t)x];
            int rgb[3];
            if (!(what & (TC_SURE_BACKGROUND | TC_SURE_FOREGROUND)) || (what & flag) != flag) continue;
            color_at(s->image, x, y, rgb);
            add_color(&s->cell[(what & TC_SURE_FOREGROUND) != 0][cell_of(s, x, y)], rgb);
        }
}

/* Replaces n cells that lie `step` apart by their sums over windows. Cells beyond the ends count as empty. */
static void sum_line(tc_color_sums *at, size_t step, int n, tc_color_sums *line)
{
    tc_color_sums window = {{0}};
    for (int i = 0; i < n; i++) line[i] = at[(size_t)i * step];
    for (int i = -WINDOW; i < n; i++)
        for (int k = 0; k < TC_COLOR_SUMS; k++) {
            if (i + WINDOW < n) window.of[k] += line[i + WINDOW].of[k];
            if (i - WINDOW - 1 >= 0) window.of[k] -= line[i - WINDOW - 1].of[k];
            if (i >= 0) at[(size_t)i * step].of[k] = window.of[k];
        }
}

static void sum_windows(const sides *s, tc_color_sums *cell)
{
    const size_t columns = (size_t)s->cells[0], layer = columns * (size_t)s->cells[1], all = cells_of(s);
    for (int twice = 0; twice < 2; twice++) {
        for (size_t c = 0; c < all; c += columns) sum_line(cell + c, 1, s->cells[0], s->line);
        for (size_t c = 0; c < all; c++)
            if (c % layer < columns) sum_line(cell + c, columns, s->cells[1], s->line);
        for (size_t c = 0; c < layer && s->cells[2] > 1; c++) sum_line(cell + c, layer, s->cells[2], s->line);
    }
}

/* ---- Gaussians --------------------------------------------------------------------------------- */

/* Returns ln x for x > 0, the same on every machine. It computes x = m 2^e with 0.5 <= m < 1, and the series of artanh
 * for ln m. */
static double logarithm(double x)
{
    int exponent;
    const double m = frexp(x, &exponent), t = (m - 1) / (m + 1), square = t * t;
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * t * sum + exponent * 0.6931471805599453;
}

/* Finds the mean of a set of pixels that is not empty, and its covariance, in the order of the products. */
static void find_moments(const tc_color_sums *s, double mean[3], double v[6])
{
    const double n = (double)s->of[0];
    for (int a = 0; a < 3; a++) mean[a] = (double)s->of[1 + a] / n;
    for (int a = 0, at = 0; a < 3; a++)
        for (int b = a; b < 3; b++, at++)
            v[at] = (double)s->of[4 + at] / n - mean[a] * mean[b] + (a == b ? FLOOR : 0);
}

/* Writes the inverse of a covariance, and returns its determinant. */
static double invert(const double v[6], double inverse[6])
{
    const double minor[6] = {v[3] * v[5] - v[4] * v[4], v[2] * v[4] - v[1] * v[5], v[1] * v[4] - v[2] * v[3],
                             v[0] * v[5] - v[2] * v[2], v[1] * v[2] - v[0] * v[4], v[0] * v[3] - v[1] * v[1]};
    const double determinant = v[0] * minor[0] + v[1] * minor[1] + v[2] * minor[2];
    for (int k = 0; k < 6; k++) inverse[k] = minor[k] / determinant;
    return determinant;
}

static gaussian fit(const tc_color_sums *s, double fewest)
{
    gaussian g = {.known = (double)s->of[0] >= fewest};
    double v[6];
    if (!g.known) return g;
    find_moments(s, g.mean, v);
    g.half_log = 0.5 * logarithm(invert(v, g.inverse));
    return g;
}

/* Returns the squared length of a difference of colours, by the inverse of a covariance. */
static double squared(const double m[6], double r, double q, double b)
{
    return r * (m[0] * r + 2 * (m[1] * q + m[2] * b)) + q * (m[3] * q + 2 * m[4] * b) + m[5] * b * b;
}

static void fit_all(const sides *s, int kind)
{
    const double squared = (2 * WINDOW + 1) * (2 * WINDOW + 1);
    const double flat = (double)s->side[0] * s->side[1] * squared * squared / FEWEST;
    const double fewest = s->cells[2] > 1 ? flat * s->side[2] * squared : flat;
    const size_t cells = cells_of(s);
    sum_known(s, kind ? TC_DEEP : 0);
    for (int k = 0; k < 2; k++) {
        sum_windows(s, s->cell[k]);
        for (size_t c = 0; c < cells; c++) s->model[kind][k][c] = fit(&s->cell[k][c], fewest);
    }
}

/* Returns the logarithm of the density at a colour, less a constant. */
static double likelihood(const gaussian *g, const int rgb[3])
{
    return -0.5 * squared(g->inverse, rgb[0] - g->mean[0], rgb[1] - g->mean[1], rgb[2] - g->mean[2]) - g->half_log;
}

/* Returns how much more likely a colour is in the foreground, as a log ratio in fractions of a nat. *known is false if
 * one class has too few pixels around. */
static int32_t compare(const sides *s, int kind, size_t cell, const int rgb[3], bool *known)
{
    const gaussian *const background = &s->model[kind][0][cell], *const foreground = &s->model[kind][1][cell];
    *known = background->known && foreground->known;
    if (!*known) return 0;
    const double nats = fmin(fmax(likelihood(foreground, rgb) - likelihood(background, rgb), -EACH), EACH);
    return (int32_t)floor(nats * TC_A_NAT + 0.5);
}

static void compare_all(const sides *s, int32_t *nats, uint8_t *silent)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const size_t p = (size_t)y * (size_t)s->width + (size_t)x, cell = cell_of(s, x, y);
            bool known = false, deep;
            int rgb[3];
            nats[p] = 0;
            if (s->place[p] & TC_COMPARED) {
                color_at(s->image, x, y, rgb);
                nats[p] = compare(s, 0, cell, rgb, &known);
                if (known) nats[p] = (nats[p] + compare(s, 1, cell, rgb, &deep)) / 2;
            }
            silent[p] = !known;
        }
}

/* ---- Colours beside single links ----------------------------------------------------------------- */

static bool is_inside(const tilecut_image *image, const uint8_t *mask, int x, int y)
{
    return mask[(size_t)y * (size_t)image->width + (size_t)x] >= 128;
}

void tc_sides_add(const tilecut_image *image, const uint8_t *mask, size_t p, int down, int reach,
                  tc_color_sums side[2])
{
    const int x = (int)(p % (size_t)image->width), y = (int)(p / (size_t)image->width), right = !down;
    for (int end = 0; end < 2; end++) {
        const bool inside = is_inside(image, mask, x + end * right, y + end * down);
        for (int i = 0; i < reach; i++) {
            const int away = end ? 1 + i : -i, ax = x + away * right, ay = y + away * down;
            int rgb[3];
            if (ax < 0 || ay < 0 || ax >= image->width || ay >= image->height) break;
            if (is_inside(image, mask, ax, ay) != inside) break;
            color_at(image, ax, ay, rgb);
            add_color(&side[inside], rgb);
        }
    }
}

double tc_sides_apart(const tc_color_sums side[2])
{
    double mean[2][3], v[2][6], inverse[6];
    if (!side[0].of[0] || !side[1].of[0]) return 0;
    for (int k = 0; k < 2; k++) find_moments(&side[k], mean[k], v[k]);
    for (int k = 0; k < 6; k++) v[0][k] = (v[0][k] + v[1][k]) / 2;
    invert(v[0], inverse);
    return squared(inverse, mean[0][0] - mean[1][0], mean[0][1] - mean[1][1], mean[0][2] - mean[1][2]);
}

/* ---- Means over squares ------------------------------------------------------------------------ */

static int within(int x, int n) { return x < 0 ? 0 : x < n ? x : n - 1; }

/* Returns sum / n, rounded towards 0 like a division of whole numbers: the quotient of doubles is never so close to the
 * next whole number that it would be rounded to it. Unlike an integer division, it is computed for several pixels at
 * once. */
static inline int32_t part_of(int32_t sum, double n) { return (int32_t)(sum / n); }

TC_VECTOR_LOOP static void take_part(int32_t *restrict row, int width, double n)
{
    for (int x = 0; x < width; x++) row[x] = part_of(row[x], n);
}

static void mean_of_rows(const int32_t *from, int width, int height, int radius, int32_t *to)
{
    for (int y = 0; y < height; y++, from += width, to += width) {
        int32_t sum = 0;
        for (int x = -radius; x <= radius; x++) sum += from[within(x, width)];
        for (int x = 0; x < width; x++) {
            to[x] = sum;
            sum += from[within(x + radius + 1, width)] - from[within(x - radius, width)];
        }
        take_part(to, width, 2 * radius + 1);
    }
}

TC_VECTOR_LOOP static void move_window(const int32_t *restrict enters, const int32_t *restrict leaves, int width,
                                       double n, int32_t *restrict sum, int32_t *restrict to)
{
    for (int x = 0; x < width; x++) {
        to[x] = part_of(sum[x], n);
        sum[x] += enters[x] - leaves[x];
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
        move_window(enters, leaves, width, 2 * radius + 1, sum, to);
    }
}

void tc_sides_smooth(int32_t *plane, int width, int height, int radius, int32_t *room)
{
    int32_t *const sum = room + (size_t)width * (size_t)height;
    for (int twice = 0; twice < 2; twice++) {
        mean_of_rows(plane, width, height, radius, room);
        mean_of_columns(room, width, height, radius, sum, plane);
    }
}

static tilecut_status take_memory(sides *s)
{
    const size_t cells = cells_of(s);
    int longest = 0;
    for (int k = 0; k < 3; k++) longest = s->cells[k] > longest ? s->cells[k] : longest;
    for (int k = 0; k < 2; k++) {
        s->cell[k] = tc_own(&s->held, malloc(cells * sizeof *s->cell[k]));
        for (int kind = 0; kind < 2; kind++)
            s->model[kind][k] = tc_own(&s->held, malloc(cells * sizeof *s->model[kind][k]));
    }
    s->line = tc_own(&s->held, malloc((size_t)longest * sizeof *s->line));
    s->room = tc_own(&s->held, malloc((size_t)s->width * ((size_t)s->slice_rows + 1) * sizeof *s->room));
    return !s->held.lacks ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for colours along an outline");
}

tilecut_status tc_sides_compare(const tilecut_image *image, const uint8_t *known, const tc_sides_lattice *lattice,
                                int32_t *nats, uint8_t *silent)
{
    const int rows = lattice->pixels.slice_rows;
    sides s = {.image = image, .place = known, .width = image->width, .height = image->height,
               .slice_rows = rows ? rows : image->height};
    const int size[3] = {s.width, s.slice_rows, s.height / s.slice_rows};
    tilecut_status status = TILECUT_OK;
    for (int k = 0; k < 3; k++) {
        const int side = (int)(CELL * lattice->unit / (rows ? lattice->pixels.spacing[k] : 1));
        s.side[k] = side > 1 ? side : 1;
        s.cells[k] = (size[k] - 1) / s.side[k] + 1;
    }
    TRY(take_memory(&s));
    fit_all(&s, 0);
    fit_all(&s, 1);
    compare_all(&s, nats, silent);
    for (size_t p = 0; p < (size_t)s.width * (size_t)s.height; p += (size_t)s.width * (size_t)s.slice_rows)
        tc_sides_smooth(nats + p, s.width, s.slice_rows, lattice->unit, s.room);
done:
    tc_alloc_list_free(&s.held);
    return status;
}
