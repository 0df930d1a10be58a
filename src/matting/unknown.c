/* SPDX-License-Identifier: MIT
 *
 * unknown.c - see unknown.h. The band starts narrow, and its matte is computed. Where alpha at the band's rim still
 * differs from the mask's label, the soft edge continues outside the band, so the band grows there. This is repeated.
 * In thin parts the middle stays known: without known colours of its own, a wing or a leg would be taken for a mixture
 * of other colours. Large photos are handled in a smaller copy.
 */
#include "unknown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice.h"
#include "parallel.h"
#include "simd.h"

/* SIDE: the most pixels that a side of the copy has. In pixels of the copy: FIRST is half the band's width at the
 * start, LAST half its largest width, RIM the depth of the rim that is checked, GROWTH how far the band grows in one
 * round. ROUNDS: the most rounds. */
enum { SIDE = 1000, FIRST = 6, LAST = 25, RIM = 3, GROWTH = 6, ROUNDS = 6 };
/* If alpha at the rim differs from the mask by more than this, the band grows. */
static const float UNCERTAIN = 0.05F;

typedef struct copy {
    int width, height;
    float *color;            /* NULL: the photo's own colours are used */
    uint8_t *mask, *seeded, *trimap, *band, *rim;
    float *alpha;
} copy;

/* ---- squares around pixels -------------------------------------------------------------------- */

/* Sets out[x] to true if any of in[x - r .. x + r] is nonzero. */
static void widen(const uint8_t *in, uint8_t *out, int n, int r)
{
    int ahead = 0, count = 0;
    for (int x = 0; x < n; x++) {
        for (; ahead < n && ahead <= x + r; ahead++) count += in[ahead] != 0;
        if (x > r) count -= in[x - r - 1] != 0;
        out[x] = count > 0;
    }
}

/* Sets to[x] to the number of rows to the nearest set pixel, up to 255, where from[x] is that number for the row
 * before. */
TC_VECTOR_LOOP static void step_down(const uint8_t *restrict from, const uint8_t *restrict set, uint8_t *restrict to,
                                     int n)
{
    for (int x = 0; x < n; x++) to[x] = set[x] ? 0 : (uint8_t)(from[x] + (from[x] < 255));
}

TC_VECTOR_LOOP static void step_up(const uint8_t *restrict from, uint8_t *restrict to, int n)
{
    for (int x = 0; x < n; x++) {
        const uint8_t by = (uint8_t)(from[x] + (from[x] < 255));
        to[x] = by < to[x] ? by : to[x];
    }
}

void tc_unknown_dilate(uint8_t *set, uint8_t *spare, int width, int height, int r)
{
    const size_t w = (size_t)width;
    for (size_t y = 0; y < (size_t)height; y++) widen(set + y * w, spare + y * w, width, r);
    for (size_t x = 0; x < w; x++) set[x] = spare[x] ? 0 : 255;
    for (size_t y = 1; y < (size_t)height; y++) step_down(set + (y - 1) * w, spare + y * w, set + y * w, width);
    for (size_t y = (size_t)height - 1; y > 0; y--) step_up(set + y * w, set + (y - 1) * w, width);
    for (size_t p = 0; p < w * (size_t)height; p++) set[p] = set[p] <= r;
}

/* ---- a smaller copy --------------------------------------------------------------------------- */

static bool copy_init(copy *c, const matte_photo *photo, int by)
{
    *c = (copy){.width = (photo->width + by - 1) / by, .height = (photo->height + by - 1) / by};
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    uint8_t **const planes[] = {&c->mask, &c->seeded, &c->trimap, &c->band, &c->rim};
    uint8_t *const memory = calloc(5, pixels);
    for (size_t i = 0; memory && i < 5; i++) *planes[i] = memory + i * pixels;
    c->alpha = malloc(pixels * sizeof *c->alpha);
    c->color = by > 1 ? malloc(3 * pixels * sizeof *c->color) : NULL;
    return memory && c->alpha && (c->color || by == 1);
}

static void copy_free(copy *c)
{
    free(c->mask);
    free(c->alpha);
    free(c->color);
}

/* Computes a pixel of the copy: its colour is the mean and its label that of the majority of the block; it is seeded if
 * any pixel of the block is. */
