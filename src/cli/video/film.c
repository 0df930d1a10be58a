/* SPDX-License-Identifier: MIT */
#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const film_format *const formats[] = {
#define FILM(variable) &film_##variable,
#include "films.def"
#undef FILM
    NULL
};

const film_format *film_format_at(int index)
{
    return formats[index];
}

const film_format *film_format_find(const char *name)
{
    for (int i = 0; formats[i]; i++)
        if (!strcmp(name, formats[i]->name)) return formats[i];
    return NULL;
}

/* ---- films ------------------------------------------------------------------------------------ */

static int open_file(film *f, failure *why)
{
    struct stat about;
    f->descriptor = !strcmp(f->path, "-") ? STDIN_FILENO : open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (f->descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        return fail(why, EXIT_INPUT, "%s: there is no such file", f->path);
    if (f->descriptor < 0) return fail(why, EXIT_INPUT, "%s: cannot be opened: %s", f->path, strerror(errno));
    if (fstat(f->descriptor, &about) == 0 && S_ISDIR(about.st_mode))
        return fail(why, EXIT_INPUT, "%s: is a directory; name it alone if it holds pictures", f->path);
    return EXIT_DONE;
}

/* Chooses the format: the one that the user gave, or the one found from the film's first bytes. */
static int choose_format(film *f, const film_shape *shape, failure *why)
{
    const char *const name = file_input_name(f->path);
    size_t more = 1;
    while (f->until < 16 && more) {
        const int status = film_look_ahead(f, &more, why);
        if (status) return status;
    }
    if (!f->until) return fail(why, EXIT_INPUT, "%s: is empty", name);
    f->format = shape->format;
    for (int i = 0; formats[i] && !f->format; i++)
        if (formats[i]->probe && formats[i]->probe(f->ahead, f->until)) f->format = formats[i];
    if (!f->format) f->format = &film_rgb24;
    if (f->format->probe && !f->format->probe(f->ahead, f->until))
        return fail(why, EXIT_INPUT, "%s: does not begin as a film in %s does", name, f->format->name);
    if (!f->format->probe && !shape->width)
        return fail(why, EXIT_USAGE, "%s: does not begin as y4m does, and raw frames tell no size; give --size WxH",
                    name);
    if (f->format->probe && shape->width)
        return fail(why, EXIT_USAGE, "--size: %s is a film in %s, which tells its size itself; leave --size out", name,
                    f->format->name);
    return EXIT_DONE;
}

static int open_stream(film *f, const film_shape *shape, failure *why)
{
    f->ahead = malloc(FILM_AHEAD);
    if (!f->ahead) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", file_input_name(f->path));
    const int status = open_file(f, why);
    return status ? status : choose_format(f, shape, why);
}

static int open_pictures(film *f, const film_shape *shape, failure *why)
{
    f->format = &film_images;
    if (shape->width || (shape->format && shape->format != f->format))
        return fail(why, EXIT_USAGE, "--%s: is for a film in one file, and frames of %s are pictures; leave it out",
                    shape->width ? "size" : "pixels", f->path);
    return EXIT_DONE;
}

int film_open(film *f, const char *path, const film_shape *shape, const image_limits *limits, failure *why)
{
    f->path = path;
    f->descriptor = -1;
    f->limits = *limits;
    int status = f->list.count ? open_pictures(f, shape, why) : open_stream(f, shape, why);
    if (status) return status;
    f->width = shape->width, f->height = shape->height;
    f->channels = f->format->channels;
    status = f->format->begin(f, why);
    const size_t raw = !status && f->format->raw_bytes ? f->format->raw_bytes(f) : 0;
    const uint64_t area = status ? 1 : (uint64_t)f->width * (uint64_t)f->height;
    const uint64_t per_pixel = (uint64_t)f->channels + (raw + area - 1) / area;
    if (!status)
        status = image_check_size(file_input_name(path), (uint64_t)f->width, (uint64_t)f->height, per_pixel, limits,
                                  why);
    if (status) return status;
    f->pixels = malloc((size_t)f->width * (size_t)f->height * (size_t)f->channels);
    f->raw = raw ? malloc(raw) : NULL;
    if (f->pixels && (f->raw || !raw)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory for a frame", file_input_name(path));
}

int film_next(film *f, bool *more, failure *why)
{
    const int status = f->format->read(f, more, why);
    if (!status && *more) f->frames++;
    return status;
}

void film_close(film *f)
{
    if (f->descriptor > STDIN_FILENO) close(f->descriptor);
    free(f->pixels);
    free(f->raw);
    free(f->ahead);
    image_free(&f->first);
    frame_list_free(&f->list);
    notes_free(&f->log);
    *f = (film){0};
}
