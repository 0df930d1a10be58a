/* SPDX-License-Identifier: MIT
 *
 * image_pnm.c - the PNM family: reads P1 to P6, writes PBM, PGM and PPM. Samples are scaled to the full range of 8
 * bits, or of 16 if maxval is above 255.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

typedef struct reading {
    const char *name;
    const uint8_t *bytes;
    size_t size, at;
    failure *why;
} reading;

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool probe(const uint8_t *file, size_t size)
{
    return size >= 3 && file[0] == 'P' && file[1] >= '1' && file[1] <= '6' && (is_blank(file[2]) || file[2] == '#');
}

/* ---- Reading text ----------------------------------------------------------------------------- */

/* Skips blanks and comments. A comment may stand between any two numbers and runs to the end of its line. */
static void skip_blanks(reading *reader)
{
    while (reader->at < reader->size) {
        if (reader->bytes[reader->at] == '#')
            while (reader->at < reader->size && reader->bytes[reader->at] != '\n')
                reader->at++;
        else if (is_blank(reader->bytes[reader->at]))
            reader->at++;
        else
            return;
    }
}

static int read_number(reading *reader, const char *what, uint32_t most, uint32_t *value)
{
    skip_blanks(reader);
    if (reader->at == reader->size) return image_cut_short(reader->name, reader->why);
    if (!is_digit(reader->bytes[reader->at]))
        return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (byte %zu is no number where the %s should be)",
                    reader->name, reader->at, what);
    uint64_t number = 0;
    for (; reader->at < reader->size && is_digit(reader->bytes[reader->at]); reader->at++)
        if (number <= most) number = number * 10 + (uint64_t)(reader->bytes[reader->at] - '0');
    if (number > most)
        return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (the %s before byte %zu is above %u)",
                    reader->name, what, reader->at, most);
    *value = (uint32_t)number;
    return EXIT_DONE;
}

/* ---- Header ----------------------------------------------------------------------------------- */

typedef struct pnm_header {
    int kind; /* 1..6 */
    bool ascii, bits;
    uint32_t width, height, maxval;
    int channels, depth;
} pnm_header;

static int read_header(reading *reader, const image_limits *limits, pnm_header *header)
{
    header->kind = reader->bytes[1] - '0';
    header->ascii = header->kind <= 3;
    header->bits = header->kind % 3 == 1;
    header->channels = header->kind % 3 == 0 ? 3 : 1;
    header->maxval = 1;
    reader->at = 2;
    if (read_number(reader, "width", UINT32_MAX, &header->width)) return reader->why->status;
    if (read_number(reader, "height", UINT32_MAX, &header->height)) return reader->why->status;
    if (!header->bits && read_number(reader, "maxval", 65535, &header->maxval)) return reader->why->status;
    if (header->maxval == 0)
        return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (its maxval is 0; 1 to 65535 are right)",
                    reader->name);
    header->depth = header->maxval > 255 ? 16 : 8;
    const uint64_t bytes_per_pixel = (uint64_t)header->channels * (uint64_t)(header->depth / 8);
    if (image_check_size(reader->name, header->width, header->height, bytes_per_pixel, limits, reader->why))
        return reader->why->status;
    /* Binary samples start after exactly one blank; a comment counts as the end of its line. */
    if (!header->ascii && reader->at < reader->size) {
        if (reader->bytes[reader->at] == '#')
            while (reader->at < reader->size && reader->bytes[reader->at] != '\n') reader->at++;
        if (reader->at < reader->size && !is_blank(reader->bytes[reader->at]))
            return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (no blank after its header)", reader->name);
        reader->at++;
    }
    return reader->at > reader->size ? image_cut_short(reader->name, reader->why) : EXIT_DONE;
}

/* The bytes of a binary raster, or the fewest of an ASCII one: a digit per sample and blanks between them. */
static uint64_t raster_bytes(const pnm_header *header)
{
    const uint64_t samples = (uint64_t)header->width * header->height * (uint64_t)header->channels;
    if (header->ascii) return header->bits ? samples : 2 * samples - 1;
    if (header->bits) return ((uint64_t)header->width + 7) / 8 * header->height;
    return samples * (uint64_t)(header->depth / 8);
}

/* ---- Samples ---------------------------------------------------------------------------------- */

/* Scales a value of 0..maxval to 0..full, rounded to the nearest. */
static uint32_t scaled(uint32_t value, uint32_t maxval, uint32_t full)
{
    return (uint32_t)((2 * (uint64_t)value * full + maxval) / (2 * (uint64_t)maxval));
}

