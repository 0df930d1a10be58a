/* SPDX-License-Identifier: MIT
 *
 * graph.h - where capacities come from: an energy (image and seeds) or the caller's arrays. They are read row by row,
 * first to build the grid, and again to certify the answer. Solvers cannot change them.
 */
#ifndef TC_GRAPH_H
#define TC_GRAPH_H

#include <stdbool.h>

#include "energy.h"
#include "grid.h"
#include "params.h"
#include "rest.h"
#include "rows.h"
#include "tilecut.h"

struct tilecut_graph {
    int width, height, connectivity;
    bool from_image;
    tc_energy energy;      /* if from_image                                                  */
    tc_seeds seeds;        /* a copy of the seeds that it was made with, if one was needed   */
    tilecut_arrays arrays; /* if not from_image                                              */
    tc_rest *rest;         /* NULL, or what the energy reads rests once all rows were streamed */
};

/* Makes a complete copy of the caller's struct, and checks that the library takes such an image. */
tilecut_status tc_image_read(tilecut_image *image, const tilecut_image *given);

/* Checks the strides and rows of the prior mask in `setup` for that image. */
tilecut_status tc_prior_check(const tc_setup *setup, const tilecut_image *image);

/* Checks that arrays are as tilecut.h demands: all given, of a possible size, and exact in float32. */
tilecut_status tc_arrays_check(const tilecut_arrays *arrays);

/* tilecut_graph_from_image(), _destroy() and _row() inside the library. `image` has been checked, and rows of seeds
 * are packed. Both must outlive the graph. A row must have all its arrays. */
tilecut_status tc_graph_from_image(tilecut_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *setup);
/* The same, but nothing is learnt yet: tc_energy_learn() or tc_energy_relearn() does that before it is cut. */
tilecut_status tc_graph_open(tilecut_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                             const tc_setup *setup);
void tc_graph_free(tilecut_graph *graph); /* leaves seeds alone; NULL is fine */
void tc_graph_row(const tilecut_graph *graph, int y, tilecut_row *row);

/* Allocates all arrays of a row of that width, zeroed and rounded up to whole vectors, so that loops over a row need
 * no special tail. Free the row after a failure, too. */
tilecut_status tc_row_init(tilecut_row *row, int width);
void tc_row_free(tilecut_row *row);

/* One row of capacities; those in the caller's arrays are not copied. Entries whose neighbour lies outside the image
 * are undefined here. from[k] == to[k] if the graph is symmetric; to[2], to[3] are NULL with 4 neighbours. */
typedef struct tc_row_view {
    const int32_t *source, *sink;
    const int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tc_row_view;

/* Like tilecut_graph_row(), for the `n` pixels of row y from column x on. Links to neighbours that are neither among
 * those pixels nor among the n below them are undefined. In a symmetric graph row->from[k] becomes row->to[k]. */
void tc_graph_row_part(const tilecut_graph *graph, int x, int y, int n, tilecut_row *row);

/* A row and the row above it, which has the other ends of its upward links. `above` is empty for y = 0. */
typedef struct tc_two_rows {
    int y;
    tc_row_view here, above;
} tc_two_rows;

/* Calls visit(context, rows, tile_row) for every row of `graph`, from top to bottom within each row of tiles.
 * Different threads may have different rows of tiles. If there is graph->rest, what was read is squeezed the first time
 * and read from copies after that. Fails only if there is no memory for a few rows. */
tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_two_rows *rows, int tile_row), void *context);

#endif