static void shrink_pixel(const copy *c, const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int by,
                         int x, int y)
{
    const int x1 = tc_least((x + 1) * by, photo->width), y1 = tc_least((y + 1) * by, photo->height);
    const size_t to = (size_t)y * (size_t)c->width + (size_t)x;
    double sum[3] = {0};
    int inside = 0, seeded = 0, count = 0;
    for (int j = y * by; j < y1; j++)
        for (int i = x * by; i < x1; i++, count++) {
            const size_t p = (size_t)j * (size_t)photo->width + (size_t)i;
            for (size_t k = 0; k < 3; k++) sum[k] += (double)photo->color[3 * p + k];
            inside += mask[p] != 0;
            seeded += seeds && seeds[p];
        }
    for (size_t k = 0; k < 3 && c->color; k++) c->color[3 * to + k] = (float)(sum[k] / count);
    c->mask[to] = 2 * inside >= count;
    c->seeded[to] = seeded > 0;
}

/* ---- growing ---------------------------------------------------------------------------------- */

/* Sets the band to the unseeded pixels within `reach` of a pixel with the other label. */
static void fill_band_along_cut(copy *c, int reach)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    memcpy(c->band, c->mask, pixels);
    tc_unknown_dilate(c->band, c->trimap, c->width, c->height, reach);
    for (size_t p = 0; p < pixels; p++) c->rim[p] = !c->mask[p];
    tc_unknown_dilate(c->rim, c->trimap, c->width, c->height, reach);
    for (size_t p = 0; p < pixels; p++) c->band[p] = c->band[p] && c->rim[p] && !c->seeded[p];
}

static void make_trimap(const copy *c)
{
    for (size_t p = 0; p < (size_t)c->width * (size_t)c->height; p++)
        c->trimap[p] = c->band[p] ? MATTE_UNKNOWN : c->mask[p] ? MATTE_OBJECT : MATTE_BACKGROUND;
}

/* Extends the band near rim pixels that are not certain, but not beyond `room`. Returns false if nothing was added. */
static bool grow_band(copy *c, const uint8_t *room)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    bool grown = false;
    for (size_t p = 0; p < pixels; p++) c->rim[p] = !c->band[p];
    tc_unknown_dilate(c->rim, c->trimap, c->width, c->height, RIM);
    for (size_t p = 0; p < pixels; p++) {
        const float off = c->alpha[p] - (float)c->mask[p];
        c->rim[p] = c->rim[p] && c->band[p] && (off > UNCERTAIN || off < -UNCERTAIN);
    }
    tc_unknown_dilate(c->rim, c->trimap, c->width, c->height, GROWTH);
    for (size_t p = 0; p < pixels; p++) {
        const bool more = c->rim[p] && room[p] && !c->band[p];
        grown = grown || more;
        c->band[p] = c->band[p] || more;
    }
    return grown;
}

/* Adds to `room` the unseeded pixels of a label that may be unknown: FIRST pixels along the cut, and more in thicker
 * parts. The thickness of a part is the side of the largest square that fits into it. */
static void add_room(copy *c, bool object, uint8_t *room)
{
    static const int reach[] = {FIRST, 8, 12, 16, LAST};
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    for (size_t k = 0; k < sizeof reach / sizeof *reach; k++) {
        const int thick = k == 0 ? 0 : object ? 2 * reach[k] : reach[k];
        for (size_t p = 0; p < pixels; p++) c->band[p] = c->rim[p] = (c->mask[p] != 0) != object;
        tc_unknown_dilate(c->rim, c->trimap, c->width, c->height, reach[k]);
        tc_unknown_dilate(c->band, c->trimap, c->width, c->height, thick);
        for (size_t p = 0; p < pixels; p++) c->band[p] = !c->band[p];
        tc_unknown_dilate(c->band, c->trimap, c->width, c->height, thick);
        for (size_t p = 0; p < pixels; p++)
            if (c->band[p] && c->rim[p] && (c->mask[p] != 0) == object && !c->seeded[p]) room[p] = 1;
    }
}

/* True if a band of that half width leaves known pixels of a label. */
static bool leaves_known(copy *c, bool object, int reach)
{
    fill_band_along_cut(c, reach);
    for (size_t p = 0; p < (size_t)c->width * (size_t)c->height; p++)
        if (!c->band[p] && (c->mask[p] != 0) == object) return true;
    return false;
}

/* If the parts with a label are so thin that a band could contain all of them, their deepest pixels count as seeded:
 * without a known pixel of each label there is no matte. */
