/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cuh - nearness.c on the device.
 */
#pragma once

#include "device_model.cuh"

size_t nearness_scratch_bytes(int width, int height);

/* Fills energy->nearness: queues the work on `stream`, after the census of the seeds. If the seeds draw a box, all
 * levels become 0. All pointers are device memory. */
tilecut_status nearness_find(const device_energy *energy, const model_census *census, void *scratch,
                             cudaStream_t stream);
