/* SPDX-License-Identifier: MIT
 *
 * shm_segment.c - see shm_segment.h. Process 0 listens at a socket whose name only the processes of this mpirun can
 * compute. When all have connected, it sends each of them the descriptor of the memory. The memory has no name, so
 * nothing is left behind if a process is killed. The sockets stay open: when a process ends, its socket closes.
 */
#include "shm_segment.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"
#include "mpi_bound.h"
#include "sha256.h"

enum { PATIENCE_MS = 10000, RETRY_NS = 500000 };

/* ---- The environment that mpirun sets ---------------------------------------------------------- */

bool shm_segment_wanted(void)
{
    const int count = mpi_variable("OMPI_COMM_WORLD_SIZE", -1), number = mpi_variable("OMPI_COMM_WORLD_RANK", -1);
    if (count < 2 || mpi_variable("OMPI_COMM_WORLD_LOCAL_SIZE", -1) != count || number < 0 || number >= count)
        return false;
    return !getenv("OMPI_MCA_btl") && !getenv("OMPI_MCA_pml") && !getenv("OMPI_MCA_mtl");
}

/* Makes the name of an abstract socket: a hash of environment variables that mpirun sets differently in each run.
 * Returns false if fewer than two of them are set. */
static bool name_socket(struct sockaddr_un *name, socklen_t *length)
{
    static const char *const own[] = {"PMIX_NAMESPACE", "PMIX_SERVER_URI2", "PMIX_SERVER_URI4", "PMIX_SERVER_URI41",
                                      "OMPI_MCA_orte_hnp_uri"};
    uint64_t hash = FNV_START;
    int known = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *const text = getenv(own[i]);
        if (text) hash = fnv_on(hash, text, strlen(text));
        known += text != NULL;
    }
    *name = (struct sockaddr_un){.sun_family = AF_UNIX}; /* the path begins with a 0 byte, so the socket is not a
                                                            file */
    const int letters = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "tilecut-%u-%016llx",
                                 (unsigned)geteuid(), (unsigned long long)hash);
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)letters);
    return known >= 2;
}

/* ---- Process 0 --------------------------------------------------------------------------------- */

/* Accepts one connection, and closes it unless it comes from an expected process of the same user. */
static void admit(shm_segment *segment, int door)
{
    const struct timeval patience = {.tv_sec = 1};
    struct ucred who = {0};
    socklen_t size = sizeof who;
    int32_t number = 0;
    const int peer = accept4(door, NULL, NULL, SOCK_CLOEXEC);
    if (peer < 0) return;
    (void)setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) || who.uid != geteuid() ||
        recv(peer, &number, sizeof number, MSG_WAITALL) != sizeof number || number < 1 || number >= segment->count ||
        segment->peer[number - 1] >= 0) {
        close(peer);
        return;
    }
    segment->peer[number - 1] = peer;
    segment->peers++;
}

/* Sends a descriptor. One byte of data goes with it, because a message must not be empty. */
static bool send_descriptor(int peer, int descriptor)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    char byte = 1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    return sendmsg(peer, &message, MSG_NOSIGNAL) == 1;
}

/* Waits for all other processes and sends them the descriptor of the memory. Returns it, or -1 if a process did not
 * connect in time or memory ran out. */
static int receive_all(shm_segment *segment, int door)
{
    const double start = machine_ms();
    struct pollfd wait = {.fd = door, .events = POLLIN};
    while (segment->peers < segment->count - 1) {
        const double left = PATIENCE_MS - (machine_ms() - start);
        if (left <= 0) return -1;
        if (poll(&wait, 1, (int)left + 1) > 0) admit(segment, door);
    }
    const int memory = memfd_create("tilecut", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, (off_t)segment->size)) {
        if (memory >= 0) close(memory);
        return -1;
    }
    for (int i = 0; i < segment->peers; i++)
        (void)send_descriptor(segment->peer[i], memory); /* failures are ignored: if a process is dead, all processes
                                                            will end */
    return memory;
}

static int share_descriptor(shm_segment *segment, const struct sockaddr_un *name, socklen_t length)
{
    const int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int memory = -1;
    if (door < 0) return -1;
    if (!bind(door, (const struct sockaddr *)name, length) && !listen(door, segment->count))
        memory = receive_all(segment, door);
    close(door);
    return memory;
}

/* ---- The others -------------------------------------------------------------------------------- */

/* Receives the descriptor from process 0. Returns -1 if process 0 has closed the connection. */
static int receive_descriptor(int peer)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    char byte = 0;
    int descriptor = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do got = recvmsg(peer, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *const head = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_type == SCM_RIGHTS) memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
}

/* Connects to process 0, trying for PATIENCE_MS, then waits for the descriptor without a limit. Returns it, or -1. */
static int connect_to_first(shm_segment *segment, const struct sockaddr_un *name, socklen_t length)
{
    const double start = machine_ms();
    const int32_t number = segment->number;
    while (machine_ms() - start < PATIENCE_MS) {
        const int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (peer < 0) return -1;
        if (!connect(peer, (const struct sockaddr *)name, length)) {
            segment->peer[segment->peers++] = peer;
            return send(peer, &number, sizeof number, MSG_NOSIGNAL) == sizeof number ? receive_descriptor(peer) : -1;
        }
        close(peer);
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    }
    return -1;
}

/* ---- The segment -------------------------------------------------------------------------------- */

bool shm_segment_open(shm_segment *segment, size_t size)
{
    struct sockaddr_un name;
    socklen_t length;
    *segment = (shm_segment){.number = mpi_variable("OMPI_COMM_WORLD_RANK", -1),
                             .count = mpi_variable("OMPI_COMM_WORLD_SIZE", -1)};
    segment->size = size * (size_t)segment->count;
    segment->peer = malloc((size_t)segment->count * sizeof *segment->peer);
    if (!segment->peer || !name_socket(&name, &length)) {
        shm_segment_close(segment);
        return false;
    }
    for (int i = 0; i < segment->count; i++) segment->peer[i] = -1;
    const int memory = segment->number == 0 ? share_descriptor(segment, &name, length)
                                            : connect_to_first(segment, &name, length);
    void *const at = memory < 0 ? MAP_FAILED : mmap(NULL, segment->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (memory >= 0) close(memory);
    if (at != MAP_FAILED) segment->memory = at;
    else shm_segment_close(segment);
    return segment->memory != NULL;
}

bool shm_segment_lost(const shm_segment *segment)
{
    for (int i = 0; i < segment->peers; i++) {
        struct pollfd one = {.fd = segment->peer[i], .events = POLLIN}; /* no data is ever sent here, so a readable
                                                                           socket is a closed one */
        if (poll(&one, 1, 0) > 0) return true;
    }
    return false;
}

void shm_segment_close(shm_segment *segment)
{
    if (segment->memory) (void)munmap(segment->memory, segment->size);
    for (int i = 0; segment->peer && i < segment->count; i++)
        if (segment->peer[i] >= 0) close(segment->peer[i]);
    free(segment->peer);
    *segment = (shm_segment){0};
}
