/* SPDX-License-Identifier: MIT
 *
 * random_network.h - random networks of any shape, drawn from a seed, and the answer for tiny ones by trying every cut.
 */
#pragma once

#include <stdbool.h>

#include "random_graph.h"
#include "tilecut_network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RANDOM_NETWORK_TERMINALS = 6 };

/* A network in owned arrays; free it with random_network_free(). */
typedef struct random_network {
    tilecut_network_arcs arcs; /* the network as a list of arcs with their tails */
    tilecut_network_arcs rows; /* the same network with arcs sorted by tail, and `first` */
    int32_t terminal[2 * RANDOM_NETWORK_TERMINALS];
    int32_t *ends;
    int64_t *capacity;
} random_network;

/* Draws a network of at most max_nodes nodes and max_arcs arcs. `seed` selects the kind: ties, units, many zeros,
 * infinite capacities, wide ranges, parallel and opposite arcs, loops, several sources and sinks, arcs into sources and
 * out of sinks, or unreachable nodes. */
void random_network_draw(random_network *it, uint64_t seed, int max_nodes, int max_arcs);
void random_network_free(random_network *it);

/* Returns the number of rows in the solver table that run on a CPU. Rows for a device come after them; they are tested
 * in software_gpu and on machines with a device. */
int network_cpu_solvers(void);

/* Tries all cuts of at most 16 nodes. Returns the least cost, or -1 if it is infinite. side[v] becomes 0 on the sink
 * side and 255 elsewhere, for the cheapest cut with the fewest nodes on the sink side. */
int64_t network_brute_force(const tilecut_network_arcs *arcs, uint8_t *side);

/* True if `flow` is a feasible flow of that value, checked straight from the definition. */
bool network_is_flow(const tilecut_network_arcs *arcs, const int64_t *flow, int64_t value);

#ifdef __cplusplus
}
#endif
