/* SPDX-License-Identifier: MIT
 *
 * network_file.h - reads graphs of any shape from files. Formats that can hold a grid are read by src/cli/graphs, which
 * hands the graph on if it is no grid. Other formats are rows of network_formats.def, one file net_*.c each. Files
 * compressed with gzip are unpacked first.
 */
#pragma once

#include "arcs.h"
#include "failure.h"
#include "file.h"
#include "graph_file.h"

/* What the reader cannot see in the file. */
typedef struct network_reading {
    bool undirected;      /* edges go both ways                                              */
    bool sides;           /* a bipartite graph: rows and columns are numbered apart          */
    bool costs;           /* values are costs: they may be negative, and a matrix may be full */
    bool steps;           /* only which nodes an arc joins counts, so values may be any number; inf: there is no arc */
    bool flow;            /* the flow of each arc is wanted: if solvers of grids cannot tell it, the graph is read as
                             no grid */
    bool matrix, edges;   /* a text of numbers is a matrix, is a list of edges; neither: its shape says     */
    bool always;          /* grids are read as graphs of any shape, too                      */
    bool named;           /* a solver was named, as in arc_list                              */
    file_halves *halves;  /* values are read as doubles: see scaled.h; NULL: as they are     */
    uint64_t most_bytes;  /* bytes of memory for reading and solving; 0: no limit, and for network_read() what is
                             free */
} network_reading;

typedef struct saved_network {
    arc_list list;
    const char *format; /* static                                                             */
    int64_t base;       /* the number that node 0 has in the file                             */
    int64_t left;       /* in a bipartite graph nodes before this one are rows, all later ones columns */
    bool together;      /* numbers of columns continue those of the rows                       */
    char hint[240];     /* how a text was read that could be read otherwise; "": there is no doubt    */
    bool terminals;     /* the file names source and sink, or has some of its own              */
    /* For formats of src/cli/graphs with numbers for source and sink: the numbers of pixels leave these out. */
    saved_graph numbers;
} saved_network;

/* Decodes a file in memory. A grid, unless options->always, ends in `grid`, if that is not NULL, and leaves
 * `out` without nodes. On failure both are empty: EXIT_INPUT, EXIT_RESOURCES. */
int network_decode(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                   saved_network *out, saved_graph *grid, failure *why);

/* network_decode() of the file `path` ("-": standard input). */
int network_read(const char *path, const network_reading *options, saved_network *out, saved_graph *grid, failure *why);
void saved_network_free(saved_network *network);

/* Tells how a text was read that could be read otherwise, if there is anything to tell: in a note, or after a refusal
 * in its sentence. */
void saved_network_hint(const saved_network *network, const char *name, notes *log, failure *why);

/* The number that a node has in its file; 0 for terminals without one. */
int64_t saved_network_node(const saved_network *network, int64_t node);

/* Prints a space and a value of the file's scale: a fraction, if values of the file are some. */
void saved_network_print_value(const saved_network *network, int64_t value);

/* Prints a space, and the number of a node, or s or t for a terminal without one. */
void saved_network_print(const saved_network *network, int64_t node);

/* One line a format for `tilecut info` and the help; NULL past the end. */
const char *network_format_line(int index);

/* Rows of a table of options, for the two fields of `type` that network_reading has, too. */
#define OPTIONS_TABLE(type)                                                                                            \
    {.name = "matrix", .help = "a table of numbers is a matrix, a row a line\n(default: told from its shape)",         \
     .at = offsetof(type, matrix)},                                                                                    \
    {.name = "edges", .help = "a table of numbers is a list of edges, FROM TO VALUE a line",                           \
     .at = offsetof(type, edges)}

/* EXIT_USAGE if both `matrix` and `edges` are given. */
int network_reading_check(bool matrix, bool edges, failure *why);

/* ---- for net_*.c ---- */

typedef struct network_format {
    const char *name, *line;
    bool (*probe)(const uint8_t *data, size_t size, const network_reading *options);
    int (*decode)(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                  saved_network *out, failure *why);
} network_format;

#define NETWORK_FORMAT(name) extern const network_format network_format_##name;
#include "network_formats.def"
#undef NETWORK_FORMAT

/* EXIT_RESOURCES: the list of arcs takes no more than `arcs`. */
int network_full(const saved_network *out, const char *name, int64_t arcs, failure *why);

/* Reads the next word as the value of an arc: a capacity from 0 to inf, a cost, where inf forbids the pair, or where
 * only steps count, any number, of which inf means that there is no arc. A matching takes any word, except NA and nan,
 * which leave open whether the pair is there. EXIT_INPUT with the line. */
struct lines; /* lines.h */
int network_value(struct lines *text, const network_reading *options, file_number *out);

/* The same of a cell of a table, where 0 means that there is no arc (*none), unless it is a cost. */
int network_cell(struct lines *text, const network_reading *options, file_number *out, bool *none);

/* Adds an arc, and its reverse if options->undirected; a forbidden pair is left out. Refuses an arc that does
 * not fit, and a value that cannot be scaled together with the others. */
int network_put(struct lines *text, saved_network *out, const network_reading *options, int64_t tail, int64_t head,
                file_number value);
