/* SPDX-License-Identifier: MIT
 *
 * scan_parts.c - see scan_parts.h. Voxels and seeds of a part are a view of the whole. Labels are not: a part writes
 * its rim, too, which is its neighbours', so it has its own and copies what is its own.
 */
#include "scan_parts.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "engine.h"
#include "file.h"
#include "parted.h"
#include "tilecut_parts.h"

typedef struct slab {
    const scan_job *job;
    const tilecut_volume *whole;
    const tilecut_params *how;
    const tilecut_exchange *exchange;
    tilecut_report report;
    tilecut_part_report more;
    pthread_t thread;
    int status;
    bool echo; /* it failed because another part did */
    failure why;
} slab;

/* ---- One part --------------------------------------------------------------------------------- */

static size_t slice_of(const tilecut_volume *v)
{
    return (size_t)v->width * (size_t)v->height;
}

/* Cuts slices from `from` on into `labels`, with all other parts. */
static void cut_slices(slab *s, const tilecut_part *part, int from, int slices, uint8_t *labels)
{
    const char *const name = file_input_name(s->job->base->files.photo);
    const size_t first = (size_t)from * slice_of(s->whole), above = (size_t)(part->first - from);
    tilecut_volume own = *s->whole;
    own.depth = slices;
    own.voxels = (const char *)s->whole->voxels + first * scan_voxel_bytes(own.type);
    const tilecut_status done = tilecut_part_volume_segment(part, &own, s->job->base->seeds.label + first, s->how,
                                                            labels, &s->report, &s->more);
    if (done == TILECUT_OK)
        memcpy(s->job->base->mask + (size_t)part->first * slice_of(s->whole), labels + above * slice_of(s->whole),
               (size_t)part->rows * slice_of(s->whole));
    else s->status = engine_failure(done, name, &s->why);
    s->echo = done == TILECUT_ECANCELLED && strstr(tilecut_error_detail(), "another part");
}

static void *cut_slab(void *context)
{
    slab *const s = context;
    const int parts = s->exchange->parts, number = s->exchange->part;
    tilecut_part part = {.height = s->whole->depth, .exchange = s->exchange};
    tilecut_part_rows(s->whole->depth, parts, number, &part.first, &part.rows);
    const int from = part.first - (number > 0), slices = part.rows + (number > 0) + (number + 1 < parts);
    uint8_t *const labels = malloc((size_t)slices * slice_of(s->whole));
    if (labels) {
        cut_slices(s, &part, from, slices, labels);
    } else {
        s->status = fail(&s->why, EXIT_RESOURCES, "not enough memory for the labels of part %d", number);
        s->exchange->leave(s->exchange->context);
    }
    free(labels);
    return NULL;
}

/* ---- All of them ------------------------------------------------------------------------------ */

/* Of all parts, the first that failed by itself. */
static int judge(const slab *all, int parts, failure *why)
{
    for (int i = 0; i < parts; i++) {
        if (!all[i].status || all[i].echo) continue;
        *why = all[i].why;
        return all[i].status;
    }
    return EXIT_DONE;
}

/* Runs all parts, each in a thread. */
static int run_slabs(slab *all, int parts, failure *why)
{
    int started = 0;
    for (; started < parts; started++)
        if (pthread_create(&all[started].thread, NULL, cut_slab, &all[started]) != 0) break;
    if (started < parts) all[started].exchange->leave(all[started].exchange->context);
    for (int i = 0; i < started; i++) pthread_join(all[i].thread, NULL);
    if (started == parts) return judge(all, parts, why);
    return fail(why, EXIT_RESOURCES, "only %d of %d threads could be started", started, parts);
}

/* Flow, cut and energy of part 0 are those of the whole; traffic is added. */
static void report(const slab *all, int parts, run *r)
{
    r->cut = all[0].report;
    r->parts = (parts_facts){.count = parts, .waves = all[0].more.waves, .meetings = all[0].more.meetings};
    for (int i = 0; i < parts; i++) {
        r->parts.sent += all[i].more.sent;
        r->parts.solves += all[i].more.solves;
    }
    run_stage(r, "parts", 0, "%" PRId64 " waves, %" PRId64 " meetings, %.1f MB sent, %" PRId64 " solves",
              r->parts.waves, r->parts.meetings, (double)r->parts.sent / 1e6, r->parts.solves);
}

