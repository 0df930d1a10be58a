/* SPDX-License-Identifier: MIT
 *
 * image.c - the table of formats: finds a format by content for reading and by extension for writing.
 */
#include "image.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "file_stream.h"
#include "gzip.h"
#include "image_exif.h"
#include "image_foreign.h"

static const image_format *const formats[] = {
#define FORMAT(variable) &image_##variable,
#include "formats.def"
#undef FORMAT
};

enum { FORMATS = sizeof formats / sizeof *formats };

const image_format *image_format_at(int index)
{
    return index >= 0 && index < FORMATS ? formats[index] : NULL;
}

const char *image_format_line(int index)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->line && index-- == 0) return formats[i]->line_here ? formats[i]->line_here() : formats[i]->line;
    return NULL;
}

/* Appends a word to a list "A, B or C"; `last` is true for the last word. */
static void list_word(char *list, size_t size, const char *dot, const char *word, bool last)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s%s", !used ? "" : last ? " or " : ", ", dot, word);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* True if a format reads pictures or, with `slices`, volumes. A format without a line of its own reads annotations
 * (image_json.c). */
static bool is_readable(const image_format *format, bool slices)
{
    return format && format->probe && (format->line || (slices && format->slices));
}

const char *image_list_readable(char *list, size_t size, bool slices)
{
    int last = FORMATS;
    while (last > 0 && !is_readable(formats[last - 1], slices)) last--;
    list[0] = '\0';
    for (int i = 0; i < last; i++)
        if (is_readable(formats[i], slices)) list_word(list, size, "", formats[i]->name, i + 1 == last);
    return list;
}

const image_format *image_format_of(const uint8_t *file, size_t size)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->probe && formats[i]->probe(file, size)) return formats[i];
    return NULL;
}

const image_format *image_format_of_file(const char *path)
{
    uint8_t head[4096];
    FILE *const file = fopen(path, "rb");
    if (!file) return NULL;
    const size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    return image_format_of(head, size);
}

enum { HEAD = 1024 }; /* bytes by which every format is recognised */

/* Finds the format of a file, which for a volume may be packed by gzip. */
static const image_format *format_of_source(const picture_source *from)
{
    uint8_t head[HEAD];
    size_t have = picture_read(from, 0, head, sizeof head);
    gzip_reader *packed = NULL;
    failure ignored = {0};
    if (!gzip_probe(head, have))
        return from->data ? image_format_of(from->data, (size_t)from->size) : image_format_of(head, have);
    const int status = from->data ? gzip_open(from->name, from->data, (size_t)from->size, &packed, &ignored)
                                  : gzip_open_file(from->name, from->file, 0, from->size, &packed, &ignored);
    if (status || gzip_read(packed, head, sizeof head, &have, &ignored)) have = 0;
    gzip_close(packed);
    const image_format *const format = image_format_of(head, have);
    return format && format->flat ? format : NULL;
}

static int refuse_missing(const char *name, const image_format *format, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a %s file, and this tilecut was built without %s; convert it to PNG "
                "first, or build it with %s", name, format->name, format->without, format->without);
}

int image_palette_channels(const region_palette *palette)
{
    bool grey = true, opaque = true;
    for (int i = 0; i < palette->entries; i++) {
        const uint8_t *const entry = palette->entry[i];
        grey = grey && entry[0] == entry[1] && entry[0] == entry[2];
        opaque = opaque && entry[3] == 255;
    }
    return (grey ? 1 : 3) + (opaque ? 0 : 1);
}

/* Replaces the index of each pixel by its colour in the palette. */
static void color_by_index(const region_palette *palette, image *out)
{
    const size_t pixels = (size_t)out->width * (size_t)out->height, channels = (size_t)out->channels;
    const size_t order[4] = {0, channels == 2 ? 3 : 1, 2, 3};
    uint8_t *to = out->pixels;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c < channels; c++) *to++ = palette->entry[out->index[p]][order[c]];
}

