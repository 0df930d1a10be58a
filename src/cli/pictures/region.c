/* SPDX-License-Identifier: MIT */
#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "file_stream.h"
#include "file_write.h"

struct region_reader {
    const image_format *format;
    picture_source from;
    void *state;             /* state of the format; NULL: the picture is in `held` */
    image held;
    region_palette colors;   /* of it */
    image_limits whole;      /* limits of a picture that is read whole */
    bytes file;              /* data that were read from a pipe */
    region_shape stored;     /* shape in the file, before palette and alpha are removed */
    bool flat;               /* rows are delivered without the palette and alpha of the file */
    int channels;            /* number of channels of the delivered rows */
    uint8_t *row;            /* buffer for a stored row, if it differs from a delivered row */
    int64_t transparent;
    notes remarks;              /* notes from the reader of the format */
};

struct region_writer {
    const image_format *format;
    file_stream stream;
    image_sink sink;
    void *state;
};

/* ---- Reading ---------------------------------------------------------------------------------- */

static int no_memory_for(const char *path, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
}

/* Opens a file. If it is a pipe, reads all of it into memory. */
static int open_file(region_reader *r, const char *path, failure *why)
{
    struct stat about;
    r->from = (picture_source){.name = file_input_name(path), .path = strcmp(path, "-") ? path : NULL, .file = -1};
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size) {
        r->from.file = open(path, O_RDONLY | O_CLOEXEC);
        r->from.size = (uint64_t)about.st_size;
        return r->from.file < 0 ? file_open_failed(path, errno, why) : EXIT_DONE;
    }
    const int status = file_read(path, INT64_MAX, &r->file, why);
    r->from.data = r->file.data, r->from.size = r->file.size;
    return status;
}

/* Finds the palette of a picture in memory: the colour of a pixel with each index. */
static void find_colors(region_reader *r)
{
    const image *const held = &r->held;
    const size_t n = (size_t)held->channels;
    for (size_t p = 0; p < (size_t)held->width * (size_t)held->height; p++) {
        const uint8_t *const pixel = held->pixels + p * n;
        uint8_t *const entry = r->colors.entry[held->index[p]];
        for (size_t c = 0; c < 3; c++) entry[c] = pixel[n > 2 ? c : 0];
        entry[3] = n % 2 ? 255 : pixel[n - 1];
    }
    r->colors.entries = 256;
}

/* Describes the picture in memory. */
static void describe_held(region_reader *r)
{
    region_shape *const shape = &r->stored;
    const image *const held = &r->held;
    shape->width = held->width, shape->height = held->height;
    shape->channels = held->index ? 1 : held->channels, shape->depth = held->depth;
    shape->format = held->format;
    shape->palette = held->index ? &r->colors : NULL;
    shape->rows_are_free = false;
    shape->orientation = held->orientation;
    shape->lossy = held->lossy;
    shape->place = held->place;
    memcpy(shape->density, held->density, sizeof shape->density);
    if (held->index) find_colors(r);
}

/* Reads the whole picture into memory, and turns it upright unless its orientation is ignored. */
static int hold(region_reader *r, failure *why)
{
    notes_free(&r->remarks);
    r->stored.beside[0] = '\0'; /* the readers of whole pictures add this note themselves */
    const int status = image_decode_source(&r->from, &r->whole, &r->held, &r->remarks, why);
    bytes_free(&r->file);
    if (!status) describe_held(r);
    return status;
}

/* Opens a picture to be read by rows. If its format does not allow that, or if the picture must be turned, reads all of
 * it; or, with `free_only`, nothing. */
static int open_format(region_reader *r, bool free_only, failure *why)
{
    static const image_limits by_rows = {.by_rows = true};
    uint8_t head[64];
    image about = {0};
    const size_t size = picture_read(&r->from, 0, head, sizeof head);
    const image_format *const format = image_format_of(head, size);
    int status = EXIT_DONE;
    if (format && format->open) {
        r->format = format;
        r->stored.format = format->name;
        r->stored.rows_are_free = true;
        status = format->open(&r->from, &by_rows, &r->stored, &about, &r->state, &r->remarks, why);
        r->stored.place = about.place;
        memcpy(r->stored.density, about.density, sizeof about.density);
        r->stored.lossy = about.lossy;
        image_free(&about);
    }
    const bool upright = r->whole.exif_ignore || r->stored.orientation < 2 || r->stored.orientation > 8;
    if (status || (r->state && r->stored.rows_are_free && upright)) return status;
    if (r->state) r->format->close(r->state);
    r->state = NULL;
    r->stored.rows_are_free = false, r->stored.palette = NULL;
    return free_only ? EXIT_DONE : hold(r, why);
}

/* Completes the shape of an open picture. */
static void finish_shape(region_reader *r, region_shape *shape)
{
    r->stored.alpha = r->stored.channels % 2 == 0;
    for (int i = 0; r->stored.palette && i < r->stored.palette->entries; i++)
        r->stored.alpha |= r->stored.palette->entry[i][3] != 0xff;
    *shape = r->stored;
}

/* Opens the picture in r->from. Frees `r` if that fails, or if the rows are not free and others are not wanted. */
static int begin(region_reader *r, bool free_only, region_shape *shape, region_reader **out, failure *why)
{
    const int status = open_format(r, free_only, why);
    finish_shape(r, shape);
    if (status || (free_only && !r->state)) region_close(r);
    else *out = r;
    return status;
}

int region_open_source(const picture_source *from, const image_limits *limits, region_shape *shape,
                       region_reader **out, failure *why)
{
    region_reader *const r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return no_memory_for(from->name, why);
    r->from = *from;
    r->whole = *limits;
    if (!from->data) r->from.file = dup(from->file);
    return begin(r, false, shape, out, why);
}

