/* SPDX-License-Identifier: MIT
 *
 * random_graph.h - seeded random graphs, and the answer to tiny ones by trying every labelling.
 */
#pragma once

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph in arrays, all owned: free with random_graph_free(). */
typedef struct random_graph {
    tilecut_arrays arrays;
    int connectivity;
    int32_t *memory;
} random_graph;

/* Cases of a property test: fewer under sanitizers, which are after memory and threads and are slow, fewest by day;
 * RANDOM_TIMES as many in .ci/nightly. */
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

/* How often a loop test runs; less often under sanitizers. */
#define RANDOM_LOOPS(n) (RANDOM_CASES(10) < 10 ? ((n) + 7) / 8 : (n))
/* How often a test runs that the sanitizers of threads and of clang leave to the night: by day other tests try the same
 * in less time. */
#define RANDOM_BY_NIGHT(n) (RANDOM_SHARE == 30 && RANDOM_TIMES == 1 ? 0 : (n))

/* A stream of random numbers (splitmix64): the same on every machine. */
uint64_t random_next(uint64_t *state);
/* 0 .. n-1 */
int random_below(uint64_t *state, int n);

/* The number that an environment variable has, or `otherwise`. */
uint64_t number_from(const char *variable, uint64_t otherwise);

/* A graph of width x height; `seed` decides the kind of capacities: few values and many ties, sparse
 * terminals, mostly zero, wide ranges up to the limit, one-way links, symmetric links. */
void random_graph_init(random_graph *graph, uint64_t seed, int width, int height, int connectivity);
/* Draws the size too: 1 .. max_width by 1 .. max_height, and 4 or 8 neighbours. */
void random_graph_draw(random_graph *graph, uint64_t seed, int max_width, int max_height);
/* A graph with links as in random_graph_init(), and two connected regions of hard terminals: each of their pixels can
 * take more than its links can carry. */
void random_graph_regions(random_graph *graph, uint64_t seed, int width, int height);
/* As random_graph_init() draws them, but most sinks are gone: such graphs may be turned round for
 * solvers (reverse.h). */
void random_graph_few_sinks(random_graph *graph, uint64_t seed, int width, int height, int connectivity);
void random_graph_free(random_graph *graph);

/* Rows first .. first + rows - 1 of a graph, in the same memory. */
tilecut_arrays rows_of_arrays(const tilecut_arrays *all, int first, int rows);

/* Tries all labellings of at most 20 pixels. Returns the least cost and writes the mask (0 background, 255
 * foreground) of the cheapest labelling with the least background. */
int64_t brute_force(const random_graph *graph, uint8_t *mask);

/* Cost of a mask, straight from the definition. */
int64_t mask_cost(const tilecut_arrays *arrays, int connectivity, const uint8_t *mask);

#ifdef __cplusplus
}
#endif
