/* SPDX-License-Identifier: MIT
 *
 * scan_parts.c - see scan_parts.h. If this process has read the volume, the voxels and seeds of a part are views into
 * it. The labels of a part have a buffer of their own, because the part also computes labels for its halo, which
 * belongs to its neighbours; its own slices are copied from the buffer. A part that reads its own slices does the steps
 * of scan_job.h. The first part also does the steps after the cut: it writes the labels of all parts (scan_gather.c).
 * If one part fails, all parts fail.
 */
#include "scan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "file_stream.h"
#include "job_part_turns.h"

/* A part of a volume, with its job. */
typedef struct scan_part {
    job_part part;  /* must be first, so that a pointer to it also points to the scan_part */
    scan_job *job;  /* the caller's job if it has all slices or this is the first part; else `own` */
    tilecut_params params;
    scan_job own;
    file_stream labels; /* where the first part writes the labels of all */
} scan_part;

/* ---- The cut ---------------------------------------------------------------------------------- */

/* Cuts the part's slices and their halo, together with all other parts. */
static int cut_slices(job_part *p, const tilecut_volume *slices, const uint8_t *labelled, const tilecut_params *params,
                      uint8_t *labels)
{
    const tilecut_part part = job_part_of(p);
    if (!labels)
        return job_part_leave(p, fail(&p->why, EXIT_RESOURCES, "not enough %s for the labels of part %d",
                                      p->slot ? "room on the disk" : "memory", p->exchange->part));
    return job_part_end_cut(p, tilecut_part_volume_segment(&part, slices, labelled, params, labels, &p->job->run.cut,
                                                           &p->more));
}

/* ---- Views of a volume ------------------------------------------------------------------------ */

static void cut_view(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    const job *const base = s->job->base;
    const device_list *const gpus = &s->job->devices;
    if (gpus->count) s->params.device = gpus->index[p->exchange->part % gpus->count];
    const size_t slice = (size_t)base->volume.width * (size_t)base->volume.height;
    tilecut_volume view = base->volume;
    job_part_share(p, view.depth);
    const size_t from = (size_t)p->from * slice;
    uint8_t *const labels = malloc((size_t)p->count * slice);
    view.depth = p->count;
    view.voxels = (const char *)view.voxels + from * scan_voxel_bytes(view.type) * (size_t)view.channels;
    if (cut_slices(p, &view, base->seeds.label + from, &s->params, labels) == EXIT_DONE)
        memcpy(base->mask + (size_t)p->first * slice, labels + (size_t)(p->first - p->from) * slice,
               (size_t)p->rows * slice);
    free(labels);
}

/* Cuts a volume in memory in parts that are views of it and work all at once; used as scan_job.cut. */
static int cut_in_views(scan_job *j, const tilecut_params *params, failure *why)
{
    const int parts = j->parts;
    const job_division request = scan_division(j);
    scan_part own = {.job = j, .params = *params};
    STEP(scan_job_make_labels(j, why));
    own.params.threads = params->threads > parts ? params->threads / parts : 1;
    if (params->solver && !strcmp(params->solver, "cuda")) job_part_note_devices(&request, &j->base->run.notes);
    return job_part_by_threads(&request, &(part_threads){&own, sizeof own, false, cut_view}, why);
}

/* ---- Parts that read their own slices ---------------------------------------------------------- */

/* Cuts the slices of this part, which has read no others; used as scan_job.cut. The failure is in part->why, where
 * `why` points. */
static int cut_own(scan_job *j, const tilecut_params *params, failure *why)
{
    job *const base = j->base;
    job_part *const p = base->part;
    failure ignored;
    (void)why;
    (void)scan_job_make_labels(j, &ignored); /* cut_slices() reports the failure */
    return cut_slices(p, &base->volume, base->seeds.label, params, base->mask);
}

/* job_part_do() leaves the team if a step fails. */
static void stay(void *context)
{
    (void)context;
}