/* Reads all rows of an open picture. */
static int read_all(const image_format *format, const char *name, const region_shape *shape, void *state, image *out,
                    failure *why)
{
    const region_palette *const palette = shape->palette;
    const int channels = palette ? image_palette_channels(palette) : shape->channels;
    int status = image_allocate(name, (int)shape->width, (int)shape->height, channels, shape->depth, out, why);
    if (status) return status;
    if (palette) out->index = malloc((size_t)shape->width * (size_t)shape->height);
    if (palette && !out->index) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    status = format->rows(state, 0, shape->height, palette ? out->index : out->pixels, why);
    if (!status && palette) color_by_index(palette, out);
    return status;
}

static int decode_rows(const image_format *format, const picture_source *from, const image_limits *limits, image *out,
                       notes *list, failure *why)
{
    region_shape shape = {.format = format->name, .rows_are_free = true};
    void *state = NULL;
    int status = format->open(from, limits, &shape, out, &state, list, why);
    if (!status) status = read_all(format, from->name, &shape, state, out, why);
    if (!status && *shape.beside) note(list, "%s: %s", from->name, shape.beside);
    if (state) format->close(state);
    return status || !shape.orientation ? status : image_orient(from->name, shape.orientation, limits, out, why);
}

int image_take_file(const picture_source *from, bytes *file, failure *why)
{
    if (from->size > SIZE_MAX / 2 || !bytes_reserve(file, (size_t)from->size))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", from->name);
    file->size = picture_read(from, 0, file->data, (size_t)from->size);
    return EXIT_DONE;
}

/* Decodes in memory a file of which only a descriptor is known. */
static int decode_unread(const picture_source *from, const image_limits *limits, image *out, notes *list, failure *why)
{
    bytes file = {0};
    STEP(image_take_file(from, &file, why));
    const picture_source read = {.name = from->name, .path = from->path, .data = file.data, .file = -1,
                                 .size = file.size};
    const int status = image_decode_source(&read, limits, out, list, why);
    bytes_free(&file);
    return status;
}

int image_decode_source(const picture_source *from, const image_limits *limits, image *out, notes *list, failure *why)
{
    static const image_limits none = {0};
    const image_format *const format = format_of_source(from);
    char readable[200];
    int status;
    if (!limits) limits = &none;
    *out = (image){0};
    if (from->file >= 0 && !from->data && !(format && (format->open || format->flat)))
        return decode_unread(from, limits, out, list, why);
    if (!format)
        return image_fail_foreign(from->name, from->data, (size_t)from->size,
                                  image_list_readable(readable, sizeof readable, false), why);
    if (format->without) return refuse_missing(from->name, format, why);
    out->format = format->name;
    out->orientation = 1;
    if (format->flat) status = format->flat->read(format, from, limits, out, list, why), out->volume = !status;
    else if (format->open) status = decode_rows(format, from, limits, out, list, why);
    else status = format->decode(from->name, from->data, (size_t)from->size, limits, out, list, why);
    if (status) image_free(out);
    return status;
}

int image_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                 notes *list, failure *why)
{
    const picture_source from = {.name = name, .data = file, .file = -1, .size = size};
    return image_decode_source(&from, limits, out, list, why);
}

/* Returns the longest file size that is read: room for an ASCII PNM with 5 digits a sample and for what cameras and
 * editors attach, within the limit on memory. Without a limit, a stream that never ends would be read for ever. */
static uint64_t longest_file(const image_limits *limits)
{
    const uint64_t room = 1 << 26, longest = (uint64_t)image_most_pixels(limits) * 20 + room;
    if (!limits->max_bytes || limits->max_bytes >= longest) return longest;
    return limits->max_bytes > room ? limits->max_bytes : room;
}

/* True if a file that starts with these bytes may have a format that can be read. */
static bool is_known(const uint8_t *file, size_t size)
{
    return image_format_of(file, size) || gzip_probe(file, size);
}

