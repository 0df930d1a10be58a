/* SPDX-License-Identifier: MIT
 *
 * parted_relay.c - writes the mask of a photo in parts if only one part can write it: a PNG or a pipe is one stream,
 * and machines may have no common disk. Part 0 writes some rows at a time. The others send it their rows as bits: all
 * parts sum a block of rows, to which each contributes its own rows and zeros elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "parted.h"
#include "region.h"

enum { WORDS = 1 << 17 }; /* the most words of a block; a block has at least one row */

typedef struct block {
    int64_t *bits;     /* [rows][words] a bit per pixel  */
    size_t words;
    int64_t first, rows; /* the rows of the photo in it  */
    uint8_t *row;      /* [width] a row of the mask      */
} block;

/* Fills the block with the bits of own rows, and zeros for the rows of others. */
static void pack(const parted *p, const block *b)
{
    memset(b->bits, 0, (size_t)b->rows * b->words * sizeof *b->bits);
    for (int64_t y = b->first; y < b->first + b->rows; y++) {
        if (y < p->first || y >= p->first + p->rows) continue;
        const uint8_t *const row = p->mask + (size_t)(y - p->from) * (size_t)p->width;
        uint64_t *const bits = (uint64_t *)b->bits + (size_t)(y - b->first) * b->words;
        for (int64_t x = 0; x < p->width; x++) bits[x / 64] |= (uint64_t)(row[x] != 0) << (x % 64);
    }
}

static int write_block(const parted *p, const block *b, failure *why)
{
    const uint8_t flip = p->request->invert ? 0xff : 0;
    for (int64_t y = 0; y < b->rows; y++) {
        const uint64_t *const bits = (const uint64_t *)b->bits + (size_t)y * b->words;
        for (int64_t x = 0; x < p->width; x++) b->row[x] = bits[x / 64] >> (x % 64) & 1 ? 255 : 0;
        for (int64_t x = 0; x < p->width; x++) b->row[x] ^= flip;
        const int status = region_write(p->writer, b->row, why);
        if (status) return status;
    }
    return EXIT_DONE;
}

/* Sums all blocks from top to bottom; part 0 writes them. */
static int write_blocks(parted *p, block *b)
{
    const int64_t most = b->words < WORDS ? (int64_t)(WORDS / b->words) : 1;
    for (b->first = 0; b->first < p->height; b->first += b->rows) {
        b->rows = p->height - b->first < most ? p->height - b->first : most;
        pack(p, b);
        if (!parted_sum(p, b->bits, (size_t)b->rows * b->words)) return p->status;
        if (p->exchange->part != 0) continue;
        const int status = write_block(p, b, &p->why);
        if (status) return status;
    }
    return EXIT_DONE;
}

int parted_relay(parted *p)
{
    block b = {.words = ((size_t)p->width + 63) / 64};
    const size_t room = b.words < WORDS ? WORDS : b.words;
    int status = EXIT_DONE;
    b.bits = malloc(room * sizeof *b.bits);
    b.row = malloc((size_t)p->width);
    if (!b.bits || !b.row) {
        status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->request->photo);
    } else {
        if (p->exchange->part == 0)
            status = region_begin(p->writer, p->width, p->height, parted_threads(p, true), &p->why);
        if (!status) status = write_blocks(p, &b);
    }
    free(b.bits);
    free(b.row);
    return status;
}
