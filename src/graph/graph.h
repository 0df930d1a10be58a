/* SPDX-License-Identifier: MIT
 *
 * graph.h - graphs, which are the source of capacities: an energy (image and seeds) or the caller's arrays. Capacities
 * are read row by row, first to build the grid, and again to certify the answer. Solvers cannot change them.
 */
#pragma once

#include <stdbool.h>

#include "energy.h"
#include "grid.h"
#include "params.h"
#include "row_cache.h"
#include "rows.h"
#include "tilecut.h"
#include "tilecut_volume.h"

/* Capacities in arrays of the caller, as in tilecut_arrays or tilecut_volume_arrays. */
typedef struct tc_capacities {
    const int32_t *source, *sink;
    const int32_t *to[TC_LINKS], *from[TC_LINKS]; /* [pixels] by kind of link (lattice.h): forward and back; all set */
} tc_capacities;

struct tilecut_graph {
    int width, height, depth, connectivity; /* depth 1: an image with 4 or 8 neighbours; volumes have 6 or 26 */
    bool from_image;         /* true: the graph is from an image or a volume, so it has an energy */
    tc_energy energy;      /* valid if from_image                                                     */
    tc_bytes seeds, prior; /* owned copies of the rows with which the graph was made, if it needs them */
    tc_capacities arrays;  /* valid if not from_image                                                 */
    bool unchecked;        /* the capacities have not been checked; the code that builds the grid must do the work of
                              tc_graph_check() */
    tc_row_cache *rest;         /* a cache that compresses the energy's rows after they were first read; may be NULL */
};

/* Makes a complete copy of the caller's struct, and checks that the library accepts such an image. */
tilecut_status tc_image_read(tilecut_image *image, const tilecut_image *from);

/* Opens the prior mask of `setup`, if there is one, with the size of an image. Then it is packed. */
tilecut_status tc_prior_open(tc_bytes *prior, tc_setup *setup, int width, int height);

/* Returns EINVAL if the size of a volume is out of range. */
tilecut_status tc_volume_check_size(int width, int height, int depth);

/* Makes `graph` a graph of the caller's arrays, or returns EINVAL if one is missing or their size is out of range. */
tilecut_status tc_graph_of_arrays(tilecut_graph *graph, const tilecut_arrays *arrays);
tilecut_status tc_graph_of_volume(tilecut_graph *graph, const tilecut_volume_arrays *arrays);

/* Checks that the capacities of a graph from arrays are exact in float32; returns ERANGE if they are not. Reads rows
 * first .. end - 1, counted through all slices. `before` is the number of rows in the parts before this one, which is
 * added to row numbers in messages. */
tilecut_status tc_graph_check(const tilecut_graph *graph, int first, int end, int before, int threads);

static inline bool tc_graph_is_volume(const tilecut_graph *graph)
{
    return graph->connectivity == 6 || graph->connectivity == 26;
}

/* The number of pixels of a graph. */
static inline size_t tc_graph_pixels(const tilecut_graph *graph)
{
    return (size_t)graph->width * (size_t)graph->height * (size_t)graph->depth;
}

/* These do the work of tilecut_graph_from_image(), _destroy() and _row() inside the library. `image` must have been
 * checked, and rows of seeds must be packed. Both must outlive the graph. A row must have all its arrays. */
tilecut_status tc_graph_from_image(tilecut_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *setup);
/* Does the same as tc_graph_from_image(), but learns nothing: tc_energy_learn() or tc_energy_relearn() must do that
 * before the graph is cut. */
tilecut_status tc_graph_open(tilecut_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                             const tc_setup *setup);
void tc_graph_free(tilecut_graph *graph); /* does not free the seeds; NULL is allowed */
void tc_graph_row(const tilecut_graph *graph, int y, tilecut_row *row);

/* Allocates all arrays of a row of that width, zeroed and rounded up to whole vectors, so that loops over a row need no
 * special tail. Free the row after a failure, too. */
tilecut_status tc_row_init(tilecut_row *row, int width);
void tc_row_free(tilecut_row *row);

/* Rows of capacities of any lattice. Each array has one number per pixel of the row; kinds of links are those of
 * lattice.h. */
typedef struct tc_row_arrays {
    int32_t *source, *sink; /* `source` is owned, and all other arrays are part of it */
    int32_t *to[TC_LINKS], *from[TC_LINKS];
} tc_row_arrays;

/* Allocates all arrays for rows of at most that width. Free them after a failure, too. */
tilecut_status tc_row_arrays_init(tc_row_arrays *row, int width, int connectivity);
void tc_row_arrays_free(tc_row_arrays *row);

/* Does the same as tilecut_graph_row() for `n` pixels of row y, beginning at column x; rows are counted through all
 * slices. Links to neighbours outside these columns are undefined. */
void tc_graph_row_part(const tilecut_graph *graph, int x, int y, int n, const tc_row_arrays *row);

/* One row of capacities; arrays of the caller are not copied. Kinds of links are those of lattice.h. to[k] holds the
 * links from the row's pixels forward, and from[k] the links back to them; both are indexed by the pixel of this row.
 * back[k] is the array from[k] of the row from which links of kind k lead here, indexed by the pixel of that row; NULL
 * if there is no such row. Entries of pixels whose neighbour lies outside are undefined. from[k] == to[k] if the graph
 * is symmetric. */
typedef struct tc_row_view {
    int y, z; /* the row within its slice, and the slice */
    const int32_t *source, *sink;
    const int32_t *to[TC_LINKS], *from[TC_LINKS], *back[TC_LINKS];
} tc_row_view;

/* Calls visit(context, row, tile_row) for every row of `graph`, from top to bottom within each row of tiles. Different
 * threads may visit different rows of tiles, which are counted through all slices. If graph->rest is set, rows are
 * compressed after they are first read, and later calls read decompressed copies. Fails only if there is no memory for
 * a few rows. */
tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_row_view *row, int tile_row), void *context);
