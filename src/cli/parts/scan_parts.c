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
#include "tiled_job_turns.h"

/* A part of a volume, with its job. */
typedef struct scan_part {
    job_part part;  /* must be first, so that a pointer to it also points to the scan_part */
    scan_job *job;  /* the caller's job if it has all slices or this is the first part; else a job of this part's own */
    const tilecut_volume *whole; /* the whole volume if parts are views of it; else NULL */
    tilecut_params params;
    const job_request *silent;   /* the request without reports, for all parts but the first if each has its own job */
    scan_job own;
    job base;
} scan_part;

static const common quiet = {.quiet = true};

/* ---- The cut ---------------------------------------------------------------------------------- */

/* Cuts the part's slices and their halo, together with all other parts. */
static int cut_slices(job_part *p, const tilecut_volume *slices, const uint8_t *labelled, const tilecut_params *params,
                      uint8_t *labels)
{
    const tilecut_part part = tiled_job_part(p);
    if (!labels)
        return tiled_job_leave(p, fail(&p->why, EXIT_RESOURCES, "not enough %s for the labels of part %d",
                                       p->slot ? "room on the disk" : "memory", p->exchange->part));
    return tiled_job_end_cut(p, tilecut_part_volume_segment(&part, slices, labelled, params, labels, &p->run->cut,
                                                            &p->more));
}

/* ---- Views of a volume ------------------------------------------------------------------------ */

static void cut_view(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    job *const base = s->job->base;
    const size_t slice = (size_t)s->whole->width * (size_t)s->whole->height;
    tilecut_volume view = *s->whole;
    p->run = &p->own_run;
    p->run->common = p->exchange->part ? &quiet : base->request->common;
    tiled_job_share(p, view.depth);
    const size_t from = (size_t)p->from * slice;
    uint8_t *const labels = malloc((size_t)p->count * slice);
    view.depth = p->count;
    view.voxels = (const char *)view.voxels + from * scan_voxel_bytes(view.type);
    if (cut_slices(p, &view, base->seeds.label + from, &s->params, labels) == EXIT_DONE)
        memcpy(base->mask + (size_t)p->first * slice, labels + (size_t)(p->first - p->from) * slice,
               (size_t)p->rows * slice);
    free(labels);
}

