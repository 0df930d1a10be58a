/* SPDX-License-Identifier: MIT
 *
 * image_pnm_write.c - PNM written row by row, and by several parts at the same time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_write.h"
#include "image_pnm.h"
#include "region.h"

enum { BITS = 4, GREY = 5, COLOR = 6, HEADER = 64 /* bytes at most */ };

typedef struct written {
    const image_sink *sink;
    image_view view; /* only the shape of this view is used */
    int kind;
    size_t size;     /* bytes of a row in the file */
    uint8_t line[];
} written;

static int write_header(char head[HEADER], int kind, int64_t width, int64_t height, int depth)
{
    static const char bits[] = "P%d\n%" PRId64 " %" PRId64 "\n", samples[] = "P%d\n%" PRId64 " %" PRId64 "\n%d\n";
    if (kind == BITS) return snprintf(head, HEADER, bits, kind, width, height);
    return snprintf(head, HEADER, samples, kind, width, height, depth == 8 ? 255 : 65535);
}

static int create_kind(int kind, const image_sink *sink, const image_view *view, void **state, failure *why)
{
    const size_t width = (size_t)view->width, samples = width * (kind == COLOR ? 3 : 1) * (size_t)(view->depth / 8);
    const size_t size = kind == BITS ? (width + 7) / 8 : samples, all = HEADER + size * (size_t)view->height;
    char head[HEADER];
    written *const p = *state = malloc(sizeof *p + size);
    if (!p || (sink->memory && !bytes_reserve(sink->memory, sink->memory->size + all)))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    *p = (written){.sink = sink, .view = *view, .kind = kind, .size = size};
    return image_put(sink, head, (size_t)write_header(head, kind, view->width, view->height, view->depth), why);
}

static int create_grey(const image_sink *sink, const image_view *view, void **state, failure *why)
{
    return create_kind(GREY, sink, view, state, why);
}

static int create_color(const image_sink *sink, const image_view *view, void **state, failure *why)
{
    return create_kind(COLOR, sink, view, state, why);
}

static int create_bits(const image_sink *sink, const image_view *view, void **state, failure *why)
{
    return create_kind(BITS, sink, view, state, why);
}

int pnm_create(const image_sink *sink, const image_view *view, void **state, failure *why)
{
    return create_kind(view->channels > 2 ? COLOR : GREY, sink, view, state, why);
}

/* Writes the samples of a row: alpha is dropped, grey is repeated if the format has colours, and 16-bit samples are
 * big-endian. */
static void put_samples(written *p, const uint8_t *narrow)
{
    const size_t from = (size_t)p->view.channels, to = p->kind == COLOR ? 3 : 1, width = (size_t)p->view.width;
    const uint16_t *const wide = (const uint16_t *)(const void *)narrow;
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < to; c++) {
            const size_t at = x * from + (from > 2 ? c : 0), i = x * to + c;
            if (p->view.depth == 8) {
                p->line[i] = narrow[at];
            } else {
                p->line[2 * i] = (uint8_t)(wide[at] >> 8);
                p->line[2 * i + 1] = (uint8_t)(wide[at] & 255);
            }
        }
}

/* Writes one bit per pixel: 1, which means black, if the first channel is in the lower half of its range. */
static void put_bits(written *p, const uint8_t *narrow)
{
    const size_t width = (size_t)p->view.width, channels = (size_t)p->view.channels;
    const uint16_t *const wide = (const uint16_t *)(const void *)narrow;
    memset(p->line, 0, p->size);
    for (size_t x = 0; x < width; x++) {
        const bool black = p->view.depth == 8 ? narrow[x * channels] < 128 : wide[x * channels] < 32768;
        p->line[x / 8] = (uint8_t)(p->line[x / 8] | black << (7 - x % 8));
    }
}

int pnm_write(void *state, const uint8_t *row, failure *why)
{
    written *const p = state;
    if (p->kind == GREY && p->view.channels == 1 && p->view.depth == 8) return image_put(p->sink, row, p->size, why);
    if (p->kind == BITS) put_bits(p, row);
    else put_samples(p, row);
    return image_put(p->sink, p->line, p->size, why);
}

int pnm_finish(void *state, bool good, failure *why)
{
    (void)good, (void)why;
    free(state);
    return EXIT_DONE;
}

/* Writes the rows of one part. The place of each row in the file is known, so parts can write at the same time. */
int pnm_together(const region_team *team, const char *name, int file, failure *why)
{
    enum { AT_ONCE = 1 << 20 };
    char head[HEADER];
    const size_t start = (size_t)write_header(head, GREY, team->width, team->height, 8), row = (size_t)team->width;
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

const image_format image_pgm = {
    .name = "PGM", .extensions = {"pgm"}, .lossless = true,
    .create = create_grey, .write = pnm_write, .finish = pnm_finish, .together = pnm_together};
const image_format image_ppm = {
    .name = "PPM", .extensions = {"ppm"}, .lossless = true, .color = true,
    .create = create_color, .write = pnm_write, .finish = pnm_finish};
const image_format image_pbm = {
    .name = "PBM", .extensions = {"pbm"}, .lossless = true,
    .create = create_bits, .write = pnm_write, .finish = pnm_finish};
