/* SPDX-License-Identifier: MIT
 *
 * image_memory.c - helpers of all picture formats: limits on sizes, memory for pixels, conversion to 8 bits.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "machine.h"
#include "tilecut.h"

int64_t image_most_pixels(const image_limits *limits)
{
    return limits->max_pixels > 0 ? limits->max_pixels : IMAGE_MAX_PIXELS;
}

int image_check_memory(const char *name, const int64_t size[3], uint64_t pixel, const image_limits *limits,
                       failure *why)
{
    const uint64_t count = (uint64_t)(size[0] * size[1] * size[2]), most = limits->max_bytes;
    const uint64_t need = limits->need ? limits->need(limits->plan, size, pixel) : count * pixel;
    char what[80], depth[24] = "";
    if (most && need > most) {
        if (size[2] > 1) snprintf(depth, sizeof depth, "x%" PRId64, size[2]);
        snprintf(what, sizeof what, "is %" PRId64 "x%" PRId64 "%s", size[0], size[1], depth);
        return fail_memory(name, what, need, most, why);
    }
    if (limits->admit) limits->admit(limits->admit_context, need, count);
    return EXIT_DONE;
}

int image_check_size(const char *name, uint64_t width, uint64_t height, uint64_t bytes_per_pixel,
                     const image_limits *limits, failure *why)
{
    const unsigned long long w = width, h = height, most = (unsigned long long)image_most_pixels(limits);
    const unsigned long long high = limits->by_rows ? INT32_MAX : TILECUT_MAX_SIDE;
    if (w == 0 || h == 0)
        return fail(why, EXIT_INPUT, "%s: its header says %llux%llu; a picture has at least one pixel", name, w, h);
    if (w > TILECUT_MAX_SIDE || h > high)
        return fail(why, EXIT_INPUT, "%s: is %llux%llu; at most %d %s are accepted", name, w, h, TILECUT_MAX_SIDE,
                    limits->by_rows ? "columns" : "pixels a side");
    if (limits->by_rows) return EXIT_DONE;
    if (w * h > most)
        return fail(why, EXIT_INPUT, "%s: is %llux%llu, which is %llu pixels; at most %llu are accepted", name,
                    w, h, w * h, most);
    return image_check_memory(name, (const int64_t[3]){(int64_t)w, (int64_t)h, 1}, bytes_per_pixel, limits, why);
}

bool image_is_tiff(const uint8_t *file, size_t size)
{
    return size >= 4 && (!memcmp(file, "II*\0", 4) || !memcmp(file, "MM\0*", 4) || !memcmp(file, "II+\0", 4) ||
                         !memcmp(file, "MM\0+", 4));
}

int image_cut_short(const char *name, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within the picture; save or copy it again", name);
}

int image_allocate(const char *name, int width, int height, int channels, int depth, image *out, failure *why)
{
    const size_t pixels = (size_t)width * (size_t)height;
    const size_t size = pixels * (size_t)channels * (size_t)(depth / 8);
    out->width = width;
    out->height = height;
    out->channels = channels;
    out->depth = depth;
    out->pixels = machine_large_pages(malloc(size), size);
    if (!out->pixels)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its %dx%d pixels", name, width, height);
    return EXIT_DONE;
}

void image_free(image *picture)
{
    free(picture->pixels);
    free(picture->index);
    free(picture->icc);
    bytes_free(&picture->text);
    free(picture->exif);
    *picture = (image){0};
}

void image_crop(image *picture, const image_box *box)
{
    const size_t pixel = (size_t)picture->channels * (size_t)(picture->depth / 8);
    const size_t from = (size_t)picture->width * pixel, to = (size_t)box->width * pixel;
    const uint8_t *const corner = picture->pixels + (size_t)box->y * from + (size_t)box->x * pixel;
    for (size_t y = 0; y < (size_t)box->height; y++) memmove(picture->pixels + y * to, corner + y * from, to);
    picture->width = box->width;
    picture->height = box->height;
    georeference_move(&picture->place, box->x, box->y);
}

const image_numbers image_numbers_none = {.least = INFINITY, .most = -INFINITY};

void image_numbers_add(image_numbers *n, double v)
{
    n->odd |= !isfinite(v);
    if (v < n->least) n->least = v;
    if (v > n->most) n->most = v;
    n->broken |= v != floor(v);
}

int image_numbers_check(image_numbers *n, const char *name, const char *what, failure *why)
{
    const bool whole = !n->broken;
    n->depth = whole && n->most <= 255 ? 8 : 16;
    if (!n->odd && n->least >= 0 && n->most <= (whole ? 65535 : 1)) return EXIT_DONE;
    if (n->odd) return fail(why, EXIT_INPUT, "%s: is a %s of numbers that are not all finite; a picture has whole ones "
                            "from 0 to 65535, or from 0 to 1", name, what);
    return fail(why, EXIT_INPUT, "%s: is a %s of %snumbers from %.6g to %.6g; a picture has whole ones from 0 to "
                "65535, or from 0 to 1", name, what, whole ? "whole " : "", n->least, n->most);
}

void image_numbers_put(const image_numbers *n, double v, uint8_t *to, size_t i)
{
    const uint16_t wide = (uint16_t)(n->broken ? v * 65535 + 0.5 : v);
    if (n->depth == 8) to[i] = (uint8_t)v;
    else memcpy(to + 2 * i, &wide, sizeof wide);
}

int image_keep(const char *name, const void *data, size_t size, uint8_t **to, size_t *to_size, failure *why)
{
    if (!data || !size || *to) return EXIT_DONE;
    *to = malloc(size);
    if (!*to) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    memcpy(*to, data, size);
    *to_size = size;
    return EXIT_DONE;
}

void image_simplify(image *picture)
{
    const size_t pixels = (size_t)picture->width * (size_t)picture->height, from = (size_t)picture->channels;
    uint8_t *const s = picture->pixels;
    bool colors = false, alpha = false;
    for (size_t p = 0; from > 2 && p < pixels; p++)
        colors |= s[p * from] != s[p * from + 1] || s[p * from] != s[p * from + 2];
    for (size_t p = 0; from % 2 == 0 && p < pixels; p++) alpha |= s[p * from + from - 1] != 0;
    const size_t to = (colors ? 3u : 1u) + (alpha ? 1u : 0u);
    if (to == from) return;
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t last = s[p * from + from - 1];
        memmove(s + p * to, s + p * from, to);
        if (alpha) s[p * to + to - 1] = last;
    }
    picture->channels = (int)to;
}

const uint8_t *image_view_8bit(const image_view *view, int channels, uint8_t **owned)
{
    const size_t pixels = (size_t)view->width * (size_t)view->height, from = (size_t)view->channels;
    const size_t to = (size_t)channels;
    *owned = NULL;
    if (view->depth == 8 && from == to) return view->pixels;
    uint8_t *const out = *owned = malloc(pixels * to);
    if (!out) return NULL;
    const uint8_t *const narrow = view->pixels;
    const uint16_t *const wide = view->pixels;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c < to; c++) {
            const size_t at = p * from + (c < from && (to <= from || from > 2) ? c : 0);
            /* computes v * 255 / 65535, rounded to the nearest */
            out[p * to + c] = view->depth == 8 ? narrow[at] : (uint8_t)((wide[at] * 255u + 32895u) >> 16);
        }
    return out;
}
