/* SPDX-License-Identifier: MIT
 *
 * matte.c - soft edges: the functions of tilecut.h that are made of the parts in src/matting.
 */
#include <stdlib.h>
#include <string.h>

#include "foreground.h"
#include "graph.h"
#include "parallel.h"
#include "status.h"
#include "unknown.h"

_Static_assert(MATTE_BACKGROUND == (int)TILECUT_MATTE_BACKGROUND && MATTE_UNKNOWN == (int)TILECUT_MATTE_UNKNOWN &&
                   MATTE_OBJECT == (int)TILECUT_MATTE_FOREGROUND, "a trimap has one set of values");

enum { FULL = 65535 };

static size_t area(const tilecut_image *image) { return (size_t)image->width * (size_t)image->height; }

static tilecut_status check_threads(int *threads)
{
    if (*threads < 0 || *threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "%d threads; 1 to %d are possible", *threads, TC_MAX_THREADS);
    if (!*threads) *threads = 1;
    return TILECUT_OK;
}

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

/* Converts any image to three channels, 0 .. 1. */
static tilecut_status load_colors(const tilecut_image *image, int threads, float **out)
{
    const size_t packed = (size_t)image->width * (size_t)image->channels * (size_t)image->depth / 8;
    loading l = {.image = image, .stride = image->stride ? image->stride : packed,
                 .color = malloc(3 * area(image) * sizeof *l.color)};
    if (!l.color) return tc_fail(TILECUT_ENOMEM, "no memory for the colours of a soft edge");
    for (int v = 0; v < 256; v++) l.shade[v] = (float)v / 255;
    tc_parallel(threads, image->height, load_row, &l);
    *out = l.color;
    return TILECUT_OK;
}

tilecut_status tilecut_matte_band(const tilecut_image *given, const uint8_t *mask, const uint8_t *seeds, int threads,
                                  uint8_t *trimap)
{
    tilecut_image whole;
    const tilecut_image *const image = &whole;
    tilecut_status status = TILECUT_OK;
    tc_crew *crew = NULL;
    float *color = NULL;
    uint8_t *found = NULL;
    if (!mask || !trimap) return tc_fail(TILECUT_EINVAL, "%s is NULL", mask ? "trimap" : "mask");
    TRY(tc_image_read(&whole, given));
    TRY(check_threads(&threads));
    crew = tc_crew_open(threads);
    TRY(load_colors(image, threads, &color));
    found = malloc(area(image));
    const matte_photo photo = {image->width, image->height, color};
    if (!found || !tc_unknown_find(&photo, mask, seeds, threads, found))
        status = tc_fail(TILECUT_ENOMEM, "no memory for the band of a soft edge");
    else
        memcpy(trimap, found, area(image));
done:
    free(found);
    free(color);
    tc_crew_close(crew);
    return status;
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

tilecut_status tilecut_matte(const tilecut_image *given, const uint8_t *trimap, int threads, uint16_t *alpha)
{
    tilecut_image whole;
    const tilecut_image *const image = &whole;
    tilecut_status status = TILECUT_OK;
    tc_crew *crew = NULL;
    float *color = NULL, *share = NULL;
    if (!trimap || !alpha) return tc_fail(TILECUT_EINVAL, "%s is NULL", trimap ? "alpha" : "trimap");
    TRY(tc_image_read(&whole, given));
    TRY(check_threads(&threads));
    crew = tc_crew_open(threads);
    TRY(check_trimap(trimap, area(image)));
    TRY(load_colors(image, threads, &color));
    share = malloc(area(image) * sizeof *share);
    const matte_photo photo = {image->width, image->height, color};
    if (!share || !tc_pyramid_alpha(&photo, trimap, PYRAMID_FINE, threads, share))
        status = tc_fail(TILECUT_ENOMEM, "no memory for a soft edge");
    else
        for (size_t p = 0; p < area(image); p++) alpha[p] = (uint16_t)(share[p] * FULL + 0.5F);
done:
    free(share);
    free(color);
    tc_crew_close(crew);
    return status;
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
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): load_colors() went well
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

tilecut_status tilecut_matte_colors(const tilecut_image *given, const uint16_t *alpha, int threads, void *colors)
{
    tilecut_image whole;
    const tilecut_image *const image = &whole;
    tilecut_status status = TILECUT_OK;
    tc_crew *crew = NULL;
    float *color = NULL, *share = NULL;
    if (!alpha || !colors) return tc_fail(TILECUT_EINVAL, "%s is NULL", alpha ? "colors" : "alpha");
    TRY(tc_image_read(&whole, given));
    TRY(check_threads(&threads));
    crew = tc_crew_open(threads);
    TRY(load_colors(image, threads, &color));
    share = malloc(area(image) * sizeof *share);
    for (size_t p = 0; share && p < area(image); p++) share[p] = (float)alpha[p] / FULL;
    if (!share || !tc_foreground_estimate(color, share, image->width, image->height, threads))
        status = tc_fail(TILECUT_ENOMEM, "no memory for the colours of a soft edge");
    else
        store_colors(image, alpha, color, colors);
done:
    free(share);
    free(color);
    tc_crew_close(crew);
    return status;
}
