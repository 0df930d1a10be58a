/* SPDX-License-Identifier: MIT
 *
 * matte.c - see matte.h. Alpha is the guided filter of the mask (He, Sun & Tang, "Guided image filtering", ECCV 2010),
 * guided by the photo's colours and with weights. In every window alpha is assumed to be a linear function of the
 * colour, alpha = a . I + b. It is fitted to the mask where the mask is sure (far from the cut, or seeded), and only
 * weakly in the band along the cut, whose pixels may be mixtures. A pixel gets the mean of the windows that contain it.
 *
 * Colours follow the fusion of Forte, "Approximate fast foreground colour estimation", ICIP 2021. F is the local mean
 * colour of opaque pixels, B that of transparent ones. F is corrected by what alpha F + (1 - alpha) B leaves
 * unexplained of the pixel.
 *
 * The work goes tile by tile; tiles without a pixel of the band are skipped. Sums over windows are updated along rows
 * and columns, so the time does not depend on the radius, except for the margins of the tiles. One thread and a fixed
 * order give one answer.
 */
#include "matte.h"

#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "numbers.h"
#include "pixel.h"
#include "tilecut.h"

/* The weight of a pixel of the band; a sure pixel weighs 1. So the band decides only where no sure pixel is near, as
 * in hair. */
static const double BAND_WEIGHT = 0.02;
/* For colours 0 .. 1: alpha does not follow variances below this, which are noise. */
static const double NOISE = 1e-4;

enum { SUMS = 14, PLANES = SUMS + 3 + 1, LEAST_TILE = 64 };

/* A window reaches across the band and as far again into sure pixels. */
static int window_of(int radius) { return 2 * radius; }
static int tile_of(int radius) { return 4 * radius > LEAST_TILE ? 4 * radius : LEAST_TILE; }

typedef struct work {
    const image *photo;
    const uint8_t *mask;
    uint8_t *band;      /* 1: may become soft */
    matte *out;
    int radius;
    int x0, y0, w, h;   /* the tile with its margins, clipped to the photo          */
    int cx, cy, cw, ch; /* the tile alone, relative to x0, y0                       */
    double *guide[3];   /* planes of w * h; colours 0 .. 1, unused channels zero    */
    double *sum[SUMS];
    double *scratch;
} work;

const char *matte_parse(const char *text, void *field)
{
    int64_t value;
    if (!parse_integer(text, 0, MATTE_MOST, &value)) return "a whole number of pixels from 0 to 32";
    *(int *)field = (int)value;
    return NULL;
}

uint64_t matte_workspace(int radius)
{
    const uint64_t side = (uint64_t)(tile_of(radius) + 4 * window_of(radius));
    return side * side * PLANES * sizeof(double);
}

/* ---- sums over windows ------------------------------------------------------------------------ */

/* Replaces plane[p] by the sum over the square of `r` pixels around p, within the tile. */
static void window_sums(const work *t, double *plane, int r)
{
    const int w = t->w, h = t->h;
    for (int y = 0; y < h; y++) {
        const double *const from = plane + (size_t)y * (size_t)w;
        double *const to = t->scratch + (size_t)y * (size_t)w;
        double sum = 0;
        for (int x = 0; x < r && x < w; x++) sum += from[x];
        for (int x = 0; x < w; x++) {
            if (x + r < w) sum += from[x + r];
            to[x] = sum;
            if (x >= r) sum -= from[x - r];
        }
    }
    for (int y = 0; y < h; y++) {
        double *const to = plane + (size_t)y * (size_t)w;
        const double *const in = y + r < h ? t->scratch + (size_t)(y + r) * (size_t)w : NULL;
        const double *const gone = y > r ? t->scratch + (size_t)(y - r - 1) * (size_t)w : NULL;
        for (int x = 0; x < w; x++) {
            double sum = y ? to[x - w] : 0;
            for (int k = 0; !y && k < r && k < h; k++) sum += t->scratch[(size_t)k * (size_t)w + (size_t)x];
            if (in) sum += in[x];
            if (gone) sum -= gone[x];
            to[x] = sum;
        }
    }
}

static size_t in_photo(const work *t, int x, int y)
{
    return (size_t)(t->y0 + y) * (size_t)t->photo->width + (size_t)(t->x0 + x);
}

static void load_guide(const work *t)
{
    const size_t n = (size_t)t->photo->channels, colors = n > 2 ? 3 : 1;
    const double scale = 1.0 / sample_max(t->photo);
    for (int y = 0; y < t->h; y++)
        for (int x = 0; x < t->w; x++)
            for (size_t c = 0; c < 3; c++)
                t->guide[c][(size_t)y * (size_t)t->w + (size_t)x] =
                    c < colors ? sample_at(t->photo, in_photo(t, x, y) * n + c) * scale : 0;
}

/* ---- alpha ------------------------------------------------------------------------------------ */

enum { Q, QI, QA = QI + 3, QIA, QII = QIA + 3 }; /* sums of weights, times colour, mask, both, colour product */

