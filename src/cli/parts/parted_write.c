/* SPDX-License-Identifier: MIT
 *
 * parted_write.c - the mask of a photo in parts. Part 0 writes it, some rows at a time; the others send theirs as bits,
 * as a sum to which they alone contribute.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "parted.h"
#include "region.h"
#include "sha256.h"

enum { WORDS = 1 << 17 }; /* of a block at most, unless a row has more */

typedef struct block {
    int64_t *bits;     /* rows of `words` */
    size_t words;
    int64_t first, rows;
    uint8_t *row;      /* of the mask */
} block;

/* Sets the bits of own rows, and no others. */
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

static int write_block(const parted *p, const block *b, sha256_sum *sum, region_writer *writer, failure *why)
{
    const uint8_t flip = p->request->invert ? 0xff : 0;
    for (int64_t y = 0; y < b->rows; y++) {
        const uint64_t *const bits = (const uint64_t *)b->bits + (size_t)y * b->words;
        for (int64_t x = 0; x < p->width; x++) b->row[x] = bits[x / 64] >> (x % 64) & 1 ? 255 : 0;
        sha256_add(sum, b->row, (size_t)p->width);
        for (int64_t x = 0; x < p->width; x++) b->row[x] ^= flip;
        const int status = writer ? region_write(writer, b->row, why) : EXIT_DONE;
        if (status) return status;
    }
    return EXIT_DONE;
}

/* All blocks, from top to bottom. writer: of part 0, or NULL. Leaves if it fails by itself. */
static int write_blocks(parted *p, block *b, region_writer *writer)
{
    const int64_t most = b->words < WORDS ? (int64_t)(WORDS / b->words) : 1;
    sha256_sum sum;
    sha256_begin(&sum);
    for (b->first = 0; b->first < p->height; b->first += b->rows) {
        b->rows = p->height - b->first < most ? p->height - b->first : most;
        pack(p, b);
        if (!parted_sum(p, b->bits, (size_t)b->rows * b->words)) return p->status;
        if (p->exchange->part != 0) continue;
        const int status = write_block(p, b, &sum, writer, &p->why);
        if (status) return status;
    }
    sha256_end(&sum, p->run.mask_sha256);
    return EXIT_DONE;
}

/* Gives the mask its name once all parts are done, and writes --json. */
static int publish(parted *p, region_writer *writer, double start)
{
    int64_t done = 0;
    int status = region_finish(writer, true, &p->why);
    p->run.write_ms = machine_ms() - start;
    if (status) return status;
    if (p->exchange->part == 0) {
        if (p->request->output) run_stage(&p->run, "write", p->run.write_ms, "%s", p->request->output);
        if (p->request->common->json) status = run_write_json(&p->run, NULL, &p->why);
        run_show_notes(&p->run);
    }
    if (status) return status;
    return parted_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

int parted_write(parted *p)
{
    const double start = machine_ms();
    const bool writes = p->exchange->part == 0 && p->request->output;
    region_writer *writer = NULL;
    block b = {.words = ((size_t)p->width + 63) / 64};
    const size_t room = b.words < WORDS ? WORDS : b.words;
    int status = EXIT_DONE;

    b.bits = malloc(room * sizeof *b.bits);
    b.row = malloc((size_t)p->width);
    if (!b.bits || !b.row) status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->request->photo);
    if (!status && writes) status = region_create(p->request->output, p->width, p->height, &writer, &p->why);
    if (!status) status = write_blocks(p, &b, writer);
    if (status) {
        failure ignored;
        (void)region_finish(writer, false, &ignored);
    } else {
        status = publish(p, writer, start);
    }
    free(b.bits);
    free(b.row);
    if (status && !p->echo) p->exchange->leave(p->exchange->context);
    return p->status = status;
}
