/* SPDX-License-Identifier: MIT
 *
 * picture.h - makes a decoder of pictures a fuzz target: any bytes must give a picture within the limits, or an error
 * message and an empty picture.
 */
#pragma once

#include <string.h>

#include "fuzz.h"
#include "image.h"

static inline void check_picture(const image *pic)
{
    const size_t pixels = (size_t)pic->width * (size_t)pic->height;
    const size_t size = pixels * (size_t)pic->channels * (size_t)(pic->depth / 8);
    uint32_t sum = 0; /* reads every byte, so that sanitizers check all of them */
    MUST(pic->width > 0 && pic->height > 0 && pic->channels >= 1 && pic->channels <= 4);
    MUST(pic->depth == 8 || pic->depth == 16);
    for (size_t i = 0; i < size; i++) sum += pic->pixels[i];
    for (size_t i = 0; pic->index && i < pixels; i++) sum += pic->index[i];
    for (size_t i = 0; pic->icc && i < pic->icc_size; i++) sum += pic->icc[i];
    MUST(sum + 1 != 0 || sum == UINT32_MAX);
}

/* Returns the memory of the picture and of a cut. */
static inline uint64_t need_of_cut(const void *plan, const int64_t size[3], uint64_t pixel)
{
    (void)plan;
    return (uint64_t)(size[0] * size[1]) * (pixel + 42);
}

static inline int decode_picture(const image_format *format, const uint8_t *data, size_t size)
{
    static const image_limits limits = {.max_pixels = 1 << 18, .max_bytes = 1 << 24, .need = need_of_cut};
    image pic = {.format = format->name, .orientation = 1};
    notes log = {0};
    failure why = {0};

    if (format->without || !format->probe(data, size)) return 0;
    const int status = format->open ? image_decode("fuzz", data, size, &limits, &pic, &log, &why)
                                    : format->decode("fuzz", data, size, &limits, &pic, &log, &why);
    MUST_READ_OR_SAY(status, why);
    if (status == EXIT_DONE) check_picture(&pic);
    image_free(&pic);
    notes_free(&log);
    return 0;
}
