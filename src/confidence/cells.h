/* SPDX-License-Identifier: MIT
 *
 * cells.h - makes a smaller graph from a graph: each pixel of the smaller one is a cell, a block of pixels that share
 * one label. A cell's capacities are the sums of those of its pixels. So a cut of the cells costs what the same cut of
 * the pixels costs, up to one common factor and rounding. A graph of at most CELLS_MOST pixels keeps its size.
 *
 * 26 neighbours become 6, which faster solvers can cut: a link across an edge or a corner is added to every link on a
 * path along the axes, and all links count 2/3, so that surfaces cost the same on average over their directions.
 */
#pragma once

#include "graph.h"

enum { CELLS_MOST = 1 << 18 };

typedef struct tc_cells {
    int factor;                /* pixels along each side of a cell; the last cells may be smaller          */
    tilecut_graph graph;       /* the smaller graph; its arrays lie in `memory`                             */
    int32_t *source, *sink;    /* terminals of the smaller graph: computed from `favour`, changed by the favour that
                                  margin.c adds */
    int32_t *favour;           /* [cells] terminal capacities, source - sink, as copied from the image's graph */
    uint8_t *fixed;            /* [cells] the label of a seed in the cell that fixes its pixel; 0: no seed   */
    double nat;                /* the capacity of a cell that corresponds to one unit of the model (nat) per pixel */
    void *memory;
} tc_cells;

/* Makes the cells. `most` is the largest favour that foreground or background will get, in nats a pixel; if capacities
 * cannot hold that much, favours count for less. Call tc_cells_free() also if this fails. */
tilecut_status tc_cells_init(tc_cells *cells, const tilecut_graph *graph, double most);
void tc_cells_free(tc_cells *cells);

/* Returns the cell of a pixel; y counts the rows of all slices. */
static inline size_t tc_cell_of(const tc_cells *c, int height, int x, int y)
{
    const int z = y / height / c->factor, row = y % height / c->factor;
    return ((size_t)z * (size_t)c->graph.height + (size_t)row) * (size_t)c->graph.width + (size_t)(x / c->factor);
}

static inline size_t tc_cells_count(const tc_cells *c) { return tc_graph_pixels(&c->graph); }
