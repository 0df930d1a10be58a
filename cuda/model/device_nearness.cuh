/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cuh - nearness.c on the device.
 */
#pragma once

#include "device_model.cuh"

extern "C" {
#include "nearness.h"
}

size_t nearness_scratch_bytes(int width, int height);

/* Fills energy->nearness of an image: queues the work on `stream`, after the census of the seeds. If the seeds draw a
 * box, all levels become 0. All pointers are device memory. */
tilecut_status nearness_find(const device_energy *energy, const model_census *census, void *scratch,
                             cudaStream_t stream);

/* A volume whose strokes are looked at. */
typedef struct strokes_request {
    const device_energy *energy;
    tc_nearness_lattice lattice;
    learnt *facts;  /* with the census of the seeds                                                     */
    uint8_t *seeds; /* those of the energy                                                              */
    int *room;      /* 8 bytes a voxel, which hold the distances until strokes_weigh() has used them     */
} strokes_request;

/* Queues the search for the distances to the strokes of both classes, and their sum in facts->gap. Does nothing if the
 * seeds draw a box. */
tilecut_status strokes_measure(const strokes_request *r, cudaStream_t stream);

/* Queues what tc_nearness() does next: fills energy->nearness unless that is NULL, and marks far strokes, which
 * the census then does not count as background any more. `gap` and the foreground's box, `seeded`, were copied from the
 * facts. */
tilecut_status strokes_weigh(const strokes_request *r, const tc_block *seeded, double gap, cudaStream_t stream);