static void keep_core(copy *c, bool object)
{
    int left = 0, none = LAST;
    if (leaves_known(c, object, LAST) || !leaves_known(c, object, 0)) return;
    while (none - left > 1) {
        const int middle = (left + none) / 2;
        if (leaves_known(c, object, middle)) left = middle;
        else none = middle;
    }
    fill_band_along_cut(c, left);
    for (size_t p = 0; p < (size_t)c->width * (size_t)c->height; p++)
        if (!c->band[p] && (c->mask[p] != 0) == object) c->seeded[p] = 1;
}

/* ---- hair ------------------------------------------------------------------------------------- */

/* In pixels of the copy. AROUND: half of the window in which an edge is judged. REACH: hair begins this far from where
 * the band grew. FADE: half of the square over which hair fades out. */
enum { AROUND = 60, REACH = 9, FADE = 4, FULL = 65535 };
/* The change of alpha from pixel to pixel where the band grew, divided by its transparency: single hairs change much,
 * smears little. Below SMEAR it is no hair, above HAIR it is all hair. Found on half of 53 photos. */
static const double SMEAR = 0.19, HAIR = 0.22;
/* This much is added to the transparency of a pixel, because hardly any transparency is no evidence. */
static const double TRACE = 0.002;

static void sum_line(const uint32_t *in, uint32_t *out, int n, size_t step, int r)
{
    uint32_t sum = 0;
    for (int x = 0; x < tc_least(r, n); x++) sum += in[(size_t)x * step];
    for (int x = 0; x < n; x++) {
        if (x + r < n) sum += in[(size_t)(x + r) * step];
        if (x > r) sum -= in[(size_t)(x - r - 1) * step];
        out[(size_t)x * step] = sum;
    }
}

/* Replaces each value by the sum over the square of r pixels around it, within the image. */
static void sum_squares(uint32_t *plane, uint32_t *spare, int width, int height, int r)
{
    const size_t w = (size_t)width;
    for (int y = 0; y < height; y++) sum_line(plane + (size_t)y * w, spare + (size_t)y * w, width, 1, r);
    for (size_t x = 0; x < w; x++) sum_line(spare + x, plane + x, height, w, r);
}

static int64_t square_at(int x, int y, int width, int height, int r)
{
    return (int64_t)(tc_least(x + r, width - 1) - tc_most(x - r, 0) + 1) *
           (tc_least(y + r, height - 1) - tc_most(y - r, 0) + 1);
}

/* Writes the change of alpha at a pixel, and the pixel's transparency, both out of FULL. */
static void look_at(const copy *c, int x, int y, uint32_t *change, uint32_t *open)
{
    const float *const row = c->alpha + (size_t)y * (size_t)c->width, here = row[x];
    const float dx = row[tc_least(x + 1, c->width - 1)] - row[tc_most(x - 1, 0)];
    const float dy = c->alpha[(size_t)tc_least(y + 1, c->height - 1) * (size_t)c->width + (size_t)x] -
                     c->alpha[(size_t)tc_most(y - 1, 0) * (size_t)c->width + (size_t)x];
    *change = (uint32_t)(sqrtf(dx * dx + dy * dy) * (FULL / 2.0F));
    *open = (uint32_t)((here < 0.5F ? here : 1 - here) * (2 * FULL));
}

/* Sets hair[p], 0 .. 255, to the share of hair in the edge at a pixel of the band. Overwrites c->band, c->rim and
 * c->trimap. */
static bool find_hair(copy *c, uint8_t *hair)
{
    const int w = c->width, h = c->height;
    const size_t pixels = (size_t)w * (size_t)h;
    uint32_t *const memory = calloc(4 * pixels, sizeof *memory);
    if (!memory) return false;
    uint32_t *const change = memory, *const open = memory + pixels, *const near = memory + 2 * pixels;
    memcpy(hair, c->band, pixels);
    fill_band_along_cut(c, FIRST + 1);
    for (size_t p = 0; p < pixels; p++) {
        c->rim[p] = hair[p] && !c->band[p];
        if (c->rim[p]) look_at(c, (int)(p % (size_t)w), (int)(p / (size_t)w), &change[p], &open[p]);
    }
    tc_unknown_dilate(c->rim, c->trimap, w, h, REACH);
    for (size_t p = 0; p < pixels; p++) near[p] = c->rim[p];
    sum_squares(change, memory + 3 * pixels, w, h, AROUND);
    sum_squares(open, memory + 3 * pixels, w, h, AROUND);
    sum_squares(near, memory + 3 * pixels, w, h, FADE);
    for (size_t p = 0; p < pixels; p++) {
        if (!hair[p]) continue;
        const int x = (int)(p % (size_t)w), y = (int)(p / (size_t)w);
        const double some = TRACE * FULL * (double)square_at(x, y, w, h, AROUND);
        const double share = ((double)change[p] / ((double)open[p] + some) - SMEAR) / (HAIR - SMEAR);
        const double fade = (double)near[p] / (double)square_at(x, y, w, h, FADE);
        hair[p] = (uint8_t)((share < 0 ? 0 : share > 1 ? 1 : share) * fade * 255 + 0.5);
    }
    free(memory);
    return true;
}

