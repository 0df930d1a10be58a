/* SPDX-License-Identifier: MIT
 *
 * network_run.h - `tilecut maxflow` on a graph that is not a grid: terminals, solving, output, JSON. The verb calls
 * these steps.
 */
#pragma once

#include "json.h"
#include "network_file.h"
#include "options.h"

/* The values of the options. */
typedef struct network_options {
    const char *solver;          /* NULL: auto                                                 */
    option_list sources, sinks;  /* numbers of nodes, for files that name no terminals         */
    int pairs;                   /* number of pairs of terminals; 0 means 20                   */
    bool matrix, edges;          /* read a table of numbers as a matrix, or as a list of edges */
    bool undirected, any;        /* any: grids are solved as graphs of any shape, too          */
} network_options;

extern const option network_run_options[]; /* fill a network_options */

/* Returns EXIT_USAGE unless sources and sinks are numbers. Call this before reading. */
int network_options_check(const network_options *asked, failure *why);

typedef struct network_run {
    saved_network saved;
    uint8_t *side;   /* [nodes]; owned */
    int64_t *flow;   /* flow of each arc; owned; NULL: not wanted */
    tilecut_network_report report;
} network_run;

/* Sets source and sink for a file that names none: those of the options, or else pairs of nodes that are far apart,
 * with a note. EXIT_USAGE: the options name terminals, but the file has its own. */
int network_run_terminals(network_run *run, const char *name, const network_options *asked, notes *log, failure *why);

int network_run_solve(network_run *run, const char *name, const network_options *asked, const common *engine,
                      bool flow, notes *log, failure *why);

/* Prints 's FLOW'; if `flow`, also 'f FROM TO FLOW', and if `cut`, 't NODE'. */
void network_run_print(const network_run *run, bool flow, bool cut);

/* Writes the keys of a solved run. */
void network_run_json(const network_run *run, json *out);
void network_run_free(network_run *run);
