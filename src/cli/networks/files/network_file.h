/* SPDX-License-Identifier: MIT
 *
 * network_file.h - reads graphs of any shape from files. src/cli/graphs reads the formats that can hold a grid, and
 * hands the graph on if it is not one. Other formats are rows of network_formats.def, with one file net_*.c each. Files
 * compressed with gzip are unpacked first.
 */
#pragma once

#include "arcs.h"
#include "failure.h"
#include "file.h"
#include "graph_file.h"

/* How to read a file, as far as the file does not say it itself. */
typedef struct network_reading {
    bool undirected;      /* true: edges go both ways                                      */
    bool sides;           /* true: a bipartite graph: rows and columns have numbers of their own */
    bool costs;           /* true: values are costs: they may be negative, and a matrix may be full */
    bool steps;           /* true: only the nodes that an arc joins count, so a value may be any number; inf: no arc */
    /* the flow of each arc is wanted; a grid whose solvers cannot give it is read as a graph of any shape */
    bool flow;
    bool matrix, edges;   /* the user says that a text of numbers is a matrix, or a list of edges; neither: its shape
                             decides */
    bool always;          /* true: grids are read as graphs of any shape, too                      */
    bool named;           /* true: the user named the solver, as in arc_list                       */
    file_halves *halves;  /* how to read values as doubles (scaled.h); NULL: read them as decimals */
    /* bytes of memory for reading and solving; 0: no limit, but for network_read() the free memory */
    uint64_t most_bytes;
} network_reading;

typedef struct saved_network {
    arc_list list;
    const char *format; /* name of the format; static       */
    int64_t base;       /* the number of node 0 in the file */
    int64_t left;       /* in a bipartite graph, nodes 0 .. left - 1 are rows, the others columns */
    bool together;      /* true: in the file, the numbers of columns follow those of the rows */
    char hint[240];     /* how an ambiguous text was read; "": it was not ambiguous */
    bool terminals;     /* true: source and sink are named in the file, or are extra nodes of the format */
    /* The graph's numbering, for formats of src/cli/graphs in which source and sink have numbers that no pixel has. */
    saved_graph numbers;
} saved_network;

/* Decodes a file in memory. If it is a grid, `grid` is not NULL and options->always is not set, the graph goes to
 * `grid`, and `out` has no nodes. After a failure both are empty: EXIT_INPUT, EXIT_RESOURCES. */
int network_decode(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                   saved_network *out, saved_graph *grid, failure *why);

/* Reads the file `path` ("-": standard input) by network_decode(). */
int network_read(const char *path, const network_reading *options, saved_network *out, saved_graph *grid, failure *why);
void saved_network_free(saved_network *network);

/* If an ambiguous text was read, says how: in a note, or after a refusal in its sentence. */
void saved_network_hint(const saved_network *network, const char *name, notes *log, failure *why);

/* Returns the number of a node in its file; 0 for a terminal without one. */
int64_t saved_network_node(const saved_network *network, int64_t node);

/* Prints a space and a value in the file's scale: as a fraction, if the file has fractions. */
void saved_network_print_value(const saved_network *network, int64_t value);

/* Prints a space and the number of a node; a terminal without a number is s or t. */
void saved_network_print(const saved_network *network, int64_t node);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *network_format_line(int index);

/* Rows of a table of options, which fill the members `matrix` and `edges` of `type`, as network_reading has them. */
#define OPTIONS_TABLE(type)                                                                                            \
    {.name = "matrix", .help = "a table of numbers is a matrix, a row a line\n(default: told from its shape)",         \
     .at = offsetof(type, matrix)},                                                                                    \
    {.name = "edges", .help = "a table of numbers is a list of edges, FROM TO VALUE a line",                           \
     .at = offsetof(type, edges)}

/* Returns EXIT_USAGE if both `matrix` and `edges` are given. */
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

/* Fails with EXIT_RESOURCES: the list cannot hold more than `arcs` arcs. */
int network_full(const saved_network *out, const char *name, int64_t arcs, failure *why);

/* Reads the next word as the value of an arc. For a flow it is a capacity from 0 to inf. For an assignment it is a
 * cost; inf forbids the pair. For a search any number is accepted; inf means that there is no arc. For a matching any
 * word is accepted except NA and nan, which do not say if the pair exists. EXIT_INPUT with the line. */
struct lines; /* lines.h */
int network_value(struct lines *text, const network_reading *options, file_number *out);

/* Like network_value(), for a cell of a table. There 0 means that there is no arc (*none), unless the
 * values are costs. */
int network_cell(struct lines *text, const network_reading *options, file_number *out, bool *none);

/* Adds an arc, and its reverse if options->undirected; leaves a forbidden pair out. Refuses an arc that does not fit
 * into memory, and a value that cannot be scaled together with the others. */
int network_put(struct lines *text, saved_network *out, const network_reading *options, int64_t tail, int64_t head,
                file_number value);
