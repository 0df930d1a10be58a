/* SPDX-License-Identifier: MIT
 *
 * region.c - the table of formats that go by rows, and what all of them share.
 */
#include "region.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "file.h"
#include "file_stream.h"
#include "file_write.h"
#include "tilecut.h"

static const region_format *const formats[] = {
#define REGION(variable) &region_##variable,
#include "regions.def"
#undef REGION
    NULL
};

struct region_reader {
    const region_format *format;
    void *state;
    region_shape stored;     /* as the format reads it                            */
    bool flat;               /* rows are given out without palette and alpha      */
    int channels;            /* of these                                          */
    uint8_t *row;            /* a stored one, if they differ                      */
    int64_t transparent;
};

struct region_writer {
    const region_format *format;
    file_stream stream;
    void *state;
};

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The row of a file's format; NULL: `why` is set. */
static const region_format *find_format(const char *path, failure *why)
{
    uint8_t head[16];
    FILE *const file = fopen(path, "rb");
    if (!file) {
        (void)file_open_failed(path, errno, why);
        return NULL;
    }
    const size_t size = fread(head, 1, sizeof head, file);
    const int error = ferror(file) ? errno : 0; /* EISDIR, say */
    fclose(file);
    if (error || !size) {
        (void)(error ? file_open_failed(path, error, why) : fail(why, EXIT_INPUT, "%s: is empty", path));
        return NULL;
    }
    for (const region_format *const *row = formats; *row; row++) {
        if (!(*row)->probe(head, size)) continue;
        if (!(*row)->without) return *row;
        (void)fail(why, EXIT_INPUT, "%s: is a %s, which needs %s, not found when this was built", path, (*row)->name,
                   (*row)->without);
        return NULL;
    }
    (void)fail(why, EXIT_INPUT, "%s: not a TIFF, PNG or PNM file, the formats that are read by rows; save it as one of "
               "them", path);
    return NULL;
}

static int check_shape(const char *path, const region_shape *s, failure *why)
{
    if (s->width < 1 || s->height < 1) return fail(why, EXIT_INPUT, "%s: has no pixels", path);
    if (s->width > TILECUT_MAX_SIDE || s->height > INT32_MAX)
        return fail(why, EXIT_INPUT, "%s: is %lldx%lld; at most %d columns are possible", path, (long long)s->width,
                    (long long)s->height, TILECUT_MAX_SIDE);
    if (s->channels < 1 || s->channels > 4 || (s->depth != 8 && s->depth != 16))
        return fail(why, EXIT_INPUT, "%s: has %d channels of %d bits; grey or RGB of up to 8, or 16, bits is read by "
                    "rows", path, s->channels, s->depth);
    return EXIT_DONE;
}

int region_open_stored(const char *path, region_shape *shape, region_reader **out, failure *why)
{
    const region_format *const format = find_format(path, why);
    *out = NULL;
    if (!format) return why->status;
    region_reader *const r = calloc(1, sizeof *r);
    if (!r) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    *shape = (region_shape){.format = format->name};
    r->format = format;
    int status = format->open(path, shape, &r->state, why);
    if (!status) status = check_shape(path, shape, why);
    shape->alpha = shape->channels % 2 == 0;
    for (int i = 0; !status && shape->palette && i < shape->palette->entries; i++)
        shape->alpha |= shape->palette->entry[i][3] != 0xff;
    r->stored = *shape;
    if (status) region_close(r);
    else *out = r;
    return status;
}

/* What a palette gives, as in a picture that is read whole: grey if all of it is. */
static int channels_of(const region_palette *palette)
{
    for (int i = 0; i < palette->entries; i++) {
        const uint8_t *const color = palette->entry[i];
        if (color[0] != color[1] || color[1] != color[2]) return 3;
    }
    return 1;
}

int region_open(const char *path, region_shape *shape, region_reader **out, failure *why)
{
    const int status = region_open_stored(path, shape, out, why);
    region_reader *const r = *out;
    if (status || !r || (!shape->palette && shape->channels % 2)) return status;
    r->flat = true;
    r->row = malloc((size_t)shape->width * (size_t)shape->channels * (size_t)(shape->depth / 8));
    if (!r->row) {
        region_close(r);
        *out = NULL;
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    }
    r->channels = shape->palette ? channels_of(shape->palette) : shape->channels - 1;
    shape->channels = r->channels;
    shape->palette = NULL;
    return EXIT_DONE;
}

int region_check_upright(const char *path, const region_shape *shape, bool as_stored, failure *why)
{
    if (as_stored || shape->orientation < 2 || shape->orientation > 8) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: has to be turned (its orientation is %d), and rows are read as they are stored; "
                "save it upright, or use --exif ignore", path, shape->orientation);
}