static int do_steps(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    scan_job *const j = s->job;
    job *const base = j->base;
    failure *const why = &p->why;
    const tilecut_exchange team = {.part = p->exchange->part, .parts = p->exchange->parts, .context = p,
                                   .sum = job_part_sums, .swap = job_part_swaps, .leave = stay};
    tilecut_params params = tilecut_params_default();
    int64_t done = 0;
    j->team = &team;
    j->cut = cut_own;
    if (!p->slot) STEP(job_part_compare_files(p));
    STEP(job_part_choose(p->request, p->exchange->part, &params, &base->run.notes, why));
    STEP(job_read(base, why));
    job_part_share(p, scan_slices(&j->scan));
    if (p->request->job->checked) {
        STEP(base->kind->look(base, why));
        return job_part_sum(p, &done, 1) ? EXIT_DONE : p->status;
    }
    STEP(scan_gather_open(j, &s->labels, why));
    STEP(job_cut(base, &params, why));
    const cleanup_lattice slices = scan_job_layers(j, p->count);
    STEP(job_part_clean(p, &slices));
    STEP(scan_gather(j, &s->labels, why));
    if (p->exchange->part == 0) STEP(job_write(base, why));
    return job_part_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

static void do_part(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    scan_job *const j = s->job;
    job *const base = j->base;
    failure ignored;
    job_part_do(p, do_steps);
    (void)file_stream_end(&s->labels, false, &ignored); /* a stream that is still open is one whose writing failed */
    j->team = NULL;
    if (j->spill) {
        /* these lie in the part's file and end with it */
        scan_free(&j->scan);
        base->seeds.label = base->mask = NULL;
    }
}

static int do_ranks(scan_job *j, failure *why)
{
    const job_division request = scan_division(j);
    scan_part own = {.part = {.work = do_part}, .job = j};
    STEP(job_plan(j->base, why));
    return job_part_by_ranks(&request, &own.part, why);
}

static void do_turn(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    if (p->exchange->part) {
        const scan_job *const first = s->job;
        scan_job_init(&s->own, p->job, first->options);
        s->own.parts = first->parts, s->own.devices = first->devices, s->own.exchange = first->exchange;
        s->job = &s->own;
    }
    s->job->spill = turn_slot_spill(p->slot);
    do_part(p);
}

static int do_turns(scan_job *j, failure *why)
{
    const job_division request = scan_division(j);
    scan_part own = {.job = j};
    return job_part_by_threads(&request, &(part_threads){&own, sizeof own, true, do_turn}, why);
}

/* ---- All of them ------------------------------------------------------------------------------ */

/* Adds the options that would do to the error sentence of a volume that needs too much memory. */
static void advise(const scan_job *j, failure *why)
{
    scan_job in_parts = *j;
    failure ignored;
    in_parts.parts = 2;
    if (!j->base->files.preview && !j->on_gpu && !scan_parts_check(&in_parts, &ignored)) job_part_advise(j->base, why);
}

int scan_parts_do(scan_job *j, failure *why)
{
    const job_division division = scan_division(j);
    tilecut_params params = tilecut_params_default();
    int status;
    if (job_part_by_mpi()) return do_ranks(j, why);
    if (!j->base->files.preview && !j->on_gpu && job_part_must_take_turns(&division)) {
        STEP(job_plan(j->base, why));
        status = job_part_check_turns(&division, why);
        if (!status) return do_turns(j, why);
    } else {
        if (j->parts) j->cut = cut_in_views;
        status = job_part_choose(&division, 0, &params, &j->base->run.notes, why);
        if (!status) status = scan_job_do(j, &params, why);
    }
    if (status == EXIT_RESOURCES) advise(j, why);
    return status;
}

/* ---- What is refused -------------------------------------------------------------------------- */

static int check_ranks(const scan_job *j, const char *name, failure *why)
{
    if (j->parts) return fail(why, EXIT_USAGE, "--parts: under mpirun each process is one part; leave it out");
    if (j->base->files.preview)
        return fail(why, EXIT_USAGE, "--preview: needs the whole volume, and under mpirun no process has it; leave one "
                    "of them out");
    if (!strcmp(j->base->files.photo, "-"))
        return fail(why, EXIT_USAGE, "%s: cannot be read by all processes of mpirun; name a file", name);
    return EXIT_DONE;
}

int scan_parts_check(const scan_job *j, failure *why)
{
    const char *const name = file_input_name(j->base->files.photo);
    if (!job_part_by_mpi() && !j->parts) return EXIT_DONE;
    if (j->base->files.sure)
        return fail(why, EXIT_USAGE, "--confidence: needs the whole volume; it is not for --parts and mpirun");
    if (j->base->request->inputs->mask)
        return fail(why, EXIT_USAGE, "%s: a mask is refined in the whole volume at once; it is not for --parts and "
                    "mpirun", file_input_name(j->base->request->inputs->mask));
    if (j->base->request->inputs->previous)
        return fail(why, EXIT_USAGE, "--previous: a correction cuts some parts of a volume, wherever they are; it is "
                    "not for --parts and mpirun");
    if (job_part_by_mpi() && check_ranks(j, name, why)) return why->status;
    if (j->parts > PARTS_MOST)
        return fail(why, EXIT_USAGE, "--parts: %d; up to %d are possible", j->parts, PARTS_MOST);
    return EXIT_DONE;
}
