/* SPDX-License-Identifier: MIT
 *
 * tiled_job_clean.c - cleans up the mask of a photo in parts (specks, holes), as all parts together.
 */
#include "machine.h"
#include "tiled_job.h"

int tiled_job_clean(job_part *p)
{
    const double start = machine_ms();
    const size_t at = (size_t)(p->first - p->from) * (size_t)p->width;
    const cleanup_team team = {.part = p->exchange->part, .parts = p->exchange->parts, .above = p->first, .context = p,
                               .sum = tiled_job_sums, .swap = tiled_job_swaps};
    cleaned *const done = &p->run->cleaned;
    const cleanup *const what = &p->request->job->style->cleanup;
    if (!cleanup_wanted(what)) return EXIT_DONE;
    switch (cleanup_part(what, p->seeds.label + at, (int)p->width, p->rows, p->mask + at, &team, done)) {
    case CLEANUP_DONE: break;
    case CLEANUP_ALONE: return p->status;
    case CLEANUP_NO_MEMORY:
        return fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to clean its mask", p->request->photo);
    }
    int64_t all[] = {done->regions_dropped, done->pixels_dropped, done->holes_filled, done->pixels_filled};
    if (!tiled_job_sum(p, all, 4)) return p->status;
    *done = (cleaned){all[0], all[1], all[2], all[3]};
    p->run->was_cleaned = true;
    run_cleanup_stage(p->run, machine_ms() - start);
    return EXIT_DONE;
}
