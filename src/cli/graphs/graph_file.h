/* SPDX-License-Identifier: MIT
 *
 * graph_file.h - graphs in files. When reading, the content decides the format; when writing, the extension. A file is
 * written whole or not at all. A format is one file graph_*.c and one row of the table in graph_file.c; graph_shape.c
 * has what all formats need to know about grids. docs/guide/formats.md describes the program's own format.
 *
 * Only grids are kept here: in the plane with 4 or 8 neighbours, in space with 6. Formats that list arcs (DIMACS, .bbk)
 * go through graph_arcs.h, which finds out if the arcs form a grid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "tilecut.h"
#include "tilecut_volume.h"

/* The most nodes of a grid. */
#define GRAPH_MAX_NODES ((int64_t)TILECUT_MAX_SIDE * TILECUT_MAX_SIDE)

/* Receives the arcs of a graph that is not a grid. Its nodes 0 .. nodes - 1 are pixels, `nodes` is the source, and
 * nodes + 1 the sink. */
typedef struct graph_any {
    bool always;  /* true: receives the arcs of grids, too                         */
    bool taken;   /* result: the arcs have been received here, so there is no grid */
    int64_t nodes; /* result: number of nodes without source and sink */
    struct file_halves *halves; /* how to read capacities as doubles (scaled.h); NULL: read them as decimals */
    int decimals;  /* result: capacities have been multiplied by 10^decimals to make fractions whole */
    /* Called first, with the numbers of nodes and arcs that will come. EXIT_DONE or EXIT_RESOURCES. */
    int (*begin)(void *into, const char *name, int64_t nodes, int64_t arcs, failure *why);
    bool (*put)(void *into, int64_t tail, int64_t head, int64_t capacity); /* returns false if memory runs out */
    void *into;
} graph_any;

/* A grid's size. In space, slices lie one below the other: row y of slice z is row z * height + y of the planes
 * of capacities. */
typedef struct graph_shape {
    int64_t width, height, depth; /* depth: number of slices; 1 in the plane               */
    int connectivity;             /* number of neighbours: 4 or 8 in the plane, 6 in space */
} graph_shape;

enum { GRAPH_SHAPE_TEXT = 80 };
void graph_shape_text(const graph_shape *s, char out[GRAPH_SHAPE_TEXT]); /* writes "640x480" or "64x64x32" */

/* The step from a pixel to its neighbour in direction k = 0 .. connectivity / 2 - 1. In the plane the directions are
 * TILECUT_RIGHT and those that follow it; in space they are x, y and z. */
typedef struct graph_step {
    int x, y, z;
} graph_step;
graph_step graph_step_of(int connectivity, int k);

/* A grid read from a file, ready for tilecut_graph_create(&graph, &saved.arrays). */
typedef struct saved_graph {
    int width, height, connectivity;
    int depth;             /* number of slices; 1 in the plane                                    */
    double quantum;        /* units of the model per unit of capacity; 1 if the file does not say */
    /* flow settled while reading, at pixels whose terminal links exceed what tilecut_arrays holds; the maximum flow is
     * the solver's flow plus this */
    int64_t settled;
    const char *format;    /* name of the file's format; static */
    int64_t source_id, sink_id; /* numbers of source and sink in the file; 0: the file numbers only pixels, from 0 */
    /* point into `cells`. In space, width and height are those of a slice, and to[0] to to[2] are links along x, y and
     * z: see saved_graph_volume() */
    tilecut_arrays arrays;
    int32_t *cells;        /* owned: planes of width * height * depth capacities                            */
    uint64_t max_bytes;    /* limit on memory in bytes for the graph and for cutting it; 0: none            */
    graph_any *any;        /* receives the arcs of graphs that are not grids; NULL: such graphs are refused */
} saved_graph;

/* Allocates zeroed memory for a graph of this shape and points `arrays` into it. `symmetric`: each link has the
 * same capacity both ways, and `from` stays NULL. Refuses sizes that the library does not take (EXIT_INPUT) and
 * graphs that need more than graph->max_bytes (EXIT_RESOURCES). Resets all other members of `graph`. `name` is
 * for the error message. */
int saved_graph_init(saved_graph *graph, const char *name, const graph_shape *shape, bool symmetric, failure *why);
void saved_graph_free(saved_graph *graph);

static inline size_t saved_graph_pixels(const saved_graph *graph)
{
    return (size_t)graph->width * (size_t)graph->height * (size_t)graph->depth;
}

