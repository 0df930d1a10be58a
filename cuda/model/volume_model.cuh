/* SPDX-License-Identifier: MIT
 *
 * volume_model.cuh - learns the energy of a volume on the device, bit for bit that of src/volume/volume_energy.c.
 */
#ifndef TC_VOLUME_MODEL_CUH
#define TC_VOLUME_MODEL_CUH

#include "device_model.cuh"

extern "C" {
#include "comm.h"
}

typedef struct volume_shape {
    int width, height, depth;
    double distance[3]; /* of neighbours along each axis; the least is 1 */
    /* Of a part: own slices, those of the whole before slice 0, and those of the whole. In one part all are own. */
    int first, end, above, all;
} volume_shape;

/* What model_request_of() and model_keys() take for a volume: its slices one below the other. */
static inline tilecut_image volume_image(const volume_shape *shape, int depth)
{
    tilecut_image image = {};
    image.width = shape->width, image.height = shape->height * shape->depth;
    image.channels = 1, image.depth = depth;
    return image;
}

size_t volume_model_scratch_bytes(const volume_shape *shape, const model_request *request);

/* Queues everything. In `energy` grey values and seeds have to be there, packed, and `last` is set. tables->straight
 * has three tables, one for each axis. Facts are written from nothing; of the census only the labels are, with
 * TILECUT_OUTSIDE as background. Of a part (`whole` is not NULL) it waits for what is counted, and learns from the
 * counts of all parts. */
tilecut_status model_learn_volume(const device_energy *energy, const model_request *request, const volume_shape *shape,
                                  const model_tables *tables, void *scratch, tc_comm *comm, cudaStream_t stream);

#endif
