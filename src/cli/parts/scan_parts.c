/* SPDX-License-Identifier: MIT
 *
 * scan_parts.c - see scan_parts.h. Voxels and seeds of a part are views of the whole volume's arrays. Labels are not: a
 * part also writes the labels of its halo, which belong to its neighbours, so it writes to a buffer and copies its own
 * slices from there.
 */
#include "scan_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "engine.h"
#include "file.h"
#include "tiled_job.h"
#include "tilecut_parts.h"

typedef struct slab {
    job_part part; /* first, so that a pointer to it is one to the slab */
    const scan_job *job;
    const tilecut_volume *whole;
    tilecut_params params;
    run run;
} slab;

/* ---- One part --------------------------------------------------------------------------------- */

static size_t slice_of(const tilecut_volume *v)
{
    return (size_t)v->width * (size_t)v->height;
}

/* Cuts `slices` slices from `from` on together with all other parts, and writes `labels`. */
static void cut_slices(slab *s, const tilecut_part *part, int from, int slices, uint8_t *labels)
{
    const char *const name = file_input_name(s->job->base->files.photo);
    const size_t first = (size_t)from * slice_of(s->whole), above = (size_t)(part->first - from);
    tilecut_volume own = *s->whole;
    own.depth = slices;
    own.voxels = (const char *)s->whole->voxels + first * scan_voxel_bytes(own.type);
    const tilecut_status done = tilecut_part_volume_segment(part, &own, s->job->base->seeds.label + first, &s->params,
                                                            labels, &s->run.cut, &s->part.more);
    if (tiled_job_judge_cut(&s->part, done, name) == EXIT_DONE && tiled_job_count_traffic(&s->part) == EXIT_DONE)
        memcpy(s->job->base->mask + (size_t)part->first * slice_of(s->whole), labels + above * slice_of(s->whole),
               (size_t)part->rows * slice_of(s->whole));
}

static void cut_slab(job_part *p)
{
    static const common silent = {.quiet = true};
    slab *const s = (slab *)(void *)p;
    p->run = &s->run;
    p->run->common = p->exchange->part ? &silent : s->job->base->request->common;
    const int parts = p->exchange->parts, number = p->exchange->part;
    tilecut_part part = {.height = s->whole->depth, .exchange = p->exchange};
    tilecut_part_rows(s->whole->depth, parts, number, &part.first, &part.rows);
    const int from = part.first - (number > 0), slices = part.rows + (number > 0) + (number + 1 < parts);
    uint8_t *const labels = malloc((size_t)slices * slice_of(s->whole));
    if (labels) {
        cut_slices(s, &part, from, slices, labels);
    } else {
        (void)tiled_job_leave(p, fail(&p->why, EXIT_RESOURCES, "not enough memory for the labels of part %d", number));
    }
    free(labels);
}

/* ---- All of them ------------------------------------------------------------------------------ */

/* The function scan_job.cut for parts that work all at once. */
static int cut_in_views(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    const int parts = j->parts;
    const tiled_job request = scan_request(j);
    run *const r = &j->base->run;
    if (volume->depth < parts)
        return fail(why, EXIT_USAGE, "%s: has %d slices, fewer than %d parts; use fewer parts",
                    file_input_name(j->base->files.photo), volume->depth, parts);
    slab *const all = calloc((size_t)parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    for (int i = 0; i < parts; i++) {
        all[i].job = j, all[i].whole = volume, all[i].params = *params;
        all[i].params.threads = params->threads > parts ? params->threads / parts : 1;
        if (j->devices.count) all[i].params.device = j->devices.index[i % j->devices.count];
    }
    if (params->solver && !strcmp(params->solver, "cuda")) tiled_job_note_devices(&request, &r->notes);
    const job_crew crew = {all, sizeof *all, false, cut_slab};
    const int status = tiled_job_by_threads(&request, &crew, why);
    r->cut = all->run.cut;
    r->parts = all->run.parts;
    free(all);
    return status;
}

int scan_parts_do(scan_job *j, failure *why)
{
    tilecut_params params = tilecut_params_default();
    int status;
    if (tiled_job_by_mpi()) return scan_ranks_do(j, why);
    if (scan_must_take_turns(j)) {
        STEP(scan_job_plan(j, why));
        status = scan_check_turns(j, why);
        if (!status) return scan_turns_do(j, why);
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
    if (j->base->request->inputs->previous)
        return fail(why, EXIT_USAGE, "--previous: a correction cuts some parts of a volume, wherever they are; it is "
                    "not for --parts and mpirun");
    if (tiled_job_by_mpi() && check_ranks(j, name, why)) return why->status;
    if (j->parts > PARTS_MOST)
        return fail(why, EXIT_USAGE, "--parts: %d; up to %d are possible", j->parts, PARTS_MOST);
    return EXIT_DONE;
}
