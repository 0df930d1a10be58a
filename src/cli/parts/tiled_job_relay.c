/* SPDX-License-Identifier: MIT
 *
 * tiled_job_relay.c - sends a mask or labels to part 0, when only part 0 can write. They travel as blocks of bits: all
 * parts sum a block, in which each sets its own pixels and leaves zeros elsewhere. So no part holds the whole mask of
 * another.
 */
#include <stdlib.h>
#include <string.h>

#include "tiled_job.h"
#include "region.h"

enum { WORDS = 1 << 16, BLOCK = 64 * WORDS };

int relay_begin(relay *r, job_part *p, const uint8_t *own, size_t layer)
{
    const size_t first = (size_t)p->first * layer;
    *r = (relay){.part = p, .own = own, .begin = first, .end = first + (size_t)p->rows * layer,
                 .all = (size_t)p->layers * layer, .bits = malloc(WORDS * sizeof *r->bits)};
    if (r->bits) return EXIT_DONE;
    return fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->request->photo);
}

/* Sends the next block of pixels to all parts. */
static int send_block(relay *r)
{
    r->first = r->last;
    r->last = r->all - r->first < BLOCK ? r->all : r->first + BLOCK;
    memset(r->bits, 0, WORDS * sizeof *r->bits);
    for (size_t i = r->begin > r->first ? r->begin : r->first; i < r->end && i < r->last; i++)
        r->bits[(i - r->first) / 64] |= (uint64_t)(r->own[i - r->begin] != 0) << ((i - r->first) % 64);
    const size_t words = (r->last - r->first + 63) / 64;
    return tiled_job_sum(r->part, (int64_t *)(void *)r->bits, words) ? EXIT_DONE : r->part->status;
}

int relay_take(relay *r, uint8_t *to, size_t size)
{
    for (size_t i = 0; i < size; i++, r->at++) {
        const int status = r->at == r->last ? send_block(r) : EXIT_DONE;
        if (status) return status;
        const size_t bit = r->at - r->first;
        to[i] = r->bits[bit / 64] >> (bit % 64) & 1 ? 255 : 0;
    }
    return EXIT_DONE;
}

int relay_end(relay *r, int status)
{
    while (!status && r->last < r->all) status = send_block(r);
    free(r->bits);
    return status;
}

static int write_rows(job_part *p, relay *r, uint8_t *row)
{
    const size_t width = (size_t)p->width;
    const uint8_t flip = p->request->job->style->invert ? 0xff : 0;
    const image_view head = {.width = (int)p->width, .height = p->layers, .channels = 1, .depth = 8,
                             .density = {p->density[0], p->density[1]}, .place = tiled_job_place(p),
                             .threads = tiled_job_threads(p, true)};
    int status = region_begin(p->writer, &head, &p->why);
    for (int64_t y = 0; !status && y < p->layers; y++) {
        status = relay_take(r, row, width);
        for (size_t x = 0; x < width; x++) row[x] ^= flip;
        if (!status) status = region_write(p->writer, row, &p->why);
    }
    return status;
}

/* Gathers the whole mask, and makes its file in memory. */
static int write_whole(job_part *p, relay *r)
{
    const size_t pixels = (size_t)p->width * (size_t)p->layers;
    image photo = {.width = (int)p->width, .height = p->layers, .place = p->place,
                   .density = {p->density[0], p->density[1]}};
    uint8_t *const mask = malloc(pixels);
    bytes file = {0};
    int status = mask ? relay_take(r, mask, pixels)
                      : fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write its mask", p->request->photo);
    if (!status)
        status = job_encode_mask(p->request->job, p->request->photo, &photo, mask, p->request->output, &file, &p->why);
    if (!status) status = region_put(p->writer, &file, &p->why);
    free(mask);
    bytes_free(&file);
    return status;
}

int tiled_job_relay(job_part *p)
{
    uint8_t *const row = malloc((size_t)p->width);
    relay r;
    int status = relay_begin(&r, p, p->mask + (size_t)(p->first - p->from) * (size_t)p->width, (size_t)p->width);
    if (!row) status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->request->photo);
    if (!status && p->exchange->part == 0) status = p->by_rows ? write_rows(p, &r, row) : write_whole(p, &r);
    status = relay_end(&r, status);
    free(row);
    return status;
}
