/* SPDX-License-Identifier: MIT
 *
 * pairs_run.h - the common part of `tilecut match` and `tilecut assign`: reads a bipartite graph, solves, prints,
 * writes JSON.
 */
#pragma once

#include "network_file.h"
#include "options.h"

typedef struct pairs_options {
    common common;
    bool pairs, proof;   /* print lines with the pairs; print lines with the cover or the prices */
    bool matrix, edges;  /* read a table of numbers as a matrix, or as a list of edges           */
    uint64_t max_memory; /* memory limit in bytes; 0: the free memory                            */
    bool costs;          /* true: the pairs have costs: an assignment                            */
    const char *solver;  /* method to match or to assign; NULL: auto                             */
} pairs_options;

/* Reads, solves and prints, as the two verbs document. */
int pairs_run(const pairs_options *asked, const char *path, failure *why);
