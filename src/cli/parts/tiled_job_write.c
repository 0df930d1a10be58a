/* SPDX-License-Identifier: MIT
 *
 * tiled_job_write.c - writes the mask of a photo in parts. Part 0 creates the file, under a temporary name, and all
 * parts write their own rows to it. Where that is impossible, part 0 writes all rows (tiled_job_relay.c). The file gets
 * its name after the rows of all parts are on the disk.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "tiled_job.h"
#include "region.h"
#include "sha256.h"

/* ---- The file --------------------------------------------------------------------------------- */

enum { NAME_WORDS = 4 };

/* Says how to open the file; part 0 sends it to all. together: 1 if all parts can write to the file; file: its
 * descriptor; name: its temporary name. */
typedef struct way {
    int64_t together, file;
    int64_t name[NAME_WORDS];
} way;

static int create(job_part *p, way *how)
{
    STEP(region_create(p->request->output, p->request->job->style->format, &p->by_rows, &p->writer, &p->why));
    const char *const name = region_shared_as(p->writer);
    how->together = name && strlen(name) < sizeof how->name;
    how->file = region_descriptor(p->writer);
    if (how->together) memcpy(how->name, name, strlen(name));
    return EXIT_DONE;
}

/* Opens the file that part 0 created. Returns false if it is not visible from this machine. */
static bool join(job_part *p, const way *how)
{
    char name[sizeof how->name + 1] = "";
    if (p->request->parts) { /* threads of one process */
        p->mask_file = (int)how->file;
        return true;
    }
    memcpy(name, how->name, sizeof how->name);
    const tiled_job *const r = p->request;
    if (p->exchange->part != 0 && !region_join(r->output, r->job->style->format, name, &p->writer)) return false;
    p->mask_file = region_descriptor(p->writer);
    return true;
}

int tiled_job_open_mask(job_part *p)
{
    way how = {0};
    int64_t *const words = (int64_t *)(void *)&how;
    int64_t blind = 0;
    if (!p->request->output) return EXIT_DONE;
    const int status = p->exchange->part == 0 ? create(p, &how) : EXIT_DONE;
    if (status) return status;
    if (!tiled_job_sum(p, words, sizeof how / sizeof *words)) return p->status;
    p->together = how.together;
    if (!p->together) return EXIT_DONE;
    blind = !join(p, &how);
    if (!tiled_job_sum(p, &blind, 1)) return p->status;
    p->together = !blind;
    if (blind && p->exchange->part == 0)
        note(&p->run->notes, "%s: lies where not all machines see it, so all rows go through the first",
             p->request->output);
    return EXIT_DONE;
}

void tiled_job_close_mask(job_part *p)
{
    failure ignored;
    (void)region_finish(p->writer, p->status == EXIT_DONE, &ignored);
    p->writer = NULL;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int write_together(job_part *p)
{
    const region_team team = {
        .part = p->exchange->part, .parts = p->exchange->parts, .width = p->width, .height = p->layers,
        .first = p->first, .rows = p->rows, .fewest = p->layers / p->exchange->parts,
        .pixels = p->mask + (size_t)(p->first - p->from) * (size_t)p->width,
        .flip = p->request->job->style->invert ? 0xff : 0,
        .tiles = p->tiles, .place = tiled_job_place(p), .density = {p->density[0], p->density[1]},
        .threads = tiled_job_threads(p, false), .context = p, .sum = tiled_job_sums,
        .swap = tiled_job_swaps};
    return region_write_together(p->request->output, p->request->job->style->format, p->mask_file, &team, &p->why);
}

/* Computes the SHA-256 of the mask for --json. The parts add their rows one after the other; each sends the state of
 * the hash to the next. */
static int hash(job_part *p)
{
    union {
        sha256_sum sum;
        int64_t words[(sizeof(sha256_sum) + 7) / 8];
    } state;
    const size_t width = (size_t)p->width, words = sizeof state / sizeof *state.words;
    if (!p->request->job->common->json) return EXIT_DONE;
    sha256_begin(&state.sum);
    for (int i = 0; i < p->exchange->parts; i++) {
        if (i == p->exchange->part)
            sha256_add(&state.sum, p->mask + (size_t)(p->first - p->from) * width, (size_t)p->rows * width);
        else memset(&state, 0, sizeof state);
        if (!tiled_job_sum(p, state.words, words)) return p->status;
    }
    sha256_end(&state.sum, p->run->mask_sha256);
    return EXIT_DONE;
}

/* Gives the file of the mask its name when all parts are done, and writes the JSON report. */
static int publish(job_part *p, double start)
{
    const char *const to = p->request->output;
    int64_t done = 0;
    int status = EXIT_DONE;
    if (!tiled_job_sum(p, &done, 1)) return p->status; /* after this sum, all parts have written */
    if (p->exchange->part == 0) {
        status = region_finish(p->writer, true, &p->why);
        p->writer = NULL;
        p->run->write_ms = machine_ms() - start;
        if (!status && to)
            run_stage(p->run, "write", p->run->write_ms, "%s, %s", to,
                      p->together ? "each part its own rows" : "all rows through the first part");
        if (!status && p->request->job->common->json) status = run_write_json(p->run, NULL, &p->why);
        run_show_notes(p->run);
    }
    if (status) return status;
    return tiled_job_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

int tiled_job_write(job_part *p)
{
    const double start = machine_ms();
    int status = hash(p);
    if (!status && p->request->output) status = p->together ? write_together(p) : tiled_job_relay(p);
    if (!status) status = publish(p, start);
    return status;
}
