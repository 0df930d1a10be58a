/* SPDX-License-Identifier: MIT
 *
 * film_match.c - see film_match.h. All numbers are whole, so nothing depends on processor or threads. Each move is
 * tried in one pass over the rows: squared differences of colours are summed over the rows of a patch, with a sum that
 * slides down row by row, and then over its columns.
 */
#include "film_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "lattice.h"
#include "parallel.h"
#include "status.h"

enum { HALF = TC_SMALL_PATCH / 2, NEVER = 1 << 30, STRIPE = 16 };

static size_t planes_size(const tc_small *s)
{
    return s->stride * (size_t)(s->height + 2 * TC_SMALL_BORDER);
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

/* Returns the sum of a sample over the pixels that make up a small pixel, and their number. */
static int sum_of(const uint8_t *first, size_t step, size_t row, int columns, int rows)
{
    int sum = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) sum += first[(size_t)y * row + (size_t)x * step];
    return sum;
}

static int within(int i, int count) { return i < 0 ? 0 : i >= count ? count - 1 : i; }

static void repeat_edges(const tc_small *s, int32_t *plane)
{
    for (int y = -TC_SMALL_BORDER; y < s->height + TC_SMALL_BORDER; y++)
        for (int x = -TC_SMALL_BORDER; x < s->width + TC_SMALL_BORDER; x++) {
            if (y >= 0 && y < s->height && x == 0) x = s->width;
            plane[tc_small_at(s, x, y)] = plane[tc_small_at(s, within(x, s->width), within(y, s->height))];
        }
}

void tc_small_frame(tc_small *s, const tilecut_image *image)
{
    const size_t channels = (size_t)image->channels;
    const size_t row = tc_image_stride(image);
    for (size_t c = 0; c < 3; c++) {
        const uint8_t *const plane = (const uint8_t *)image->pixels + (channels == 3 ? c : 0);
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++) {
                const int columns = tc_least(s->scale, image->width - x * s->scale);
                const int rows = tc_least(s->scale, image->height - y * s->scale);
                const uint8_t *const first = plane + (size_t)(y * s->scale) * row + (size_t)(x * s->scale) * channels;
                s->plane[c][tc_small_at(s, x, y)] = sum_of(first, channels, row, columns, rows) / (columns * rows);
            }
        repeat_edges(s, s->plane[c]);
    }
}

void tc_small_label(tc_small *s, const uint8_t *mask, int width, int height)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int columns = tc_least(s->scale, width - x * s->scale),
                      rows = tc_least(s->scale, height - y * s->scale);
            const uint8_t *const first = mask + (size_t)(y * s->scale) * (size_t)width + (size_t)(x * s->scale);
            const bool object = sum_of(first, 1, (size_t)width, columns, rows) * 2 >= 255 * columns * rows;
            s->no_object[tc_small_at(s, x, y)] = object ? 0 : NEVER;
            s->no_ground[tc_small_at(s, x, y)] = object ? NEVER : 0;
        }
}

void tc_small_move(const tc_small *s, int dx, int dy, tc_small *moved)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int fx = x - dx, fy = y - dy;
            const bool inside = fx >= 0 && fy >= 0 && fx < s->width && fy < s->height;
            const size_t to = tc_small_at(s, x, y), from = tc_small_at(s, within(fx, s->width), within(fy, s->height));
            for (int c = 0; c < 3; c++) moved->plane[c][to] = s->plane[c][from];
            moved->no_object[to] = inside ? s->no_object[from] : NEVER;
            moved->no_ground[to] = inside ? s->no_ground[from] : NEVER;
        }
    for (int c = 0; c < 3; c++) repeat_edges(moved, moved->plane[c]);
}

tc_box tc_small_box(const tc_small *s)
{
    tc_box b = {s->width, s->height, 0, 0};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            if (s->no_object[tc_small_at(s, x, y)]) continue;
            b.x0 = tc_least(b.x0, x), b.y0 = tc_least(b.y0, y);
            b.x1 = x >= b.x1 ? x + 1 : b.x1, b.y1 = y + 1;
        }
    return b;
}

enum { HIDDEN = 3000 }; /* pixels with a squared difference of this or more count as hidden */

static int64_t misfit(const tc_small *frame, const tc_small *before, const tc_box *of, int dx, int dy)
{
    int64_t sum = 0;
    for (int y = of->y0; y < of->y1; y++)
        for (int x = of->x0; x < of->x1; x++) {
            const size_t from = tc_small_at(before, x, y), to = tc_small_at(frame, x + dx, y + dy);
            int d = 0;
            if (before->no_object[from]) continue;
            for (int c = 0; c < 3; c++) {
                const int e = frame->plane[c][to] - before->plane[c][from];
                d += e * e;
            }
            sum += tc_least(d, HIDDEN);
        }
    return sum;
}

void tc_small_follow(const tc_small *frame, const tc_small *before, int *dx, int *dy)
{
    const tc_box of = tc_small_box(before);
    int64_t best = misfit(frame, before, &of, 0, 0);
    *dx = *dy = 0;
    for (int y = -TC_SMALL_REACH; y <= TC_SMALL_REACH; y++)
        for (int x = -TC_SMALL_REACH; x <= TC_SMALL_REACH; x++) {
            const int64_t one = misfit(frame, before, &of, x, y);
            if (one < best) best = one, *dx = x, *dy = y;
        }
}

