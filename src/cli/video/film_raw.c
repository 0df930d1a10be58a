/* SPDX-License-Identifier: MIT
 *
 * film_raw.c - reads and writes frames without headers, as ffmpeg does: -f rawvideo -pix_fmt rgb24, or gray.
 */
#include "film.h"

static int begin_raw(film *f, failure *why)
{
    (void)f, (void)why;
    return EXIT_DONE;
}

static int read_frame(film *f, bool *more, failure *why)
{
    const size_t size = (size_t)f->width * (size_t)f->height * (size_t)f->channels;
    size_t got;
    const int status = film_fill(f, f->pixels, size, &got, why);
    *more = got == size;
    if (status || got == size || got == 0) return status;
    return film_cut_short(f, got, size, why);
}

static bool no_head(const film *f, bytes *out)
{
    (void)f, (void)out;
    return true;
}

const film_format film_rgb24 = {
    .name = "rgb24",
    .summary = "raw frames, a byte each of red, green and blue a pixel",
    .channels = 3,
    .begin = begin_raw,
    .read = read_frame,
};

const film_format film_gray = {
    .name = "gray",
    .summary = "raw frames, a byte a pixel",
    .channels = 1,
    .begin = begin_raw,
    .read = read_frame,
    .head = no_head,
    .before_each = "",
};
