/* SPDX-License-Identifier: MIT
 *
 * paint.c - paints the cutout and the overlay.
 */
#include "paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "pixel.h"
#include "tilecut.h"

image_view image_as_view(const image *img)
{
    return (image_view){.width = img->width,
                        .height = img->height,
                        .channels = img->channels,
                        .depth = img->depth,
                        .pixels = img->pixels,
                        .icc = img->icc,
                        .exif = img->exif,
                        .icc_size = img->icc_size,
                        .exif_size = img->exif_size,
                        .density = {img->density[0], img->density[1]},
                        .place = img->place.placed ? &img->place : NULL};
}

/* Allocates a picture of the photo's size. */
static int start_picture(const image *photo, int channels, int depth, image *out, failure *why)
{
    *out = (image){.width = photo->width,
                   .height = photo->height,
                   .channels = channels,
                   .depth = depth,
                   .orientation = 1,
                   .format = "PNG"};
    out->pixels = malloc(image_area(photo) * (size_t)channels * (size_t)(depth / 8));
    if (out->pixels) return EXIT_DONE;
    *out = (image){0};
    return fail(why, EXIT_RESOURCES, "not enough memory for a picture of %dx%d", photo->width, photo->height);
}

/* Copies the photo's profile, EXIF, density and place. A profile for grey is left out if the picture has colours. */
static int copy_facts(const image *photo, image *out, failure *why)
{
    const bool colored = photo->channels <= 2 && out->channels > 2;
    int status = EXIT_DONE;
    memcpy(out->density, photo->density, sizeof out->density);
    out->place = photo->place;
    if (!colored) status = image_keep("the result", photo->icc, photo->icc_size, &out->icc, &out->icc_size, why);
    if (!status) status = image_keep("the result", photo->exif, photo->exif_size, &out->exif, &out->exif_size, why);
    if (status) image_free(out);
    return status;
}

/* The parts of a cutout. */
typedef struct layer {
    const image *colors; /* the photo, or the photo with the object's colours in the soft edge */
    const uint8_t *mask;
    const image *alpha;  /* a soft alpha; NULL: the mask is the alpha */
} layer;

/* Returns the opacity of pixel p: its alpha times the photo's own alpha. */
static uint32_t opacity(const layer *l, size_t p)
{
    const size_t n = (size_t)l->colors->channels;
    const uint64_t max = sample_max(l->colors), own = n % 2 ? max : sample_at(l->colors, p * n + n - 1);
    if (!l->alpha) return l->mask[p] ? (uint32_t)own : 0;
    return (uint32_t)((own * sample_at(l->alpha, p) + max / 2) / max);
}

void paint_alpha(const image *photo, image *alpha)
{
    const layer object = {.colors = photo, .alpha = alpha};
    if (photo->channels % 2) return;
    for (size_t p = 0; p < image_area(alpha); p++) sample_set(alpha, p, opacity(&object, p));
}

/* Makes the cutout. Transparent pixels become black unless `keep_hidden`: nobody should find there what was cut away,
 * and black takes the least room in a file. */
static void cut_layer(const layer *l, bool keep_hidden, image *out)
{
    const size_t from = (size_t)l->colors->channels, to = (size_t)out->channels, colors = to - 1;
    for (size_t p = 0; p < image_area(out); p++) {
        const uint32_t alpha = opacity(l, p);
        for (size_t c = 0; c < colors; c++)
            sample_set(out, p * to + c, alpha || keep_hidden ? sample_at(l->colors, p * from + c) : 0);
        sample_set(out, p * to + colors, alpha);
    }
}

/* Blends the layer onto the picture `under` it. */
static void blend(const layer *l, const image *under, image *out)
{
    const size_t from = (size_t)l->colors->channels, to = (size_t)out->channels, n = (size_t)under->channels;
    const bool grey = from <= 2, one = image_area(under) == 1;
    const uint32_t max = sample_max(out), most = sample_max(under);
    for (size_t p = 0; p < image_area(out); p++) {
        const uint32_t alpha = opacity(l, p);
        for (size_t c = 0; c < to; c++) {
            const uint64_t color = sample_at(l->colors, p * from + (grey ? 0 : c));
            const uint64_t below = sample_at(under, (one ? 0 : p) * n + (n == 1 ? 0 : c));
            const uint64_t scaled = (below * max + most / 2) / most;
            sample_set(out, p * to + c, (uint32_t)((color * alpha + scaled * (max - alpha) + max / 2) / max));
        }
    }
}

bool paint_bounds(const uint8_t *mask, int width, int height, int margin, image_box *box)
{
    int left = width, right = -1, top = -1, bottom = -1;
    for (int y = 0; y < height; y++) {
        const uint8_t *const row = mask + (size_t)y * (size_t)width;
        int x = 0, end = width - 1;
        while (x < width && !row[x]) x++;
        if (x == width) continue;
        while (!row[end]) end--;
        if (top < 0) top = y;
        bottom = y;
        left = x < left ? x : left;
        right = end > right ? end : right;
    }
    if (right < 0) return false;
    left = left > margin ? left - margin : 0;
    top = top > margin ? top - margin : 0;
    right = right < width - 1 - margin ? right + margin : width - 1;
    bottom = bottom < height - 1 - margin ? bottom + margin : height - 1;
    *box = (image_box){left, top, right - left + 1, bottom - top + 1};
    return true;
}

