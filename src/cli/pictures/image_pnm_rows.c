/* SPDX-License-Identifier: MIT
 *
 * image_pnm_rows.c - grey PNM written row by row, and by several parts at the same time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "file_stream.h"
#include "file_write.h"
#include "image_pnm.h"
#include "region.h"

typedef struct written {
    file_stream *stream;
    size_t row; /* bytes */
} written;

static int write_header(char head[64], int64_t width, int64_t height)
{
    return snprintf(head, 64, "P5\n%" PRId64 " %" PRId64 "\n255\n", width, height);
}

int pnm_create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    (void)threads;
    char head[64];
    written *const p = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    *state = p;
    p->stream = stream;
    p->row = (size_t)width;
    const int size = write_header(head, width, height);
    return file_stream_write(stream, head, (size_t)size, why);
}

int pnm_write(void *state, const uint8_t *row, failure *why)
{
    const written *const p = state;
    return file_stream_write(p->stream, row, p->row, why);
}

int pnm_finish(void *state, bool good, failure *why)
{
    (void)good, (void)why;
    free(state);
    return EXIT_DONE;
}

/* Each row has its place. */
int pnm_together(const region_team *team, const char *name, int file, failure *why)
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
