/* SPDX-License-Identifier: MIT
 *
 * pairs_run.h - the shared part of `tilecut match` and `tilecut assign`: reads a bipartite graph, solves, prints,
 * writes JSON.
 */
#pragma once

#include "network_file.h"
#include "options.h"

typedef struct pairs_options {
    common common;
    bool pairs, proof;   /* which lines to print: the matching; the cover or the prices        */
    bool matrix, edges;  /* how a table of numbers is read                                     */
    uint64_t max_memory; /* 0: what is free                                                    */
    bool costs;          /* the pairs have costs: an assignment                                */
    const char *solver;  /* way to match, or to assign; NULL: auto                             */
} pairs_options;

/* Reads, solves and prints as the two verbs document. */
int pairs_run(const pairs_options *asked, const char *path, failure *why);
