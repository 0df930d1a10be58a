/* SPDX-License-Identifier: MIT
 *
 * tiled_job_part.c - communication of one part with the others, see tiled_job.h. When a part fails it leaves the
 * exchange, and then all others fail, too. Their failures are echoes; only the error of the first one is reported.
 */
#include "tiled_job.h"

#include <inttypes.h>
#include <string.h>

#include "engine.h"
#include "file.h"

static int echo(job_part *p)
{
    p->echo = true;
    return p->status = fail(&p->why, EXIT_RUNTIME, "another part has failed");
}

int tiled_job_leave(job_part *p, int status)
{
    if (!p->echo) p->exchange->leave(p->exchange->context);
    return p->status = status;
}

const georeference *tiled_job_place(const job_part *p)
{
    return p->place.placed ? &p->place : NULL;
}

bool tiled_job_sum(job_part *p, int64_t *values, size_t count)
{
    if (!p->exchange->sum(p->exchange->context, values, count)) return true;
    (void)echo(p);
    return false;
}

int tiled_job_sums(void *context, int64_t *values, size_t count)
{
    return !tiled_job_sum(context, values, count);
}

int tiled_job_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                    size_t size)
{
    job_part *const p = context;
    if (!p->exchange->swap(p->exchange->context, to_above, to_below, from_above, from_below, size)) return 0;
    (void)echo(p);
    return 1;
}

int tiled_job_threads(const job_part *p, bool alone)
{
    const int parts = alone || p->slot ? 1 : p->request->parts; /* number of parts in this process, which share its
                                                                   threads */
    return parts < 2 ? p->threads : p->threads > parts ? p->threads / parts : 1;
}

/* Fills in run->parts: the amounts that all parts sent and solved. */
static int count_traffic(job_part *p)
{
    run *const r = p->run;
    const int parts = p->exchange->parts, listed = parts <= PARTS_MOST ? parts : 0;
    int64_t sums[3 + PARTS_MOST] = {p->more.sent, p->more.solves, p->more.direct}, *const gpu = sums + 3;
    if (listed) gpu[p->exchange->part] = strcmp(r->cut.device, "cuda") ? 0 : 1 + r->cut.device_index;
    if (!tiled_job_sum(p, sums, 3 + (size_t)listed)) return p->status;
    r->parts = (parts_facts){.count = parts, .in_turn = p->slot != NULL, .together = p->together,
                             .waves = p->more.waves, .meetings = p->more.meetings, .sent = sums[0],
                             .solves = sums[1], .direct = sums[2]};
    for (int i = 0; i < listed; i++) r->parts.gpu[i] = (int16_t)gpu[i];
    run_stage(r, "parts", 0, "%" PRId64 " waves, %" PRId64 " meetings, %.1f MB sent, %" PRId64 " solves",
              r->parts.waves, r->parts.meetings, (double)r->parts.sent / 1e6, r->parts.solves);
    return EXIT_DONE;
}

int tiled_job_fail_cut(job_part *p, tilecut_status done)
{
    if (done == TILECUT_ECANCELLED && strstr(tilecut_error_detail(), "another part")) return echo(p);
    return p->status = engine_failure(done, file_input_name(p->request->photo), &p->why);
}

int tiled_job_end_cut(job_part *p, tilecut_status done)
{
    return done == TILECUT_OK ? count_traffic(p) : tiled_job_fail_cut(p, done);
}
