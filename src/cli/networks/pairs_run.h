/* SPDX-License-Identifier: MIT
 *
 * pairs_run.h - what `tilecut match` and `tilecut assign` share: reading a bipartite graph, solving, lines, JSON.
 */
#ifndef CLI_PAIRS_RUN_H
#define CLI_PAIRS_RUN_H

#include "network_file.h"
#include "options.h"

typedef struct pairs_options {
    common common;
    bool pairs, proof;   /* lines that are wanted: of the matching, of the cover or the prices */
    uint64_t max_memory; /* 0: what is free                                                    */
    bool costs;          /* an assignment                                                      */
} pairs_options;

/* Reads, solves, prints, as the verbs say. */
int pairs_run(const pairs_options *asked, const char *path, failure *why);

#endif
