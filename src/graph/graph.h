/* SPDX-License-Identifier: MIT
 *
 * graph.h - where capacities come from: an energy (image and seeds) or the caller's arrays. Capacities are
 * read row by row, first to build the grid and again, untouched by any solver, to certify its answer.
 */
#ifndef TC_GRAPH_H
#define TC_GRAPH_H

#include <stdbool.h>

#include "energy.h"
#include "grid.h"
#include "params.h"
#include "rows.h"
#include "tilecut.h"

struct tilecut_graph {
    int width, height, connectivity;
    bool from_image;
    tc_energy energy;      /* if from_image                                                  */
    tc_seeds seeds;        /* those it was made with, if they had to be copied; else nothing */
    tilecut_arrays arrays; /* if not from_image                                              */
};

/* A complete copy of the caller's struct, if the library takes images like that one. */
tilecut_status tc_image_read(tilecut_image *image, const tilecut_image *given);

/* Whether the rows of a wish for it can be there. */
tilecut_status tc_wish_check(const tc_setup *setup, const tilecut_image *image);

/* Whether arrays hold what tilecut.h asks for: all in place, of a size that can be, and exact. */
tilecut_status tc_arrays_check(const tilecut_arrays *arrays);

/* What tilecut_graph_from_image(), _destroy() and _row() are behind the door: `image` is checked, rows of seeds follow
 * each other, and both outlive the graph; a row has all its arrays. */
tilecut_status tc_graph_from_image(tilecut_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *setup);
void tc_graph_free(tilecut_graph *graph); /* leaves graph->seeds alone; NULL is fine */
void tc_graph_row(const tilecut_graph *graph, int y, tilecut_row *row);

/* Memory for all arrays of a row of that width, zeroed and to whole vectors, so that loops over a row need no careful
 * tail; to be freed after a failure too. */
tilecut_status tc_row_init(tilecut_row *row, int width);
void tc_row_free(tilecut_row *row);

/* One row as it is, without copying what is in arrays already. Entries whose neighbour lies outside the
 * image are not defined here. from[k] == to[k] where a graph is symmetric; to[2], to[3] are NULL for 4
 * neighbours. */
typedef struct tc_row_view {
    const int32_t *source, *sink;
    const int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tc_row_view;

/* tilecut_graph_row() for `n` pixels of row y from column x on; links to neighbours that are not among those pixels and
 * the n below come out undefined. Of a symmetric graph row->from[k] becomes row->to[k]. */
void tc_graph_row_part(const tilecut_graph *graph, int x, int y, int n, tilecut_row *row);

/* A row and the one above it, which holds the other ends of its upward links. above is empty for y = 0. */
typedef struct tc_two_rows {
    int y;
    tc_row_view here, above;
} tc_two_rows;

/* Calls visit(context, rows, tile_row) for every row of `graph`, top to bottom within each row of tiles; rows of tiles
 * go to different threads. Fails only for want of memory for a few rows. */
tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_two_rows *rows, int tile_row), void *context);

#endif
