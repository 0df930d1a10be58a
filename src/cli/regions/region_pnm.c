/* SPDX-License-Identifier: MIT
 *
 * region_pnm.c - binary PBM, PGM and PPM: rows lie one after the other.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_stream.h"
#include "file_write.h"
#include "region.h"

typedef struct pnm {
    FILE *file;
    char *path;
    size_t samples, row; /* of a row; its bytes in the file */
    off_t start;
    int64_t most; /* the largest value */
    bool bits, wide;
    file_stream *stream; /* to write to */
} pnm;

static bool probe(const uint8_t *head, size_t size)
{
    return size > 2 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6' && (isspace(head[2]) || head[2] == '#');
}

/* The next character; a comment counts as the end of its line. */
static int character(FILE *file)
{
    int c = getc(file);
    if (c != '#') return c;
    while (c != '\n' && c != EOF) c = getc(file);
    return c;
}

/* The next number of the header, after blanks and comments; -1: there is none. */
static int64_t number(FILE *file)
{
    int64_t value = 0;
    int c = character(file), digits = 0;
    while (isspace(c)) c = character(file);
    for (; c >= '0' && c <= '9' && digits < 10; c = character(file), digits++) value = 10 * value + (c - '0');
    return digits && isspace(c) ? value : -1;
}

static void close_file(void *state)
{
    pnm *const p = state;
    if (p->file) fclose(p->file);
    free(p->path);
    free(p);
}

/* Says what follows the rows, which is not read: a PNM stream may hold several pictures. */
static void tell_rest(const pnm *p, off_t end, int64_t rest, region_shape *shape)
{
    char head[3] = "";
    if (fseeko(p->file, end, SEEK_SET) == 0 && fread(head, 1, sizeof head, p->file) == sizeof head && head[0] == 'P' &&
        head[1] >= '1' && head[1] <= '6' && (isspace((uint8_t)head[2]) || head[2] == '#'))
        snprintf(shape->beside, sizeof shape->beside, "holds several pictures; the first is used");
    else snprintf(shape->beside, sizeof shape->beside, "%" PRId64 " bytes after the picture are ignored", rest);
}

/* Whether the file has all rows, before anybody takes memory for them. */
static int check_length(const pnm *p, region_shape *shape, failure *why)
{
    struct stat about;
    if (fstat(fileno(p->file), &about) != 0 || !S_ISREG(about.st_mode)) return EXIT_DONE;
    const int64_t left = about.st_size - p->start, row = (int64_t)p->row;
    if (left / row < shape->height) return image_cut_short(p->path, why);
    const int64_t rest = left - row * shape->height;
    if (rest > 0) tell_rest(p, p->start + row * shape->height, rest, shape);
    return EXIT_DONE;
}

static int open_file(const char *path, region_shape *shape, void **state, failure *why)
{
    pnm *const p = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    *state = p;
    p->path = strdup(path);
    p->file = fopen(path, "rb");
    if (!p->file || !p->path) return fail(why, EXIT_INPUT, "%s: cannot be opened", path);
    (void)getc(p->file);
    const int kind = getc(p->file) - '0';
    if (kind < 4)
        return fail(why, EXIT_INPUT, "%s: is a PNM in text (P%d), whose rows may be anywhere; save it with binary "
                    "samples (P%d)", path, kind, kind + 3);
    p->bits = kind == 4;
    shape->channels = kind == 6 ? 3 : 1;
    shape->width = number(p->file);
    shape->height = number(p->file);
    p->most = p->bits ? 1 : number(p->file);
    if (shape->width < 1 || shape->height < 1 || p->most < 1 || p->most > 65535)
        return fail(why, EXIT_INPUT, "%s: is a damaged PNM; save or copy it again", path);
    p->wide = p->most > 255;
    shape->depth = p->wide ? 16 : 8;
    if (shape->width > INT32_MAX / 8) return EXIT_DONE; /* refused by the caller */
    p->samples = (size_t)shape->width * (size_t)shape->channels;
    p->row = p->bits ? (p->samples + 7) / 8 : p->samples * (p->wide ? 2 : 1);
    p->start = ftello(p->file);
    return check_length(p, shape, why);
}

