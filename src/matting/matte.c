/* SPDX-License-Identifier: MIT
 *
 * matte.c - soft edges: the functions of tilecut.h that are built from the code in src/matting.
 */
#include <stdlib.h>
#include <string.h>

#include "edge.h"
#include "foreground.h"
#include "graph.h"
#include "parallel.h"
#include "rows.h"
#include "status.h"
#include "unknown.h"

_Static_assert(MATTE_BACKGROUND == (int)TILECUT_MATTE_BACKGROUND && MATTE_UNKNOWN == (int)TILECUT_MATTE_UNKNOWN &&
                   MATTE_OBJECT == (int)TILECUT_MATTE_FOREGROUND, "a trimap has one set of values");

enum { FULL = 65535 };

static size_t area(const tilecut_image *image) { return (size_t)image->width * (size_t)image->height; }

typedef struct loading {
    const tilecut_image *image;
    float shade[256]; /* by 8-bit sample */
    float *color;
} loading;

static void load_row(void *context, int y)
{
    const loading *const l = context;
    const size_t width = (size_t)l->image->width, step = l->image->channels == 3 ? 1 : 0;
    const uint8_t *const row = tc_image_row(l->image, y);
    float *const to = l->color + 3 * (size_t)y * width;
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < 3; c++) {
            const size_t from = step ? 3 * x + c : x;
            uint16_t wide;
            if (l->image->depth == 16) {
                memcpy(&wide, row + 2 * from, sizeof wide);
                to[3 * x + c] = (float)wide / 65535;
            } else {
                to[3 * x + c] = l->shade[row[from]];
            }
        }
}

/* The state of one call. */
typedef struct visit {
    tilecut_image image;
    int threads;
    tc_thread_pool *pool;
    float *color; /* the image in three channels, 0 .. 1 */
    void *room;   /* memory for the answer               */
} visit;

/* Reads the image, and allocates `bytes` per pixel for the answer. */
static tilecut_status enter_matte(visit *v, const tilecut_image *from, int threads, size_t bytes)
{
    NEED(tc_image_read(&v->image, from));
    if (threads < 0 || threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "%d threads; 1 to %d are possible", threads, TC_MAX_THREADS);
    const tilecut_image *const image = &v->image;
    v->threads = threads ? threads : 1;
    v->pool = tc_thread_pool_open(v->threads);
    v->color = malloc(3 * area(image) * sizeof *v->color);
    v->room = malloc(area(image) * bytes);
    if (!v->color || !v->room) return tc_fail(TILECUT_ENOMEM, "no memory for a soft edge");
    loading l = {.image = image, .color = v->color};
    for (int i = 0; i < 256; i++) l.shade[i] = (float)i / 255;
    tc_parallel(v->threads, image->height, load_row, &l);
    return TILECUT_OK;
}

static tilecut_status leave_matte(visit *v, tilecut_status status)
{
    free(v->room);
    free(v->color);
    tc_thread_pool_close(v->pool);
    return status;
}

tilecut_status tilecut_matte_band(const tilecut_image *from, const uint8_t *mask, const uint8_t *seeds, int threads,
                                  uint8_t *trimap)
{
    tilecut_status status = TILECUT_OK;
    visit v = {.pool = NULL};
    if (!mask || !trimap) return tc_fail(TILECUT_EINVAL, "%s is NULL", mask ? "trimap" : "mask");
    TRY(enter_matte(&v, from, threads, 1));
    const matte_photo photo = {v.image.width, v.image.height, v.color};
    if (!tc_unknown_find(&photo, mask, seeds, v.threads, v.room, NULL))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for the band of a soft edge"));
    memcpy(trimap, v.room, area(&v.image));
done:
    return leave_matte(&v, status);
}

/* Writes the colour of a pixel in the image's sample format. */
static void store_color(const tilecut_image *image, const float *color, uint8_t *to)
{
    for (size_t c = 0; c < (size_t)image->channels; c++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): enter_matte() went well */
        const float v = color[c];
        if (image->depth == 16) {
            const uint16_t wide = (uint16_t)(v * 65535 + 0.5F);
            memcpy(to + 2 * c, &wide, sizeof wide);
        } else {
            to[c] = (uint8_t)(v * 255 + 0.5F);
        }
    }
}

/* ---- an edge that is matted where it is hair ---- */

/* [area] each. tc_unknown_find() writes trimap and hair; fine is the alpha of the matte. */
typedef struct hairy {
    uint8_t *trimap, *hair;
    float *fine;
} hairy;

/* Computes the alpha of a matte for all unknown pixels within some pixels of hair; all other pixels are left to the
 * plain edge. Sets *any to true if there is hair at all. Returns false if there is no memory. */
static bool matte_hair(const visit *v, const uint8_t *mask, const uint8_t *seeds, hairy *h, bool *any)
{
    enum { AROUND = 16 };
    const size_t pixels = area(&v->image);
    const matte_photo photo = {v->image.width, v->image.height, v->color};
    if (!tc_unknown_find(&photo, mask, seeds, v->threads, h->trimap, h->hair)) return false;
    *any = false;
    for (size_t p = 0; p < pixels && !*any; p++) *any = h->hair[p];
    if (!*any) return true;
    uint8_t *const near = malloc(2 * pixels);
    if (!near) return false;
    memcpy(near, h->hair, pixels);
    tc_unknown_dilate(near, near + pixels, v->image.width, v->image.height, AROUND);
    for (size_t p = 0; p < pixels; p++)
        if (h->trimap[p] == MATTE_UNKNOWN && !near[p]) h->trimap[p] = mask[p] ? MATTE_OBJECT : MATTE_BACKGROUND;
    free(near);
    return tc_pyramid_alpha(&photo, h->trimap, PYRAMID_FINE, v->threads, h->fine);
}

