/* SPDX-License-Identifier: MIT
 *
 * host_exchange.c - the exchange between processes of mpirun on one machine, through shared memory (shm_segment.h). MPI
 * is not used: starting it takes longer than cutting a photo of some megapixels.
 *
 * Each process has two sets of buffers and alternates between them: after a barrier the others read from one set, while
 * the process writes the next data to the other.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "shm_segment.h"
#include "job_part.h"

enum {
    BOX = 1 << 18,  /* bytes in a buffer; small enough for a processor's cache */
    SPINS = 2000,   /* SPINS: how often a process reads the signal before it sleeps, some tens of microseconds */
    WATCH_MS = 500  /* milliseconds to sleep before checking whether a process has ended        */
};

/* The head of the shared memory. It begins as zeros. */
typedef struct shm_head {
    _Atomic uint32_t signal; /* a futex; it is incremented to wake all waiting processes */
    _Atomic uint32_t turn; /* number of barriers passed                              */
    _Atomic int32_t arrived, ended; /* number of processes at the barrier, and in end() */
    _Atomic int32_t left;  /* 1 + the number of the process that failed first; 0: all are well */
    _Atomic int32_t status; /* the highest status of the processes in end()          */
} shm_head;

enum {
    HEAD_BYTES = 4096,
    SLOT_BYTES = 2 * 2 * BOX
}; /* bytes of the head, and bytes of one process's buffers (2 sets x 2 directions) */

static shm_segment the_segment;
static unsigned the_box; /* 0 or 1: the set of buffers to write next */

static shm_head *segment_head(void)
{
    return the_segment.memory;
}

/* Returns the buffer of process `number` in set `box`. below: 1 for data to the process below, 0 for data to the one
 * above. */
static char *box_of(int number, unsigned box, int below)
{
    return (char *)the_segment.memory + HEAD_BYTES + (size_t)number * SLOT_BYTES +
           (2 * (size_t)box + (size_t)below) * BOX;
}

/* ---- Meetings ---------------------------------------------------------------------------------- */

static void ring(shm_head *h)
{
    atomic_fetch_add(&h->signal, 1);
    (void)syscall(SYS_futex, &h->signal, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Waits until the signal differs from `seen`. Returns false if it is unchanged after WATCH_MS. */
static bool wait_for_signal(shm_head *h, uint32_t seen)
{
    const struct timespec patience = {.tv_nsec = WATCH_MS * 1000000};
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&h->signal) != seen) return true;
#if defined __x86_64__ || defined __i386__
        __builtin_ia32_pause();
#endif
    }
    return syscall(SYS_futex, &h->signal, FUTEX_WAIT, seen, &patience, NULL, 0) == 0 || errno != ETIMEDOUT;
}

static void leave_segment(void *context)
{
    shm_head *const h = context;
    int32_t none = 0;
    if (atomic_compare_exchange_strong(&h->left, &none, 1 + the_segment.number)) ring(h);
}

/* A barrier: waits for all processes. Returns 1 if one has failed, else 0. */
static int meet(shm_head *h)
{
    const uint32_t turn = atomic_load(&h->turn);
    if (atomic_load(&h->left)) return 1;
    if (atomic_fetch_add(&h->arrived, 1) + 1 == the_segment.count) {
        atomic_store(&h->arrived, 0);
        atomic_fetch_add(&h->turn, 1);
        ring(h);
        return 0;
    }
    for (;;) {
        const uint32_t seen = atomic_load(&h->signal);
        if (atomic_load(&h->turn) != turn) return 0; /* all processes have arrived, even if one has failed since then */
        if (atomic_load(&h->left)) return 1;
        if (!wait_for_signal(h, seen) && shm_segment_lost(&the_segment)) leave_segment(h);
    }
}

/* ---- The exchange ------------------------------------------------------------------------------ */

/* Sums `count` values over all processes; the values fit in a buffer. Each process sums its share and writes the sums
 * to the buffers of all others. */
