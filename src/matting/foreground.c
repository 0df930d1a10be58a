/* SPDX-License-Identifier: MIT
 *
 * foreground.c - see foreground.h. Finds colours F of the object and B of the background that explain the photo and
 * change little from pixel to pixel, and even less where alpha changes. It minimises
 *
 *   sum over p  |alpha F + (1 - alpha) B - I|^2 + sum over neighbours q  w(p, q) (|F_p - F_q|^2 + |B_p - B_q|^2),
 *   w(p, q) = SMOOTH + |alpha_p - alpha_q|
 *
 * There are levels from a copy of one pixel up to the photo itself, and each level starts from the colours of the
 * coarser one. A visit to a pixel solves for its two colours while those of its neighbours are fixed. Pixels are
 * visited like the squares of a chessboard: first all white ones, then all black ones. All neighbours of a square have
 * the other colour, so rows are independent, and the answer is the same for any number of threads.
 */
#include "foreground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice.h"
#include "parallel.h"

static const float SMOOTH = 1e-5F;
/* The number of visits per pixel; levels whose sides are at most SMALL_SIDE get SMALL_VISITS. */
enum { NEEDED = 1, SOUGHT = 2 }; /* NEEDED: the colours of a pixel are read later; SOUGHT: they still have to be
                                    found */
enum { SMALL_SIDE = 32, SMALL_VISITS = 10, VISITS = 2, MOST_LEVELS = 20 };

typedef struct level {
    int width, height;
    const float *color, *alpha; /* the photo's own arrays, or parts of `memory` */
    float *object, *background; /* [pixels * 3], set only in pixels that are needed */
    uint8_t *needed;            /* [pixels]: 0, NEEDED, SOUGHT */
    float *memory;
} level;

typedef struct sweep {
    const level *at, *below; /* a level, and the coarser one, NULL if there is none */
    int field;               /* 0 or 1: the colour of the chessboard's squares      */
} sweep;

static void halve_row(void *context, int y)
{
    const sweep *const s = context;
    const level *const from = s->at, *const to = s->below;
    float *const color = to->memory, *const alpha = color + 3 * (size_t)to->width * (size_t)to->height;
    for (int x = 0; x < to->width; x++) {
        float sum[4] = {0};
        for (int k = 0; k < 4; k++) {
            const int i = tc_least(2 * x + k % 2, from->width - 1), j = tc_least(2 * y + k / 2, from->height - 1);
            const size_t p = (size_t)j * (size_t)from->width + (size_t)i;
            for (size_t c = 0; c < 3; c++) sum[c] += from->color[3 * p + c];
            sum[3] += from->alpha[p];
        }
        const size_t p = (size_t)y * (size_t)to->width + (size_t)x;
        for (size_t c = 0; c < 3; c++) color[3 * p + c] = sum[c] / 4;
        alpha[p] = sum[3] / 4;
    }
}

/* Marks the pixels of a level whose colours are read later: half-transparent pixels and their neighbours, and pixels
 * that the marked pixels of the finer level lie in. `finer` is NULL for the finest level. The memory of all other
 * pixels, nearly all of a photo, is never touched. */
static void mark_needed(const level *l, const level *finer)
{
    const size_t width = (size_t)l->width;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            const size_t p = (size_t)y * width + (size_t)x;
            if (!(l->alpha[p] > 0 && l->alpha[p] < 1)) continue;
            l->needed[p] |= SOUGHT;
            if (x > 0) l->needed[p - 1] |= NEEDED;
            if (x + 1 < l->width) l->needed[p + 1] |= NEEDED;
            if (y > 0) l->needed[p - width] |= NEEDED;
            if (y + 1 < l->height) l->needed[p + width] |= NEEDED;
        }
    for (int y = 0; finer && y < finer->height; y++)
        for (int x = 0; x < finer->width; x++)
            if (finer->needed[(size_t)y * (size_t)finer->width + (size_t)x])
                l->needed[(size_t)(y / 2) * width + (size_t)(x / 2)] |= NEEDED;
}

/* Sets the start of row y where it is needed: opaque pixels get the object's colour from the photo, transparent ones
 * the background's; all others start from the coarser level. */
static void start_row(void *context, int y)
{
    const sweep *const s = context;
    const level *const l = s->at;
    for (int x = 0; x < l->width; x++) {
        const size_t p = (size_t)y * (size_t)l->width + (size_t)x;
        if (!l->needed[p]) continue;
        const size_t q = s->below ? (size_t)(y / 2) * (size_t)s->below->width + (size_t)(x / 2) : 0;
        const bool opaque = !s->below || l->alpha[p] >= 1, clear = !s->below || l->alpha[p] <= 0;
        memcpy(l->object + 3 * p, opaque ? l->color + 3 * p : s->below->object + 3 * q, 3 * sizeof(float));
        memcpy(l->background + 3 * p, clear ? l->color + 3 * p : s->below->background + 3 * q, 3 * sizeof(float));
    }
}

