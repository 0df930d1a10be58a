/* SPDX-License-Identifier: MIT
 *
 * film_images.c - a film whose frames are pictures in files, of one size. The first picture determines size and
 * channels; 16 bits become 8.
 */
#include <stdlib.h>
#include <string.h>

#include "film.h"

/* Returns false, because a film of pictures is found by its names, never by its first bytes. */
static bool probe_images(const uint8_t *begin, size_t size)
{
    (void)begin, (void)size;
    return false;
}

static int read_picture(film *f, image *out, failure *why)
{
    const char *const name = f->list.name[f->frames];
    STEP(image_read(name, &f->limits, out, &f->log, why));
    if (out->channels % 2 == 0 && !f->frames)
        note(&f->log, "%s: is transparent somewhere; colours of frames are used as if they were opaque", name);
    if (f->frames && (out->width != f->width || out->height != f->height))
        return fail(why, EXIT_INPUT, "%s: is %dx%d but %s is %dx%d; all frames of a film have one size", name,
                    out->width, out->height, f->list.name[0], f->width, f->height);
    if (f->frames && out->channels >= 3 && f->channels == 1)
        return fail(why, EXIT_INPUT, "%s: is in colour but %s is grey; all frames of a film have to be of one kind",
                    name, f->list.name[0]);
    return EXIT_DONE;
}

static int begin_images(film *f, failure *why)
{
    const int status = read_picture(f, &f->first, why);
    f->width = f->first.width, f->height = f->first.height;
    f->channels = f->first.channels >= 3 ? 3 : 1;
    return status;
}

static int read_frame(film *f, bool *more, failure *why)
{
    image pic = f->first;
    uint8_t *owned = NULL;
    int status = EXIT_DONE;
    f->first = (image){0};
    *more = f->frames < f->list.count;
    if (!*more) return EXIT_DONE;
    if (!pic.pixels) status = read_picture(f, &pic, why);
    if (!status) {
        const image_view view = {.width = pic.width, .height = pic.height, .channels = pic.channels,
                                 .depth = pic.depth, .pixels = pic.pixels};
        const uint8_t *const samples = image_view_8bit(&view, f->channels, &owned);
        if (samples) memcpy(f->pixels, samples, (size_t)f->width * (size_t)f->height * (size_t)f->channels);
        else status = fail(why, EXIT_RESOURCES, "%s: not enough memory for a frame", f->list.name[f->frames]);
    }
    free(owned);
    image_free(&pic);
    return status;
}

const film_format film_images = {
    .name = "images",
    .summary = "pictures of one size: a folder, or names with %04d or *",
    .probe = probe_images,
    .begin = begin_images,
    .read = read_frame,
};