static int sample_too_large(const reading *reader, uint32_t value, uint32_t maxval)
{
    return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (sample %u is above its maxval %u)",
                reader->name, value, maxval);
}

static void unpack_bits(const uint8_t *from, int width, int height, uint8_t *to)
{
    for (int y = 0; y < height; y++, from += (width + 7) / 8)
        for (int x = 0; x < width; x++)
            *to++ = from[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
}

static int read_bytes(reading *reader, const pnm_header *header, size_t samples, uint8_t *to)
{
    const uint8_t *const from = reader->bytes + reader->at;
    memcpy(to, from, samples);
    if (header->maxval == 255) return EXIT_DONE;
    uint8_t table[256], highest = 0;
    for (uint32_t v = 0; v < 256; v++)
        table[v] = (uint8_t)scaled(v < header->maxval ? v : header->maxval, header->maxval, 255);
    for (size_t i = 0; i < samples; i++) {
        highest = from[i] > highest ? from[i] : highest;
        to[i] = table[from[i]];
    }
    return highest > header->maxval ? sample_too_large(reader, highest, header->maxval) : EXIT_DONE;
}

static int read_words(reading *reader, const pnm_header *header, size_t samples, uint16_t *to)
{
    const uint8_t *const from = reader->bytes + reader->at;
    uint16_t highest = 0;
    for (size_t i = 0; i < samples; i++) {
        to[i] = (uint16_t)(from[2 * i] << 8 | from[2 * i + 1]);
        highest = to[i] > highest ? to[i] : highest;
    }
    if (highest > header->maxval) return sample_too_large(reader, highest, header->maxval);
    if (header->maxval < 65535)
        for (size_t i = 0; i < samples; i++) to[i] = (uint16_t)scaled(to[i], header->maxval, 65535);
    return EXIT_DONE;
}

/* P1: digits may stand without blanks between them. */
static int read_ascii_bits(reading *reader, size_t samples, uint8_t *to)
{
    for (size_t i = 0; i < samples; i++) {
        skip_blanks(reader);
        if (reader->at == reader->size) return image_cut_short(reader->name, reader->why);
        const uint8_t digit = reader->bytes[reader->at++];
        if (digit != '0' && digit != '1')
            return fail(reader->why, EXIT_INPUT, "%s: is a damaged PNM (byte %zu is neither 0 nor 1)",
                        reader->name, reader->at - 1);
        to[i] = digit == '1' ? 0 : 255;
    }
    return EXIT_DONE;
}

static int read_ascii(reading *reader, const pnm_header *header, size_t samples, image *out)
{
    uint16_t *const wide = (uint16_t *)(void *)out->pixels;
    for (size_t i = 0; i < samples; i++) {
        uint32_t value;
        if (read_number(reader, "sample", header->maxval, &value)) return reader->why->status;
        if (header->depth == 8)
            out->pixels[i] = (uint8_t)scaled(value, header->maxval, 255);
        else
            wide[i] = (uint16_t)scaled(value, header->maxval, 65535);
    }
    return EXIT_DONE;
}

static int read_raster(reading *reader, const pnm_header *header, image *out)
{
    const size_t samples = (size_t)out->width * (size_t)out->height * (size_t)out->channels;
    if (header->ascii && header->bits) return read_ascii_bits(reader, samples, out->pixels);
    if (header->ascii) return read_ascii(reader, header, samples, out);
    if (header->bits)
        unpack_bits(reader->bytes + reader->at, out->width, out->height, out->pixels);
    else if (header->depth == 8 ? read_bytes(reader, header, samples, out->pixels)
                                : read_words(reader, header, samples, (uint16_t *)(void *)out->pixels))
        return reader->why->status;
    reader->at += (size_t)raster_bytes(header);
    return EXIT_DONE;
}

/* Notes what follows the picture: a PNM stream may hold several. Blanks at the end of an ASCII one mean nothing. */
static void note_rest(const reading *reader, bool ascii, notes *list)
{
    size_t at = reader->at;
    while (ascii && at < reader->size && is_blank(reader->bytes[at])) at++;
    if (at == reader->size) return;
    if (probe(reader->bytes + at, reader->size - at))
        note(list, "%s: holds several pictures; the first is used", reader->name);
    else
        note(list, "%s: %zu bytes after the picture are ignored", reader->name, reader->size - at);
}

static int decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *list, failure *why)
{
    reading reader = {name, file, size, 0, why};
    pnm_header header;
    if (read_header(&reader, limits, &header)) return why->status;
    if (raster_bytes(&header) > size - reader.at) return image_cut_short(name, why);
    if (image_allocate(name, (int)header.width, (int)header.height, header.channels, header.depth, out, why))
        return why->status;
    if (read_raster(&reader, &header, out)) return why->status;
    note_rest(&reader, header.ascii, list);
    return EXIT_DONE;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int no_memory(const char *name, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
}

enum { HEADER = 64 }; /* bytes at most */

static bool append_header(bytes *sink, int kind, const image_view *view)
{
    char header[HEADER];
    const int length = snprintf(header, sizeof header, kind == 4 ? "P%d\n%d %d\n" : "P%d\n%d %d\n%d\n", kind,
                                view->width, view->height, view->depth == 8 ? 255 : 65535);
    return bytes_append(sink, header, (size_t)length);
}

/* `channels` is 1 or 3: alpha is dropped, grey is repeated. Goes row by row through a buffer, because 16 bits are
 * written big-endian. */
static int encode_samples(const char *name, int channels, const image_view *view, bytes *sink, failure *why)
{
    const size_t from = (size_t)view->channels, to = (size_t)channels, width = (size_t)view->width;
    const size_t sample = (size_t)(view->depth / 8), row = width * to * sample;
    uint8_t *const line = malloc(row);
    bool done = line && bytes_reserve(sink, sink->size + HEADER + row * (size_t)view->height) &&
                append_header(sink, channels == 1 ? 5 : 6, view);
    for (size_t y = 0; done && y < (size_t)view->height; y++) {
        const uint8_t *const narrow = (const uint8_t *)view->pixels + y * width * from * sample;
        const uint16_t *const wide = (const uint16_t *)(const void *)narrow;
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < to; c++) {
                const size_t at = x * from + (from > 2 ? c : 0), i = x * to + c;
                if (sample == 1) {
                    line[i] = narrow[at];
                } else {
                    line[2 * i] = (uint8_t)(wide[at] >> 8);
                    line[2 * i + 1] = (uint8_t)(wide[at] & 255);
                }
            }
        done = bytes_append(sink, line, row);
    }
    free(line);
    return done ? EXIT_DONE : no_memory(name, why);
}

