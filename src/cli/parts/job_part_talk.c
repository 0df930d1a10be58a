/* SPDX-License-Identifier: MIT
 *
 * job_part_talk.c - communication of one part with the others, see job_part.h. When a part fails it leaves the
 * exchange, and then all others fail, too. Their failures are echoes; only the error of the first one is reported.
 */
#include "job_part.h"

#include <inttypes.h>
#include <string.h>

#include "engine.h"
#include "file.h"
#include "machine.h"

static int echo(job_part *p)
{
    p->echo = true;
    return p->status = fail(&p->why, EXIT_RUNTIME, "another part has failed");
}

int job_part_leave(job_part *p, int status)
{
    if (!p->echo) p->exchange->leave(p->exchange->context);
    return p->status = status;
}

bool job_part_sum(job_part *p, int64_t *values, size_t count)
{
    if (!p->exchange->sum(p->exchange->context, values, count)) return true;
    (void)echo(p);
    return false;
}

int job_part_sums(void *context, int64_t *values, size_t count)
{
    return !job_part_sum(context, values, count);
}

int job_part_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                    size_t size)
{
    job_part *const p = context;
    if (!p->exchange->swap(p->exchange->context, to_above, to_below, from_above, from_below, size)) return 0;
    (void)echo(p);
    return 1;
}

int job_part_threads(const job_part *p, bool alone)
{
    const int parts = alone || p->slot ? 1 : p->request->parts; /* number of parts in this process, which share its
                                                                   threads */
    const int threads = p->job->threads;
    return parts < 2 ? threads : threads > parts ? threads / parts : 1;
}

/* Fills in run->parts: the amounts that all parts sent and solved. */
static int count_traffic(job_part *p)
{
    run *const r = &p->job->run;
    const int parts = p->exchange->parts, listed = parts <= PARTS_MOST ? parts : 0;
    int64_t sums[3 + PARTS_MOST] = {p->more.sent, p->more.solves, p->more.direct}, *const gpu = sums + 3;
    if (listed) gpu[p->exchange->part] = strcmp(r->cut.device, "cuda") ? 0 : 1 + r->cut.device_index;
    if (!job_part_sum(p, sums, 3 + (size_t)listed)) return p->status;
    r->parts = (parts_facts){.count = parts, .in_turn = p->slot != NULL, .waves = p->more.waves,
                             .meetings = p->more.meetings, .sent = sums[0],
                             .solves = sums[1], .direct = sums[2]};
    for (int i = 0; i < listed; i++) r->parts.gpu[i] = (int16_t)gpu[i];
    run_stage(r, "parts", 0, "%" PRId64 " waves, %" PRId64 " meetings, %.1f MB sent, %" PRId64 " solves",
              r->parts.waves, r->parts.meetings, (double)r->parts.sent / 1e6, r->parts.solves);
    return EXIT_DONE;
}

int job_part_fail_cut(job_part *p, tilecut_status done)
{
    if (done == TILECUT_ECANCELLED && strstr(tilecut_error_detail(), "another part")) return echo(p);
    return p->status = engine_failure(done, file_input_name(p->request->job->files.photo), &p->why);
}

int job_part_end_cut(job_part *p, tilecut_status done)
{
    return done == TILECUT_OK ? count_traffic(p) : job_part_fail_cut(p, done);
}

int job_part_clean(job_part *p, const cleanup_lattice *lattice)
{
    const double start = machine_ms();
    job *const j = p->job;
    const cleanup *const what = &j->request->style->cleanup;
    const tilecut_cleaning how = cleanup_of(what, lattice);
    const tilecut_part part = job_part_of(p);
    if (!cleanup_wanted(what)) return EXIT_DONE;
    const tilecut_status done = tilecut_part_clean(&part, &how, j->seeds.label, j->mask, &j->run.cleaned);
    if (done == TILECUT_ENOMEM)
        return p->status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to clean its mask", j->files.photo);
    if (done != TILECUT_OK) return job_part_fail_cut(p, done);
    j->run.was_cleaned = true;
    run_cleanup_stage(&j->run, machine_ms() - start);
    return EXIT_DONE;
}