/* Cuts a volume in memory in parts that are views of it and work all at once; used as scan_job.cut. */
static int cut_in_views(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    const int parts = j->parts;
    const tiled_job request = scan_request(j);
    run *const r = &j->base->run;
    STEP(scan_job_make_labels(j, why));
    scan_part *const all = calloc((size_t)parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    for (int i = 0; i < parts; i++) {
        all[i].job = j, all[i].whole = volume, all[i].params = *params;
        all[i].params.threads = params->threads > parts ? params->threads / parts : 1;
        if (j->devices.count) all[i].params.device = j->devices.index[i % j->devices.count];
    }
    if (params->solver && !strcmp(params->solver, "cuda")) tiled_job_note_devices(&request, &r->notes);
    const part_threads threads = {all, sizeof *all, false, cut_view};
    const int status = tiled_job_by_threads(&request, &threads, why);
    r->cut = all->part.own_run.cut;
    r->parts = all->part.own_run.parts;
    free(all);
    return status;
}

/* ---- Parts that read their own slices ---------------------------------------------------------- */

/* Cuts the slices of this part, which has read no others; used as scan_job.cut. */
static int cut_own(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    job_part *const p = j->team->context;
    const size_t count = scan_count(&j->scan);
    j->labels = j->spill ? spill_take(j->spill, count) : malloc(count);
    const int status = cut_slices(p, volume, j->base->seeds.label, params, j->labels);
    if (status) *why = p->why;
    return status;
}

static int clean_slices(scan_job *j, job_part *p, failure *why)
{
    const cleanup_lattice slices = scan_job_layers(j, p->count);
    const int status = tiled_job_clean_layers(p, j->base->seeds.label, &slices, j->labels);
    if (status) *why = p->why;
    return status;
}

static int do_steps(scan_job *j, job_part *p, file_stream *labels, failure *why)
{
    int64_t done = 0;
    tilecut_params params = tilecut_params_default();
    int status = p->slot ? EXIT_DONE : tiled_job_compare_files(p);
    if (status) return *why = p->why, status;
    STEP(tiled_job_choose(p->request, p->exchange->part, &params, &j->base->run.notes, why));
    STEP(scan_job_read(j, why));
    tiled_job_share(p, scan_slices(&j->scan));
    STEP(scan_gather_open(j, labels, why));
    STEP(scan_job_cut(j, &params, why));
    STEP(clean_slices(j, p, why));
    STEP(scan_gather(j, labels, why));
    if (p->exchange->part == 0) STEP(scan_job_write(j, why));
    return tiled_job_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

/* Does all the work of one part. Sets p->status and p->why. If this part fails, makes all other parts fail. */
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
    (void)file_stream_end(&labels, false, &ignored); /* a stream that is still open here is one whose writing failed */
    if (j->spill) spill_drop(j->spill, j->labels);
    else free(j->labels);
    j->labels = NULL;
    j->team = NULL;
    if (p->echo) return; /* another part failed first and has reported it */
    p->why = own;
    if (status && !p->status) p->exchange->leave(p->exchange->context); /* if p->status is already set, the others know
                                                                           of the failure */
    p->status = status;
}

static void do_rank(job_part *p)
{
    scan_job *const j = ((scan_part *)(void *)p)->job;
    if (p->exchange->part) j->base->run.common = &quiet;
    do_part(j, p);
}

static int do_ranks(scan_job *j, failure *why)
{
    const tiled_job request = scan_request(j);
    scan_part own = {.part = {.work = do_rank}, .job = j};
    STEP(scan_job_plan(j, why));
    return tiled_job_by_ranks(&request, &own.part, why);
}

static void do_turn(job_part *p)
{
    scan_part *const s = (scan_part *)(void *)p;
    scan_job *j = s->job;
    if (p->exchange->part) {
        job_init(&s->base, s->silent, &j->base->files);
        s->own = (scan_job){.base = &s->base, .options = j->options, .parts = j->parts, .devices = j->devices,
                            .exchange = j->exchange};
        j = &s->own;
    }
    j->spill = turn_slot_spill(p->slot);
    do_part(j, p);
    /* These pointers are into the part's file and end with it, so they must not be freed later. */
    scan_free(&j->scan);
    j->base->seeds.label = NULL;
}

static int do_turns(scan_job *j, failure *why)
{
    const tiled_job request = scan_request(j);
    job_request silent = *j->base->request;
    scan_part *const all = calloc((size_t)j->parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", j->parts);
    silent.common = &quiet;
    for (int i = 0; i < j->parts; i++) all[i].job = j, all[i].silent = &silent;
    const part_threads threads = {all, sizeof *all, true, do_turn};
    const int status = tiled_job_by_threads(&request, &threads, why);
    for (int i = 1; i < j->parts; i++) job_free(&all[i].base);
    free(all);
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------ */

int scan_parts_do(scan_job *j, failure *why)
{
    tilecut_params params = tilecut_params_default();
    int status;
    if (tiled_job_by_mpi()) return do_ranks(j, why);
    if (scan_must_take_turns(j)) {
        STEP(scan_job_plan(j, why));
        status = scan_check_turns(j, why);
        if (!status) return do_turns(j, why);
    } else {
        if (j->parts) j->cut = cut_in_views;
        const tiled_job request = scan_request(j);
        status = tiled_job_choose(&request, 0, &params, &j->base->run.notes, why);
        if (!status) status = scan_job_do(j, &params, why);
    }
    if (status == EXIT_RESOURCES) scan_advise(j, why);
    return status;
}

/* ---- What is refused -------------------------------------------------------------------------- */

static int check_ranks(const scan_job *j, const char *name, failure *why)
{
    if (j->parts) return fail(why, EXIT_USAGE, "--parts: under mpirun each process is one part; leave it out");
    if (j->preview)
        return fail(why, EXIT_USAGE, "--preview: needs the whole volume, and under mpirun no process has it; leave one "
                    "of them out");
    if (!strcmp(j->base->files.photo, "-"))
        return fail(why, EXIT_USAGE, "%s: cannot be read by all processes of mpirun; name a file", name);
    return EXIT_DONE;
}

int scan_parts_check(const scan_job *j, failure *why)
{
    const char *const name = file_input_name(j->base->files.photo);
    if (!tiled_job_by_mpi() && !j->parts) return EXIT_DONE;
    if (j->base->files.sure)
        return fail(why, EXIT_USAGE, "--confidence: needs the whole volume; it is not for --parts and mpirun");
    if (j->base->request->inputs->mask)
        return fail(why, EXIT_USAGE, "%s: a mask is refined in the whole volume at once; it is not for --parts and "
                    "mpirun", file_input_name(j->base->request->inputs->mask));
    if (j->base->request->inputs->previous)
        return fail(why, EXIT_USAGE, "--previous: a correction cuts some parts of a volume, wherever they are; it is "
                    "not for --parts and mpirun");
    if (tiled_job_by_mpi() && check_ranks(j, name, why)) return why->status;
    if (j->parts > PARTS_MOST)
        return fail(why, EXIT_USAGE, "--parts: %d; up to %d are possible", j->parts, PARTS_MOST);
    return EXIT_DONE;
}
