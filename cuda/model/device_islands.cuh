/* SPDX-License-Identifier: MIT
 *
 * device_islands.cuh - src/graph/islands.c on the device: removes foreground that is connected to no stroke.
 */
#pragma once

#include "device_certify.cuh"

/* The size of islands_request.parent in bytes. */
size_t islands_scratch_bytes(int width, int height);

/* The input of the search for islands. All pointers are device memory. */
typedef struct islands_request {
    const uint8_t *seeds, *before; /* before: an earlier mask, for sums->changed; NULL: none            */
    int width, rows, slices;       /* rows: of a slice; an image is one slice                        */
    bool diagonal;                 /* true: 8 neighbours; false: 4, or in a volume 6                 */
    const int *done;               /* if *done is 0, the kernels do nothing; NULL: they always work  */
    int *parent;                   /* as grid_certify() has written it                               */
    uint8_t *mask;                 /* 0 and 255                                                      */
    /* zero on entry; the kernels add to `foreground`, the pixels that remain, and to `changed` */
    proof_sums *sums;
} islands_request;

/* Queues the removal of all foreground in the mask that is not connected to a foreground seed. */
tilecut_status islands_drop(const islands_request *r, cudaStream_t stream);
