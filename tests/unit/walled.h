/* SPDX-License-Identifier: MIT
 *
 * walled.h - graphs with walls along most borders between tiles, and sources in few tiles. Excess stays in some of the
 * tiles, which the solver on two devices moves between the devices.
 */
#pragma once

#include <stdbool.h>

#include "random_graph.h"
#include "tilecut_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Closes most of the borders between tiles of a random graph. With `corners`, some diagonal links from corner to corner
 * stay open. */
void walled_graph_close(random_graph *graph, uint64_t seed, bool corners);

typedef struct walled_volume {
    tilecut_volume_arrays arrays;
    int32_t *memory; /* source, sink, three links, three reverse links; owned */
    size_t voxels;
} walled_volume;

/* walled_volume_init() makes a volume without capacities. walled_volume_draw() makes a random one of at most this size,
 * in which most slices are also closed to each other; every fifth has no walls. */
void walled_volume_init(walled_volume *volume, int width, int height, int depth);
void walled_volume_draw(walled_volume *volume, uint64_t seed, int width, int height, int depth);
void walled_volume_free(walled_volume *volume);

#ifdef __cplusplus
}
#endif
