/* SPDX-License-Identifier: MIT
 *
 * random_graph.h - seeded random graphs, and the answer to tiny ones by trying every labelling.
 */
#pragma once

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph in owned arrays; free it with random_graph_free(). */
typedef struct random_graph {
    tilecut_arrays arrays;
    int connectivity;
    int32_t *memory;
} random_graph;

/* Number of cases of a property test: `n` in a plain build. Builds with sanitizers are slow and try a tenth or a
 * thirtieth; .ci/nightly tries RANDOM_TIMES as many. */
#ifndef RANDOM_TIMES
#define RANDOM_TIMES 1
#endif
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define RANDOM_SHARE (RANDOM_TIMES == 1 ? 30 : 10)
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RANDOM_SHARE 30
#elif defined(__SANITIZE_ADDRESS__)
#define RANDOM_SHARE 10
#elif !defined(RANDOM_SHARE)
#define RANDOM_SHARE 1
#endif
#define RANDOM_CASES(n) ((n) * RANDOM_TIMES / RANDOM_SHARE)

/* Number of iterations of a loop test: `n`, or an eighth under sanitizers. */
#define RANDOM_LOOPS(n) (RANDOM_CASES(10) < 10 ? ((n) + 7) / 8 : (n))
/* Number of iterations of a test that the thread sanitizer and clang's sanitizers skip except at night. During the day,
 * faster tests cover the same code. */
#define RANDOM_BY_NIGHT(n) (RANDOM_SHARE == 30 && RANDOM_TIMES == 1 ? 0 : (n))

/* Returns the next number of a random stream (splitmix64), the same on every machine. */
uint64_t random_next(uint64_t *state);
/* Returns a random number from 0 to n - 1. */
int random_below(uint64_t *state, int n);
/* Returns a random side of a lattice: 1 to 9, or near the sides of tiles. */
int random_side(uint64_t *state);

/* Returns how many pixels of two masks differ. */
int count_unequal(const uint8_t *one, const uint8_t *other, int pixels);

/* Returns the number in an environment variable, or `otherwise` if the variable is not set. */
uint64_t number_from(const char *variable, uint64_t otherwise);

/* Draws a graph of width x height. `seed` selects the kind of capacities: few values and many ties, sparse terminals,
 * mostly zero, wide ranges up to the limit, one-way links, or symmetric links. */
void random_graph_init(random_graph *graph, uint64_t seed, int width, int height, int connectivity);
/* Draws a graph of random size, 1 .. max_width by 1 .. max_height, with 4 or 8 neighbours. */
void random_graph_draw(random_graph *graph, uint64_t seed, int max_width, int max_height);
/* Draws links like random_graph_init(), and two connected regions of hard terminals: each of their pixels can take more
 * flow than its links can carry. */
void random_graph_regions(random_graph *graph, uint64_t seed, int width, int height);
/* Draws a graph like random_graph_init() and removes most sinks. Solvers may reverse such a graph (reverse.h). */
void random_graph_few_sinks(random_graph *graph, uint64_t seed, int width, int height, int connectivity);
void random_graph_free(random_graph *graph);

/* Returns rows first .. first + rows - 1 of a graph, in the same memory. */
tilecut_arrays rows_of_arrays(const tilecut_arrays *all, int first, int rows);

/* Tries all labellings of at most 20 pixels. Returns the least cost and writes the mask (0 background, 255
 * foreground) of the cheapest labelling with the least background. */
int64_t brute_force(const random_graph *graph, uint8_t *mask);

/* Returns the cost of a mask, computed straight from the definition. */
int64_t mask_cost(const tilecut_arrays *arrays, int connectivity, const uint8_t *mask);

#ifdef __cplusplus
}
#endif
