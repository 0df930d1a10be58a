/* SPDX-License-Identifier: MIT
 *
 * cells.h - a smaller graph of a graph: a cell is a block of pixels that have one label. Its capacities are those of
 * its pixels, added up, so each cut of the cells costs what that cut of the pixels costs, but for one common factor and
 * rounding. A graph of at most CELLS_MOST pixels stays as it is.
 */
#ifndef TC_CELLS_H
#define TC_CELLS_H

#include "graph.h"

enum { CELLS_MOST = 1 << 18 };

typedef struct tc_cells {
    int factor;                /* pixels along each side of a cell; at the far sides it may be smaller     */
    tilecut_graph graph;       /* of arrays, which lie in `memory`                                          */
    int32_t *source, *sink;    /* of that graph; tc_cells_shift() writes them                               */
    int32_t *favour;           /* [cells] source - sink of the graph that was given                         */
    uint8_t *fixed;            /* [cells] whether a seed binds one of its pixels                            */
    double nat;                /* what one unit of the model is for each pixel of a cell, in the capacities here */
    void *memory;
} tc_cells;

/* Makes the cells. `most`: the most that a shift will be, in units of the model for each pixel; less where capacities
 * have no room for it. Free them after a failure, too. */
tilecut_status tc_cells_init(tc_cells *cells, const tilecut_graph *graph, double most);
void tc_cells_free(tc_cells *cells);

/* Favours the foreground in each pixel that no seed binds by so many units of the model; negative: the background. */
void tc_cells_shift(tc_cells *cells, double by);

/* The cell of a pixel; y is counted through all slices. */
static inline size_t tc_cell_of(const tc_cells *c, int height, int x, int y)
{
    const int z = y / height / c->factor, row = y % height / c->factor;
    return ((size_t)z * (size_t)c->graph.height + (size_t)row) * (size_t)c->graph.width + (size_t)(x / c->factor);
}

static inline size_t tc_cells_count(const tc_cells *c) { return tc_graph_pixels(&c->graph); }

#endif