/* Mixes the fine matte into the plain edge that is in alpha and colors. `f` is for the object's own colours; without
 * it, `colors` stays as it is. */
static void mix_edges(visit *v, hairy *h, foreground *f, uint16_t *alpha, uint8_t *colors)
{
    const size_t step = (size_t)v->image.channels * (size_t)v->image.depth / 8;
    for (size_t p = 0; p < area(&v->image); p++) {
        const float share = (float)alpha[p] / FULL;
        if (h->hair[p]) alpha[p] = (uint16_t)((share + (h->fine[p] - share) * h->hair[p] / 255) * FULL + 0.5F);
        h->fine[p] = (float)alpha[p] / FULL;
    }
    if (!f) return;
    tc_foreground_estimate(f, v->color, h->fine, v->threads);
    for (size_t p = 0; p < area(&v->image); p++)
        if (h->hair[p] && alpha[p] > 0 && alpha[p] < FULL)
            store_color(&v->image, v->color + 3 * p, colors + p * step);
}

tilecut_status tilecut_edge_matte(const tilecut_image *from, const uint8_t *mask, const uint8_t *seeds, int threads,
                                  uint16_t *alpha, void *colors)
{
    tilecut_status status = TILECUT_OK;
    visit v = {.pool = NULL};
    foreground *f = NULL;
    bool any = false;
    if (!mask || !alpha) return tc_fail(TILECUT_EINVAL, "%s is NULL", mask ? "alpha" : "mask");
    NEED(tc_address_check(alpha, 0, sizeof *alpha, "alpha"));
    TRY(enter_matte(&v, from, threads, sizeof(float) + 2));
    hairy h = {.fine = v.room};
    h.trimap = (uint8_t *)(h.fine + area(&v.image)), h.hair = h.trimap + area(&v.image);
    if (!matte_hair(&v, mask, seeds, &h, &any)) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a soft edge"));
    if (any && colors) f = tc_foreground_open(v.image.width, v.image.height);
    if (any && colors && !f) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the colours of a soft edge"));
    TRY(tc_edge(from, mask, threads, alpha, colors)); /* from here on nothing can fail */
    if (any) mix_edges(&v, &h, f, alpha, colors);
done:
    tc_foreground_close(f);
    return leave_matte(&v, status);
}

static tilecut_status check_trimap(const uint8_t *trimap, size_t pixels)
{
    bool background = false, object = false;
    for (size_t p = 0; p < pixels; p++) {
        background = background || trimap[p] == MATTE_BACKGROUND;
        object = object || trimap[p] == MATTE_OBJECT;
        if (trimap[p] != MATTE_BACKGROUND && trimap[p] != MATTE_OBJECT && trimap[p] != MATTE_UNKNOWN)
            return tc_fail(TILECUT_EINVAL, "the trimap has a value %d; 0, 128 and 255 are understood", trimap[p]);
    }
    if (!background || !object)
        return tc_fail(TILECUT_ESEEDS, "the trimap knows no pixel of the %s", object ? "background" : "object");
    return TILECUT_OK;
}

tilecut_status tilecut_matte(const tilecut_image *from, const uint8_t *trimap, int threads, uint16_t *alpha)
{
    tilecut_status status = TILECUT_OK;
    visit v = {.pool = NULL};
    if (!trimap || !alpha) return tc_fail(TILECUT_EINVAL, "%s is NULL", trimap ? "alpha" : "trimap");
    NEED(tc_address_check(alpha, 0, sizeof *alpha, "alpha"));
    TRY(enter_matte(&v, from, threads, sizeof(float)));
    float *const share = v.room;
    const matte_photo photo = {v.image.width, v.image.height, v.color};
    TRY(check_trimap(trimap, area(&v.image)));
    if (!tc_pyramid_alpha(&photo, trimap, PYRAMID_FINE, v.threads, share))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for a soft edge"));
    for (size_t p = 0; p < area(&v.image); p++) alpha[p] = (uint16_t)(share[p] * FULL + 0.5F);
done:
    return leave_matte(&v, status);
}

/* Writes the colours of half-transparent pixels only. The other samples of the photo stay as they are, to the bit. */
static void store_colors(const tilecut_image *image, const uint16_t *alpha, const float *color, void *colors)
{
    const size_t pixel = (size_t)image->channels * (size_t)image->depth / 8;
    tc_copy_rows(colors, 0, image->pixels, image->stride, tc_image_row_bytes(image), (size_t)image->height);
    for (size_t p = 0; p < area(image); p++) {
        if (alpha[p] == 0 || alpha[p] == FULL) continue;
        store_color(image, color + 3 * p, (uint8_t *)colors + p * pixel);
    }
}

tilecut_status tilecut_matte_colors(const tilecut_image *from, const uint16_t *alpha, int threads, void *colors)
{
    tilecut_status status = TILECUT_OK;
    visit v = {.pool = NULL};
    foreground *f = NULL;
    if (!alpha || !colors) return tc_fail(TILECUT_EINVAL, "%s is NULL", alpha ? "colors" : "alpha");
    NEED(tc_address_check(alpha, 0, sizeof *alpha, "alpha"));
    TRY(enter_matte(&v, from, threads, sizeof(float)));
    float *const share = v.room;
    for (size_t p = 0; p < area(&v.image); p++) share[p] = (float)alpha[p] / FULL;
    f = tc_foreground_open(v.image.width, v.image.height);
    if (!f) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the colours of a soft edge"));
    tc_foreground_estimate(f, v.color, share, v.threads);
    store_colors(&v.image, alpha, v.color, colors);
done:
    tc_foreground_close(f);
    return leave_matte(&v, status);
}