static bool find_band(copy *c, const matte_photo *photo, int threads)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    uint8_t *const room = calloc(pixels, 1);
    bool done = true, grown = true;
    if (!room) return false;
    keep_core(c, true);
    keep_core(c, false);
    add_room(c, true, room);
    add_room(c, false, room);
    fill_band_along_cut(c, FIRST);
    for (int i = 0; done && grown && i < ROUNDS; i++) {
        make_trimap(c);
        done = tc_pyramid_alpha(photo, c->trimap, PYRAMID_ROUGH, threads, c->alpha);
        grown = done && grow_band(c, room);
    }
    free(room);
    return done;
}

typedef struct search {
    const matte_photo *photo;
    const uint8_t *mask, *seeds;
    uint8_t *trimap, *hair; /* hair is NULL if not requested */
    const uint8_t *small_hair;
    copy *c;
    int by; /* the side of a pixel of the copy, in pixels of the photo */
} search;

static void shrink_row(void *context, int y)
{
    const search *const s = context;
    for (int x = 0; x < s->c->width; x++) shrink_pixel(s->c, s->photo, s->mask, s->seeds, s->by, x, y);
}

/* Writes row y of the photo's trimap, from the copy's band. */
static void spread_row(void *context, int y)
{
    const search *const s = context;
    const size_t width = (size_t)s->photo->width, row = (size_t)y * width;
    const uint8_t *const band = s->c->band + (size_t)(y / s->by) * (size_t)s->c->width;
    for (size_t x = 0; x < width; x++) s->trimap[row + x] = s->mask[row + x] ? MATTE_OBJECT : MATTE_BACKGROUND;
    for (int i = 0; i < s->c->width; i++) {
        if (!band[i]) continue;
        const size_t end = row + (size_t)tc_least((i + 1) * s->by, s->photo->width);
        for (size_t p = row + (size_t)(i * s->by); p < end; p++)
            if (!(s->seeds && s->seeds[p])) s->trimap[p] = MATTE_UNKNOWN;
    }
}

static void spread_hair(void *context, int y)
{
    const search *const s = context;
    const size_t width = (size_t)s->photo->width, row = (size_t)y * width;
    const uint8_t *const from = s->small_hair + (size_t)(y / s->by) * (size_t)s->c->width;
    for (size_t x = 0; x < width; x++)
        s->hair[row + x] = s->trimap[row + x] == MATTE_UNKNOWN ? from[x / (size_t)s->by] : 0;
}

bool tc_unknown_find(const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int threads, uint8_t *trimap,
                     uint8_t *hair)
{
    const int side = photo->width > photo->height ? photo->width : photo->height, by = (side + SIDE - 1) / SIDE;
    copy c = {0};
    search s = {.photo = photo, .mask = mask, .seeds = seeds, .trimap = trimap, .hair = hair, .c = &c, .by = by};
    bool done = copy_init(&c, photo, by);
    if (done) {
        const matte_photo small = {c.width, c.height, c.color ? c.color : photo->color};
        tc_parallel(threads, c.height, shrink_row, &s);
        done = find_band(&c, &small, threads);
    }
    if (done) tc_parallel(threads, photo->height, spread_row, &s);
    uint8_t *const small = done && hair ? malloc((size_t)c.width * (size_t)c.height) : NULL;
    if (done && hair) done = small && find_hair(&c, small);
    s.small_hair = small;
    if (done && hair) tc_parallel(threads, photo->height, spread_hair, &s);
    free(small);
    copy_free(&c);
    return done;
}
