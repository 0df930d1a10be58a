/* SPDX-License-Identifier: MIT
 *
 * image.c - the table of picture formats, and what they share: recognising content, refusing sizes, choosing by
 * extension.
 */
#include "image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image_foreign.h"
#include "tilecut.h"

static const image_format *const formats[] = {
#define FORMAT(variable) &image_##variable,
#include "formats.def"
#undef FORMAT
};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *image_format_line(int index)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->line && index-- == 0) return formats[i]->line;
    return NULL;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static int64_t most_pixels(const image_limits *limits)
{
    return limits->max_pixels > 0 ? limits->max_pixels : TILECUT_MAX_PIXELS;
}

int image_check_size(const char *name, uint64_t width, uint64_t height, uint64_t bytes_per_pixel,
                     const image_limits *limits, failure *why)
{
    const unsigned long long w = width, h = height, most = (unsigned long long)most_pixels(limits);
    if (w == 0 || h == 0)
        return fail(why, EXIT_INPUT, "%s: its header says %llux%llu; a picture has at least one pixel", name, w,
                    h);
    if (w > TILECUT_MAX_SIDE || h > TILECUT_MAX_SIDE)
        return fail(why, EXIT_INPUT, "%s: is %llux%llu; at most %d pixels a side are accepted", name, w, h,
                    TILECUT_MAX_SIDE);
    if (w * h > most)
        return fail(why, EXIT_INPUT, "%s: is %llux%llu, which is %llu pixels; at most %llu are accepted", name,
                    w, h, w * h, most);
    const uint64_t need = bytes_per_pixel + limits->beside;
    if (limits->max_bytes && w * h > limits->max_bytes / need)
        return fail(why, EXIT_RESOURCES,
                    "%s: is %llux%llu and needs %.1f MB of memory; at most %.1f MB are allowed", name, w, h,
                    (double)(w * h) * (double)need / 1e6, (double)limits->max_bytes / 1e6);
    if (limits->admit) limits->admit(limits->admit_context, (int)width, (int)height, w * h * need);
    return EXIT_DONE;
}

int image_allocate(const char *name, int width, int height, int channels, int depth, image *out, failure *why)
{
    const size_t pixels = (size_t)width * (size_t)height;
    const size_t size = pixels * (size_t)channels * (size_t)(depth / 8);
    out->width = width;
    out->height = height;
    out->channels = channels;
    out->depth = depth;
    out->pixels = malloc(size);
    if (!out->pixels)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its %dx%d pixels", name, width, height);
    return EXIT_DONE;
}

int image_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                 notes *list, failure *why)
{
    static const image_limits none = {0};
    *out = (image){0};
    for (int i = 0; i < FORMATS; i++) {
        if (!formats[i]->decode || !formats[i]->probe(file, size)) continue;
        out->format = formats[i]->name;
        out->orientation = 1;
        const int status = formats[i]->decode(name, file, size, limits ? limits : &none, out, list, why);
        if (status) image_free(out);
        return status;
    }
    return image_fail_foreign(name, file, size, why);
}

/* The longest file that can make sense, an ASCII PNM with 5 digits a sample, plus room for what cameras and
 * editors attach; or what memory allows. A stream that never ends has to be refused at some point. */
static uint64_t longest_file(const image_limits *limits)
{
    const uint64_t room = 1 << 26, longest = (uint64_t)most_pixels(limits) * 20 + room;
    if (!limits->max_bytes || limits->max_bytes >= longest) return longest;
    return limits->max_bytes > room ? limits->max_bytes : room;
}

int image_read(const char *path, const image_limits *limits, image *out, notes *list, failure *why)
{
    static const image_limits none = {0};
    bytes file = {0};
    *out = (image){0};
    if (!limits) limits = &none;
    int status = file_read(path, longest_file(limits), &file, why);
    if (!status) status = image_decode(file_input_name(path), file.data, file.size, limits, out, list, why);
    bytes_free(&file);
    return status;
}

