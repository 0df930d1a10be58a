/* SPDX-License-Identifier: MIT
 *
 * graph_arcs.h - turns lists of arcs into a grid, for the formats that have such lists. The file is read in two passes,
 * so that the arcs need not be kept. The first pass collects the steps of the arcs, that is the differences between the
 * numbers of their two nodes; the width follows from them. The second pass fills in the capacities.
 *
 * Pixels are numbered row by row. In a grid of width W and height H, a link to a neighbour therefore has a step of 1,
 * W, W - 1 or W + 1; in space, of 1, W or W * H.
 */
#pragma once

#include "graph_file.h"
#include "scaled.h"

enum { ARC_STEPS = 4 };

typedef struct graph_arcs {
    const char *name;
    int64_t nodes;           /* number of nodes without source and sink */
    /* The next fields are for the first pass. */
    int64_t step[ARC_STEPS]; /* the distinct differences of node numbers, in order of appearance */
    int steps;
    int64_t count;           /* number of arcs, including those at terminals */
    bool odd;                /* true: an arc leads from an odd number to the next one; in a grid two pixels wide
                                that would be a diagonal */
    int decimals;            /* the most decimals that a capacity has; if not 0, capacities are scaled, and the
                                graph goes to `any` */
    bool scattered;          /* true: there are more distinct steps than a grid can have        */
    graph_shape shape;       /* the shape given in the file, or zeros                           */
    graph_any *any;          /* takes a graph that is not a grid; NULL: only grids are accepted */
    /* The next fields are for the second pass. */
    bool filling;
    saved_graph *graph;
    /* [2 * nodes] capacities from the source, then to the sink; 64 bits, because they may mean "infinite" */
    int64_t *terminal;
    int64_t direct;          /* sum of the capacities of arcs from source to sink                   */
} graph_arcs;

/* Turns a capacity into an integer. The first pass finds the scale; the second one multiplies by it. Returns NULL, or a
 * phrase that continues "a capacity that". */
const char *arcs_capacity(graph_arcs *arcs, const file_number *value, int64_t *out);

/* Each adds an arc and returns NULL, or a static sentence that says why it cannot. Nodes are pixel numbers, counted
 * from 0. A link may have capacity 0, because it still helps to find the shape. */
const char *arcs_terminal(graph_arcs *arcs, int64_t node, int64_t source, int64_t sink);
const char *arcs_link(graph_arcs *arcs, int64_t from, int64_t to, int64_t forward, int64_t backward);

/* Adds an arc from the source to the sink. */
const char *arcs_direct(graph_arcs *arcs, int64_t capacity);

/* Call arcs_shape() between the passes: it finds the shape and allocates `graph`. Call arcs_finish() after them: it
 * writes the capacities into `graph`. */
int arcs_shape(graph_arcs *arcs, saved_graph *graph, failure *why);
int arcs_finish(graph_arcs *arcs, failure *why);
void arcs_free(graph_arcs *arcs); /* frees all but the graph */
