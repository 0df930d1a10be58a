/* SPDX-License-Identifier: MIT
 *
 * walled.h - graphs with walls along most borders between tiles and sources in few tiles, so that excess stays in some
 * of them: what the solver on two devices moves between these.
 */
#pragma once

#include <stdbool.h>

#include "random_graph.h"
#include "tilecut_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Closes most of the borders between tiles of a random graph. With `corners`, some links of diagonals from corner
 * to corner stay open. */
void walled_graph_close(random_graph *graph, uint64_t seed, bool corners);

typedef struct walled_volume {
    tilecut_volume_arrays arrays;
    int32_t *memory; /* source, sink, three links, three links back; owned */
    size_t voxels;
} walled_volume;

/* One without capacities, and a random one of at most that size, in which most slices are closed to each other, too;
 * every fifth has no walls. */
void walled_volume_init(walled_volume *volume, int width, int height, int depth);
void walled_volume_draw(walled_volume *volume, uint64_t seed, int width, int height, int depth);
void walled_volume_free(walled_volume *volume);

#ifdef __cplusplus
}
#endif
