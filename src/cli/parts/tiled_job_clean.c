/* SPDX-License-Identifier: MIT
 *
 * tiled_job_clean.c - cleans up a mask in parts (specks, holes); all parts work on it together.
 */
#include "machine.h"
#include "tiled_job.h"

int tiled_job_clean_layers(job_part *p, const uint8_t *labels, const cleanup_lattice *lattice, uint8_t *mask)
{
    const double start = machine_ms();
    const cleanup *const what = &p->request->job->style->cleanup;
    const tilecut_cleaning how = cleanup_of(what, lattice);
    const tilecut_part part = tiled_job_part(p);
    if (!cleanup_wanted(what)) return EXIT_DONE;
    const tilecut_status done = tilecut_part_clean(&part, &how, labels, mask, &p->run->cleaned);
    if (done == TILECUT_ENOMEM)
        return p->status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to clean its mask", p->request->photo);
    if (done != TILECUT_OK) return tiled_job_fail_cut(p, done);
    p->run->was_cleaned = true;
    run_cleanup_stage(p->run, machine_ms() - start);
    return EXIT_DONE;
}

int tiled_job_clean(job_part *p)
{
    const cleanup_lattice rows = {.width = (int)p->width, .height = p->count};
    return tiled_job_clean_layers(p, p->seeds.label, &rows, p->mask);
}
