/* SPDX-License-Identifier: MIT
 *
 * shm_segment.h - memory shared by all processes of mpirun, if all run on this machine. They find each other through
 * environment variables that mpirun sets; MPI is not started.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct shm_segment {
    int number, count; /* the rank of this process, 0 to count - 1, and the number of processes */
    void *memory;      /* `size` bytes, shared, zero at first */
    size_t size;
    int *peer;         /* sockets: process 0 has one to each other process, each other process has one to process 0; -1:
                          none */
    int peers;         /* number of open sockets                                             */
} shm_segment;

/* True if all processes of mpirun run on this machine and the user has not chosen a transport of Open MPI
 * (OMPI_MCA_btl, _pml, _mtl). Users who choose a transport get MPI. */
bool shm_segment_wanted(void);

/* Opens the shared memory, `size` bytes for each process. All processes call this. Returns false if that fails, or if a
 * process does not connect within ten seconds. */
bool shm_segment_open(shm_segment *segment, size_t size);

/* True if a process at the other end of one of the sockets has ended. Process 0 has a socket to each of the others, and
 * they have one to process 0. */
bool shm_segment_lost(const shm_segment *segment);

void shm_segment_close(shm_segment *segment);
