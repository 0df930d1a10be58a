/* SPDX-License-Identifier: MIT
 *
 * mpi_missing.c - replaces mpi_open.c, mpi_bound.c and the exchange through shared memory where there is no mpirun.
 */
#include "mpi_bound.h"
#include "job_part.h"

bool job_part_by_mpi(void) { return false; }
const char *job_part_mpi_line(void) { return "no, this system has none"; }
int mpi_variable(const char *name, int none) { return (void)name, none; }
int mpi_take_processors(int threads) { return (void)threads, 0; }
bool mpi_widen(const cpu_set_t *all, int number, int count, int threads, cpu_set_t *own)
{
    return (void)all, (void)number, (void)count, (void)threads, (void)own, false;
}

int mpi_open(mpi_exchange *out, failure *why)
{
    (void)out;
    return fail(why, EXIT_RESOURCES, "mpirun: this build has no MPI; --parts cuts in parts on one machine");
}
