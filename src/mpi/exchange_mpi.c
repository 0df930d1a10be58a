/* SPDX-License-Identifier: MIT
 *
 * exchange_mpi.c - the exchange over MPI: each process of `mpirun` is one part. This is a shared object of its own,
 * tilecut-mpi.so, which the program loads only under mpirun, if processes are on several machines. So neither the
 * library nor the program needs MPI.
 *
 * Before each call all processes exchange whether one has failed. A process that fails reports it once; the others all
 * receive it at the same time, with the lowest number of the processes that failed.
 */
#include <mpi.h>

#include <limits.h>

#include "tilecut_parts.h"

/* The program calls these functions by name. */
int tilecut_mpi_begin(tilecut_exchange *out);
int tilecut_mpi_speaks(void);
int tilecut_mpi_end(int status);

typedef struct world {
    int part, parts;
    int speaker; /* the lowest part that has failed; `parts`: none has */
} world;

static world the_world;

/* Asks all processes if one has failed. Returns nonzero if so. */
static int ask_all(world *w, int left)
{
    const int own = left ? w->part : w->parts;
    if (w->speaker < w->parts) return 1;
    MPI_Allreduce(&own, &w->speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return w->speaker < w->parts;
}

static int sum_values(void *context, int64_t *values, size_t count)
{
    if (ask_all(context, 0)) return 1;
    while (count > 0) {
        const int some = count < INT_MAX / 8 ? (int)count : INT_MAX / 8;
        MPI_Allreduce(MPI_IN_PLACE, values, some, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        values += some;
        count -= (size_t)some;
    }
    return 0;
}

/* Sends rows to one neighbour and receives rows from the other. The first and last part lack a neighbour; pointers for
 * it are NULL. */
static void shift(const char *out, int to, char *in, int from, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const int some = bytes - at < INT_MAX ? (int)(bytes - at) : INT_MAX;
        MPI_Sendrecv(out ? out + at : NULL, out ? some : 0, MPI_BYTE, out ? to : MPI_PROC_NULL, 0, in ? in + at : NULL,
                     in ? some : 0, MPI_BYTE, in ? from : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        at += (size_t)some;
    }
}

static int swap_rows(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    world *const w = context;
    const int above = w->part > 0 ? w->part - 1 : MPI_PROC_NULL;
    const int below = w->part + 1 < w->parts ? w->part + 1 : MPI_PROC_NULL;
    if (ask_all(w, 0)) return 1;
    shift(to_above, above, from_below, below, bytes);
    shift(to_below, below, from_above, above, bytes);
    return 0;
}

static void leave_mpi(void *context)
{
    (void)ask_all(context, 1);
}

/* Starts MPI. Returns 0, or nonzero if MPI does not start. */
int tilecut_mpi_begin(tilecut_exchange *out)
{
    int level = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &the_world.part);
    MPI_Comm_size(MPI_COMM_WORLD, &the_world.parts);
    the_world.speaker = the_world.parts;
    *out = (tilecut_exchange){
        sizeof *out, the_world.part, the_world.parts, &the_world, sum_values, swap_rows, leave_mpi, NULL, 1};
    return 0;
}

/* Returns nonzero if this process is the one that prints the error. */
int tilecut_mpi_speaks(void)
{
    return the_world.speaker == the_world.part;
}

/* Ends MPI after all processes have called it. Returns the highest status of all. */
int tilecut_mpi_end(int status)
{
    int all = status;
    MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return all;
}
