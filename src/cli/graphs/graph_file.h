/* SPDX-License-Identifier: MIT
 *
 * graph_file.h - graphs in files: reading by content, writing by extension, whole or not at all.
 * One table of formats; a format is one file graph_*.c and one row in graph_file.c. docs/guide/formats.md
 * describes the program's own.
 *
 * Only graphs of the shape of a grid with 4 or 8 neighbours are held. Formats that list arcs
 * (DIMACS, .bbk) go through graph_arcs.h, which finds out whether the arcs make up a grid.
 */
#ifndef CLI_GRAPH_FILE_H
#define CLI_GRAPH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "tilecut.h"

/* A graph out of a file, ready for tilecut_graph_create(&graph, &saved.arrays). */
#define GRAPH_MAX_NODES ((int64_t)TILECUT_MAX_SIDE * TILECUT_MAX_SIDE) /* of a grid */

typedef struct saved_graph {
    int width, height, connectivity;
    double quantum;        /* units of the model per unit of capacity; 1 where the file does not say      */
    int64_t settled;       /* flow taken out while reading: source and sink links of one pixel that exceed
                              what tilecut_arrays holds. The maximum flow is the solver's plus this       */
    const char *format;    /* name of the format it was read from; static                                 */
    int64_t source_id, sink_id; /* numbers of these nodes in the file; 0: pixels are numbered from 0 alone */
    tilecut_arrays arrays; /* into `cells`                                                                */
    int32_t *cells;        /* owned: planes of width * height capacities                                  */
    uint64_t max_bytes;    /* of memory for it and for cutting it; 0: no limit                            */
} saved_graph;

/* Takes zeroed memory for a graph of that shape and points `arrays` into it; `symmetric`: every link has
 * the same capacity both ways and `from` stays NULL. Refuses (EXIT_INPUT) sides beyond TILECUT_MAX_SIDE
 * and (EXIT_RESOURCES) what needs more than graph->max_bytes, before taking any; the rest of `graph`
 * is set anew. `name` is for the sentence. */
int saved_graph_init(saved_graph *graph, const char *name, int64_t width, int64_t height,
                     int connectivity, bool symmetric, failure *why);
void saved_graph_free(saved_graph *graph);

/* Capacities of the links of pixel p in direction k (TILECUT_RIGHT ..): forward and backward. With a
 * symmetric graph both are the same cell. */
int32_t *saved_graph_to(const saved_graph *graph, int k, size_t p);
int32_t *saved_graph_from(const saved_graph *graph, int k, size_t p);

/* The number of pixel p in the file. */
int64_t saved_graph_node(const saved_graph *graph, size_t p);

/* Reads `path` ("-": standard input). `max_bytes` as in saved_graph. On failure `*out` is empty and the status
 * is EXIT_INPUT (unreadable, damaged, not a grid, too large) or EXIT_RESOURCES. The second form has the file in
 * memory already. */
int graph_read(const char *path, uint64_t max_bytes, saved_graph *out, failure *why);
int graph_decode(const char *name, const uint8_t *data, size_t size, uint64_t max_bytes, saved_graph *out,
                 failure *why);

/* Whether `path` can be written, by its extension ("-": the grid format): EXIT_DONE or EXIT_USAGE. */
int graph_can_write(const char *path, failure *why);
bool graph_extension(const char *path); /* whether it is the extension of a format of graphs */

/* Bytes a pixel that the file takes in memory before it is written; 0 for what cannot be written. */
uint64_t graph_file_bytes(const char *path, int connectivity);

/* Makes the file in memory, for file_write(); the second form writes it too. `quantum` as in
 * tilecut_report; formats without a place for it drop it. */
int graph_encode(const char *path, const tilecut_graph *graph, double quantum, bytes *out, failure *why);
int graph_write(const char *path, const tilecut_graph *graph, double quantum, failure *why);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *graph_format_line(int index);

/* ---- for graph_*.c ---- */

/* What a writer gets: the graph, its shape, and whether all its links are symmetric. */
typedef struct graph_source {
    const tilecut_graph *graph;
    int width, height, connectivity;
    bool symmetric;
    int64_t terminals, links; /* capacities above 0 of terminal links, and of links (each way counts) */
    double quantum;
    tilecut_row row;          /* memory for one row                                                    */
} graph_source;

typedef struct graph_format {
    const char *name, *line;
    const char *extensions; /* " max dimacs ", blank at both ends */
    bool (*probe)(const uint8_t *data, size_t size);
    int (*decode)(const char *name, const uint8_t *data, size_t size, saved_graph *out,
                  failure *why);
    /* Appends the file to `sink`; false: out of memory. */
    bool (*encode)(const graph_source *source, bytes *sink);
    int bytes_4, bytes_8; /* a pixel, of a large file with 4 and with 8 neighbours */
} graph_format;

#endif
