/* SPDX-License-Identifier: MIT
 *
 * y4m.c - fuzz target: films, as y4m or as raw frames of a size given by the first two bytes. Every frame must have all
 * its pixels, and invalid input must end with an error message.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "film.h"
#include "fuzz.h"

static void read_frames(film *f, failure *why)
{
    enum { MOST_FRAMES = 8 };
    bool more = true;
    for (int i = 0; more && i < MOST_FRAMES; i++) {
        const int status = film_next(f, &more, why);
        MUST(status == EXIT_DONE || (status == EXIT_INPUT && *why->text && !strchr(why->text, '\n')));
        if (status) break;
        uint32_t sum = 0; /* reads every byte, so that sanitizers check all of them */
        for (size_t k = 0; more && k < (size_t)f->width * (size_t)f->height * (size_t)f->channels; k++)
            sum += f->pixels[k];
        MUST(sum < UINT32_MAX);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const image_limits limits = {.max_pixels = 1 << 14, .max_bytes = 1 << 20};
    film f = {0};
    failure why = {0};
    film_shape shape = {0};
    char path[40];
    const bool raw = size > 2 && data[0] < 40;
    const int file = memfd_create("film", MFD_CLOEXEC);
    MUST(file >= 0);
    if (raw) shape = (film_shape){.width = 1 + data[0], .height = 1 + data[1] % 40};
    MUST(write(file, data + (raw ? 2 : 0), size - (raw ? 2 : 0)) >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int status = film_open(&f, path, &shape, &limits, &why);
    MUST(status == EXIT_DONE || status == EXIT_INPUT || status == EXIT_USAGE || status == EXIT_RESOURCES);
    if (status) MUST(*why.text && !strchr(why.text, '\n'));
    else read_frames(&f, &why);
    film_close(&f);
    close(file);
    return 0;
}
