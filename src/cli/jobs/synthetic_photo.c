/* SPDX-License-Identifier: MIT */
#include "synthetic_photo.h"

#include <stdlib.h>

#include "pixel.h"

static bool keep_8_bits(const image *from, loaded_photo *out)
{
    const size_t pixels = image_area(from), channels = (size_t)from->channels;
    const size_t kept = channels < 3 ? 1 : 3;
    const int shift = from->depth - 8;
    out->pixels = malloc(pixels * kept);
    if (!out->pixels) return false;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c < kept; c++)
            out->pixels[p * kept + c] = (uint8_t)(sample_at(from, p * channels + c) >> shift);
    out->photo = (family_photo){from->width, from->height, (int)kept, out->pixels, NULL};
    return true;
}

int loaded_photo_read(const inputs *in, const char *path, bool with_seeds, loaded_photo *out, notes *log, failure *why)
{
    image photo = {0};
    *out = (loaded_photo){0};
    int status = inputs_read_photo(in, path, 0, &photo, log, why);
    if (status == EXIT_DONE && with_seeds)
        status = inputs_read_seeds(in, &in->files, path, &photo, &out->seeds, log, why);
    if (status == EXIT_DONE && !keep_8_bits(&photo, out))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its pixels", file_input_name(path));
    out->photo.labels = out->seeds.label;
    image_free(&photo);
    return status;
}

void loaded_photo_free(loaded_photo *photo)
{
    free(photo->pixels);
    seeds_free(&photo->seeds);
    *photo = (loaded_photo){0};
}