int region_open_image(const char *name, image *picture, region_shape *shape, region_reader **out, failure *why)
{
    region_reader *const r = *out = calloc(1, sizeof *r);
    if (!r) return image_free(picture), no_memory_for(name, why);
    r->from = (picture_source){.name = name, .file = -1};
    r->held = *picture;
    *picture = (image){0};
    describe_held(r);
    finish_shape(r, shape);
    return EXIT_DONE;
}

static int open_path(const char *path, bool as_stored, bool free_only, region_shape *shape, region_reader **out,
                     failure *why)
{
    region_reader *const r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return no_memory_for(path, why);
    r->whole = (image_limits){.exif_ignore = as_stored, .max_pixels = INT64_MAX / 2};
    const int status = open_file(r, path, why);
    if (!status) return begin(r, free_only, shape, out, why);
    region_close(r);
    return status;
}

int region_open_stored(const char *path, bool as_stored, region_shape *shape, region_reader **out, failure *why)
{
    return open_path(path, as_stored, true, shape, out, why);
}

int region_flatten(region_reader **reader, region_shape *shape, failure *why)
{
    region_reader *const r = *reader;
    if (!shape->palette && shape->channels % 2) return EXIT_DONE;
    r->flat = true;
    r->row = malloc((size_t)shape->width * (size_t)shape->channels * (size_t)(shape->depth / 8));
    if (!r->row) {
        const int status = no_memory_for(r->from.name, why);
        region_close(r);
        *reader = NULL;
        return status;
    }
    r->channels = shape->palette ? (image_palette_channels(shape->palette) > 2 ? 3 : 1) : shape->channels - 1;
    shape->channels = r->channels;
    shape->palette = NULL;
    return EXIT_DONE;
}

int region_open(const char *path, bool as_stored, region_shape *shape, region_reader **out, failure *why)
{
    STEP(open_path(path, as_stored, false, shape, out, why));
    return region_flatten(out, shape, why);
}

/* Converts a stored row to one without palette and alpha. */
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

/* Reads rows in the form in which they are stored. */
static int take_rows(region_reader *r, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const size_t row = (size_t)r->stored.width * (size_t)r->stored.channels * (size_t)(r->stored.depth / 8);
    if (r->state) return r->format->rows(r->state, first, rows, pixels, why);
    memcpy(pixels, (r->held.index ? r->held.index : r->held.pixels) + (size_t)first * row, (size_t)rows * row);
    return EXIT_DONE;
}

int region_read(region_reader *r, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const size_t row = (size_t)r->stored.width * (size_t)r->channels * (size_t)(r->stored.depth / 8);
    int status = EXIT_DONE;
    if (!r->flat) return take_rows(r, first, rows, pixels, why);
    for (int64_t y = 0; !status && y < rows; y++) {
        status = take_rows(r, first + y, 1, r->row, why);
        if (!status) flatten(r, pixels + (size_t)y * row);
    }
    return status;
}

void region_note_oddities(const region_reader *r, notes *log)
{
    for (int i = 0; i < r->remarks.count; i++) note(log, "%s", r->remarks.text[i]);
    if (r->stored.beside[0]) note(log, "%s: %s", r->from.name, r->stored.beside);
}

int64_t region_transparent(const region_reader *r)
{
    return r->transparent;
}

void region_close(region_reader *r)
{
    if (!r) return;
    if (r->state) r->format->close(r->state);
    if (r->from.file >= 0) close(r->from.file);
    image_free(&r->held);
    bytes_free(&r->file);
    notes_free(&r->remarks);
    free(r->row);
    free(r);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Returns the format of `path` if it is written by rows, else NULL. */
static const image_format *find_format(const char *path, const char *as)
{
    const bool pipe = !strcmp(path, "-");
    const image_format *const named = pipe ? NULL : image_format_of_name(path);
    const image_format *const format = named ? named : image_format_named(as ? as : pipe ? "png" : "");
    return format && format->create && !(pipe && format->seeks) ? format : NULL;
}

bool region_writes_rows(const char *path, const char *as)
{
    return find_format(path, as) != NULL;
}

int region_create(const char *path, const char *as, bool *rows, region_writer **out, failure *why)
{
    region_writer *const w = *out = calloc(1, sizeof *w);
    if (!w) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", path);
    w->format = find_format(path, as);
    const int status = file_stream_open(&w->stream, path, why);
    if (w->format && w->format->seeks && !w->stream.beside) w->format = NULL;
    *rows = w->format != NULL;
    return status;
}

int region_put(region_writer *w, const bytes *file, failure *why)
{
    return file_stream_write(&w->stream, file->data, file->size, why);
}

int region_begin(region_writer *w, const image_view *head, failure *why)
{
    w->sink = (image_sink){.name = w->stream.name, .stream = &w->stream};
    return w->format->create(&w->sink, head, &w->state, why);
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
    return w->format && w->format->together ? file_stream_shared_as(&w->stream) : NULL;
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
    w->format = find_format(path, as);
    if (file_stream_join(&w->stream, path, shared_as)) *out = w;
    else free(w);
    return *out != NULL;
}

int region_write_together(const char *path, const char *as, int file, const region_team *team, failure *why)
{
    STEP(find_format(path, as)->together(team, path, file, why));
    while (fsync(file) != 0)
        if (errno != EINTR) return errno == EINVAL || errno == EROFS ? EXIT_DONE : file_write_failed(path, errno, why);
    return EXIT_DONE;
}