int paint_cutout(const image *photo, const uint8_t *mask, const matte *soft, const image *under, bool keep_hidden,
                 image *out, failure *why)
{
    const layer object = {soft && soft->colors.pixels ? &soft->colors : photo, mask, soft ? &soft->alpha : NULL};
    const bool grey = photo->channels <= 2;
    const int channels = !under ? (grey ? 2 : 4) : grey && under->channels == 1 ? 1 : 3;
    STEP(start_picture(photo, channels, photo->depth, out, why));
    if (under)
        blend(&object, under, out);
    else
        cut_layer(&object, keep_hidden, out);
    return copy_facts(photo, out, why);
}

/* ---- Overlay ---- */

static const uint8_t CONTOUR[3] = {255, 221, 0}, GREEN[3] = {0, 255, 0}, RED[3] = {255, 0, 0};

enum {
    DIMMED = 96,
    SEED = 160,
    TRANSPARENT_GREY = 128
}; /* in 256ths: the brightness of the background, and the strength of a seed's colour */

static uint8_t mix(int a, int b, int b_share)
{
    return (uint8_t)((a * (256 - b_share) + b * b_share + 128) / 256);
}

/* Returns the object's share of pixel p, in 256ths. */
static int share_at(const uint8_t *mask, const uint16_t *shares, size_t p)
{
    return shares ? (shares[p] + 128) / 256 : mask[p] ? 256 : 0;
}

static void shade(const image *photo, const uint8_t *mask, const uint16_t *shares, const uint8_t *seeds, image *out)
{
    for (size_t p = 0; p < image_area(photo); p++) {
        const uint32_t argb = picture_argb(photo, p);
        const int alpha = (int)(argb >> 24);
        const uint8_t *seed = !seeds                           ? NULL
                              : seeds[p] == TILECUT_FOREGROUND ? GREEN
                              : seeds[p] == TILECUT_BACKGROUND ? RED
                                                               : NULL;
        for (int c = 0; c < 3; c++) {
            int v = mix(TRANSPARENT_GREY, argb_channel(argb, c), alpha + alpha / 255);
            v = mix(mix(0, v, DIMMED), v, share_at(mask, shares, p));
            if (seed) v = mix(v, seed[c], SEED);
            out->pixels[3 * p + (size_t)c] = (uint8_t)v;
        }
    }
}

/* Returns the largest share within `width` pixels of pixel p, in 256ths. */
static int most_around(const uint8_t *mask, const uint16_t *shares, const image *out, size_t p, int width)
{
    const int x = (int)(p % (size_t)out->width), y = (int)(p / (size_t)out->width);
    int most = 0;
    for (int v = y - width; v <= y + width; v++)
        for (int u = x - width; u <= x + width; u++) {
            const int dx = u - x, dy = v - y;
            if (u < 0 || v < 0 || u >= out->width || v >= out->height || dx * dx + dy * dy > width * width) continue;
            const int share = share_at(mask, shares, (size_t)v * (size_t)out->width + (size_t)u);
            most = share > most ? share : most;
        }
    return most;
}

/* Draws the contour, 1 pixel wide on a small picture and wider in proportion on a large one. Its strength at a pixel is
 * the amount by which the largest share around the pixel exceeds the pixel's own. */
static int outline(const uint8_t *mask, const uint16_t *shares, image *out, failure *why)
{
    enum { SOFT = 3 }; /* shares differ from the mask at most this many pixels from the outline */
    const int width = (int)fmax(1, round(hypot(out->width, out->height) / 800));
    uint8_t *near = malloc(image_area(out));
    const bool room = near && distance_within(mask, out->width, out->height, width + (shares ? SOFT : 0), near);
    for (size_t p = 0; room && p < image_area(out); p++) {
        const int own = share_at(mask, shares, p);
        if (!near[p] || own == 256) continue;
        const int more = (shares ? most_around(mask, shares, out, p, width) : 256) - own;
        for (size_t c = 0; c < 3; c++) out->pixels[3 * p + c] = mix(out->pixels[3 * p + c], CONTOUR[c], more);
    }
    free(near);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for the contour");
}

int paint_overlay(const image *photo, const uint8_t *mask, const uint16_t *alpha, const uint8_t *seeds, image *out,
                  failure *why)
{
    int status = start_picture(photo, 3, 8, out, why);
    if (status) return status;
    shade(photo, mask, alpha, seeds, out);
    status = outline(mask, alpha, out, why);
    if (status) image_free(out);
    return status ? status : copy_facts(photo, out, why);
}