static int sum_some(shm_head *h, int64_t *values, size_t count)
{
    const size_t processes = (size_t)the_segment.count, number = (size_t)the_segment.number;
    const size_t first = count * number / processes, end = count * (number + 1) / processes;
    const unsigned box = the_box;
    the_box ^= 1;
    memcpy(box_of(the_segment.number, box, 0), values, count * sizeof *values);
    if (meet(h)) return 1;
    for (size_t k = first; k < end; k++) {
        int64_t all = 0;
        for (int i = 0; i < the_segment.count; i++) all += ((const int64_t *)(void *)box_of(i, box, 0))[k];
        for (int i = 0; i < the_segment.count; i++) ((int64_t *)(void *)box_of(i, box, 0))[k] = all;
    }
    if (meet(h)) return 1;
    memcpy(values, box_of(the_segment.number, box, 0), count * sizeof *values);
    return 0;
}

static int sum_values(void *context, int64_t *values, size_t count)
{
    enum { AT_A_TIME = BOX / sizeof(int64_t) };
    for (size_t k = 0; k < count; k += AT_A_TIME)
        if (sum_some(context, values + k, count - k < AT_A_TIME ? count - k : AT_A_TIME)) return 1;
    return 0;
}

static int swap_some(shm_head *h, const char *to_above, const char *to_below, char *from_above, char *from_below,
                     size_t size)
{
    const int number = the_segment.number;
    const bool above = number > 0, below = number + 1 < the_segment.count;
    const unsigned box = the_box;
    the_box ^= 1;
    if (above && to_above) memcpy(box_of(number, box, 0), to_above, size);
    if (below && to_below) memcpy(box_of(number, box, 1), to_below, size);
    if (meet(h)) return 1;
    if (above && from_above) memcpy(from_above, box_of(number - 1, box, 1), size);
    if (below && from_below) memcpy(from_below, box_of(number + 1, box, 0), size);
    return 0;
}

static int swap_rows(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t size)
{
    const char *const up = to_above, *const down = to_below;
    char *const of_above = from_above, *const of_below = from_below;
    for (size_t at = 0; at < size; at += BOX)
        if (swap_some(context, up ? up + at : NULL, down ? down + at : NULL, of_above ? of_above + at : NULL,
                      of_below ? of_below + at : NULL, size - at < BOX ? size - at : BOX))
            return 1;
    return 0;
}

/* ---- What mpi_open() gives --------------------------------------------------------------------- */

static int speaks(void)
{
    return atomic_load(&segment_head()->left) == 1 + the_segment.number;
}

/* Waits until all processes have called end(). As soon as one ends with a failure, mpirun kills the others and drops
 * their output, so the process that has printed the error ends first. */
static int end(int status)
{
    shm_head *const h = segment_head();
    const bool first = speaks() || !atomic_load(&h->left);
    int32_t highest = atomic_load(&h->status);
    bool lost = false;
    while (highest < status && !atomic_compare_exchange_weak(&h->status, &highest, status)) continue;
    atomic_fetch_add(&h->ended, 1);
    ring(h);
    while (!lost) {
        const uint32_t seen = atomic_load(&h->signal);
        if (atomic_load(&h->ended) == the_segment.count) break;
        lost = !wait_for_signal(h, seen) && shm_segment_lost(&the_segment);
    }
    const int all = atomic_load(&h->status);
    if (all && !first) sleep(1);
    return all;
}

bool host_exchange_open(mpi_exchange *out)
{
    if (!shm_segment_wanted() || !shm_segment_open(&the_segment, SLOT_BYTES + HEAD_BYTES)) return false;
    *out = (mpi_exchange){.exchange = {sizeof out->exchange, the_segment.number, the_segment.count, segment_head(),
                                       sum_values, swap_rows, leave_segment, NULL, 1},
                          .speaks = speaks,
                          .end = end};
    return true;
}
