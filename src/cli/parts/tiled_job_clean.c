/* SPDX-License-Identifier: MIT
 *
 * tiled_job_clean.c - cleans up a mask in parts (specks, holes), as all parts together.
 */
#include "machine.h"
#include "tiled_job.h"

int tiled_job_clean_layers(job_part *p, const uint8_t *labels, const cleanup_lattice *lattice, uint8_t *mask)
{
    const double start = machine_ms();
    const cleanup_team team = {.part = p->exchange->part, .parts = p->exchange->parts, .above = p->first, .context = p,
                               .sum = tiled_job_sums, .swap = tiled_job_swaps};
    cleaned *const done = &p->run->cleaned;
    const cleanup *const what = &p->request->job->style->cleanup;
    if (!cleanup_wanted(what)) return EXIT_DONE;
    switch (cleanup_part(what, labels, lattice, mask, &team, done)) {
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

int tiled_job_clean(job_part *p)
{
    const size_t at = (size_t)(p->first - p->from) * (size_t)p->width;
    const cleanup_lattice rows = {.width = (int)p->width, .rows = 1, .layers = p->rows};
    return tiled_job_clean_layers(p, p->seeds.label + at, &rows, p->mask + at);
}