static int encode_pgm(const char *name, const image_view *view, bytes *sink, failure *why)
{
    return encode_samples(name, 1, view, sink, why);
}

static int encode_ppm(const char *name, const image_view *view, bytes *sink, failure *why)
{
    return encode_samples(name, 3, view, sink, why);
}

static int encode_pnm(const char *name, const image_view *view, bytes *sink, failure *why)
{
    return encode_samples(name, view->channels > 2 ? 3 : 1, view, sink, why);
}

/* Writes one bit per pixel: 1, which is black, if the first channel is in the lower half of its range. */
static int encode_pbm(const char *name, const image_view *view, bytes *sink, failure *why)
{
    const size_t width = (size_t)view->width, channels = (size_t)view->channels, row = (width + 7) / 8;
    uint8_t *const line = malloc(row);
    bool done = line && append_header(sink, 4, view);
    for (size_t y = 0; done && y < (size_t)view->height; y++) {
        const uint8_t *const narrow = (const uint8_t *)view->pixels;
        const uint16_t *const wide = view->pixels;
        memset(line, 0, row);
        for (size_t x = 0; x < width; x++) {
            const size_t at = (y * width + x) * channels;
            const bool black = view->depth == 8 ? narrow[at] < 128 : wide[at] < 32768;
            line[x / 8] = (uint8_t)(line[x / 8] | black << (7 - x % 8));
        }
        done = bytes_append(sink, line, row);
    }
    free(line);
    return done ? EXIT_DONE : no_memory(name, why);
}

const image_format image_pnm = {
    .name = "PNM",
    .line = "PNM   read, write   P1 to P6, 8 and 16 bits; written as .pgm, .ppm, .pbm (one bit a pixel), .pnm",
    .extensions = {"pnm"},
    .lossless = true,
    .color = true,
    .probe = probe,
    .decode = decode,
    .encode = encode_pnm,
};

const image_format image_pgm = {.name = "PGM", .extensions = {"pgm"}, .lossless = true, .encode = encode_pgm};
const image_format image_ppm = {
    .name = "PPM", .extensions = {"ppm"}, .lossless = true, .color = true, .encode = encode_ppm};
const image_format image_pbm = {.name = "PBM", .extensions = {"pbm"}, .lossless = true, .encode = encode_pbm};
