/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cuh - nearness.c on the device.
 */
#ifndef TC_DEVICE_NEARNESS_CUH
#define TC_DEVICE_NEARNESS_CUH

#include "device_model.cuh"

/* tc_nearness() of nearness.h at work on a stream of its own, beside what goes on meanwhile. All 0: none is. */
typedef struct nearness_search {
    cudaStream_t stream;
    cudaEvent_t begun, ended;
    bool joined;
} nearness_search;

size_t nearness_scratch_bytes(int width, int height);

/* Begins when what `stream` has so far is done, the census of the seeds among it; nobody waits for it. Where the seeds
 * draw a box all levels are 0. All pointers are device memory. */
tilecut_status nearness_begin(nearness_search *search, const uint8_t *seeds, const model_census *census, int width,
                              int height, void *scratch, uint8_t *level, cudaStream_t stream);

/* What `stream` gets from now on is done after it. */
tilecut_status nearness_join(nearness_search *search, cudaStream_t stream);

/* Waits for a search that nobody has joined: its memory goes next. */
void nearness_end(nearness_search *search);

#endif