/* Bits of a row, from its end on, as they lie where the row is to be. */
static void unpack(const pnm *p, uint8_t *row)
{
    for (size_t x = p->samples; x-- > 0;) row[x] = row[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
}

/* Samples of a row in native order and in the full range; the largest one as stored. */
static int64_t scale(const pnm *p, uint8_t *row)
{
    const int64_t full = p->wide ? 65535 : 255;
    int64_t highest = 0;
    if (p->most == 255) return 0;
    for (size_t i = 0; i < p->samples; i++) {
        int64_t value = p->wide ? row[2 * i] << 8 | row[2 * i + 1] : row[i]; /* the file's high byte comes first */
        if (value > highest) highest = value;
        if (p->most < full) value = (2 * value * full + p->most) / (2 * p->most);
        if (p->wide) memcpy(row + 2 * i, &(uint16_t){(uint16_t)value}, sizeof(uint16_t));
        else row[i] = (uint8_t)value;
    }
    return highest;
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const pnm *const p = state;
    const size_t row = p->samples * (p->wide ? 2 : 1);
    bool good = fseeko(p->file, p->start + (off_t)first * (off_t)p->row, SEEK_SET) == 0;
    for (int64_t y = 0; good && y < rows; y++) {
        uint8_t *const to = pixels + (size_t)y * row;
        good = fread(to, 1, p->row, p->file) == p->row;
        if (good && p->bits) unpack(p, to);
        const int64_t highest = good && !p->bits ? scale(p, to) : 0;
        if (highest > p->most)
            return fail(why, EXIT_INPUT, "%s: is a damaged PNM (sample %" PRId64 " is above its maxval %" PRId64 ")",
                        p->path, highest, p->most);
    }
    if (good) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within rows %" PRId64 " to %" PRId64, p->path, first,
                first + rows - 1);
}

static int write_header(char head[64], int64_t width, int64_t height)
{
    return snprintf(head, 64, "P5\n%" PRId64 " %" PRId64 "\n255\n", width, height);
}

static int create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    (void)threads;
    char head[64];
    pnm *const p = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    *state = p;
    p->stream = stream;
    p->row = (size_t)width;
    const int size = write_header(head, width, height);
    return file_stream_write(stream, head, (size_t)size, why);
}

static int write_row(void *state, const uint8_t *row, failure *why)
{
    const pnm *const p = state;
    return file_stream_write(p->stream, row, p->row, why);
}

static int finish(void *state, bool good, failure *why)
{
    (void)good, (void)why;
    free(state);
    return EXIT_DONE;
}

/* Each row has its place. */
static int together(const region_team *team, const char *name, int file, failure *why)
{
    enum { AT_ONCE = 1 << 20 };
    char head[64];
    const size_t start = (size_t)write_header(head, team->width, team->height), row = (size_t)team->width;
    const size_t size = row * (size_t)team->rows;
    const int64_t from = (int64_t)start + team->first * team->width;
    uint8_t *const block = malloc(AT_ONCE);
    if (!block) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    int error = team->part == 0 ? file_write_at(file, head, start, 0) : 0;
    for (size_t at = 0; !error && at < size; at += AT_ONCE) {
        const size_t some = size - at < AT_ONCE ? size - at : AT_ONCE;
        for (size_t i = 0; i < some; i++) block[i] = team->pixels[at + i] ^ team->flip;
        error = file_write_at(file, block, some, from + (int64_t)at);
    }
    free(block);
    return error ? file_write_failed(name, error, why) : EXIT_DONE;
}

const region_format region_pnm = {
    .name = "PNM", .extensions = {"pgm", "pnm"}, .probe = probe, .open = open_file, .read = read_rows,
    .close = close_file,
    .create = create, .write = write_row, .finish = finish, .together = together,
};