static float clamp(float v) { return v > 0 ? v < 1 ? v : 1 : 0; }

/* Computes the best two colours of one pixel while those of its neighbours are fixed: two equations per channel, all
 * with the same matrix. */
static void visit(const level *l, int x, int y)
{
    static const int way[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const size_t p = (size_t)y * (size_t)l->width + (size_t)x;
    const float a = l->alpha[p], b = 1 - a;
    float weight = 0, object[3] = {0}, background[3] = {0};
    for (int k = 0; k < 4; k++) {
        const int i = x + way[k][0], j = y + way[k][1];
        if (i < 0 || j < 0 || i >= l->width || j >= l->height) continue;
        const size_t q = (size_t)j * (size_t)l->width + (size_t)i;
        const float w = SMOOTH + fabsf(a - l->alpha[q]);
        weight += w;
        for (size_t c = 0; c < 3; c++) {
            object[c] += w * l->object[3 * q + c];
            background[c] += w * l->background[3 * q + c];
        }
    }
    const float aa = a * a + weight, ab = a * b, bb = b * b + weight, determinant = aa * bb - ab * ab;
    if (!(determinant > 0)) return;
    for (size_t c = 0; c < 3; c++) {
        const float f = object[c] + a * l->color[3 * p + c], g = background[c] + b * l->color[3 * p + c];
        l->object[3 * p + c] = clamp((bb * f - ab * g) / determinant);
        l->background[3 * p + c] = clamp((aa * g - ab * f) / determinant);
    }
}

static void visit_row(void *context, int y)
{
    const sweep *const s = context;
    const uint8_t *const row = s->at->needed + (size_t)y * (size_t)s->at->width;
    for (int x = (y + s->field) % 2; x < s->at->width; x += 2)
        if (row[x] & SOUGHT) visit(s->at, x, y);
}

static void solve_level(const level *l, const level *below, int threads)
{
    const int visits = l->width <= SMALL_SIDE && l->height <= SMALL_SIDE ? SMALL_VISITS : VISITS;
    sweep s = {.at = l, .below = below};
    tc_parallel(threads, l->height, start_row, &s);
    for (int i = 0; i < 2 * visits; i++) {
        s.field = i % 2;
        tc_parallel(threads, l->height, visit_row, &s);
    }
}

static bool take_level(level *l, bool copied)
{
    const size_t pixels = (size_t)l->width * (size_t)l->height;
    l->memory = malloc((copied ? 10 : 6) * pixels * sizeof *l->memory);
    l->needed = calloc(pixels, 1);
    if (!l->memory || !l->needed) return false;
    if (copied) {
        l->color = l->memory;
        l->alpha = l->memory + 3 * pixels;
    }
    l->object = l->memory + (copied ? 4 : 0) * pixels;
    l->background = l->object + 3 * pixels;
    return true;
}

struct foreground {
    int count;
    level at[MOST_LEVELS];
};

foreground *tc_foreground_open(int width, int height)
{
    foreground *const f = calloc(1, sizeof *f);
    if (!f) return NULL;
    level *l = f->at;
    *l = (level){.width = width, .height = height};
    bool room = take_level(l, false);
    for (f->count = 1; room && (l->width > 1 || l->height > 1); f->count++, l++) {
        l[1] = (level){.width = (l->width + 1) / 2, .height = (l->height + 1) / 2};
        room = take_level(l + 1, true);
    }
    if (room) return f;
    tc_foreground_close(f);
    return NULL;
}

void tc_foreground_close(foreground *f)
{
    for (int i = 0; f && i < f->count; i++) {
        free(f->at[i].memory);
        free(f->at[i].needed);
    }
    free(f);
}

void tc_foreground_estimate(foreground *f, float *color, const float *alpha, int threads)
{
    level *const l = f->at;
    const size_t pixels = (size_t)l->width * (size_t)l->height;
    l->color = color, l->alpha = alpha;
    for (int i = 0; i + 1 < f->count; i++) {
        sweep s = {.at = &l[i], .below = &l[i + 1]};
        tc_parallel(threads, l[i + 1].height, halve_row, &s);
    }
    for (int i = 0; i < f->count; i++) mark_needed(&l[i], i > 0 ? &l[i - 1] : NULL);
    for (int i = f->count - 1; i >= 0; i--) solve_level(&l[i], i + 1 < f->count ? &l[i + 1] : NULL, threads);
    for (size_t p = 0; p < pixels; p++)
        if (alpha[p] > 0 && alpha[p] < 1) memcpy(color + 3 * p, l->object + 3 * p, 3 * sizeof *color);
}
