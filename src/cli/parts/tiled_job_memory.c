/* SPDX-License-Identifier: MIT
 *
 * tiled_job_memory.c - finds out if memory suffices for the parts of a photo, all at once or in turn.
 */
#include <string.h>

#include "region.h"
#include "tiled_job.h"

static memory_lattice lattice_of(const tiled_job *r, const region_shape *shape)
{
    const inputs *const in = r->job->inputs;
    memory_lattice l = inputs_lattice(in, r->job->model->connectivity);
    l.width = shape->width, l.height = shape->height;
    l.sample = (uint64_t)shape->channels * (uint64_t)(shape->depth / 8);
    l.colored = shape->channels > 2, l.wide = shape->depth > 8;
    const seeds_request request = inputs_seeds(in);
    const uint64_t painted = seeds_bytes_of_whole(&request, l.sample), photo = shape->rows_are_free ? 0 : l.sample;
    l.read_whole = painted > photo ? painted : photo; /* one after the other */
    l.write_whole = r->output ? job_mask_bytes(r->job->style, r->output, l.sample) : 0;
    return l;
}

int tiled_job_check_memory(job_part *p, const region_shape *shape)
{
    const tiled_job *const r = p->request;
    const int parts = p->exchange->parts, number = p->exchange->part, here = r->parts ? parts : 1;
    const memory_lattice l = lattice_of(r, shape);
    const uint64_t room = inputs_memory(r->job->inputs);
    const uint64_t need = p->slot ? memory_in_turn(&l, parts) : memory_at_once(&l, parts, r->parts ? 0 : number, here);
    run_stage(p->run, "part", 0, "%d of %d%s%s, needs %.1f MB of memory; rows %d to %d", number, parts,
              here > 1 ? " and all others" : "", p->slot ? ", in turn" : "", (double)need / 1e6, p->first,
              p->first + p->rows - 1);
    if (need <= room) return EXIT_DONE;
    (void)memory_refuse(r->photo, &l, parts, p->slot, need, room, &p->why);
    if (r->parts) memory_advise(&l, room, &p->why);
    return p->why.status;
}

/* Computes the memory for a photo that can be read by rows. Returns false for other photos; the parts report what is
 * wrong with them. */
static bool measure(const tiled_job *r, memory_lattice *out)
{
    failure ignored;
    region_reader *reader;
    region_shape shape;
    if (region_open(r->photo, r->job->inputs->request.limits.exif_ignore, &shape, &reader, &ignored)) return false;
    region_close(reader);
    *out = lattice_of(r, &shape);
    return true;
}

bool tiled_job_must_take_turns(const tiled_job *r)
{
    memory_lattice l;
    return measure(r, &l) && memory_at_once(&l, r->parts, 0, r->parts) > inputs_memory(r->job->inputs);
}

void tiled_job_advise(const tiled_job *r, failure *why)
{
    memory_lattice l;
    if (strcmp(r->photo, "-") && measure(r, &l)) memory_advise(&l, inputs_memory(r->job->inputs), why);
}
