/* SPDX-License-Identifier: MIT
 *
 * levels_run.h - breadth-first search in a file, for the verb `bfs`.
 */
#pragma once

#include "network_file.h"
#include "options.h"

typedef struct levels_options {
    common common;
    int64_t source;      /* the first node's number in the file; negative: not given */
    bool levels;         /* true: print a line for each node                         */
    bool undirected;
    bool matrix, edges;  /* read a table of numbers as a matrix, or as a list of edges */
    uint64_t max_memory; /* memory limit in bytes; 0: the free memory                  */
    const char *way;     /* method of the search; NULL: auto                           */
} levels_options;

/* Reads, searches and prints, as the verb documents. */
int levels_run(const levels_options *asked, const char *path, failure *why);
