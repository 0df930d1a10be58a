/* SPDX-License-Identifier: MIT
 *
 * graph_arcs.h - from lists of arcs to a grid, for the formats that have such lists. Two passes over the
 * file, so that the arcs need not be kept: the first notes by how much node numbers differ along arcs and
 * finds a width from that, the second fills the capacities in.
 *
 * Pixels are numbered row by row; a link to a neighbour then changes the number by 1, W, W - 1 or W + 1.
 */
#ifndef CLI_GRAPH_ARCS_H
#define CLI_GRAPH_ARCS_H

#include "graph_file.h"

enum { ARC_STEPS = 4 };

typedef struct graph_arcs {
    const char *name;
    int64_t nodes;           /* without source and sink                                             */
    /* the first pass */
    int64_t step[ARC_STEPS]; /* the different differences of node numbers, in order of appearance   */
    int steps;
    int64_t count;           /* of arcs, terminals included                                         */
    bool odd;                /* a step of 1 from an odd number: in a grid two pixels wide a diagonal */
    bool scattered;          /* more different steps than a grid can have                           */
    int64_t width, height;   /* as the file says, else 0                                            */
    int connectivity;        /* as the file says, else 0                                            */
    /* the second pass */
    bool filling;
    saved_graph *graph;
    int64_t *terminal;       /* [2 * nodes] source and sink: infinite ones may exceed int32         */
    int64_t direct;          /* arcs from source to sink                                            */
} graph_arcs;

/* Each returns NULL, or a static sentence on what is wrong with that arc. Links without
 * capacity only show the shape. Numbers are those of pixels, from 0. */
const char *arcs_terminal(graph_arcs *arcs, int64_t node, int64_t source, int64_t sink);
const char *arcs_link(graph_arcs *arcs, int64_t from, int64_t to, int64_t forward, int64_t backward);

/* Between the passes: settles the shape and takes memory. After them: capacities into `graph`. */
int arcs_shape(graph_arcs *arcs, saved_graph *graph, failure *why);
int arcs_finish(graph_arcs *arcs, failure *why);
void arcs_free(graph_arcs *arcs); /* not the graph */

#endif
