/* SPDX-License-Identifier: MIT
 *
 * mpi_bound.h - chooses the processors of a process of mpirun. By default Open MPI binds each of two processes to one
 * core, and each of more to one socket, which on a virtual machine may be a single core, too. All threads of a process
 * would share it. So unless the user asked for that binding, a process takes its share of the processors that mpirun
 * may use, or all of them if it has more threads than its share.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* Returns an environment variable that mpirun sets, as a number, or `none` if it is not set. */
int mpi_variable(const char *name, int none);

/* Gives this process more processors if it has fewer than `threads` (0: fewer than its share) and the user did not ask
 * for the binding. Returns how many it has then, or 0 if nothing changed. Call it before MPI starts. */
int mpi_take_processors(int threads);

/* Computes the processors for mpi_take_processors(). Process `number` of `count` has the processors *own, and all
 * processes together may use *all. Returns false if *own stays as it is. */
bool mpi_widen(const cpu_set_t *all, int number, int count, int threads, cpu_set_t *own);