/* The stored row without palette or alpha. */
static void flatten(region_reader *r, uint8_t *pixels)
{
    const region_palette *const palette = r->stored.palette;
    const size_t width = (size_t)r->stored.width, sample = (size_t)r->stored.depth / 8;
    const size_t kept = (size_t)r->channels * sample, all = (size_t)r->stored.channels * sample;
    for (size_t x = 0; palette && x < width; x++) {
        const uint8_t *const color = palette->entry[r->row[x]];
        memcpy(pixels + x * kept, color, kept);
        r->transparent += color[3] != 0xff;
    }
    for (size_t x = 0; !palette && x < width; x++) {
        const uint8_t *const from = r->row + x * all;
        memcpy(pixels + x * kept, from, kept);
        r->transparent += from[kept] != 0xff || from[all - 1] != 0xff;
    }
}

int region_read(region_reader *r, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const size_t row = (size_t)r->stored.width * (size_t)r->channels * (size_t)(r->stored.depth / 8);
    int status = EXIT_DONE;
    if (!r->flat) return r->format->read(r->state, first, rows, pixels, why);
    for (int64_t y = 0; !status && y < rows; y++) {
        status = r->format->read(r->state, first + y, 1, r->row, why);
        if (!status) flatten(r, pixels + (size_t)y * row);
    }
    return status;
}

int64_t region_transparent(const region_reader *r)
{
    return r->transparent;
}

void region_close(region_reader *r)
{
    if (!r) return;
    if (r->state) r->format->close(r->state);
    free(r->row);
    free(r);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static const region_format *format_named(const char *word)
{
    for (const region_format *const *row = formats; *row; row++)
        for (int i = 0; i < 3 && (*row)->extensions[i]; i++)
            if (!strcasecmp(word, (*row)->extensions[i])) return *row;
    return NULL;
}

static const region_format *format_of_name(const char *path, const char *as)
{
    const bool pipe = !strcmp(path, "-");
    const char *const dot = pipe ? NULL : strrchr(path, '.');
    const region_format *const format = dot ? format_named(dot + 1) : NULL;
    if (format || (dot && image_has_extension(path))) return format;
    return format_named(as ? as : pipe ? "png" : "");
}

int region_can_write(const char *path, const char *as, failure *why)
{
    const region_format *const format = format_of_name(path, as);
    if (!format)
        return fail(why, EXIT_USAGE, "%s: an image in parts is written as .tif, .png or .pgm; name such a file, or "
                    "--format", path);
    if (format->without)
        return fail(why, EXIT_USAGE, "%s: %s needs %s, not found when this was built", path, format->name,
                    format->without);
    return EXIT_DONE;
}

int region_create(const char *path, const char *as, region_writer **out, failure *why)
{
    int status = region_can_write(path, as, why);
    *out = NULL;
    if (status) return status;
    region_writer *const w = calloc(1, sizeof *w);
    if (!w) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", path);
    w->format = format_of_name(path, as);
    *out = w;
    status = file_stream_open(&w->stream, path, why);
    if (!status && w->format->seeks && !w->stream.beside)
        return fail(why, EXIT_USAGE, "%s: a %s cannot be written to a pipe by rows; name a file, or .pgm",
                    file_output_name(path), w->format->name);
    return status;
}

int region_begin(region_writer *w, int64_t width, int64_t height, int threads, failure *why)
{
    return w->format->create(&w->stream, width, height, threads, &w->state, why);
}

int region_write(region_writer *w, const uint8_t *row, failure *why)
{
    return w->format->write(w->state, row, why);
}

int region_finish(region_writer *w, bool good, failure *why)
{
    failure other = {0};
    int status = EXIT_DONE;
    if (!w) return EXIT_DONE;
    if (w->state) status = w->format->finish(w->state, good, good ? why : &other);
    const int end = file_stream_end(&w->stream, good && !status, good && !status ? why : &other);
    free(w);
    return !good ? EXIT_DONE : status ? status : end;
}

/* ---- Writing together ------------------------------------------------------------------------- */

const char *region_shared_as(const region_writer *w)
{
    return w->format->together ? file_stream_shared_as(&w->stream) : NULL;
}

int region_descriptor(const region_writer *w)
{
    return w->stream.descriptor;
}

bool region_join(const char *path, const char *as, const char *shared_as, region_writer **out)
{
    region_writer *const w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w) return false;
    w->format = format_of_name(path, as);
    if (file_stream_join(&w->stream, path, shared_as)) *out = w;
    else free(w);
    return *out != NULL;
}

int region_write_together(const char *path, const char *as, int file, const region_team *team, failure *why)
{
    const int status = format_of_name(path, as)->together(team, path, file, why);
    if (status) return status;
    while (fsync(file) != 0)
        if (errno != EINTR) return errno == EINVAL || errno == EROFS ? EXIT_DONE : file_write_failed(path, errno, why);
    return EXIT_DONE;
}
