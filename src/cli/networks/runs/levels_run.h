/* SPDX-License-Identifier: MIT
 *
 * levels_run.h - breadth-first search of a file: what the verb `bfs` does.
 */
#pragma once

#include "network_file.h"
#include "options.h"

typedef struct levels_options {
    common common;
    int64_t source;      /* the node's number in the file; negative: not given */
    bool levels;         /* a line for each node                               */
    bool undirected;
    bool matrix, edges;  /* how a table of numbers is read                     */
    uint64_t max_memory; /* 0: what is free                                    */
    const char *way;     /* NULL: auto                                         */
} levels_options;

/* Reads, searches and prints as the verb documents. */
int levels_run(const levels_options *asked, const char *path, failure *why);
