/* SPDX-License-Identifier: MIT
 *
 * pixel.h - access to single pixels of struct image, for any number of channels and both depths.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image.h"

static inline size_t image_area(const image *img)
{
    return (size_t)img->width * (size_t)img->height;
}

/* sample_at() returns sample `i`, and sample_max() the largest value that a sample can have. */
static inline uint32_t sample_at(const image *img, size_t i)
{
    return img->depth == 16 ? ((const uint16_t *)(const void *)img->pixels)[i] : img->pixels[i];
}

static inline void sample_set(image *img, size_t i, uint32_t v)
{
    if (img->depth == 16) ((uint16_t *)(void *)img->pixels)[i] = (uint16_t)v;
    else img->pixels[i] = (uint8_t)v;
}

static inline uint32_t sample_max(const image *img) { return img->depth == 16 ? 65535 : 255; }

/* Returns a pixel as 0xAARRGGBB with 8 bits a sample; alpha is 255 if the picture has none. */
static inline uint32_t picture_argb(const image *img, size_t p)
{
    const int n = img->channels;
    const size_t at = p * (size_t)n;
    const int shift = img->depth - 8;
    uint32_t v[4] = {0};
    for (int c = 0; c < n; c++) v[c] = sample_at(img, at + (size_t)c) >> shift;
    const uint32_t a = n == 2 ? v[1] : n == 4 ? v[3] : 255;
    return n <= 2 ? a << 24 | v[0] << 16 | v[0] << 8 | v[0] : a << 24 | v[0] << 16 | v[1] << 8 | v[2];
}

/* Returns the number of pixels from p on that have the same samples, at least 1. Compares eight bytes at a time with
 * the eight bytes one pixel later, because pictures of seeds have long runs. */
static inline size_t pixels_alike(const image *img, size_t p)
{
    const size_t size = (size_t)img->channels * (size_t)(img->depth / 8);
    const size_t most = (image_area(img) - p - 1) * size;
    const uint8_t *const at = img->pixels + p * size;
    size_t same = 0;
    for (uint64_t here, next; same + sizeof here <= most; same += sizeof here) {
        memcpy(&here, at + same, sizeof here);
        memcpy(&next, at + same + size, sizeof next);
        if (here != next) break;
    }
    while (same < most && at[same] == at[same + size]) same++;
    return 1 + same / size;
}

static inline bool argb_transparent(uint32_t argb) { return argb >> 24 < 128; }
static inline int argb_channel(uint32_t argb, int c) { return (int)(argb >> (16 - 8 * c) & 255); }
static inline bool argb_grey(uint32_t argb)
{
    return argb_channel(argb, 0) == argb_channel(argb, 1) && argb_channel(argb, 1) == argb_channel(argb, 2);
}
static inline uint32_t rgb_of(const uint8_t rgb[3])
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* Returns the largest of the differences in red, green and blue. */
static inline int rgb_distance(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int c = 0; c < 3; c++) {
        const int d = argb_channel(a, c) - argb_channel(b, c);
        if (d > most) most = d;
        if (-d > most) most = -d;
    }
    return most;
}
