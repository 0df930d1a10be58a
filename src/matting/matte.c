/* SPDX-License-Identifier: MIT
 *
 * matte.c - soft edges: the functions of tilecut.h that are made of the parts in src/matting.
 */
#include <stdlib.h>
#include <string.h>

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
    size_t stride;
    float shade[256]; /* of 8-bit samples */
    float *color;
} loading;

static void load_row(void *context, int y)
{
    const loading *const l = context;
    const size_t width = (size_t)l->image->width, step = l->image->channels == 3 ? 1 : 0;
    const uint8_t *const row = (const uint8_t *)l->image->pixels + (size_t)y * l->stride;
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

/* One call. */
typedef struct visit {
    tilecut_image image;
    int threads;
    tc_thread_pool *pool;
    float *color; /* the image in three channels, 0 .. 1 */
    void *room;   /* for the answer                      */
} visit;

/* Reads the image, and takes `bytes` a pixel for the answer. */
static tilecut_status enter_matte(visit *v, const tilecut_image *from, int threads, size_t bytes)
{
    NEED(tc_image_read(&v->image, from));
    if (threads < 0 || threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "%d threads; 1 to %d are possible", threads, TC_MAX_THREADS);
    const tilecut_image *const image = &v->image;
    const size_t packed = (size_t)image->width * (size_t)image->channels * (size_t)image->depth / 8;
    v->threads = threads ? threads : 1;
    v->pool = tc_thread_pool_open(v->threads);
    v->color = malloc(3 * area(image) * sizeof *v->color);
    v->room = malloc(area(image) * bytes);
    if (!v->color || !v->room) return tc_fail(TILECUT_ENOMEM, "no memory for a soft edge");
    loading l = {.image = image, .stride = image->stride ? image->stride : packed, .color = v->color};
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
    if (!tc_unknown_find(&photo, mask, seeds, v.threads, v.room))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for the band of a soft edge"));
    memcpy(trimap, v.room, area(&v.image));
done:
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
    const size_t channels = (size_t)image->channels;
    const size_t packed = (size_t)image->width * channels * (size_t)image->depth / 8;
    const size_t stride = image->stride ? image->stride : packed;
    for (int y = 0; y < image->height; y++)
        memcpy((uint8_t *)colors + (size_t)y * packed, (const uint8_t *)image->pixels + (size_t)y * stride, packed);
    for (size_t p = 0; p < area(image); p++) {
        if (alpha[p] == 0 || alpha[p] == FULL) continue;
        for (size_t c = 0; c < channels; c++) {
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): enter_matte() went well
            const float v = color[3 * p + c];
            if (image->depth == 16) {
                const uint16_t wide = (uint16_t)(v * 65535 + 0.5F);
                memcpy((uint8_t *)colors + 2 * (p * channels + c), &wide, sizeof wide);
            } else {
                ((uint8_t *)colors)[p * channels + c] = (uint8_t)(v * 255 + 0.5F);
            }
        }
    }
}

tilecut_status tilecut_matte_colors(const tilecut_image *from, const uint16_t *alpha, int threads, void *colors)
{
    tilecut_status status = TILECUT_OK;
    visit v = {.pool = NULL};
    if (!alpha || !colors) return tc_fail(TILECUT_EINVAL, "%s is NULL", alpha ? "colors" : "alpha");
    NEED(tc_address_check(alpha, 0, sizeof *alpha, "alpha"));
    TRY(enter_matte(&v, from, threads, sizeof(float)));
    float *const share = v.room;
    for (size_t p = 0; p < area(&v.image); p++) share[p] = (float)alpha[p] / FULL;
    if (!tc_foreground_estimate(v.color, share, v.image.width, v.image.height, v.threads))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for the colours of a soft edge"));
    store_colors(&v.image, alpha, v.color, colors);
done:
    return leave_matte(&v, status);
}