int image_read(const char *path, const image_limits *limits, image *out, notes *list, failure *why)
{
    static const image_limits none = {0};
    bytes file = {0};
    *out = (image){0};
    if (!limits) limits = &none;
    int status = file_read_if(path, longest_file(limits), is_known, &file, why);
    const picture_source from = {.name = file_input_name(path), .path = strcmp(path, "-") ? path : NULL,
                                 .data = file.data, .file = -1, .size = file.size};
    if (!status) status = image_decode_source(&from, limits, out, list, why);
    bytes_free(&file);
    return status;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Returns the extension of "a/b.PNG" in lower case, for messages; "" if there is none, or a long one. */
static const char *extension_of(const char *path, char word[12])
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    size_t length = 0;
    if (dot && dot != base && strlen(dot + 1) <= 8)
        for (; dot[1 + length]; length++) word[length] = (char)tolower((unsigned char)dot[1 + length]);
    word[length] = '\0';
    return word;
}

/* What is to be written; see image_can_write(). */
typedef struct shown {
    enum image_purpose purpose;
    int channels;
} shown;

static bool needs_alpha(shown what) { return what.purpose == IMAGE_CUTOUT && what.channels % 2 == 0; }

static bool is_listed(const image_format *format, shown what)
{
    if (!(IMAGE_IS_WRITTEN(format) || format->without) || !format->extensions[0] || format->flat) return false;
    if (what.purpose == IMAGE_MASK) return format->lossless;
    if (what.purpose == IMAGE_GREY) return format->lossless && format != &image_pbm;
    return format != &image_pbm && (!needs_alpha(what) || format->alpha) && (what.channels <= 2 || format->color);
}

/* Lists the first extension of each format that can be written for this purpose: ".png, .pgm or .jpg". */
static const char *list_extensions(char *list, size_t size, shown what)
{
    int last = FORMATS;
    while (last > 0 && !is_listed(formats[last - 1], what)) last--;
    list[0] = '\0';
    for (int i = 0; i < last; i++)
        if (is_listed(formats[i], what)) list_word(list, size, ".", formats[i]->extensions[0], i + 1 == last);
    return list;
}

const char *image_extension(int index)
{
    for (int i = 0; i < FORMATS; i++) {
        const bool named = (IMAGE_IS_WRITTEN(formats[i]) || formats[i]->without) && !formats[i]->flat;
        for (int k = 0; named && k < 3 && formats[i]->extensions[k]; k++)
            if (index-- == 0) return formats[i]->extensions[k];
    }
    return NULL;
}

const image_format *image_format_named(const char *word)
{
    for (int i = 0; *word && i < FORMATS; i++)
        for (int k = 0; k < 3 && formats[i]->extensions[k]; k++)
            if (!strcasecmp(formats[i]->extensions[k], word)) return formats[i];
    return NULL;
}

const image_format *image_format_of_name(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < FORMATS; i++)
        for (int k = 0; k < 3 && formats[i]->extensions[k]; k++) {
            const size_t size = strlen(formats[i]->extensions[k]);
            if (length > size + 1 && path[length - size - 1] == '.' && path[length - size - 2] != '/' &&
                !strcasecmp(path + length - size, formats[i]->extensions[k]))
                return formats[i];
        }
    return NULL;
}

bool image_has_extension(const char *path)
{
    const image_format *const format = image_format_of_name(path);
    return format && !format->flat;
}

int image_pixel_bytes(const char *path)
{
    const image_format *const format = image_format_of_name(path);
    return format ? format->pixel_bytes : 0;
}

