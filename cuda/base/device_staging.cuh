/* SPDX-License-Identifier: MIT
 *
 * device_staging.cuh - copies between pageable host memory and the device through pinned pieces. While the device
 * copies one piece, threads of the host fill or empty the next. A copy straight from pageable memory takes three times
 * as long, and its host thread can do nothing meanwhile.
 */
#pragma once

#include <stddef.h>

#include "check.cuh"

enum {
    STAGING_PIECES = 4,
    STAGING_MOST = 16 << 20, /* most bytes of pinned memory; each piece is rounded up by up to 256 KB more */
    STAGING_LARGE = 64 << 20 /* from this many bytes on, pinning pays for a single use: it takes 5 ms */
};

/* All zero before staging_init(). Call staging_free() in any case. */
typedef struct device_staging {
    cudaStream_t stream; /* the stream of all copies, set by the caller, as is `threads`    */
    int threads;         /* how many threads of the host fill and empty pieces              */
    char *memory; /* pinned memory in STAGING_PIECES pieces of `room` bytes; NULL: none yet */
    size_t room;
    cudaEvent_t copied[STAGING_PIECES]; /* the last copy from or to each piece */
    int next;                           /* the piece that is used next         */
} device_staging;

tilecut_status staging_init(device_staging *s);
void staging_free(device_staging *s);

/* Pins enough memory for copies of `bytes` bytes in pieces, at most STAGING_MOST. If there is not so much, copies go
 * without it. Call it when no copy is under way. */
void staging_reserve(device_staging *s, size_t bytes);

/* Queues a copy of `rows` rows of `bytes` bytes each, `stride` bytes apart on the host, to packed rows on the device.
 * Without gaps, all is copied as one row. Requires s->memory, and with gaps bytes <= s->room. */
tilecut_status staging_send(device_staging *s, void *to, const void *from, size_t stride, size_t bytes, size_t rows);

/* Copies an array to the host after all work queued so far on the stream, and returns when it is there. Requires
 * s->memory. */
tilecut_status staging_receive(device_staging *s, void *to, const void *from, size_t bytes);
