/* SPDX-License-Identifier: MIT
 *
 * image_pnm.c - reads the PNM family, P1 to P6, and has the table row of PNM. Samples are scaled to the full range of 8
 * bits, or of 16 if maxval is above 255. Rows of binary files lie one after the other; text is read from its beginning.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_pnm.h"
#include "numbers.h"

enum { WINDOW = 1 << 14 };

typedef struct pnm {
    picture_source from;
    char *name;         /* owned */
    failure *why;
    notes *log;
    bool text, bits;
    uint32_t width, height, most; /* size of the picture; `most` is the largest value that a sample may have */
    int channels, depth;
    size_t samples, row; /* samples in a row, and bytes of a row in a binary file */
    uint64_t start;      /* of the samples */
    uint64_t at;         /* offset of the next byte of text */
    uint64_t window_at;  /* offset in the file of the bytes in `window`, which is a buffer */
    size_t window_size;
    uint8_t window[WINDOW];
} pnm;

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool probe_pnm(const uint8_t *file, size_t size)
{
    return size >= 3 && file[0] == 'P' && file[1] >= '1' && file[1] <= '6' && (is_blank(file[2]) || file[2] == '#');
}

/* ---- Text ------------------------------------------------------------------------------------- */

/* Returns the next byte, or -1 at the end. */
static int peek(pnm *p)
{
    if (p->at - p->window_at >= p->window_size) {
        p->window_at = p->at;
        p->window_size = picture_read(&p->from, p->at, p->window, WINDOW);
        if (!p->window_size) return -1;
    }
    return p->window[p->at - p->window_at];
}

static void skip_line(pnm *p)
{
    for (int c = peek(p); c >= 0 && c != '\n'; c = peek(p)) p->at++;
}

/* Skips blanks and comments. A comment may stand between any two numbers and ends with its line. */
static void skip_blanks(pnm *p)
{
    for (int c = peek(p); c == '#' || is_blank(c); c = peek(p))
        if (c == '#') skip_line(p);
        else p->at++;
}

static int read_number(pnm *p, const char *what, uint32_t most, uint32_t *value)
{
    skip_blanks(p);
    int c = peek(p);
    if (c < 0) return image_cut_short(p->name, p->why);
    if (!is_digit(c))
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (byte %" PRIu64 " is no number where the %s should be)",
                    p->name, p->at, what);
    uint64_t number = 0;
    for (; is_digit(c); p->at++, c = peek(p))
        if (number <= most) number = number * 10 + (uint64_t)(c - '0');
    if (number > most)
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (the %s before byte %" PRIu64 " is above %u)", p->name,
                    what, p->at, most);
    *value = (uint32_t)number;
    return EXIT_DONE;
}

/* ---- Header ----------------------------------------------------------------------------------- */

/* Moves to the first binary sample, which follows exactly one blank; a comment counts as the end of its line. */
static int skip_to_samples(pnm *p)
{
    if (peek(p) == '#') skip_line(p);
    const int c = peek(p);
    if (c < 0) return image_cut_short(p->name, p->why);
    if (!is_blank(c)) return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (no blank after its header)", p->name);
    p->at++;
    return EXIT_DONE;
}

static int read_header(pnm *p, const image_limits *limits)
{
    uint8_t magic[2] = {0};
    picture_read(&p->from, 0, magic, 2);
    const int kind = magic[1] - '0';
    p->text = kind <= 3;
    p->bits = kind % 3 == 1;
    p->channels = kind % 3 == 0 ? 3 : 1;
    p->most = 1;
    p->at = 2;
    if (read_number(p, "width", UINT32_MAX, &p->width)) return p->why->status;
    if (read_number(p, "height", UINT32_MAX, &p->height)) return p->why->status;
    if (!p->bits && read_number(p, "maxval", 65535, &p->most)) return p->why->status;
    if (p->most == 0)
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (its maxval is 0; 1 to 65535 are right)", p->name);
    p->depth = p->most > 255 ? 16 : 8;
    const uint64_t pixel = (uint64_t)p->channels * (uint64_t)(p->depth / 8);
    if (image_check_size(p->name, p->width, p->height, pixel, limits, p->why)) return p->why->status;
    if (!p->text && skip_to_samples(p)) return p->why->status;
    p->start = p->at;
    p->samples = (size_t)p->width * (size_t)p->channels;
    p->row = p->bits ? (p->samples + 7) / 8 : p->samples * (size_t)p->depth / 8;
    return EXIT_DONE;
}

/* Checks that the file is long enough for all samples, before memory is taken. In text, a sample takes at least one
 * digit, and a blank lies between two samples. */
static int check_length(const pnm *p)
{
    const uint64_t samples = (uint64_t)p->samples * p->height;
    const uint64_t least = !p->text ? (uint64_t)p->row * p->height : p->bits ? samples : 2 * samples - 1;
    return least <= p->from.size - p->start ? EXIT_DONE : image_cut_short(p->name, p->why);
}

/* Writes a note about data after the picture, because a PNM stream may hold several pictures. Blanks after text are
 * ignored. */
static void note_further_data(pnm *p, uint64_t end, uint64_t *another, char *text, size_t room)
{
    uint8_t next[3];
    p->at = end;
    while (p->text && is_blank(peek(p))) p->at++;
    if (p->at >= p->from.size) return;
    *another = probe_pnm(next, picture_read(&p->from, p->at, next, sizeof next)) ? p->at : 0;
    if (*another)
        snprintf(text, room, "holds several pictures; the first is used");
    else
        snprintf(text, room, "%" PRIu64 " bytes after the picture are ignored", p->from.size - p->at);
}

