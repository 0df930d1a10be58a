/* SPDX-License-Identifier: MIT
 *
 * random_network.h - seeded random networks of any shape, and the answer to tiny ones by trying every cut.
 */
#pragma once

#include <stdbool.h>

#include "random_graph.h"
#include "tilecut_network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RANDOM_NETWORK_TERMINALS = 6 };

/* A network in arrays, all owned: free with random_network_free(). */
typedef struct random_network {
    tilecut_network_arcs arcs; /* with tails                                              */
    tilecut_network_arcs rows; /* the same with `first`, arcs in another order            */
    int32_t terminal[2 * RANDOM_NETWORK_TERMINALS];
    int32_t *ends;
    int64_t *capacity;
} random_network;

/* Up to that many nodes and arcs; `seed` decides the kind: ties, units, many zeros, infinite ones, wide ranges,
 * parallel and opposite arcs, loops, several sources and sinks, arcs into sources and out of sinks, nodes out of
 * reach. */
void random_network_draw(random_network *it, uint64_t seed, int max_nodes, int max_arcs);
void random_network_free(random_network *it);

/* The number of rows in the solvers' table that run on a CPU. Rows for a device come after them; they are tested in
 * software_gpu and on machines with a device. */
int network_cpu_solvers(void);

/* Tries all cuts of at most 16 nodes. Returns the least cost, -1 if it is infinite, and writes the cheapest one with
 * the fewest nodes on the side of the sinks: 0 there, else 255. */
int64_t network_brute_force(const tilecut_network_arcs *arcs, uint8_t *side);

/* Whether `flow` is a feasible flow of that value, straight from the definition. */
bool network_is_flow(const tilecut_network_arcs *arcs, const int64_t *flow, int64_t value);

#ifdef __cplusplus
}
#endif
