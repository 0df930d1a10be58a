/* SPDX-License-Identifier: MIT
 *
 * device_lane.cuh - the queue in which a graph and all graphs made from it do their work in order: a stream, the events
 * that measure it, and pinned memory for small results and for copies.
 *
 * Creating any of these takes a lock of the whole process, and so does a copy from or to pageable memory, which keeps
 * it until all earlier work of its stream is done. Sixteen threads with images of 0.4 megapixels spent most of their
 * time there. So lanes are reused: opening a lane returns a free one of the same thread, and a new one is made only if
 * there is none. The last user returns the lane to the thread's list. Until the thread ends, it keeps as many lanes as
 * it ever used at a time.
 */
#pragma once

#include <stddef.h>

#include "device_staging.cuh"
#include "stopwatch.cuh"

enum { LANE_LETTER = 8192 }; /* bytes of the largest result that lane_fetch() takes */

typedef struct device_lane {
    cudaStream_t stream;
    stopwatch watch;    /* measures times on the stream, one at a time                               */
    stopwatch training;   /* measures learning and building before the solve that `watch` measures */
    int users;          /* number of users: graphs, which one thread uses at a time, and the code that opened the
                           lane */
    int device;
    cudaEvent_t proven; /* the end of the proof that follows a measured solve                   */
    cudaStream_t own;   /* the lane's own stream; `stream` is either this one or the caller's   */
    cudaEvent_t met;    /* the event for which a sleeping thread waits */
    char *letter;       /* pinned memory for results, LANE_LETTER bytes                         */
    cudaStream_t aside; /* a stream for work beside the lane's own work, which has priority     */
    cudaEvent_t parted, joined; /* the beginning and the end of work on the stream `aside`          */
    device_staging staging; /* pinned memory for larger copies, once lane_reserve() has made it          */
    int threads;        /* the number of threads of the job                                                       */
    bool sleeps;        /* true: a waiting thread sleeps instead of polling                                       */
    int beside;         /* the number of lanes that work at the same time; 0: this lane is alone                    */
    bool after;         /* true: they work beside a lane that comes first, which is not counted                     */
    int lent;           /* the number of times the lane has been opened                                           */
    int seats[9];       /* by number of neighbours: how many blocks of the solver run at a time; 0: not known yet */
    struct device_lane *next;
} device_lane;

/* Opens a lane of the present device, on the caller's stream or, if `stream` is NULL, on a stream of its own. */
tilecut_status lane_open(device_lane **out, int device, void *const *stream);

/* Releases one user's share; the last user returns the lane to the pool. NULL-safe. */
void lane_leave(device_lane *lane);

/* Sets how many threads the job may use (0: all of the machine), so that waiting leaves processors to other jobs. */
void lane_share(device_lane *lane, int threads);

/* Pins memory through which `bytes` bytes of pixels, voxels, seeds or masks are copied in pieces. Pinning takes time,
 * so it is done only for a lane that is used again, or for STAGING_LARGE bytes. Call it when no copy is under way. */
void lane_reserve(device_lane *lane, size_t bytes);

/* Returns in *stream a stream. Its work runs at the same time as later work of the lane, until lane_join(). Call
 * lane_part_end() after the last work on it. */
tilecut_status lane_part(const device_lane *lane, cudaStream_t *stream);
tilecut_status lane_part_end(const device_lane *lane);
tilecut_status lane_join(const device_lane *lane);

/* Makes later work of `lane` wait for the work that `other` has queued. Nothing to do if both are the same lane. */
tilecut_status lane_follow(const device_lane *lane, const device_lane *other);

/* Waits until the device has done all that was queued. */
tilecut_status lane_wait(device_lane *lane);

/* Queues a copy of a result to offset `at` of lane->letter. It can be read there after the next wait. */
tilecut_status lane_note(device_lane *lane, size_t at, const void *from, size_t bytes);

/* Copies a result of at most LANE_LETTER bytes to the host, and waits for it. */
tilecut_status lane_fetch(device_lane *lane, void *to, const void *from, size_t bytes);

/* Queues a copy of `rows` rows of `bytes` bytes each to packed rows on the device. The caller's memory must stay until
 * the next wait. */
tilecut_status lane_send(device_lane *lane, void *to, const void *from, size_t stride, size_t bytes, size_t rows);

/* Copies a whole array to host memory, or to the caller's device memory, and waits for the copy. */
tilecut_status lane_receive(device_lane *lane, void *to, const void *from, size_t bytes);
