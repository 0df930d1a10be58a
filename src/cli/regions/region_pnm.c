/* SPDX-License-Identifier: MIT
 *
 * region_pnm.c - PGM and PPM with binary samples of 8 or 16 bits: rows lie one after the other.
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
    size_t row; /* bytes */
    off_t start;
    bool wide;
    file_stream *stream; /* to write to */
} pnm;

static bool probe(const uint8_t *head, size_t size)
{
    return size > 2 && head[0] == 'P' && (head[1] == '5' || head[1] == '6') && (isspace(head[2]) || head[2] == '#');
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
    shape->channels = getc(p->file) == '6' ? 3 : 1;
    shape->width = number(p->file);
    shape->height = number(p->file);
    const int64_t most = number(p->file);
    if (shape->width < 1 || shape->height < 1 || (most != 255 && most != 65535))
        return fail(why, EXIT_INPUT, "%s: is a PNM whose header is damaged or whose largest value is neither 255 nor "
                    "65535; convert it", path);
    p->wide = most == 65535;
    shape->depth = p->wide ? 16 : 8;
    if (shape->width > INT32_MAX / 8) return EXIT_DONE; /* refused by the caller */
    p->row = (size_t)shape->width * (size_t)shape->channels * (p->wide ? 2 : 1);
    p->start = ftello(p->file);
    return check_length(p, shape, why);
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const pnm *const p = state;
    const size_t size = (size_t)rows * p->row;
    if (fseeko(p->file, p->start + (off_t)first * (off_t)p->row, SEEK_SET) != 0 ||
        fread(pixels, 1, size, p->file) != size)
        return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within rows %" PRId64 " to %" PRId64, p->path,
                    first, first + rows - 1);
    for (size_t i = 0; p->wide && i + 1 < size; i += 2) { /* the file's high byte comes first */
        const uint16_t sample = (uint16_t)(pixels[i] << 8 | pixels[i + 1]);
        memcpy(pixels + i, &sample, sizeof sample);
    }
    return EXIT_DONE;
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
