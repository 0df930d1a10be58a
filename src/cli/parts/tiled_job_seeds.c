/* SPDX-License-Identifier: MIT
 *
 * tiled_job_seeds.c - reads the seeds of a photo in parts: each part reads those of its own rows and halo. All parts
 * together check whether they suffice and whether they contradict each other.
 */
#include "machine.h"
#include "tiled_job.h"

int tiled_job_read_seeds(job_part *p)
{
    const tiled_job *const r = p->request;
    const double start = machine_ms();
    const seeds_rows rows = {.width = (int)p->width, .height = p->count, .above = p->from, .whole_height = p->layers,
                             .first = p->first - p->from, .own = p->rows, .sum = tiled_job_sums, .context = p,
                             .place = tiled_job_place(p), .orientation = p->orientation};
    seeds_request request = inputs_seeds(r->job->inputs);
    if (!request.limits.max_pixels) request.limits.max_pixels = INT64_MAX / 2; /* as for the photo */
    int status = seeds_read_rows(&request, &rows, r->photo, &p->seeds, &p->run->notes, &p->why);
    if (!status) status = job_check_classes(r->job, &p->seeds, false, r->photo, &p->why);
    if (status) return status;
    const image photo = {.width = (int)p->width, .height = p->count, .channels = p->channels, .depth = p->depth,
                         .pixels = p->pixels};
    const seeds_colors colors = {seeds_color_of_image, &photo};
    status = seeds_note_colors(&request, &rows, r->photo, &colors, &p->seeds, &p->run->notes, &p->why);
    run_seeds_stage(p->run, &p->seeds, machine_ms() - start);
    return status;
}
