/* SPDX-License-Identifier: MIT
 *
 * device_lane.cuh - where a graph and all graphs made from it work one after the other: a stream, the events that
 * measure it, and pinned memory through which the host and the device talk.
 *
 * Making any of these takes a lock of the whole process, and so does a copy from or to pageable memory, which keeps it
 * until all earlier work of its stream is done. Sixteen threads with images of 0.4 megapixels spent most of their time
 * there. So lanes are lent: whoever opens one gets a free one of the same thread, and a new one is made only if there
 * is none. The last user puts it back. A thread keeps as many lanes as it ever used at a time, until it ends.
 */
#pragma once

#include <stddef.h>

#include "stopwatch.cuh"

enum {
    LANE_LETTER = 8192,          /* bytes of the largest result that lane_fetch() takes                             */
    LANE_STAGED_MOST = 16 << 20, /* most bytes of pinned memory for pixels, seeds and a mask                        */
    LANE_PIECES = 4              /* the number of pieces of that memory: while one is copied, threads fill the next */
};

typedef struct device_lane {
    cudaStream_t stream;
    stopwatch watch;    /* for one measurement at a time                                             */
    stopwatch training;   /* measures the learning before a measured solve                             */
    int users;          /* number of users: graphs, which one thread uses at a time, and whoever opened the lane */
    int device;
    cudaEvent_t proven; /* where the proof that follows a measured solve ends                   */
    cudaStream_t own;   /* the lane's own stream; `stream` is it, or the caller's               */
    cudaEvent_t met;    /* the event for which a sleeping thread waits until the device is done */
    char *letter;       /* pinned, LANE_LETTER bytes                                            */
    cudaStream_t aside; /* a stream for work beside the lane's own work, which has priority     */
    cudaEvent_t parted, joined; /* where work on the stream `aside` begins and ends                 */
    char *staged;       /* pinned memory in LANE_PIECES pieces of `room` bytes; NULL: none yet        */
    size_t room;
    cudaEvent_t copied[LANE_PIECES]; /* the last copy from or to a piece                            */
    int piece;          /* that is used next                                                                      */
    int threads;        /* of the job                                                                             */
    bool sleeps;        /* a waiting thread sleeps instead of polling                                             */
    int beside;         /* how many lanes work at the same time, beside one that has more to do; 0: it is alone */
    int lent;           /* how many times the lane has been opened                                                */
    int seats[9];       /* by number of neighbours: how many blocks of the solver run at a time; 0: not asked yet */
    struct device_lane *next;
} device_lane;

/* A lane of the present device, on the caller's stream or, if `stream` is NULL, on its own. */
tilecut_status lane_open(device_lane **out, int device, void *const *stream);

/* Releases one user's share; the last user returns the lane to the pool. NULL-safe. */
void lane_leave(device_lane *lane);

/* Sets how many threads the job may use (0: all of the machine), so that waiting leaves processors to other jobs. */
void lane_share(device_lane *lane, int threads);

/* Pins memory for `bytes` of pixels, seeds and masks, unless that is too much. Pinning takes time, so it is done only
 * for a lane that is used again, not for a single image. Call it when no copy is on its way. */
void lane_reserve(device_lane *lane, size_t bytes);

/* Gives a stream whose work runs beside later work of the lane, until lane_join(). Call lane_part_end() after the last
 * work on it. */
tilecut_status lane_part(const device_lane *lane, cudaStream_t *stream);
tilecut_status lane_part_end(const device_lane *lane);
tilecut_status lane_join(const device_lane *lane);

/* Makes later work of `lane` wait for the work that `other` has queued. Nothing to do if both are the same lane. */
tilecut_status lane_follow(const device_lane *lane, const device_lane *other);

/* Waits until the device has done all that was queued. */
tilecut_status lane_wait(device_lane *lane);

/* Queues a copy of a result to offset `at` of lane->letter, where it can be read after the next wait. */
tilecut_status lane_note(device_lane *lane, size_t at, const void *from, size_t bytes);

/* Copies a result of at most LANE_LETTER bytes to the host, and waits for it. */
tilecut_status lane_fetch(device_lane *lane, void *to, const void *from, size_t bytes);

/* Queues a copy of `rows` rows of `bytes` bytes to packed rows on the device. The caller's memory must stay until the
 * next wait. */
tilecut_status lane_send(device_lane *lane, void *to, const void *from, size_t stride, size_t bytes, size_t rows);

/* Copies a whole array to memory of the host, or to the caller's on the device, and waits for it. */
tilecut_status lane_receive(device_lane *lane, void *to, const void *from, size_t bytes);
