/* SPDX-License-Identifier: MIT
 *
 * job_part_relay.c - sends a mask or labels to part 0, when only part 0 can write. They travel as blocks of bits: all
 * parts sum a block, in which each sets its own pixels and leaves zeros elsewhere. So no part holds the whole mask of
 * another.
 */
#include <stdlib.h>
#include <string.h>

#include "job_part.h"

enum { WORDS = 1 << 16, BLOCK = 64 * WORDS };

int relay_begin(relay *r, job_part *p, const uint8_t *own, size_t layer)
{
    const size_t first = (size_t)p->first * layer;
    *r = (relay){.part = p, .own = own, .begin = first, .end = first + (size_t)p->rows * layer,
                 .all = (size_t)p->layers * layer, .bits = malloc(WORDS * sizeof *r->bits)};
    if (r->bits) return EXIT_DONE;
    return fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->job->files.photo);
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
    return job_part_sum(r->part, (int64_t *)(void *)r->bits, words) ? EXIT_DONE : r->part->status;
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