static int open_file(const picture_source *from, const image_limits *limits, region_shape *shape, image *out,
                     void **state, notes *log, failure *why)
{
    (void)out;
    pnm *const p = calloc(1, sizeof *p);
    if (p) p->name = strdup(from->name);
    *state = p;
    if (!p || !p->name) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", from->name);
    p->from = *from, p->why = why, p->log = log;
    int status = read_header(p, limits);
    if (!status) status = check_length(p);
    if (status) return status;
    shape->width = p->width, shape->height = p->height;
    shape->channels = p->channels, shape->depth = p->depth;
    shape->rows_are_free = !p->text;
    const uint64_t end = p->start + (uint64_t)p->row * p->height;
    if (!p->text) note_further_data(p, end, &shape->next, shape->beside, sizeof shape->beside);
    return EXIT_DONE;
}

static void close_file(void *state)
{
    pnm *const p = state;
    free(p->name);
    free(p);
}

/* ---- Samples ---------------------------------------------------------------------------------- */

/* Scales a value of 0..most to the full range, rounded to the nearest. */
static uint32_t scaled(const pnm *p, uint32_t value)
{
    const uint64_t full = p->depth == 16 ? 65535 : 255;
    return (uint32_t)((2 * value * full + p->most) / (2 * (uint64_t)p->most));
}

/* Expands the packed bits of a row to bytes in place, from the row's end on, so that no bit is overwritten unread. */
static void unpack_bits(const pnm *p, uint8_t *row)
{
    for (size_t x = p->samples; x-- > 0;) row[x] = row[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
}

/* Converts the samples of a row to native byte order and to the full range. Returns the largest one as stored. */
static uint32_t spread_samples(const pnm *p, uint8_t *row)
{
    uint32_t highest = 0;
    uint8_t table[256];
    if (p->most == 255) return 0;
    for (uint32_t v = 0; p->depth == 8 && v < 256; v++) table[v] = (uint8_t)scaled(p, v < p->most ? v : p->most);
    for (size_t i = 0; i < p->samples; i++) {
        const uint32_t v = p->depth == 16 ? (uint32_t)row[2 * i] << 8 | row[2 * i + 1] : row[i];
        if (v > highest) highest = v;
        const uint16_t wide = (uint16_t)(p->most < 65535 ? scaled(p, v) : v);
        if (p->depth == 8) row[i] = table[v];
        else memcpy(row + 2 * i, &wide, sizeof wide);
    }
    return highest;
}

static int read_binary(pnm *p, int64_t first, int64_t rows, uint8_t *pixels)
{
    const size_t size = p->samples * (size_t)p->depth / 8;
    for (int64_t y = 0; y < rows; y++) {
        uint8_t *const row = pixels + (size_t)y * size;
        if (picture_read(&p->from, p->start + (uint64_t)(first + y) * p->row, row, p->row) != p->row)
            return image_cut_short(p->name, p->why);
        if (p->bits) unpack_bits(p, row);
        const uint32_t highest = p->bits ? 0 : spread_samples(p, row);
        if (highest > p->most)
            return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (sample %u is above its maxval %u)", p->name, highest,
                        p->most);
    }
    return EXIT_DONE;
}

/* Reads a sample of P1, where digits may stand without blanks between them. */
static int read_bit(pnm *p, uint8_t *to)
{
    skip_blanks(p);
    const int c = peek(p);
    if (c < 0) return image_cut_short(p->name, p->why);
    if (c != '0' && c != '1')
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNM (byte %" PRIu64 " is neither 0 nor 1)", p->name, p->at);
    p->at++;
    *to = c == '1' ? 0 : 255;
    return EXIT_DONE;
}

static int read_text(pnm *p, uint8_t *pixels)
{
    char rest[80] = "";
    uint64_t another;
    p->at = p->start;
    for (size_t i = 0; i < p->samples * p->height; i++) {
        uint32_t value = 0;
        if (p->bits ? read_bit(p, pixels + i) : read_number(p, "sample", p->most, &value)) return p->why->status;
        if (p->bits) continue;
        if (p->depth == 8) pixels[i] = (uint8_t)scaled(p, value);
        else memcpy(pixels + 2 * i, &(uint16_t){(uint16_t)scaled(p, value)}, 2);
    }
    note_further_data(p, p->at, &another, rest, sizeof rest);
    if (*rest) note(p->log, "%s: %s", p->name, rest);
    return EXIT_DONE;
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    pnm *const p = state;
    p->why = why;
    return p->text ? read_text(p, pixels) : read_binary(p, first, rows, pixels);
}

const image_format image_pnm = {
    .name = "PNM",
    .line = "PNM   read, write   P1 to P6, 8 and 16 bits; written as .pgm, .ppm, .pbm (one bit a pixel), .pnm",
    .extensions = {"pnm"},
    .lossless = true,
    .color = true,
    .probe = probe_pnm,
    .open = open_file,
    .rows = read_rows,
    .close = close_file,
    .create = pnm_create,
    .write = pnm_write,
    .finish = pnm_finish,
    .together = pnm_together,
};
