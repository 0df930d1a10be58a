/* SPDX-License-Identifier: MIT
 *
 * host_room.h - memory that all processes of mpirun share, where all of them are on this machine. They find each other
 * by what mpirun tells them; MPI does not start.
 */
#ifndef CLI_HOST_ROOM_H
#define CLI_HOST_ROOM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct host_room {
    int number, count; /* this process, and how many there are                              */
    void *memory;      /* [size], zero at first                                             */
    size_t size;
    int *peer;         /* sockets: of process 0 to all others, of others to process 0 alone */
    int peers;
} host_room;

/* Whether all processes of mpirun are on this machine, and nobody has told Open MPI how to carry what they send: who
 * has gets MPI. */
bool host_room_wanted(void);

/* Opens the memory that all share, of `size` bytes for each process. All processes call this, and have the same answer.
 * False: it cannot be, as some process has not come within some seconds. */
bool host_room_open(host_room *room, size_t size);

/* Whether a process has ended that this one watches. Process 0 watches all. */
bool host_room_lost(const host_room *room);

void host_room_close(host_room *room);

#endif
