/* SPDX-License-Identifier: MIT
 *
 * scan_gather.c - writes the labels of a volume in parts that read their own slices. In most formats the file is one
 * stream, so the first part writes it all. Labels reach it in blocks of bits: all parts sum a block, to which each
 * contributes its own voxels and zeros elsewhere. So no part ever holds all labels of another.
 */
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "file_stream.h"
#include "machine.h"
#include "scan_parts.h"
#include "sha256.h"
#include "tilecut_parts.h"

enum { WORDS = 1 << 16, BLOCK = 64 * WORDS, PIECE = 1 << 14 };

typedef struct gathering {
    scan_job *job;
    const uint8_t *own; /* labels of own slices, without the halo       */
    size_t begin, end;  /* own voxels: begin to end - 1 of the volume  */
    size_t all;         /* number of voxels of the volume              */
    size_t first, last; /* voxels in `bits`: first to last - 1         */
    size_t at;          /* the voxel that the first part writes next   */
    bool hashed;        /* whether `hash` is wanted                    */
    sha256_sum hash;
    uint64_t *bits;     /* [WORDS] a bit per voxel                     */
} gathering;

/* Brings the next block of voxels to all parts. */
static int bring(gathering *g)
{
    g->first = g->last;
    g->last = g->all - g->first < BLOCK ? g->all : g->first + BLOCK;
    memset(g->bits, 0, WORDS * sizeof *g->bits);
    for (size_t i = g->begin > g->first ? g->begin : g->first; i < g->end && i < g->last; i++)
        g->bits[(i - g->first) / 64] |= (uint64_t)(g->own[i - g->begin] != 0) << ((i - g->first) % 64);
    const size_t words = (g->last - g->first + 63) / 64;
    return scan_sum(g->job->team, (int64_t *)(void *)g->bits, words) ? EXIT_DONE : EXIT_RUNTIME; /* another has left */
}

/* The function of a scan_source: writes the next `size` labels to `to`. Hashes them as they are before --invert. */
static int take(void *context, uint8_t *to, size_t size, failure *why)
{
    gathering *const g = context;
    const uint8_t flip = g->job->base->request->style->invert ? 0xff : 0;
    (void)why;
    for (size_t i = 0; i < size; i++, g->at++) {
        const int status = g->at == g->last ? bring(g) : EXIT_DONE;
        if (status) return status;
        const size_t bit = g->at - g->first;
        to[i] = g->bits[bit / 64] >> (bit % 64) & 1 ? 255 : 0;
    }
    if (g->hashed) sha256_add(&g->hash, to, size);
    for (size_t i = 0; flip && i < size; i++) to[i] ^= flip;
    return EXIT_DONE;
}

/* Reads all labels if only their hash is wanted. */
static int take_all(gathering *g, failure *why)
{
    uint8_t piece[PIECE];
    int status = EXIT_DONE;
    while (!status && g->at < g->all) status = take(g, piece, g->all - g->at < PIECE ? g->all - g->at : PIECE, why);
    return status;
}

static int write_all(gathering *g, file_stream *stream, failure *why)
{
    output *const out = g->job->base->mask_out;
    const scan *const like = &g->job->scan;
    const scan labels = {.width = like->width, .height = like->height, .depth = scan_slices(like),
                         .type = TILECUT_VOXEL_U8, .slope = 1};
    const scan_source voxels = {take, g};
    if (!out) return take_all(g, why);
    STEP(scan_encode_to(out->path, &labels, like, &voxels, stream, why));
    STEP(file_stream_end(stream, true, why));
    out->done = true;
    return EXIT_DONE;
}

static int write_first(gathering *g, file_stream *stream, failure *why)
{
    job *const base = g->job->base;
    const double start = machine_ms();
    STEP(write_all(g, stream, why));
    if (g->hashed) sha256_end(&g->hash, base->run.mask_sha256);
    base->run.write_ms = machine_ms() - start;
    return EXIT_DONE;
}

int scan_gather_open(scan_job *j, file_stream *stream, failure *why)
{
    const output *const out = j->base->mask_out;
    return out && !j->team->part ? file_stream_open(stream, out->path, why) : EXIT_DONE;
}

int scan_gather(scan_job *j, file_stream *stream, failure *why)
{
    const scan *const s = &j->scan;
    const size_t slice = (size_t)s->width * (size_t)s->height, above = (size_t)s->above;
    const scan_own own = scan_own_of(s, j->team);
    gathering g = {.job = j, .own = j->labels + (size_t)own.first * slice,
                   .begin = (above + (size_t)own.first) * slice, .end = (above + (size_t)own.end) * slice,
                   .all = slice * (size_t)scan_slices(s), .hashed = j->base->files.json != NULL,
                   .bits = malloc(WORDS * sizeof *g.bits)};
    int status = EXIT_DONE;
    if (!g.bits) return fail(why, EXIT_RESOURCES, "not enough memory to gather labels");
    sha256_begin(&g.hash);
    if (!j->team->part) status = write_first(&g, stream, why);
    while (j->team->part && !status && g.last < g.all) status = bring(&g);
    free(g.bits);
    return status;
}
