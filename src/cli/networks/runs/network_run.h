/* SPDX-License-Identifier: MIT
 *
 * network_run.h - `tilecut maxflow` on a graph that is no grid: terminals, solving, lines, JSON. The verb steers.
 */
#pragma once

#include "json.h"
#include "network_file.h"
#include "options.h"

/* Values of the options. */
typedef struct network_options {
    const char *solver;          /* NULL: auto                                    */
    option_list sources, sinks;  /* numbers of nodes, for files that name none    */
    int pairs;                   /* 0: 20                                         */
    bool matrix, edges;          /* how a table of numbers is read                */
    bool undirected, any;        /* any: grids too are solved as any graph        */
} network_options;

extern const option network_run_options[]; /* into a network_options */

/* Checks that sources and sinks are numbers: EXIT_USAGE. Called before anything is read. */
int network_options_check(const network_options *asked, failure *why);

typedef struct network_run {
    saved_network saved;
    uint8_t *side;   /* owned: [nodes] */
    int64_t *flow;   /* owned: [arcs], NULL: not wanted */
    tilecut_network_report report;
} network_run;

/* Sets source and sink for a file that names none: from the options, or pairs of nodes that are far apart, with a
 * note. A file's own terminals cannot be changed: EXIT_USAGE. */
int network_run_terminals(network_run *run, const char *name, const network_options *asked, notes *log, failure *why);

int network_run_solve(network_run *run, const char *name, const network_options *asked, const common *engine,
                      bool flow, notes *log, failure *why);

/* Prints 's FLOW', and if wanted 'f FROM TO FLOW' and 't NODE'. */
void network_run_print(const network_run *run, bool flow, bool cut);

/* The keys of a solved run. */
void network_run_json(const network_run *run, json *out);
void network_run_free(network_run *run);