static void load_sums(const work *t)
{
    for (int y = 0; y < t->h; y++)
        for (int x = 0; x < t->w; x++) {
            const size_t i = (size_t)y * (size_t)t->w + (size_t)x, p = in_photo(t, x, y);
            const double q = t->band[p] ? BAND_WEIGHT : 1, a = t->mask[p] ? q : 0;
            int k = QII;
            t->sum[Q][i] = q;
            t->sum[QA][i] = a;
            for (int c = 0; c < 3; c++) {
                t->sum[QI + c][i] = q * t->guide[c][i];
                t->sum[QIA + c][i] = a * t->guide[c][i];
                for (int d = c; d < 3; d++) t->sum[k++][i] = q * t->guide[c][i] * t->guide[d][i];
            }
        }
}

/* Fits alpha in the window around pixel i: solves (covariance + noise) a = covariance with alpha, by cofactors. */
static void fit(const work *t, size_t i, double out[4])
{
    const double q = t->sum[Q][i], mean_a = t->sum[QA][i] / q;
    double m[3] = {0}, s[6] = {0}, v[3] = {0};
    int k = 0;
    for (int c = 0; c < 3; c++) m[c] = t->sum[QI + c][i] / q;
    for (int c = 0; c < 3; c++) {
        v[c] = t->sum[QIA + c][i] / q - m[c] * mean_a;
        for (int d = c; d < 3; d++, k++) s[k] = t->sum[QII + k][i] / q - m[c] * m[d] + (c == d ? NOISE : 0);
    }
    const double c00 = s[3] * s[5] - s[4] * s[4], c01 = s[2] * s[4] - s[1] * s[5], c02 = s[1] * s[4] - s[2] * s[3];
    const double c11 = s[0] * s[5] - s[2] * s[2], c12 = s[1] * s[2] - s[0] * s[4], c22 = s[0] * s[3] - s[1] * s[1];
    const double det = s[0] * c00 + s[1] * c01 + s[2] * c02;
    out[0] = (c00 * v[0] + c01 * v[1] + c02 * v[2]) / det;
    out[1] = (c01 * v[0] + c11 * v[1] + c12 * v[2]) / det;
    out[2] = (c02 * v[0] + c12 * v[1] + c22 * v[2]) / det;
    out[3] = mean_a - out[0] * m[0] - out[1] * m[1] - out[2] * m[2];
}

static double clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static void alpha_of_tile(const work *t)
{
    const int r = window_of(t->radius);
    const size_t pixels = (size_t)t->w * (size_t)t->h;
    const double max = sample_max(t->photo);
    load_guide(t);
    load_sums(t);
    for (int k = 0; k < SUMS; k++) window_sums(t, t->sum[k], r);
    for (size_t i = 0; i < pixels; i++) {
        double line[4];
        fit(t, i, line);
        for (int k = 0; k < 4; k++) t->sum[k][i] = line[k];
        t->sum[4][i] = 1;
    }
    for (int k = 0; k < 5; k++) window_sums(t, t->sum[k], r);
    for (int y = t->cy; y < t->cy + t->ch; y++)
        for (int x = t->cx; x < t->cx + t->cw; x++) {
            const size_t i = (size_t)y * (size_t)t->w + (size_t)x, p = in_photo(t, x, y);
            double alpha = t->sum[3][i];
            if (!t->band[p]) continue;
            for (int c = 0; c < 3; c++) alpha += t->sum[c][i] * t->guide[c][i];
            sample_set(&t->out->alpha, p, (uint32_t)(clamp(alpha / t->sum[4][i]) * max + 0.5));
        }
}

/* ---- colours ---------------------------------------------------------------------------------- */

/* How much a pixel says about the object's colour: a mixture says little. */
static double trust(double alpha) { return alpha * alpha * alpha * alpha; }

static void colors_of_tile(const work *t)
{
    const size_t n = (size_t)t->photo->channels, colors = n > 2 ? 3 : 1;
    const double max = sample_max(t->photo);
    double *const *const f = t->sum, *const *const b = t->sum + 4; /* three colours, then the weight */
    load_guide(t);
    for (int y = 0; y < t->h; y++)
        for (int x = 0; x < t->w; x++) {
            const size_t i = (size_t)y * (size_t)t->w + (size_t)x;
            const double alpha = sample_at(&t->out->alpha, in_photo(t, x, y)) / max;
            f[3][i] = trust(alpha);
            b[3][i] = trust(1 - alpha);
            for (int c = 0; c < 3; c++) {
                f[c][i] = f[3][i] * t->guide[c][i];
                b[c][i] = b[3][i] * t->guide[c][i];
            }
        }
    for (int k = 0; k < 8; k++) window_sums(t, t->sum[k], window_of(t->radius));
    for (int y = t->cy; y < t->cy + t->ch; y++)
        for (int x = t->cx; x < t->cx + t->cw; x++) {
            const size_t i = (size_t)y * (size_t)t->w + (size_t)x, p = in_photo(t, x, y);
            const double alpha = sample_at(&t->out->alpha, p) / max;
            if (!(alpha > 0) || !(alpha < 1) || f[3][i] < 1e-6 || b[3][i] < 1e-6) continue;
            for (size_t c = 0; c < colors; c++) {
                const double fore = f[c][i] / f[3][i], back = b[c][i] / b[3][i];
                const double left = t->guide[c][i] - alpha * fore - (1 - alpha) * back;
                sample_set(&t->out->colors, p * n + c, (uint32_t)(clamp(fore + alpha * left) * max + 0.5));
            }
        }
}

