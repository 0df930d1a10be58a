/* SPDX-License-Identifier: MIT
 *
 * film_match.c - see film_match.h. All numbers are whole, so that nothing depends on processor or threads. For each
 * move one pass over the rows: squared differences of colours, sums over the rows of a patch that are moved on row by
 * row, sums over its columns.
 */
#include "film_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"

enum { HALF = TC_SMALL_PATCH / 2, NEVER = 1 << 30, STRIPE = 16 };

static size_t planes_size(const tc_small *s)
{
    return s->stride * (size_t)(s->height + 2 * TC_SMALL_BORDER);
}

static size_t at(const tc_small *s, int x, int y)
{
    return (size_t)(y + TC_SMALL_BORDER) * s->stride + (size_t)(x + TC_SMALL_BORDER);
}

tilecut_status tc_small_init(tc_small *s, int width, int height)
{
    *s = (tc_small){.scale = 1};
    do {
        s->width = (width + s->scale - 1) / s->scale, s->height = (height + s->scale - 1) / s->scale;
    } while ((int64_t)s->width * s->height > TC_SMALL_PIXELS && s->scale++);
    s->stride = (size_t)(s->width + 2 * TC_SMALL_BORDER);
    const size_t each = planes_size(s);
    s->plane[0] = calloc(5 * each, sizeof *s->plane[0]);
    if (!s->plane[0]) return tc_fail(TILECUT_ENOMEM, "no memory for a small frame of %dx%d", s->width, s->height);
    s->plane[1] = s->plane[0] + each, s->plane[2] = s->plane[1] + each;
    s->no_object = s->plane[2] + each, s->no_ground = s->no_object + each;
    for (size_t i = 0; i < each; i++) s->no_object[i] = s->no_ground[i] = NEVER;
    return TILECUT_OK;
}

void tc_small_free(tc_small *s)
{
    free(s->plane[0]);
    *s = (tc_small){0};
}

/* ---- Making frames small ------------------------------------------------------------------------ */

/* The sum of a sample over the pixels of a small one, and their number. */
static int sum_of(const uint8_t *first, size_t step, size_t row, int columns, int rows)
{
    int sum = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) sum += first[(size_t)y * row + (size_t)x * step];
    return sum;
}

static int least(int a, int b) { return a < b ? a : b; }

static int within(int i, int count) { return i < 0 ? 0 : i >= count ? count - 1 : i; }

static void repeat_edges(const tc_small *s, int32_t *plane)
{
    for (int y = -TC_SMALL_BORDER; y < s->height + TC_SMALL_BORDER; y++)
        for (int x = -TC_SMALL_BORDER; x < s->width + TC_SMALL_BORDER; x++) {
            if (y >= 0 && y < s->height && x == 0) x = s->width;
            plane[at(s, x, y)] = plane[at(s, within(x, s->width), within(y, s->height))];
        }
}

void tc_small_frame(tc_small *s, const tilecut_image *image)
{
    const size_t channels = (size_t)image->channels;
    const size_t row = image->stride ? image->stride : (size_t)image->width * channels;
    for (size_t c = 0; c < 3; c++) {
        const uint8_t *const plane = (const uint8_t *)image->pixels + (channels == 3 ? c : 0);
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++) {
                const int columns = least(s->scale, image->width - x * s->scale);
                const int rows = least(s->scale, image->height - y * s->scale);
                const uint8_t *const first = plane + (size_t)(y * s->scale) * row + (size_t)(x * s->scale) * channels;
                s->plane[c][at(s, x, y)] = sum_of(first, channels, row, columns, rows) / (columns * rows);
            }
        repeat_edges(s, s->plane[c]);
    }
}

void tc_small_label(tc_small *s, const uint8_t *mask, int width, int height)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int columns = least(s->scale, width - x * s->scale), rows = least(s->scale, height - y * s->scale);
            const uint8_t *const first = mask + (size_t)(y * s->scale) * (size_t)width + (size_t)(x * s->scale);
            const bool object = sum_of(first, 1, (size_t)width, columns, rows) * 2 >= 255 * columns * rows;
            s->no_object[at(s, x, y)] = object ? 0 : NEVER;
            s->no_ground[at(s, x, y)] = object ? NEVER : 0;
        }
}

void tc_small_move(const tc_small *s, int dx, int dy, tc_small *moved)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int fx = x - dx, fy = y - dy;
            const bool inside = fx >= 0 && fy >= 0 && fx < s->width && fy < s->height;
            const size_t to = at(s, x, y), from = at(s, within(fx, s->width), within(fy, s->height));
            for (int c = 0; c < 3; c++) moved->plane[c][to] = s->plane[c][from];
            moved->no_object[to] = inside ? s->no_object[from] : NEVER;
            moved->no_ground[to] = inside ? s->no_ground[from] : NEVER;
        }
    for (int c = 0; c < 3; c++) repeat_edges(moved, moved->plane[c]);
}

typedef struct box {
    int x0, y0, x1, y1;
} box;

/* The least box around the object; x1 is 0 if there is none. */
static box box_of(const tc_small *s)
{
    box b = {s->width, s->height, 0, 0};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            if (s->no_object[at(s, x, y)]) continue;
            b.x0 = least(b.x0, x), b.y0 = least(b.y0, y);
            b.x1 = x >= b.x1 ? x + 1 : b.x1, b.y1 = y + 1;
        }
    return b;
}

enum { HIDDEN = 3000 }; /* squared difference of a pixel from which on it counts as hidden */

