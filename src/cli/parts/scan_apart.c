/* SPDX-License-Identifier: MIT
 *
 * scan_apart.c - cuts a volume in parts that read their own slices and seeds: processes of mpirun, or threads that work
 * in turn. Each part does the steps of scan_job.h. The first part writes the labels of all (scan_gather.c), and does
 * all that comes after that. If one part fails, all fail.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "engine.h"
#include "file.h"
#include "file_stream.h"
#include "mpi_bound.h"
#include "tiled_job.h"
#include "tiled_job_turns.h"
#include "scan_parts.h"
#include "tilecut_parts.h"

/* ---- The cut ---------------------------------------------------------------------------------- */

static tilecut_part part_of(const job_part *p, int slices)
{
    tilecut_part part = {.height = slices, .exchange = p->exchange,
                         .store = p->seat ? spill_file(seat_room(p->seat)) : 0};
    tilecut_part_rows(slices, p->exchange->parts, p->exchange->part, &part.first, &part.rows);
    return part;
}

static int cut_own(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    job_part *const p = j->team->context;
    const tilecut_part part = part_of(p, scan_slices(&j->scan));
    const size_t count = scan_count(&j->scan);
    j->labels = j->spill ? spill_take(j->spill, count) : malloc(count);
    if (!j->labels)
        return fail(why, EXIT_RESOURCES, "not enough %s for labels", j->spill ? "room on the disk" : "memory");
    const tilecut_status done = tilecut_part_volume_segment(&part, volume, j->base->seeds.label, params, j->labels,
                                                            &j->base->run.cut, &p->more);
    const int status = tiled_job_judge_cut(p, done, file_input_name(j->base->files.photo));
    if (status) *why = p->why;
    return status ? status : tiled_job_count_traffic(p);
}

/* The labels of own slices, without the halo. */
static int clean_own(scan_job *j, job_part *p, failure *why)
{
    const size_t slice = (size_t)j->scan.width * (size_t)j->scan.height;
    tilecut_part_rows(scan_slices(&j->scan), p->exchange->parts, p->exchange->part, &p->first, &p->rows);
    const size_t at = (size_t)(p->first - j->scan.above) * slice;
    const cleanup_lattice slices = scan_job_layers(j, p->rows);
    const int status = tiled_job_clean_layers(p, j->base->seeds.label + at, &slices, j->labels + at);
    if (status) *why = p->why;
    return status;
}

/* ---- A part ----------------------------------------------------------------------------------- */

static int do_steps(scan_job *j, job_part *p, file_stream *labels, failure *why)
{
    int64_t done = 0;
    tilecut_params params = tilecut_params_default();
    int status = p->seat ? EXIT_DONE : tiled_job_compare_files(p);
    if (status) return *why = p->why, status;
    STEP(tiled_job_choose(p->request, p->exchange->part, &params, &j->base->run.notes, why));
    STEP(scan_job_read(j, why));
    STEP(scan_gather_open(j, labels, why));
    STEP(scan_job_cut(j, &params, why));
    STEP(clean_own(j, p, why));
    STEP(scan_gather(j, labels, why));
    if (p->exchange->part == 0) STEP(scan_job_write(j, why));
    return tiled_job_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

/* Does all of one part's work. Sets p->status and why; makes the other parts fail if this one does. */
static void do_part(scan_job *j, job_part *p)
{
    const scan_team team = {.part = p->exchange->part, .parts = p->exchange->parts, .context = p,
                            .sum = tiled_job_sums};
    file_stream labels = {0};
    failure own = {0}, ignored = {0};
    p->run = &j->base->run;
    j->team = &team;
    j->cut = cut_own;
    const int status = do_steps(j, p, &labels, &own);
    (void)file_stream_end(&labels, false, &ignored); /* if it is still open, writing has failed */
    if (j->spill) spill_drop(j->spill, j->labels);
    else free(j->labels);
    j->labels = NULL;
    j->team = NULL;
    if (p->echo) return; /* another part has failed first; status and why are set */
    p->why = own;
    if (status && !p->status) p->exchange->leave(p->exchange->context); /* if p->status is set the others know it */
    p->status = status;
}

/* ---- Processes, and threads in turn ------------------------------------------------------------ */

/* A part with its job. The first part uses the caller's job, the others use `own` and `base`. */
typedef struct turn {
    job_part part; /* first, so that a pointer to it is one to the turn */
    scan_job *job;
    const job_request *silent; /* of the others */
    scan_job own;
    job base;
} turn;

static void do_rank(job_part *p)
{
    static const common silent = {.quiet = true};
    scan_job *const j = ((turn *)(void *)p)->job;
    if (p->exchange->part) j->base->run.common = &silent;
    do_part(j, p);
}

int scan_ranks_do(scan_job *j, failure *why)
{
    const tiled_job request = scan_request(j);
    turn own = {.part = {.work = do_rank}, .job = j};
    STEP(scan_job_plan(j, why));
    return tiled_job_by_ranks(&request, &own.part, why);
}

static void do_turn(job_part *p)
{
    turn *const t = (turn *)(void *)p;
    const scan_job *const first = t->job;
    if (p->exchange->part) {
        job_init(&t->base, t->silent, &first->base->files);
        t->own = (scan_job){.base = &t->base, .options = first->options, .parts = first->parts,
                            .devices = first->devices, .exchange = first->exchange};
        t->job = &t->own;
    }
    t->job->spill = seat_room(p->seat);
    do_part(t->job, p);
    /* The pointers into the part's file end with the file, so they must not be freed later. */
    scan_free(&t->job->scan);
    t->job->base->seeds.label = NULL;
}

int scan_turns_do(scan_job *j, failure *why)
{
    static const common quiet = {.quiet = true};
    const tiled_job request = scan_request(j);
    job_request silent = *j->base->request;
    turn *const all = calloc((size_t)j->parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", j->parts);
    silent.common = &quiet;
    for (int i = 0; i < j->parts; i++) all[i].job = j, all[i].silent = &silent;
    const job_crew crew = {all, sizeof *all, true, do_turn};
    const int status = tiled_job_by_threads(&request, &crew, why);
    for (int i = 1; i < j->parts; i++) job_free(&all[i].base);
    free(all);
    return status;
}
