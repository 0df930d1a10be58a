/* SPDX-License-Identifier: MIT
 *
 * scan_ranks.c - a volume cut by the processes of mpirun. Each reads its own slices and all seeds. Labels come together
 * as bits, and the first process does what is done after the cut. Steps are scan_job.h's; whatever fails ends all.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "engine.h"
#include "file.h"
#include "mpi_bound.h"
#include "parted.h"
#include "scan_parts.h"
#include "tilecut_parts.h"

enum { WORDS = 1 << 17 }; /* that are gathered at a time */

static size_t slice_of(const scan *s)
{
    return (size_t)s->width * (size_t)s->height;
}

/* ---- Labels ----------------------------------------------------------------------------------- */

/* Adds voxels first .. of the whole, which are 64 * words; `own` are those of this process, begin .. end - 1. */
static int gather_some(scan_job *j, const uint8_t *own, size_t begin, size_t end, size_t first, int64_t *bits)
{
    const size_t all = slice_of(&j->scan) * (size_t)scan_slices(&j->scan);
    const size_t last = all - first < (size_t)WORDS * 64 ? all : first + (size_t)WORDS * 64;
    uint8_t *const mask = j->base->mask;
    memset(bits, 0, WORDS * sizeof *bits);
    for (size_t i = begin > first ? begin : first; i < end && i < last; i++)
        ((uint64_t *)bits)[(i - first) / 64] |= (uint64_t)(own[i - begin] != 0) << ((i - first) % 64);
    if (j->team->sum(j->team->context, bits, (last - first + 63) / 64)) return 1;
    for (size_t i = first; i < last; i++)
        mask[i] = ((uint64_t *)bits)[(i - first) / 64] >> ((i - first) % 64) & 1 ? 255 : 0;
    return 0;
}

/* `own`: labels of own slices, without the rim. */
static int gather(scan_job *j, const tilecut_part *part, const uint8_t *own, failure *why)
{
    const size_t slice = slice_of(&j->scan), all = slice * (size_t)scan_slices(&j->scan);
    const size_t begin = (size_t)part->first * slice, end = begin + (size_t)part->rows * slice;
    int64_t *const bits = malloc(WORDS * sizeof *bits);
    if (!bits) return fail(why, EXIT_RESOURCES, "not enough memory to gather labels");
    int left = 0;
    for (size_t first = 0; first < all && !left; first += (size_t)WORDS * 64)
        left = gather_some(j, own, begin, end, first, bits);
    free(bits);
    return left ? EXIT_RUNTIME : EXIT_DONE; /* another part has failed */
}

/* ---- The cut ---------------------------------------------------------------------------------- */

/* What all processes did, for the report. */
static int count_traffic(scan_job *j, parted *p)
{
    run *const r = &j->base->run;
    int64_t sums[] = {p->more.sent, p->more.solves};
    if (!parted_sum(p, sums, 2)) return p->status;
    r->parts = (parts_facts){.count = p->exchange->parts, .waves = p->more.waves, .meetings = p->more.meetings,
                             .sent = sums[0], .solves = sums[1]};
    run_stage(r, "parts", 0, "%" PRId64 " waves, %" PRId64 " meetings, %.1f MB sent, %" PRId64 " solves",
              r->parts.waves, r->parts.meetings, (double)r->parts.sent / 1e6, r->parts.solves);
    return EXIT_DONE;
}

static int cut_own(scan_job *j, const tilecut_volume *volume, const tilecut_params *how, failure *why)
{
    parted *const p = j->team->context;
    const scan *const s = &j->scan;
    tilecut_part part = {.height = scan_slices(s), .exchange = p->exchange};
    uint8_t *const labels = malloc(scan_count(s));
    if (!labels) return fail(why, EXIT_RESOURCES, "not enough memory for labels");
    tilecut_part_rows(part.height, p->exchange->parts, p->exchange->part, &part.first, &part.rows);
    const tilecut_status done =
        tilecut_part_volume_segment(&part, volume, j->base->seeds.label + (size_t)s->above * slice_of(s), how, labels,
                                    &j->base->run.cut, &p->more);
    int status = p->status = engine_failure(done, file_input_name(j->base->files.photo), why);
    p->echo = done == TILECUT_ECANCELLED && strstr(tilecut_error_detail(), "another part");
    if (!status) status = gather(j, &part, labels + (size_t)(part.first - s->above) * slice_of(s), why);
    free(labels);
    return status ? status : count_traffic(j, p);
}

/* ---- The whole -------------------------------------------------------------------------------- */

static int work(scan_job *j, parted *p, failure *why)
{
    int64_t done = 0;
    tilecut_params how = tilecut_params_default();
    int status = parted_compare_files(p);
    if (status) return *why = p->why, status;
    STEP(engine_choose(p->request->common, &how, &j->base->run.notes, why));
    STEP(scan_job_read(j, why));
    STEP(scan_job_cut(j, &how, why));
    if (p->exchange->part == 0) STEP(scan_job_write(j, why));
    return parted_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

int scan_ranks_do(scan_job *j, const common *asked, const inputs *in, failure *why)
{
    static const common silent = {.quiet = true};
    const parted_request request = {.common = asked, .in = in, .photo = j->base->files.photo};
    parted p = {.request = &request};
    failure own = {0};
    mpi_exchange mpi;
    STEP(scan_job_plan(j, why));
    (void)mpi_take_processors(asked->threads);
    STEP(mpi_open(&mpi, why));
    p.exchange = &mpi.exchange;
    const scan_team team = {.part = p.exchange->part, .parts = p.exchange->parts, .context = &p, .sum = parted_sums};
    j->team = &team;
    j->cut = cut_own;
    if (team.part) j->base->run.common = &silent;
    int status = work(j, &p, &own);
    if (p.echo) status = fail(&own, EXIT_RUNTIME, "another part has failed");
    else if (status && !p.status) p.exchange->leave(p.exchange->context); /* of what p.status is they know */
    j->team = NULL;
    return parted_end_together(&mpi, status, &own, why);
}