/* What a part takes whatever its size; measured were 0.45 MB. And slices along a border that are solved together, with
 * bytes for each of their voxels (src/parts/strips.h). */
enum { PART_BYTES = 1 << 20, STRIP_SLICES = 64, STRIP_BYTES = 50 };

static uint64_t strips_of(const tilecut_volume *v, int parts)
{
    const int own = v->depth / parts, slices = own < STRIP_SLICES ? own : STRIP_SLICES;
    return (uint64_t)(parts - 1) * (uint64_t)slices * slice_of(v) * STRIP_BYTES;
}

/* Rims are cut twice, and a part has labels of its own. */
static uint64_t need_of(const scan_job *j, const tilecut_volume *v, int parts)
{
    const uint64_t rims = 2 * (uint64_t)(parts - 1) * slice_of(v), voxels = slice_of(v) * (uint64_t)v->depth;
    return scan_job_need(&j->scan, rims) + voxels + rims + strips_of(v, parts) + (uint64_t)parts * PART_BYTES;
}

/* Before memory is taken for the cut. */
static int check_slabs(const scan_job *j, const tilecut_volume *v, int parts, failure *why)
{
    const char *const name = file_input_name(j->base->files.photo);
    const inputs *const in = j->base->request->inputs;
    const uint64_t need = need_of(j, v, parts), room = inputs_memory(in);
    if (v->depth < parts)
        return fail(why, EXIT_USAGE, "%s: has %d slices, fewer than %d parts; use fewer parts", name, v->depth, parts);
    run_stage(&j->base->run, "parts", 0, "%d, each with %d or %d slices; about %.0f MB of memory", parts,
              v->depth / parts, (v->depth + parts - 1) / parts, (double)need / 1e6);
    if (need <= room) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: %d parts with their rims take about %.1f MB of memory, but %.1f MB %s; use "
                "fewer parts", name, parts, (double)need / 1e6, (double)room / 1e6,
                in->max_memory ? "are allowed by --max-memory" : "are free");
}

int scan_parts_cut(scan_job *j, const tilecut_volume *volume, const tilecut_params *how, failure *why)
{
    const int parts = j->parts;
    tilecut_params shared = *how;
    tilecut_exchange *exchanges = NULL;
    slab *const all = calloc((size_t)parts, sizeof *all);
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    int status = check_slabs(j, volume, parts, why);
    if (!status && tilecut_exchange_threads(&exchanges, parts) != TILECUT_OK)
        status = fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    shared.threads = how->threads > parts ? how->threads / parts : 1;
    for (int i = 0; !status && i < parts; i++)
        all[i] = (slab){.job = j, .whole = volume, .how = &shared, .exchange = &exchanges[i]};
    if (!status) status = run_slabs(all, parts, why);
    if (!status) report(all, parts, &j->base->run);
    tilecut_exchange_free(exchanges);
    free(all);
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

int scan_parts_check(const scan_job *j, const common *asked, const model *how, failure *why)
{
    const char *const name = file_input_name(j->base->files.photo), *const device = asked->device;
    const char *const solver = asked->solver;
    const bool cuda = (device && !strncmp(device, "cuda", 4)) || (solver && !strncmp(solver, "cuda", 4));
    if (devices_listed(device))
        return fail(why, EXIT_USAGE, "--device: %s are several GPUs, and %s is a volume, which one GPU cuts alone; "
                    "name one of them", device, name);
    if (!parted_by_mpi() && !j->parts) return EXIT_DONE;
    if (parted_by_mpi() && check_ranks(j, name, why)) return why->status;
    if (j->parts > PARTS_MOST)
        return fail(why, EXIT_USAGE, "--parts: %d; up to %d are possible", j->parts, PARTS_MOST);
    if (cuda || (solver && !strcmp(solver, "hybrid")))
        return fail(why, EXIT_USAGE, "--%s: %s does not cut a volume in parts; solvers of the CPU do",
                    solver ? "solver" : "device", solver ? solver : device);
    if (how->connectivity == 26)
        return fail(why, EXIT_USAGE, "--connectivity: volumes in parts have 6 neighbours; leave --parts or 26 out");
    return EXIT_DONE;
}