/* Returns the capacities of a graph in space, in the form that tilecut_volume_solve() takes. */
tilecut_volume_arrays saved_graph_volume(const saved_graph *graph);

/* Return the link capacity of pixel p in direction k (TILECUT_RIGHT ..), forward and backward. In a symmetric graph
 * both are the same cell. */
int32_t *saved_graph_to(const saved_graph *graph, int k, size_t p);
int32_t *saved_graph_from(const saved_graph *graph, int k, size_t p);

/* Returns the number of pixel p in the file. */
int64_t saved_graph_node(const saved_graph *graph, size_t p);

/* Reads the bytes of the file `path` ("-": standard input), at most `max_bytes` (0: no limit). */
int graph_load(const char *path, uint64_t max_bytes, bytes *out, failure *why);

/* Reads a graph from the bytes of a file. `max_bytes` is as in saved_graph. The arcs of a graph that is not a grid go
 * to `any`, and *out then has no capacities; if `any` is NULL, such a graph is refused. After a failure *out is empty,
 * and the status is EXIT_INPUT (unreadable, damaged, not a grid, too large) or EXIT_RESOURCES. */
int graph_decode(const char *name, const uint8_t *data, size_t size, uint64_t max_bytes, graph_any *any,
                 saved_graph *out, failure *why);

/* True if the data are in one of the formats for graphs. */
bool graph_known(const uint8_t *data, size_t size);

/* Returns EXIT_DONE if the extension of `path` belongs to a format that can be written ("-": the grid format),
 * else EXIT_USAGE. */
int graph_can_write(const char *path, failure *why);
bool graph_extension(const char *path); /* true if a format of graphs has this extension */

/* Returns the memory in bytes per pixel that the encoded file takes; 0 if `path` cannot be written. */
uint64_t graph_file_bytes(const char *path, int connectivity);

/* graph_encode() makes the file in memory, for file_write(); graph_write() makes and writes it. `quantum` is as in
 * tilecut_report; formats without a field for it drop it. */
int graph_encode(const char *path, const tilecut_graph *graph, double quantum, bytes *out, failure *why);
int graph_write(const char *path, const tilecut_graph *graph, double quantum, failure *why);

/* Like graph_encode() and graph_write(), for a grid in space. */
int graph_encode_volume(const char *path, const tilecut_volume_arrays *volume, double quantum, bytes *out,
                        failure *why);
int graph_write_volume(const char *path, const tilecut_volume_arrays *volume, double quantum, failure *why);

/* Prints a line "f FROM TO FLOW" for each arc that carries flow. For grids in the plane. */
void graph_print_flow(const saved_graph *saved, const tilecut_flow *carried);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *graph_format_line(int index);

/* ---- for graph_*.c ---- */

/* Passed to a writer: the graph, its shape, and figures for the header. */
typedef struct graph_source {
    const tilecut_graph *graph;          /* the graph, if it is a grid in the plane; NULL for a volume */
    const tilecut_volume_arrays *volume;
    int width, height, depth, connectivity;
    bool symmetric;
    /* numbers of terminal links and of links (each direction counts) whose capacity is above 0 */
    int64_t terminals, links;
    double quantum;
    tilecut_row row;          /* scratch memory for one row */
} graph_source;

/* Writes row r = z * height + y of the capacities to source->row. Links that would leave the grid are 0. */
void graph_source_row(const graph_source *source, int r);

/* True if pixel x of row r has a neighbour in direction k. */
bool graph_source_has(const graph_source *source, int x, int r, int k);

static inline int graph_source_rows(const graph_source *source)
{
    return source->height * source->depth;
}

/* Returns the difference between the numbers of a pixel's neighbour in direction k and of the pixel,
 * counting row by row. */
static inline int64_t graph_source_step(const graph_source *source, int k)
{
    const graph_step step = graph_step_of(source->connectivity, k);
    return step.x + ((int64_t)step.z * source->height + step.y) * source->width;
}

typedef struct graph_format {
    const char *name, *line;
    const char *extensions; /* file extensions, as " max dimacs ", with blanks at both ends */
    bool (*probe)(const uint8_t *data, size_t size);
    int (*decode)(const char *name, const uint8_t *data, size_t size, saved_graph *out, failure *why);
    /* Appends the encoded file to `sink`. Returns false if memory runs out. */
    bool (*encode)(const graph_source *source, bytes *sink);
    int bytes_4, bytes_8; /* bytes per pixel of a large file, with 4 and with 8 neighbours */
} graph_format;
