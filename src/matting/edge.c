/* SPDX-License-Identifier: MIT
 *
 * edge.c - the plain soft edge: computes the share of the object in each pixel along the cut, from a few pixels around
 * it.
 *
 * A pixel is in the band if the cut passes within BAND steps of it. Of the pixels around it, those deep on either side
 * of the cut give the object's colour F and the background's B. The share that explains the pixel's colour I is
 *
 *   (I - B) . (F - B) / |F - B|^2
 *
 * Where F and B are too similar, the share of the mask in a binomial window around the pixel is used instead. The
 * contrast, compared with the spread of the samples, decides how much each of the two counts. Colours are corrected by
 * the part that F and B leave unexplained (Forte, "Approximate fast foreground colour estimation", ICIP 2021).
 *
 * All numbers are whole, and depend only on the pixels within HALO. So an image in parts gets the same edge as a whole
 * one, with any number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "edge.h"
#include "graph.h"
#include "lattice.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

/* STEPS: number of depths that are distinguished. STRIP: rows that a thread takes at a time. */
enum { FULL = 65535, BAND = 3, STEPS = 5, SAMPLES = 6, APART = 3, STRIP = 64, HALO = SAMPLES + STEPS };

/* The weight of a sample by its depth, from the deepest on: pixels next to the cut are mixtures. */
static const int32_t TRUST[STEPS + 1] = {14, 14, 11, 5, 2, 1};
/* The share of the estimate by the pixel's depth, out of 256; the rest is the mask's share. */
static const int32_t OPEN[BAND + 1] = {0, 256, 160, 64};
/* SPREAD is the weight of the spread of samples, and NOISE is added to it (squared, 8 bits). */
enum { SPREAD = 4, NOISE = 192 };

typedef struct edges {
    const tilecut_image *image;
    const uint8_t *mask;
    uint16_t *alpha;
    uint8_t *colors; /* NULL: not requested */
    uint8_t *room;   /* [threads] scratch memory for strips */
} edges;

/* The rows top .. bottom - 1 of the image, in which a thread searches for the band. */
typedef struct strip {
    const edges *e;
    int first, end;     /* the rows to write */
    int top, bottom;
    uint8_t *near, *spare; /* [rows][width] STEPS + 1 - depth; 0 for deeper pixels */
} strip;

/* ---- depth ------------------------------------------------------------------------------------ */

TC_VECTOR_LOOP static void differ(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict to, int n)
{
    for (int x = 0; x < n; x++) to[x] = (uint8_t)(to[x] | ((a[x] != 0) != (b[x] != 0) ? STEPS : 0));
}

TC_VECTOR_LOOP static void raise(const uint8_t *restrict from, uint8_t *restrict to, int n)
{
    for (int x = 0; x < n; x++) {
        const uint8_t less = (uint8_t)(from[x] - (from[x] > 0));
        to[x] = less > to[x] ? less : to[x];
    }
}

/* Goes one more step away from the cut: to the 4 neighbours of pixels or, with `corners`, to all 8. */
static void spread(strip *s, bool corners)
{
    const int width = s->e->image->width, rows = s->bottom - s->top;
    const size_t w = (size_t)width;
    memcpy(s->spare, s->near, w * (size_t)rows);
    for (int y = 0; y < rows; y++)
        for (int j = tc_most(y - 1, 0); j <= tc_least(y + 1, rows - 1); j++) {
            const uint8_t *const from = s->spare + (size_t)j * w;
            uint8_t *const to = s->near + (size_t)y * w;
            if (j != y) raise(from, to, width);
            if (j != y && !corners) continue;
            raise(from, to + 1, width - 1);
            raise(from + 1, to, width - 1);
        }
}

/* Finds how near the cut is. Returns false if the cut does not pass through the strip. */
static bool find_depth(strip *s)
{
    const size_t width = (size_t)s->e->image->width;
    const int rows = s->bottom - s->top;
    const uint8_t *const mask = s->e->mask + (size_t)s->top * width;
    memset(s->near, 0, width * (size_t)rows);
    for (int y = 0; y < rows; y++) {
        const uint8_t *const row = mask + (size_t)y * width;
        uint8_t *const to = s->near + (size_t)y * width;
        differ(row, row + 1, to, (int)width - 1);
        differ(row + 1, row, to + 1, (int)width - 1);
        if (y > 0) differ(row, row - width, to, (int)width);
        if (y + 1 < rows) differ(row, row + width, to, (int)width);
    }
    if (!memchr(s->near, STEPS, width * (size_t)rows)) return false;
    for (int k = 1; k < STEPS; k++) spread(s, k % 2);
    return true;
}

