/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cuh - nearness.c on the device.
 */
#ifndef TC_DEVICE_NEARNESS_CUH
#define TC_DEVICE_NEARNESS_CUH

#include "device_model.cuh"

/* A computation of tc_nearness() that runs on its own stream, beside other work, if the image is large enough for that
 * to pay. All 0: none, or one without a stream of its own. */
typedef struct nearness_search {
    cudaStream_t stream;
    cudaEvent_t begun, ended;
    bool joined;
} nearness_search;

size_t nearness_scratch_bytes(int width, int height);

/* Starts to fill energy->nearness when the present work of `stream`, which includes the census of the seeds, is done;
 * does not wait. If the seeds draw a box all levels become 0. All pointers are device memory. */
tilecut_status nearness_begin(nearness_search *search, const device_energy *energy, const model_census *census,
                              void *scratch, cudaStream_t stream);

/* Makes all later work of `stream` wait for the result. */
tilecut_status nearness_join(nearness_search *search, cudaStream_t stream);

/* Ends a computation. If nothing has joined it, waits, because its memory is freed next. */
void nearness_end(nearness_search *search);

#endif