static int64_t misfit(const tc_small *frame, const tc_small *before, const box *of, int dx, int dy)
{
    int64_t sum = 0;
    for (int y = of->y0; y < of->y1; y++)
        for (int x = of->x0; x < of->x1; x++) {
            const size_t from = at(before, x, y), to = at(frame, x + dx, y + dy);
            int d = 0;
            if (before->no_object[from]) continue;
            for (int c = 0; c < 3; c++) {
                const int e = frame->plane[c][to] - before->plane[c][from];
                d += e * e;
            }
            sum += least(d, HIDDEN);
        }
    return sum;
}

void tc_small_follow(const tc_small *frame, const tc_small *before, int *dx, int *dy)
{
    const box of = box_of(before);
    int64_t best = misfit(frame, before, &of, 0, 0);
    *dx = *dy = 0;
    for (int y = -TC_SMALL_REACH; y <= TC_SMALL_REACH; y++)
        for (int x = -TC_SMALL_REACH; x <= TC_SMALL_REACH; x++) {
            const int64_t one = misfit(frame, before, &of, x, y);
            if (one < best) best = one, *dx = x, *dy = y;
        }
}

/* ---- Matching ----------------------------------------------------------------------------------- */

typedef struct matching {
    const tc_small *frame, *before;
    int x0, y0, x1, y1;        /* the pixels that are looked at */
    int32_t *object, *ground;
    int32_t *scratch;          /* of each worker: PATCH + 1 rows */
    size_t room;               /* of one row                     */
} matching;

/* Squared differences of a row of pixels, from column x0 - HALF on, and of those moved by (dx, dy). */
static void differences(const matching *m, int y, int dx, int dy, int count, int32_t *restrict out)
{
    const size_t a = at(m->frame, m->x0 - HALF, y), b = at(m->before, m->x0 - HALF + dx, y + dy);
    const int32_t *const p = m->frame->plane[0] + a, *const q = m->frame->plane[1] + a;
    const int32_t *const r = m->frame->plane[2] + a;
    const int32_t *const s = m->before->plane[0] + b, *const t = m->before->plane[1] + b;
    const int32_t *const u = m->before->plane[2] + b;
    for (int i = 0; i < count; i++) {
        const int32_t d = p[i] - s[i], e = q[i] - t[i], f = r[i] - u[i];
        out[i] = d * d + e * e + f * f;
    }
}

/* Takes the sums of a row into the maps. */
static void compare(const matching *m, int y, int dx, int dy, const int32_t *restrict sum)
{
    const size_t to = (size_t)y * (size_t)m->frame->width + (size_t)m->x0;
    const int32_t *const no_object = m->before->no_object + at(m->before, m->x0 + dx, y + dy);
    const int32_t *const no_ground = m->before->no_ground + at(m->before, m->x0 + dx, y + dy);
    int32_t *const object = m->object + to, *const ground = m->ground + to;
    for (int i = 0; i < m->x1 - m->x0; i++) {
        int32_t all = 0;
        for (int k = 0; k < TC_SMALL_PATCH; k++) all += sum[i + k];
        const int32_t o = all | no_object[i], g = all | no_ground[i];
        object[i] = o < object[i] ? o : object[i];
        ground[i] = g < ground[i] ? g : ground[i];
    }
}

/* One move of the rows of a stripe. */
static void match_moved(const matching *m, int top, int bottom, int dx, int dy, int32_t *rows)
{
    const int count = m->x1 - m->x0 + 2 * HALF;
    int32_t *const restrict sum = rows + TC_SMALL_PATCH * m->room;
    memset(rows, 0, (TC_SMALL_PATCH + 1) * m->room * sizeof *rows);
    for (int y = top - HALF; y < bottom + HALF; y++) {
        int32_t *const restrict one = rows + (size_t)((y - top + HALF) % TC_SMALL_PATCH) * m->room;
        for (int i = 0; i < count; i++) sum[i] -= one[i];
        differences(m, y, dx, dy, count, one);
        for (int i = 0; i < count; i++) sum[i] += one[i];
        if (y - HALF >= top) compare(m, y - HALF, dx, dy, sum);
    }
}

static void match_stripe(void *context, int i, int worker)
{
    const matching *const m = context;
    const int top = m->y0 + i * STRIPE, bottom = least(top + STRIPE, m->y1);
    int32_t *const rows = m->scratch + (size_t)worker * (TC_SMALL_PATCH + 1) * m->room;
    for (int dy = -TC_SMALL_REACH; dy <= TC_SMALL_REACH; dy++)
        for (int dx = -TC_SMALL_REACH; dx <= TC_SMALL_REACH; dx++) match_moved(m, top, bottom, dx, dy, rows);
}

/* The pixels that foreground can have reached; false: there is none. */
static bool find_reached(matching *m)
{
    const tc_small *const s = m->before;
    const box of = box_of(s);
    m->x0 = within(of.x0 - TC_SMALL_REACH, s->width), m->y0 = within(of.y0 - TC_SMALL_REACH, s->height);
    m->x1 = within(of.x1 - 1 + TC_SMALL_REACH, s->width) + 1;
    m->y1 = within(of.y1 - 1 + TC_SMALL_REACH, s->height) + 1;
    return of.x1 > 0;
}

tilecut_status tc_match(const tc_small *frame, const tc_small *before, int threads, int32_t *object, int32_t *ground)
{
    matching m = {.frame = frame, .before = before, .object = object, .ground = ground};
    if (!find_reached(&m)) return TILECUT_OK;
    const int stripes = (m.y1 - m.y0 + STRIPE - 1) / STRIPE;
    m.room = (size_t)(m.x1 - m.x0 + 2 * HALF);
    m.scratch = malloc((size_t)threads * (TC_SMALL_PATCH + 1) * m.room * sizeof *m.scratch);
    if (!m.scratch) return tc_fail(TILECUT_ENOMEM, "no memory for patches of %d threads", threads);
    tc_parallel(threads, stripes, match_stripe, &m);
    free(m.scratch);
    return TILECUT_OK;
}
