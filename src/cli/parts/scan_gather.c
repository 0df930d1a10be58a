/* SPDX-License-Identifier: MIT
 *
 * scan_gather.c - writes the labels of a volume in parts that read their own slices. In most formats the file is one
 * stream, so the first part writes all of it, as it receives the labels (job_part_relay.c).
 */
#include "file_stream.h"
#include "machine.h"
#include "scan_parts.h"
#include "sha256.h"

typedef struct gathering {
    scan_job *job;
    relay labels;
    bool hashed; /* whether `hash` is wanted */
    sha256_sum hash;
} gathering;

/* Writes the next `size` labels to `to`; used as take() of a scan_source. The hash is of the labels before --invert. */
static int take_labels(void *context, uint8_t *to, size_t size, failure *why)
{
    gathering *const g = context;
    const uint8_t flip = g->job->base->request->style->invert ? 0xff : 0;
    (void)why;
    STEP(relay_take(&g->labels, to, size));
    if (g->hashed) sha256_add(&g->hash, to, size);
    for (size_t i = 0; flip && i < size; i++) to[i] ^= flip;
    return EXIT_DONE;
}

/* Receives all labels when only their hash is wanted. */
static int take_all(gathering *g, size_t left, failure *why)
{
    enum { PIECE = 1 << 14 };
    uint8_t piece[PIECE];
    for (; left > 0; left -= left < PIECE ? left : PIECE) STEP(take_labels(g, piece, left < PIECE ? left : PIECE, why));
    return EXIT_DONE;
}

static int write_all(gathering *g, file_stream *stream, failure *why)
{
    output *const out = g->job->base->mask_out;
    const scan *const like = &g->job->scan;
    const scan labels = {.width = like->width, .height = like->height, .depth = scan_slices(like),
                         .type = TILECUT_VOXEL_U8, .slope = 1};
    const scan_source voxels = {take_labels, g};
    if (!out) return take_all(g, scan_count(&labels), why);
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
    job_part *const p = j->team->context;
    const size_t slice = (size_t)j->scan.width * (size_t)j->scan.height;
    gathering g = {.job = j, .hashed = j->base->files.json != NULL};
    int status = relay_begin(&g.labels, p, j->base->mask + (size_t)(p->first - p->from) * slice, slice);
    if (status) return status;
    sha256_begin(&g.hash);
    if (!j->team->part) status = write_first(&g, stream, why);
    return relay_end(&g.labels, status);
}