void image_free(image *picture)
{
    free(picture->pixels);
    free(picture->index);
    free(picture->icc);
    *picture = (image){0};
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Fills " png " from "a/b.PNG"; "  " without an extension or with one too long to be known. */
static void extension_of(const char *path, char blank_word[12])
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    size_t length = 0;
    blank_word[0] = ' ';
    if (dot && dot != base && strlen(dot + 1) <= 8)
        for (; dot[1 + length]; length++)
            blank_word[1 + length] = (char)tolower((unsigned char)dot[1 + length]);
    blank_word[1 + length] = ' ';
    blank_word[2 + length] = '\0';
}

static int find_format(const char *path, const image_format **format, failure *why)
{
    char word[12];
    *format = &image_png;
    if (strcmp(path, "-") == 0) return EXIT_DONE;
    extension_of(path, word);
    for (int i = 0; word[1] != ' ' && i < FORMATS; i++) {
        *format = formats[i];
        if (formats[i]->extensions && strstr(formats[i]->extensions, word)) return EXIT_DONE;
    }
    if (word[1] == ' ')
        return fail(why, EXIT_USAGE,
                    "%s: has no extension that names a format; use .png, .pgm, .ppm, .pbm, .bmp, "
                    ".tga or .jpg",
                    path);
    return fail(why, EXIT_USAGE,
                "%s: '%.*s' files cannot be written; use .png, .pgm, .ppm, .pbm, .bmp, .tga or .jpg", path,
                (int)strlen(word) - 2, word + 1);
}

static int choose_format(const char *path, enum image_purpose purpose, int channels,
                         const image_format **format, failure *why)
{
    const image_format *chosen;
    if (find_format(path, &chosen, why)) return why->status;
    *format = chosen;
    if (purpose == IMAGE_MASK && !chosen->lossless)
        return fail(why, EXIT_USAGE, "%s: a mask needs a lossless format; use .png", path);
    if (purpose == IMAGE_CUTOUT && channels % 2 == 0 && !chosen->alpha)
        return fail(why, EXIT_USAGE, "%s: a cutout needs transparency, which %s has not; use .png or .tga",
                    path, chosen->name);
    if (chosen == &image_pbm && purpose != IMAGE_MASK)
        return fail(why, EXIT_USAGE, "%s: PBM holds black and white only; use .png or .ppm", path);
    if (channels > 2 && !chosen->color)
        return fail(why, EXIT_USAGE, "%s: %s holds no colours; use .png or .ppm", path, chosen->name);
    return EXIT_DONE;
}

int image_can_write(const char *path, enum image_purpose purpose, int channels, failure *why)
{
    const image_format *format;
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
        return fail(why, EXIT_USAGE, "standard output: is a terminal; redirect it, or name a file");
    return choose_format(path, purpose, channels, &format, why);
}

int image_encode(const char *path, enum image_purpose purpose, const image_view *view, bytes *sink,
                 failure *why)
{
    const image_format *format = NULL;
    if (choose_format(path, purpose, view->channels, &format, why)) return why->status;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): choose_format() fails or sets it
    return format->encode(file_output_name(path), view, sink, why);
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

const uint8_t *image_view_8bit(const image_view *view, int channels, uint8_t **owned)
{
    const size_t pixels = (size_t)view->width * (size_t)view->height, from = (size_t)view->channels;
    const size_t to = (size_t)channels;
    *owned = NULL;
    if (view->depth == 8 && from == to) return view->pixels;
    uint8_t *const out = *owned = malloc(pixels * to);
    if (!out) return NULL;
    const uint8_t *const narrow = view->pixels;
    const uint16_t *const wide = view->pixels;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c < to; c++) {
            const size_t at = p * from + (c < from && (to <= from || from > 2) ? c : 0);
            /* v * 255 / 65535, to the nearest */
            out[p * to + c] = view->depth == 8 ? narrow[at] : (uint8_t)((wide[at] * 255u + 32895u) >> 16);
        }
    return out;
}
