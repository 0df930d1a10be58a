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
#include "parted.h"
#include "parted_turns.h"
#include "scan_parts.h"
#include "tilecut_parts.h"

/* ---- The cut ---------------------------------------------------------------------------------- */

/* Sums what all parts sent and solved, for the report. */
static int count_traffic(scan_job *j, parted *p)
{
    run *const r = &j->base->run;
    const int parts = p->exchange->parts, listed = parts <= PARTS_MOST ? parts : 0;
    int64_t sums[3 + PARTS_MOST] = {p->more.sent, p->more.solves, p->more.direct}, *const gpu = sums + 3;
    if (listed) gpu[p->exchange->part] = strcmp(r->cut.device, "cuda") ? 0 : 1 + r->cut.device_index;
    if (!parted_sum(p, sums, 3 + (size_t)listed)) return p->status;
    r->parts = (parts_facts){.count = parts, .in_turn = p->seat != NULL, .waves = p->more.waves,
                             .meetings = p->more.meetings, .sent = sums[0], .solves = sums[1], .direct = sums[2]};
    for (int i = 0; i < listed; i++) r->parts.gpu[i] = (int16_t)gpu[i];
    run_stage(r, "parts", 0, "%" PRId64 " waves, %" PRId64 " meetings, %.1f MB sent, %" PRId64 " solves",
              r->parts.waves, r->parts.meetings, (double)r->parts.sent / 1e6, r->parts.solves);
    return EXIT_DONE;
}

static tilecut_part part_of(const parted *p, int slices)
{
    tilecut_part part = {.height = slices, .exchange = p->exchange,
                         .store = p->seat ? spill_file(seat_room(p->seat)) : 0};
    tilecut_part_rows(slices, p->exchange->parts, p->exchange->part, &part.first, &part.rows);
    return part;
}

static int cut_own(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    parted *const p = j->team->context;
    const tilecut_part part = part_of(p, scan_slices(&j->scan));
    const size_t count = scan_count(&j->scan);
    j->labels = j->spill ? spill_take(j->spill, count) : malloc(count);
    if (!j->labels)
        return fail(why, EXIT_RESOURCES, "not enough %s for labels", j->spill ? "room on the disk" : "memory");
    const tilecut_status done = tilecut_part_volume_segment(&part, volume, j->base->seeds.label, params, j->labels,
                                                            &j->base->run.cut, &p->more);
    const int status = parted_judge_cut(p, done, file_input_name(j->base->files.photo));
    if (status) *why = p->why;
    return status ? status : count_traffic(j, p);
}

/* ---- A part ----------------------------------------------------------------------------------- */

static int do_steps(scan_job *j, parted *p, file_stream *labels, failure *why)
{
    int64_t done = 0;
    tilecut_params params = tilecut_params_default();
    int status = p->seat ? EXIT_DONE : parted_compare_files(p);
    if (status) return *why = p->why, status;
    STEP(scan_choose(j, p->request->common, p->exchange->part, &params, &j->base->run.notes, why));
    STEP(scan_job_read(j, why));
    STEP(scan_gather_open(j, labels, why));
    STEP(scan_job_cut(j, &params, why));
    STEP(scan_gather(j, labels, why));
    if (p->exchange->part == 0) STEP(scan_job_write(j, why));
    return parted_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

/* Does all of one part's work. Sets p->status and why; makes the other parts fail if this one does. */
static void do_part(scan_job *j, parted *p)
{
    const scan_team team = {.part = p->exchange->part, .parts = p->exchange->parts, .context = p, .sum = parted_sums};
    file_stream labels = {0};
    failure own = {0}, ignored = {0};
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

/* ---- Processes -------------------------------------------------------------------------------- */

int scan_ranks_do(scan_job *j, const common *asked, failure *why)
{
    static const common silent = {.quiet = true};
    const parted_request request = scan_request(j, asked);
    parted p = {.request = &request};
    mpi_exchange mpi;
    STEP(scan_job_plan(j, why));
    (void)mpi_take_processors(asked->threads);
    STEP(mpi_open(&mpi, why));
    p.exchange = &mpi.exchange;
    if (p.exchange->part) j->base->run.common = &silent;
    do_part(j, &p);
    return parted_end_together(&mpi, p.status, &p.why, why);
}

/* ---- Threads in turn -------------------------------------------------------------------------- */

/* A part with its job. The first part uses the caller's job, the others use `own` and `base`. */
typedef struct turn {
    parted part; /* first, so that a pointer to it is one to the turn */
    scan_job *job;
    scan_job own;
    job base;
} turn;

static void do_turn(parted *p)
{
    turn *const t = (turn *)(void *)p;
    do_part(t->job, p);
    /* The pointers into the part's file end with the file, so they must not be freed later. */
    scan_free(&t->job->scan);
    t->job->base->seeds.label = NULL;
}

static void open_turn(turn *t, scan_job *first, const parted_request *request, const job_request *silent, seat *own)
{
    t->part = (parted){.request = request, .exchange = seat_exchange(own), .seat = own, .work = do_turn};
    t->job = first;
    if (t->part.exchange->part) {
        job_init(&t->base, silent, &first->base->files);
        t->own = (scan_job){.base = &t->base, .options = first->options, .parts = first->parts,
                             .devices = first->devices, .exchange = first->exchange};
        t->job = &t->own;
    }
    t->job->spill = seat_room(own);
}

static int run_turns(scan_job *j, turn *all, const parted_request *request, turns *order, failure *why)
{
    static const common quiet = {.quiet = true};
    job_request silent = *j->base->request;
    silent.common = &quiet;
    for (int i = 0; i < j->parts; i++) open_turn(&all[i], j, request, &silent, turns_seat(order, i));
    const int status = parted_run(all, sizeof *all, j->parts, why);
    for (int i = 1; i < j->parts; i++) job_free(&all[i].base);
    return status;
}

int scan_turns_do(scan_job *j, const common *asked, failure *why)
{
    const parted_request request = scan_request(j, asked);
    tilecut_exchange *exchanges = NULL;
    turns *order = NULL;
    turn *const all = calloc((size_t)j->parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", j->parts);
    int status = parted_open_exchange(&request, &exchanges, why);
    if (!status) status = turns_open(&order, exchanges, j->base->files.mask, why);
    if (!status) status = run_turns(j, all, &request, order, why);
    turns_close(order);
    parted_close_exchange(&request, exchanges);
    free(all);
    return status;
}
