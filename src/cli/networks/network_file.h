/* SPDX-License-Identifier: MIT
 *
 * network_file.h - reads graphs of any shape from files. Formats that can hold a grid are read by src/cli/graphs, which
 * hands the graph on if it is no grid. Other formats are rows of network_formats.def, one file net_*.c each. Files
 * compressed with gzip are unpacked first.
 */
#ifndef CLI_NETWORK_FILE_H
#define CLI_NETWORK_FILE_H

#include "arcs.h"
#include "failure.h"
#include "file.h"
#include "graph_file.h"

/* What the reader cannot see in the file. */
typedef struct network_wish {
    bool undirected;      /* edges go both ways                                              */
    bool sides;           /* a bipartite graph: rows and columns are numbered apart          */
    bool costs;           /* values are costs: they may be negative, and a matrix may be full */
    bool flow;            /* of each arc is wanted: what solvers of grids cannot tell is no grid */
    bool always;          /* grids are read as graphs of any shape, too                      */
    bool named;           /* a solver was named, as in arc_list                              */
    uint64_t most_bytes;  /* of memory, for reading and solving; 0: no limit, and for
                             network_read() what is free                                     */
} network_wish;

typedef struct saved_network {
    arc_list list;
    const char *format; /* static                                                             */
    int64_t base;       /* the number that node 0 has in the file                             */
    int64_t left;       /* of a bipartite graph: the nodes before are rows, those from it on columns */
    bool together;      /* numbers of columns continue those of the rows                       */
    bool terminals;     /* the file names source and sink, or has some of its own              */
    /* For formats of src/cli/graphs with numbers for source and sink: the numbers of pixels leave these out. */
    saved_graph numbers;
} saved_network;

/* Decodes a file in memory. A grid, unless wish->always, ends in `grid`, if that is not NULL, and leaves `out` without
 * nodes. On failure both are empty: EXIT_INPUT, EXIT_RESOURCES. */
int network_decode(const char *name, const uint8_t *data, size_t size, const network_wish *wish, saved_network *out,
                   saved_graph *grid, failure *why);

/* The same of the file `path` ("-": standard input). */
int network_read(const char *path, const network_wish *wish, saved_network *out, saved_graph *grid, failure *why);
void saved_network_free(saved_network *network);

/* The number that a node has in its file; 0 for terminals without one. */
int64_t saved_network_node(const saved_network *network, int64_t node);

/* Prints a space, and the number of a node, or s or t for a terminal without one. */
void saved_network_print(const saved_network *network, int64_t node);

/* One line a format for `tilecut info` and the help; NULL past the end. */
const char *network_format_line(int index);

/* ---- for net_*.c ---- */

typedef struct network_format {
    const char *name, *line;
    bool (*probe)(const uint8_t *data, size_t size);
    int (*decode)(const char *name, const uint8_t *data, size_t size, const network_wish *wish, saved_network *out,
                  failure *why);
} network_format;

#define NETWORK_FORMAT(name) extern const network_format network_format_##name;
#include "network_formats.def"
#undef NETWORK_FORMAT

/* Reads the next word as the value of an arc: a capacity of at least 0, or a cost. A matching needs none, so the rest
 * of the line is passed over. NULL, or what is wrong with it. */
struct lines; /* lines.h */
const char *network_value(struct lines *text, const network_wish *wish, int64_t *out);

/* Adds an arc, and its reverse if wish->undirected. Refuses an arc that does not fit; the sentence names `name`. */
int network_put(saved_network *out, const char *name, const network_wish *wish, int64_t tail, int64_t head,
                int64_t value, failure *why);

#endif