/* ---- tiles ------------------------------------------------------------------------------------ */

static int at_least(int a, int b) { return a > b ? a : b; }
static int at_most(int a, int b) { return a < b ? a : b; }

/* Sets up the tile at (x, y) with its margins; false: none of its pixels is in the band. */
static bool set_up_tile(work *t, int x, int y, int margin)
{
    const int side = tile_of(t->radius), width = t->photo->width, height = t->photo->height;
    const int right = at_most(x + side, width), bottom = at_most(y + side, height);
    bool any = false;
    for (int j = y; j < bottom && !any; j++)
        any = memchr(t->band + (size_t)j * (size_t)width + (size_t)x, 1, (size_t)(right - x)) != NULL;
    t->x0 = at_least(x - margin, 0);
    t->y0 = at_least(y - margin, 0);
    t->w = at_most(right + margin, width) - t->x0;
    t->h = at_most(bottom + margin, height) - t->y0;
    t->cx = x - t->x0;
    t->cy = y - t->y0;
    t->cw = right - x;
    t->ch = bottom - y;
    return any;
}

static void each_tile(work *t, int margin, void (*tile)(const work *))
{
    const int side = tile_of(t->radius);
    for (int y = 0; y < t->photo->height; y += side)
        for (int x = 0; x < t->photo->width; x += side)
            if (set_up_tile(t, x, y, margin)) tile(t);
}

static double *take_planes(work *t)
{
    const int side = tile_of(t->radius) + 4 * window_of(t->radius);
    const size_t area = (size_t)at_most(side, t->photo->width) * (size_t)at_most(side, t->photo->height);
    double *const memory = malloc(area * PLANES * sizeof *memory);
    for (int k = 0; memory && k < SUMS; k++) t->sum[k] = memory + (size_t)k * area;
    for (int c = 0; memory && c < 3; c++) t->guide[c] = memory + (size_t)(SUMS + c) * area;
    t->scratch = memory ? memory + (SUMS + 3) * area : NULL;
    return memory;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* Finds the band: pixels within the radius of the other label that are not seeded. */
static bool find_band(work *t, const uint8_t *seeds)
{
    const size_t pixels = image_area(t->photo);
    uint8_t *const inside = t->band, *outside = malloc(pixels);
    bool room = outside && distance_within(t->mask, t->photo->width, t->photo->height, t->radius, inside);
    for (size_t p = 0; room && p < pixels; p++) outside[p] = !t->mask[p];
    room = room && distance_within(outside, t->photo->width, t->photo->height, t->radius, outside);
    for (size_t p = 0; room && p < pixels; p++) t->band[p] = inside[p] && outside[p] && !(seeds && seeds[p]);
    free(outside);
    return room;
}

static bool start_tiles(work *t, bool clean)
{
    const image *const photo = t->photo;
    const size_t pixels = image_area(photo), sample = (size_t)photo->depth / 8;
    matte *const out = t->out;
    out->alpha = (image){.width = photo->width, .height = photo->height, .channels = 1, .depth = photo->depth,
                         .pixels = malloc(pixels * sample)};
    out->colors = (image){.width = photo->width, .height = photo->height, .channels = photo->channels,
                          .depth = photo->depth};
    if (clean) out->colors.pixels = malloc(pixels * (size_t)photo->channels * sample);
    if (!out->alpha.pixels || (clean && !out->colors.pixels)) return false;
    for (size_t p = 0; p < pixels; p++) sample_set(&out->alpha, p, t->mask[p] ? sample_max(photo) : 0);
    if (clean) memcpy(out->colors.pixels, photo->pixels, pixels * (size_t)photo->channels * sample);
    return true;
}

int matte_make(const image *photo, const uint8_t *mask, const uint8_t *seeds, int radius, bool clean, matte *out,
               failure *why)
{
    work t = {.photo = photo, .mask = mask, .out = out, .radius = radius, .band = malloc(image_area(photo))};
    double *const planes = take_planes(&t);
    *out = (matte){0};
    const bool room = t.band && planes && find_band(&t, seeds) && start_tiles(&t, clean);
    if (room) {
        each_tile(&t, 2 * window_of(radius), alpha_of_tile);
        if (clean) each_tile(&t, window_of(radius), colors_of_tile);
    } else {
        matte_free(out);
    }
    free(planes);
    free(t.band);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for the soft edge");
}

void matte_free(matte *m)
{
    image_free(&m->alpha);
    image_free(&m->colors);
    *m = (matte){0};
}
