/* SPDX-License-Identifier: MIT
 *
 * scan_memory.c - estimates the memory for a volume in parts that work all at once or in turn, and how many parts would
 * fit.
 */
#include "file.h"
#include "scan_parts.h"

/* Reads the size of the volume. Returns false if that fails; the code that later reads the volume reports the error. */
static bool measure(const scan_job *j, memory_lattice *out)
{
    image_limits limits;
    const scan_reading reading = scan_job_reading(j->base->request->inputs, j->options, &limits);
    scan_extent e;
    limits.max_bytes = 0;
    if (!scan_measure(j->base->files.photo, &reading, &e)) return false;
    *out = scan_job_lattice(j, &e);
    return true;
}

bool scan_must_take_turns(const scan_job *j)
{
    memory_lattice l;
    if (j->parts < 2 || j->preview || j->on_gpu || !measure(j, &l) || l.depth < j->parts) return false;
    return memory_at_once(&l, j->parts, 0, j->parts) > inputs_memory(j->base->request->inputs);
}

int scan_check_turns(const scan_job *j, failure *why)
{
    const uint64_t room = inputs_memory(j->base->request->inputs);
    memory_lattice l;
    if (!measure(j, &l)) return EXIT_DONE;
    const uint64_t need = memory_in_turn(&l, j->parts);
    run_stage(&j->base->run, "part", 0, "0 of %d and all others, in turn, needs %.1f MB of memory", j->parts,
              (double)need / 1e6);
    if (need <= room) return EXIT_DONE;
    return memory_refuse(file_input_name(j->base->files.photo), &l, j->parts, true, need, room, why);
}

void scan_advise(const scan_job *j, failure *why)
{
    failure ignored = {0};
    scan_job in_parts = *j;
    memory_lattice l;
    in_parts.parts = 2;
    if (j->preview || j->on_gpu || scan_parts_check(&in_parts, &ignored) || !measure(j, &l)) return;
    memory_advise(&l, inputs_memory(j->base->request->inputs), why);
}