static int find_format(const char *path, const char *as, shown what, const image_format **format, failure *why)
{
    const bool pipe = !strcmp(path, "-");
    char word[12], list[200];
    *format = pipe ? NULL : image_format_of_name(path);
    if (!*format || (as && !IMAGE_IS_WRITTEN(*format) && !(*format)->without))
        *format = image_format_named(as ? as : pipe ? "png" : "");
    if (*format && (*format)->without)
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without %s, which writes %s files; use .png", path,
                    (*format)->without, (*format)->name);
    if (*format && IMAGE_IS_WRITTEN(*format)) return EXIT_DONE;
    if (!*extension_of(path, word))
        return fail(why, EXIT_USAGE, "%s: has no extension that names a format; use %s, or --format", path,
                    list_extensions(list, sizeof list, what));
    return fail(why, EXIT_USAGE, "%s: '%s' files cannot be written; use %s", path, word,
                list_extensions(list, sizeof list, what));
}

static int choose_format(const char *path, const char *as, enum image_purpose purpose, int channels,
                         const image_format **format, failure *why)
{
    const image_format *chosen;
    char list[200];
    const shown what = {purpose, channels};
    if (find_format(path, as, what, &chosen, why)) return why->status;
    *format = chosen;
    if (purpose == IMAGE_MASK && !chosen->lossless)
        return fail(why, EXIT_USAGE, "%s: a mask needs a lossless format; use .png", path);
    if (purpose == IMAGE_GREY && !chosen->lossless)
        return fail(why, EXIT_USAGE, "%s: needs a lossless format; use .png", path);
    if (needs_alpha(what) && !chosen->alpha)
        return fail(why, EXIT_USAGE, "%s: a cutout needs transparency, which %s has not; use %s", path,
                    chosen->name, list_extensions(list, sizeof list, what));
    if (chosen == &image_pbm && purpose != IMAGE_MASK)
        return fail(why, EXIT_USAGE, "%s: PBM holds black and white only; use .png or .ppm", path);
    if (channels > 2 && !chosen->color)
        return fail(why, EXIT_USAGE, "%s: %s holds no colours; use .png or .ppm", path, chosen->name);
    return EXIT_DONE;
}

int image_can_write_as(const char *path, const char *as, enum image_purpose purpose, int channels, failure *why)
{
    const image_format *format = NULL;
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
        return fail(why, EXIT_USAGE, "standard output: is a terminal; redirect it, or name a file");
    const int status = choose_format(path, as, purpose, channels, &format, why);
    return status || !format || !format->ready ? status : format->ready(file_output_name(path), why);
}

int image_can_write(const char *path, enum image_purpose purpose, int channels, failure *why)
{
    return image_can_write_as(path, NULL, purpose, channels, why);
}

static int encode_rows(const image_format *format, const image_view *view, const image_sink *sink, failure *why)
{
    const size_t row = (size_t)view->width * (size_t)view->channels * (size_t)(view->depth / 8);
    const uint8_t *pixels = view->pixels;
    void *state = NULL;
    int status = format->create(sink, view, &state, why);
    for (int y = 0; !status && y < view->height; y++, pixels += row) status = format->write(state, pixels, why);
    failure ignored = {0};
    const int end = state ? format->finish(state, !status, status ? &ignored : why) : EXIT_DONE;
    return status ? status : end;
}

int image_encode_as(const char *path, const char *as, enum image_purpose purpose, const image_view *view, bytes *sink,
                    failure *why)
{
    const image_format *format = NULL;
    if (choose_format(path, as, purpose, view->channels, &format, why)) return why->status;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): choose_format() sets the format, or fails
    if (format->flat) return format->flat->write(format, path, view, sink, why);
    if (format->encode) return format->encode(file_output_name(path), view, sink, why);
    return encode_rows(format, view, &(image_sink){.name = file_output_name(path), .memory = sink}, why);
}

int image_encode(const char *path, enum image_purpose purpose, const image_view *view, bytes *sink, failure *why)
{
    return image_encode_as(path, NULL, purpose, view, sink, why);
}

int image_write(const char *path, enum image_purpose purpose, const image_view *view, failure *why)
{
    bytes file = {0};
    int status = image_can_write(path, purpose, view->channels, why);
    if (!status) status = image_encode(path, purpose, view, &file, why);
    if (!status) status = file_write(path, file.data, file.size, why);
    bytes_free(&file);
    return status;
}
