/* SPDX-License-Identifier: MIT
 *
 * matting.c - see matting.h.
 */
#include "matting.h"

#include <stdlib.h>
#include <string.h>

#include "pixel.h"

const char *matting_parse_edge(const char *text, void *field)
{
    matting_band *const band = field;
    if (!strcmp(text, "hard")) *band = MATTING_OFF;
    else if (!strcmp(text, "soft")) *band = MATTING_PLAIN;
    else if (!strcmp(text, "matte")) *band = MATTING_AUTO;
    else return "hard, soft or matte";
    return NULL;
}

const char *matting_parse(const char *text, void *field)
{
    matting_band *const band = field;
    *band = !strcmp(text, "auto") ? MATTING_AUTO : !strcmp(text, "seeds") ? MATTING_SEEDS : MATTING_OFF;
    return *band ? NULL : "auto or seeds";
}

bool matting_opaque(const image *photo, tilecut_image *view, uint8_t **copy, size_t *transparent)
{
    const size_t sample = (size_t)photo->depth / 8, pixel = (size_t)photo->channels * sample, kept = pixel - sample;
    size_t seen = 0;
    *copy = NULL;
    *view = (tilecut_image){.width = photo->width, .height = photo->height, .channels = photo->channels,
                            .depth = photo->depth, .pixels = photo->pixels};
    if (photo->channels % 2 == 0) {
        view->channels--;
        view->pixels = *copy = malloc(image_area(photo) * kept);
        for (size_t p = 0; *copy && p < image_area(photo); p++) {
            const uint8_t *const from = photo->pixels + p * pixel;
            memcpy(*copy + p * kept, from, kept);
            seen += from[kept] != 0xff || from[pixel - 1] != 0xff;
        }
    }
    if (transparent) *transparent = seen;
    return view->pixels != NULL;
}

int matting_opaque_noted(const image *photo, const char *name, tilecut_image *view, uint8_t **copy, notes *log,
                         failure *why)
{
    size_t transparent;
    if (!matting_opaque(photo, view, copy, &transparent))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its pixels", name);
    if (transparent)
        note(log, "%s: is transparent in %zu pixels; their colours are used as if they were opaque", name, transparent);
    return EXIT_DONE;
}

/* Turns a failure of the library into an exit status and a sentence. */
static int refused(tilecut_status status, failure *why)
{
    return fail(why, status == TILECUT_ESEEDS ? EXIT_SEEDS : EXIT_RESOURCES, "--matte: %s", tilecut_error_detail());
}

static int find_band(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                     const matting_request *request, uint8_t *trimap, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    if (request->band == MATTING_AUTO) {
        const tilecut_status status = tilecut_matte_band(opaque, mask, seeds, request->threads, trimap);
        return status == TILECUT_OK ? EXIT_DONE : refused(status, why);
    }
    for (size_t p = 0; p < pixels; p++)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has taken memory for it
        trimap[p] = seeds[p] == TILECUT_UNKNOWN      ? TILECUT_MATTE_UNKNOWN
                    : seeds[p] == TILECUT_FOREGROUND ? TILECUT_MATTE_FOREGROUND
                                                     : TILECUT_MATTE_BACKGROUND;
    return EXIT_DONE;
}

/* Computes alpha. If the trimap has no band, for instance for a mask of one label, alpha is that of the trimap. */
static int find_alpha(const tilecut_image *opaque, const uint8_t *trimap, const matting_request *request, int64_t *band,
                      uint16_t *alpha, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    *band = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has taken memory for both
    for (size_t p = 0; p < pixels; p++) *band += trimap[p] == TILECUT_MATTE_UNKNOWN;
    const uint64_t need = pixels * MATTING_BYTES + (uint64_t)*band * MATTING_BAND_BYTES;
    if (need > request->memory)
        return fail(why, EXIT_RESOURCES, "--matte: a band of %lld pixels takes about %.0f MB of memory but %.0f MB are "
                    "there; seed more of the photo, or use --feather", (long long)*band, (double)need / 1e6,
                    (double)request->memory / 1e6);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the same
    for (size_t p = 0; p < pixels; p++) alpha[p] = trimap[p] == TILECUT_MATTE_FOREGROUND ? 65535 : 0;
    if (!*band) return EXIT_DONE;
    const tilecut_status status = tilecut_matte(opaque, trimap, request->threads, alpha);
    if (status == TILECUT_ESEEDS && request->band == MATTING_SEEDS)
        return fail(why, EXIT_SEEDS, "--matte: seeds is for seeds of both classes, and none of these is %s; add "
                    "--fg and --bg \"X,Y X,Y\", or take --matte auto",
                    memchr(trimap, TILECUT_MATTE_FOREGROUND, pixels) ? "background" : "foreground");
    return status == TILECUT_OK ? EXIT_DONE : refused(status, why);
}