/* ---- one pixel -------------------------------------------------------------------------------- */

static int depth_at(const strip *s, int x, int y)
{
    return STEPS + 1 - s->near[(size_t)(y - s->top) * (size_t)s->e->image->width + (size_t)x];
}

/* Reads the colour of a pixel with 16 bits a channel; grey is written to all three. */
static inline void color_at(const edges *e, const uint8_t *row, int x, int32_t rgb[3])
{
    const size_t n = (size_t)e->image->channels;
    for (size_t c = 0; c < 3; c++) {
        const size_t at = (size_t)x * n + (n == 3 ? c : 0);
        uint16_t wide;
        if (e->image->depth == 16) memcpy(&wide, row + 2 * at, sizeof wide);
        else wide = (uint16_t)(row[at] * 257);
        rgb[c] = wide;
    }
}

/* Sums over the samples on one side of the cut. They cannot overflow: weights are below 2^7. */
typedef struct side {
    int32_t weight, sum[3], square; /* sums in 8 bits */
    int32_t mean[3];                /* means in 16 bits */
} side;

/* Adds every APART-th pixel in reach to its side of the cut; nearer pixels weigh more. */
static void look_around(const strip *s, int x, int y, side of[2])
{
    const edges *const e = s->e;
    const int width = e->image->width;
    for (int j = -SAMPLES; j <= SAMPLES; j += APART) {
        const int v = y + j;
        if (v < 0 || v >= e->image->height) continue;
        const uint8_t *const near = s->near + (size_t)(v - s->top) * (size_t)width;
        const uint8_t *const mask = e->mask + (size_t)v * (size_t)width, *const pixels = tc_image_row(e->image, v);
        for (int i = -SAMPLES; i <= SAMPLES; i += APART) {
            const int u = x + i;
            int32_t rgb[3];
            if (u < 0 || u >= width) continue;
            const int32_t w = TRUST[near[u]] * (9 - (i * i + j * j) / 9);
            side *const at = &of[mask[u] != 0];
            color_at(e, pixels, u, rgb);
            at->weight += w;
            for (int c = 0; c < 3; c++) {
                at->sum[c] += w * rgb[c];
                at->square += w * (rgb[c] >> 8) * (rgb[c] >> 8);
            }
        }
    }
}

/* Computes the mean colour of a side. Returns its variance over all channels, in squared 8-bit levels. */
static int64_t settle(side *s)
{
    int64_t spread = s->square / s->weight;
    for (int c = 0; c < 3; c++) {
        s->mean[c] = s->sum[c] / s->weight;
        spread -= (int64_t)(s->mean[c] >> 8) * (s->mean[c] >> 8);
    }
    return spread > 0 ? spread : 0;
}

/* Returns the share of the mask in 5 x 5 pixels, out of FULL. */
static int64_t share_of_mask(const edges *e, int x, int y)
{
    static const int64_t binomial[5] = {1, 4, 6, 4, 1};
    int64_t inside = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const int u = tc_least(tc_most(x + i, 0), e->image->width - 1);
            const int v = tc_least(tc_most(y + j, 0), e->image->height - 1);
            const bool in = e->mask[(size_t)v * (size_t)e->image->width + (size_t)u] != 0;
            inside += in ? binomial[i + 2] * binomial[j + 2] : 0;
        }
    return inside * FULL / 256;
}

static int64_t clamp(int64_t v) { return v < 0 ? 0 : v > FULL ? FULL : v; }

/* Returns the share of the object by colour; where colours are not distinct, the share of the mask counts. */
static int64_t share_of(const side of[2], const int32_t rgb[3], int64_t spread, int64_t by_mask)
{
    int64_t along = 0, contrast = 0;
    for (int c = 0; c < 3; c++) {
        const int64_t step = of[1].mean[c] - of[0].mean[c];
        along += (rgb[c] - of[0].mean[c]) * step;
        contrast += step * step;
    }
    const int64_t eight = contrast >> 16; /* in 8 bits */
    if (!eight) return by_mask;
    const int64_t by_color = clamp((int64_t)((double)along / (double)contrast * FULL + 0.5));
    return by_mask + (by_color - by_mask) * eight / (eight + SPREAD * spread + NOISE);
}

