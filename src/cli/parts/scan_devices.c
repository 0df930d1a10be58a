/* SPDX-License-Identifier: MIT
 *
 * scan_devices.c - parts of a volume on GPUs: the GPU of each part, and how rows are copied from one to another, as for
 * photos (job_part_devices.c).
 */
#include <string.h>

#include "job_part.h"
#include "scan_parts.h"

/* Returns the name of the GPU solver if the options choose one, by --solver or by --device; else NULL. */
static const char *gpu_solver(const common *asked)
{
    const char *const device = asked->device, *const solver = asked->solver;
    if (solver && (!strncmp(solver, "cuda", 4) || !strcmp(solver, "hybrid"))) return solver;
    return !solver && device && !strncmp(device, "cuda", 4) ? "cuda" : NULL;
}

int scan_take_devices(scan_job *j, const common *asked, const model *rule, const char *exchange, failure *why)
{
    const char *const solver = gpu_solver(asked);
    const bool listed = devices_listed(asked->device), several = j->parts || listed || job_part_by_mpi();
    if (several && solver && strcmp(solver, "cuda"))
        return fail(why, EXIT_USAGE, "--solver: %s does not cut a volume in parts; cuda and those of the CPU do",
                    solver);
    if (several && solver && rule->connectivity == 26)
        return fail(why, EXIT_USAGE, "--connectivity: volumes in parts have 6 neighbours on GPUs; leave 26 out");
    if (exchange && (!several || !solver))
        return fail(why, EXIT_USAGE, "--exchange: is between the GPUs of parts; name them, as in --device cuda:0,1");
    j->exchange = exchange;
    j->on_gpu = solver != NULL;
    if (!listed) return EXIT_DONE;
    STEP(devices_read(asked->device, j->parts ? j->parts : DEVICES_MOST, &j->devices, why));
    if (!j->parts && !job_part_by_mpi()) j->parts = j->devices.count;
    return EXIT_DONE;
}

job_division scan_division(const scan_job *j)
{
    return (job_division){.job = j->base, .parts = j->parts, .devices = j->devices, .exchange = j->exchange};
}