/* ---- Patches ------------------------------------------------------------------------------------ */

/* Writes the squared differences between a row of pixels, beginning at column x0 - HALF, and the pixels (dx, dy)
 * away. */
static void differences(const tc_patches *m, int y, int dx, int dy, int count, int32_t *restrict out)
{
    const size_t a = tc_small_at(m->frame, m->box.x0 - HALF, y);
    const size_t b = tc_small_at(m->other, m->box.x0 - HALF + dx, y + dy);
    const int32_t *const p = m->frame->plane[0] + a, *const q = m->frame->plane[1] + a;
    const int32_t *const r = m->frame->plane[2] + a;
    const int32_t *const s = m->other->plane[0] + b, *const t = m->other->plane[1] + b;
    const int32_t *const u = m->other->plane[2] + b;
    for (int i = 0; i < count; i++) {
        const int32_t d = p[i] - s[i], e = q[i] - t[i], f = r[i] - u[i];
        out[i] = d * d + e * e + f * f;
    }
}

void tc_patches_compare(const tc_patches *p, int top, int bottom, int dx, int dy,
                        void (*take)(const void *context, int y, int dx, int dy, const int32_t *sum),
                        const void *context)
{
    const int count = (int)p->room;
    int32_t *const rows = p->rows, *const restrict sum = rows + TC_SMALL_PATCH * p->room;
    memset(rows, 0, (TC_SMALL_PATCH + 1) * p->room * sizeof *rows);
    for (int y = top - HALF; y < bottom + HALF; y++) {
        int32_t *const restrict one = rows + (size_t)((y - top + HALF) % TC_SMALL_PATCH) * p->room;
        for (int i = 0; i < count; i++) sum[i] -= one[i];
        differences(p, y, dx, dy, count, one);
        for (int i = 0; i < count; i++) sum[i] += one[i];
        if (y - HALF >= top) take(context, y - HALF, dx, dy, sum);
    }
}

/* ---- Matching ----------------------------------------------------------------------------------- */

typedef struct matching {
    tc_patches patches;        /* scratch rows of all workers   */
    int32_t *object, *ground;
} matching;

/* Updates the maps with the sums of a row. */
static void compare_row(const void *context, int y, int dx, int dy, const int32_t *restrict sum)
{
    const matching *const m = context;
    const tc_small *const before = m->patches.other;
    const int x0 = m->patches.box.x0, count = m->patches.box.x1 - x0;
    const size_t to = (size_t)y * (size_t)before->width + (size_t)x0;
    const int32_t *const no_object = before->no_object + tc_small_at(before, x0 + dx, y + dy);
    const int32_t *const no_ground = before->no_ground + tc_small_at(before, x0 + dx, y + dy);
    int32_t *const object = m->object + to, *const ground = m->ground + to;
    for (int i = 0; i < count; i++) {
        int32_t all = 0;
        for (int k = 0; k < TC_SMALL_PATCH; k++) all += sum[i + k];
        const int32_t o = all | no_object[i], g = all | no_ground[i];
        object[i] = o < object[i] ? o : object[i];
        ground[i] = g < ground[i] ? g : ground[i];
    }
}

static void match_stripe(void *context, int i, int worker)
{
    const matching *const m = context;
    tc_patches patches = m->patches;
    const int top = patches.box.y0 + i * STRIPE, bottom = tc_least(top + STRIPE, patches.box.y1);
    patches.rows += (size_t)worker * (TC_SMALL_PATCH + 1) * patches.room;
    for (int dy = -TC_SMALL_REACH; dy <= TC_SMALL_REACH; dy++)
        for (int dx = -TC_SMALL_REACH; dx <= TC_SMALL_REACH; dx++)
            tc_patches_compare(&patches, top, bottom, dx, dy, compare_row, m);
}

/* Returns the pixels that the foreground can have reached; x1 is 0 if there are none. */
static tc_box find_reached(const tc_small *s)
{
    const tc_box of = tc_small_box(s);
    if (!of.x1) return of;
    return (tc_box){within(of.x0 - TC_SMALL_REACH, s->width), within(of.y0 - TC_SMALL_REACH, s->height),
                    within(of.x1 - 1 + TC_SMALL_REACH, s->width) + 1,
                    within(of.y1 - 1 + TC_SMALL_REACH, s->height) + 1};
}

tilecut_status tc_match(const tc_small *frame, const tc_small *before, int threads, int32_t *object, int32_t *ground)
{
    matching m = {{.frame = frame, .other = before, .box = find_reached(before)}, object, ground};
    tc_patches *const p = &m.patches;
    if (!p->box.x1) return TILECUT_OK;
    const int stripes = (p->box.y1 - p->box.y0 + STRIPE - 1) / STRIPE;
    p->room = tc_patches_room(&p->box);
    p->rows = malloc((size_t)threads * (TC_SMALL_PATCH + 1) * p->room * sizeof *p->rows);
    if (!p->rows) return tc_fail(TILECUT_ENOMEM, "no memory for patches of %d threads", threads);
    tc_parallel_workers(threads, stripes, match_stripe, &m);
    free(p->rows);
    return TILECUT_OK;
}