static void store(const edges *e, int x, int y, const side of[2], const int32_t rgb[3], int64_t alpha)
{
    const size_t n = (size_t)e->image->channels;
    uint8_t *const row = e->colors + (size_t)y * tc_image_row_bytes(e->image);
    for (size_t c = 0; c < n; c++) {
        const int64_t left = rgb[c] - (alpha * of[1].mean[c] + (FULL - alpha) * of[0].mean[c]) / FULL;
        const uint16_t wide = (uint16_t)clamp(of[1].mean[c] + alpha * left / FULL);
        if (e->image->depth == 16) memcpy(row + 2 * ((size_t)x * n + c), &wide, sizeof wide);
        else row[(size_t)x * n + c] = (uint8_t)((wide + 128) / 257);
    }
}

static void visit(const strip *s, int x, int y, int depth)
{
    const edges *const e = s->e;
    const size_t p = (size_t)y * (size_t)e->image->width + (size_t)x;
    const int64_t given = e->mask[p] ? FULL : 0, by_mask = share_of_mask(e, x, y);
    side of[2] = {{.weight = 0}, {.weight = 0}};
    int32_t rgb[3];
    look_around(s, x, y, of);
    color_at(e, tc_image_row(e->image, y), x, rgb);
    const bool both = of[0].weight && of[1].weight;
    const int64_t spread = both ? settle(&of[0]) + settle(&of[1]) : 0;
    const int64_t share = both ? share_of(of, rgb, spread, by_mask) : by_mask;
    const int64_t alpha = given + (share - given) * OPEN[depth] / 256;
    e->alpha[p] = (uint16_t)alpha;
    if (e->colors && both && alpha > 0 && alpha < FULL) store(e, x, y, of, rgb, alpha);
}

/* ---- all -------------------------------------------------------------------------------------- */

/* The size in bytes of a strip's `near` and `spare`. */
static size_t strip_bytes(int width) { return 2 * (size_t)width * (STRIP + 2 * HALO); }

static void make_strip(void *context, int i, int worker)
{
    const edges *const e = context;
    const int width = e->image->width, height = e->image->height;
    const size_t w = (size_t)width, bytes = tc_image_row_bytes(e->image);
    strip s = {.e = e, .first = i * STRIP, .end = tc_least((i + 1) * STRIP, height)};
    s.top = tc_most(s.first - HALO, 0), s.bottom = tc_least(s.end + HALO, height);
    s.near = e->room + (size_t)worker * strip_bytes(width), s.spare = s.near + strip_bytes(width) / 2;
    const bool any = find_depth(&s);
    for (int y = s.first; y < s.end; y++) {
        const size_t row = (size_t)y * w;
        for (size_t p = row; p < row + w; p++) e->alpha[p] = e->mask[p] ? FULL : 0;
        if (e->colors) memcpy(e->colors + (size_t)y * bytes, tc_image_row(e->image, y), bytes);
        for (int x = 0; any && x < width; x++) {
            const int depth = depth_at(&s, x, y);
            if (depth <= BAND) visit(&s, x, y, depth);
        }
    }
}

tilecut_status tc_edge(const tilecut_image *given, const uint8_t *mask, int threads, uint16_t *alpha, void *colors)
{
    tilecut_image image;
    if (!mask || !alpha) return tc_fail(TILECUT_EINVAL, "%s is NULL", mask ? "alpha" : "mask");
    NEED(tc_image_read(&image, given));
    NEED(tc_address_check(alpha, 0, sizeof *alpha, "alpha"));
    if (threads < 0 || threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "%d threads; 1 to %d are possible", threads, TC_MAX_THREADS);
    edges e = {.image = &image, .mask = mask, .alpha = alpha, .colors = colors};
    const int strips = (image.height + STRIP - 1) / STRIP, workers = tc_least(tc_most(threads, 1), strips);
    e.room = malloc((size_t)workers * strip_bytes(image.width));
    if (!e.room) return tc_fail(TILECUT_ENOMEM, "no memory for the edge of a mask");
    tc_parallel_workers(workers, strips, make_strip, &e);
    free(e.room);
    return TILECUT_OK;
}

tilecut_status tilecut_edge(const tilecut_image *image, const uint8_t *mask, int threads, uint16_t *alpha, void *colors)
{
    return tc_edge(image, mask, threads, alpha, colors);
}