/* The edge of an ordinary object. *band: how many pixels it makes soft. */
static int find_plain(const tilecut_image *opaque, const uint8_t *mask, int threads, uint16_t *alpha, int64_t *band,
                      failure *why)
{
    const tilecut_status status = tilecut_edge(opaque, mask, threads, alpha, NULL);
    if (status != TILECUT_OK) return refused(status, why);
    *band = 0;
    for (size_t p = 0; p < (size_t)opaque->width * (size_t)opaque->height; p++)
        *band += alpha[p] > 0 && alpha[p] < 65535;
    return EXIT_DONE;
}

/* Gets the object's colours from the library, packed without alpha, and adds the photo's own alpha. */
static int clean_colors(const image *photo, const tilecut_image *opaque, const uint8_t *mask, uint16_t *alpha,
                        const matting_request *request, matte *out, failure *why)
{
    const bool plain = request->band == MATTING_PLAIN;
    const size_t pixels = image_area(photo), sample = (size_t)photo->depth / 8;
    const size_t to = (size_t)photo->channels * sample, from = (size_t)opaque->channels * sample;
    uint8_t *const colors = malloc(pixels * from);
    out->colors = (image){.width = photo->width, .height = photo->height, .channels = photo->channels,
                          .depth = photo->depth, .pixels = malloc(pixels * to)};
    tilecut_status status = TILECUT_OK;
    const bool room = colors && out->colors.pixels;
    if (room && plain) status = tilecut_edge(opaque, mask, request->threads, alpha, colors); /* alpha again */
    else if (room) status = tilecut_matte_colors(opaque, alpha, request->threads, colors);
    if (room && status == TILECUT_OK) {
        memcpy(out->colors.pixels, photo->pixels, pixels * to);
        for (size_t p = 0; p < pixels; p++) memcpy(out->colors.pixels + p * to, colors + p * from, from);
    }
    free(colors);
    if (!room) return fail(why, EXIT_RESOURCES, "not enough memory for the soft edge");
    return status == TILECUT_OK ? EXIT_DONE : refused(status, why);
}

static void store_alpha(const uint16_t *alpha, image *out)
{
    for (size_t p = 0; p < image_area(out); p++)
        sample_set(out, p, out->depth == 16 ? alpha[p] : (alpha[p] * 255U + 32767) / 65535);
}

int matting_make(const image *photo, const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                 const matting_request *request, matte *out, int64_t *band, failure *why)
{
    const size_t pixels = image_area(photo);
    uint8_t *const trimap = malloc(pixels);
    uint16_t *const alpha = malloc(pixels * sizeof *alpha);
    int status = EXIT_DONE;
    *out = (matte){.alpha = {.width = photo->width, .height = photo->height, .channels = 1, .depth = photo->depth,
                             .pixels = malloc(pixels * (size_t)photo->depth / 8)}};
    if (!trimap || !alpha || !out->alpha.pixels)
        status = fail(why, EXIT_RESOURCES, "not enough memory for the soft edge");
    const bool plain = request->band == MATTING_PLAIN;
    if (!status && plain) status = find_plain(opaque, mask, request->threads, alpha, band, why);
    if (!status && !plain) status = find_band(opaque, mask, seeds, request, trimap, why);
    if (!status && !plain) status = find_alpha(opaque, trimap, request, band, alpha, why);
    free(trimap);
    if (!status) store_alpha(alpha, &out->alpha);
    if (!status && request->clean) status = clean_colors(photo, opaque, mask, alpha, request, out, why);
    free(alpha);
    if (status) matte_free(out);
    return status;
}
