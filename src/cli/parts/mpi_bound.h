/* SPDX-License-Identifier: MIT
 *
 * mpi_bound.h - the processors of a process of mpirun. Unless it is told otherwise, Open MPI binds each of two
 * processes to one core, and each of more to one socket, which on a virtual machine may be a core, too. All threads of
 * a process would share it. So where nobody asked for that binding, a process takes some of the processors that mpirun
 * itself may use: its share of them, or all if it has more threads than that.
 */
#ifndef CLI_MPI_BOUND_H
#define CLI_MPI_BOUND_H

#include <sched.h>
#include <stdbool.h>

/* A number that mpirun tells its processes by this name of the environment; `none` if it does not. */
int mpi_told(const char *name, int none);

/* Takes more processors than this process was bound to, if nobody asked for that and they are fewer than `threads` (0:
 * than its share). Returns how many it has then; 0: nothing was changed. To be called before MPI starts. */
int mpi_take_processors(int threads);

/* The same for process `number` of `count` that share the processors `all`. False: *own is left as it is. */
bool mpi_widen(const cpu_set_t *all, int number, int count, int threads, cpu_set_t *own);

#endif
