/* SPDX-License-Identifier: MIT
 *
 * job_memory.c - what a photo in parts takes in memory, by the header of its file. See job.h.
 */
#include <string.h>

#include "annotated.h"
#include "job.h"

/* Returns the bytes per pixel that encoding the mask in memory takes, or 0 if its file is written by rows. */
static uint64_t mask_bytes(const job *j, uint64_t sample)
{
    const job_style *const style = j->request->style;
    const char *const path = j->files.mask;
    if (!path || region_writes_rows(path, style->format)) return 0;
    const bool smooth = annotated_is_smooth(path, style->format, style->outline);
    return 1 + (uint64_t)image_pixel_bytes(path) + (smooth ? sample + MEMORY_EDGE : 0);
}

memory_lattice job_lattice(const job *j, const region_shape *of)
{
    const inputs *const in = j->request->inputs;
    memory_lattice l = inputs_lattice(in, j->request->model->connectivity);
    l.width = of->width, l.height = of->height;
    l.sample = (uint64_t)of->channels * (uint64_t)(of->depth / 8);
    l.colored = of->channels > 2, l.wide = of->depth > 8;
    const seeds_request request = inputs_seeds(in);
    const uint64_t painted = seeds_bytes_of_whole(&request, l.sample), photo = of->rows_are_free ? 0 : l.sample;
    l.read_whole = painted > photo ? painted : photo; /* one after the other */
    l.write_whole = mask_bytes(j, l.sample);
    return l;
}

bool job_measure(const job *j, memory_lattice *out)
{
    const bool as_stored = j->request->inputs->request.limits.exif_ignore;
    failure ignored;
    region_reader *reader;
    region_shape found;
    if (!strcmp(j->files.photo, "-") || region_open(j->files.photo, as_stored, &found, &reader, &ignored)) return false;
    region_close(reader);
    *out = job_lattice(j, &found);
    return true;
}
