/* SPDX-License-Identifier: MIT
 *
 * job_part_memory.c - finds out if memory suffices for the parts of a photo or a volume, all at once or in turn.
 */
#include "file.h"
#include "job_part.h"

static uint64_t room_of(const job *j)
{
    return inputs_memory(j->request->inputs);
}

int job_part_check_memory(job_part *p, const memory_lattice *l)
{
    const int parts = p->exchange->parts, number = p->exchange->part, all = p->request->parts, here = all ? parts : 1;
    const uint64_t room = room_of(p->job);
    const uint64_t need = p->slot ? memory_in_turn(l, parts) : memory_at_once(l, parts, all ? 0 : number, here);
    run_stage(&p->job->run, "part", 0, "%d of %d%s%s, needs %.1f MB of memory; rows %d to %d", number, parts,
              here > 1 ? " and all others" : "", p->slot ? ", in turn" : "", (double)need / 1e6, p->first,
              p->first + p->rows - 1);
    if (need <= room) return EXIT_DONE;
    (void)memory_refuse(p->job->files.photo, l, parts, p->slot, need, room, &p->why);
    if (all) memory_advise(l, room, &p->why);
    return p->why.status;
}

bool job_part_must_take_turns(const job_division *d)
{
    memory_lattice l;
    if (d->parts < 2 || !d->job->kind->measure(d->job, &l) || memory_layers(&l) < d->parts) return false;
    return memory_at_once(&l, d->parts, 0, d->parts) > room_of(d->job);
}

int job_part_check_turns(const job_division *d, failure *why)
{
    const uint64_t room = room_of(d->job);
    memory_lattice l;
    if (!d->job->kind->measure(d->job, &l)) return EXIT_DONE;
    const uint64_t need = memory_in_turn(&l, d->parts);
    run_stage(&d->job->run, "part", 0, "0 of %d and all others, in turn, needs %.1f MB of memory", d->parts,
              (double)need / 1e6);
    if (need <= room) return EXIT_DONE;
    return memory_refuse(file_input_name(d->job->files.photo), &l, d->parts, true, need, room, why);
}

void job_part_advise(const job *j, failure *why)
{
    memory_lattice l;
    if (j->kind->measure(j, &l)) memory_advise(&l, room_of(j), why);
}
