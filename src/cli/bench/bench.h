/* SPDX-License-Identifier: MIT
 *
 * bench.h - what the parts of the verb `bench` share:
 *   bench_options.c   reads the options
 *   bench_plan.c      plans which instances are solved
 *   bench_instances.c makes the instances
 *   bench_networks.c  makes graphs of any shape, and runs a solver on one
 *   bench_labels.c    does the same for energies of many labels; label_peers.c has simple methods to compare with
 *   bench_turns.c     lets the contestants (solvers and peer programs) run in turns
 *   bench_run.c       makes one run and measures its times
 *   bench_peers.c     runs peer programs
 *   bench_report.c, bench_summary.c, bench_plot.c  print the results
 *
 * All contestants start from the same capacities in memory and run in turns. A round is one run of each contestant, so
 * a machine that slows down slows all of them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"
#include "failure.h"
#include "synthetic.h"
#include "graph_file.h"
#include "inputs.h"
#include "label_families.h"
#include "network_families.h"
#include "network_run.h"
#include "scan_instance.h"
#include "sha256.h"
#include "tilecut.h"

enum { BENCH_RUNS_MOST = 99, BENCH_NAME = 64, BENCH_TEMPORARY = 1024 };

/* Writes a template for mkstemp() or mkdtemp(), with a path in TMPDIR or /tmp. */
void bench_temporary(char out[BENCH_TEMPORARY]);

/* The problem that an instance poses. Each problem has contestants and peers of its own. */
enum bench_problem {
    BENCH_GRID,  /* the minimum cut of a grid                 */
    BENCH_FLOW,  /* the minimum cut of a graph of any shape   */
    BENCH_MATCH, /* the largest matching of a bipartite graph */
    BENCH_ASSIGN, /* the cheapest assignment of rows to columns */
    BENCH_LABELS  /* a labelling of low energy with many labels */
};
enum { BENCH_GRIDS = 1 << BENCH_GRID, BENCH_FLOWS = 1 << BENCH_FLOW,
       BENCH_PAIRS = 1 << BENCH_MATCH | 1 << BENCH_ASSIGN, BENCH_LABELLINGS = 1 << BENCH_LABELS };

const char *bench_problem_name(enum bench_problem problem);
enum bench_problem bench_family_problem(const network_family *kind);

/* ---- instances -------------------------------------------------------------------------------- */

/* Describes an instance to be made. A description takes little memory, so the whole plan is made first, and errors in
 * it are refused before work begins. */
typedef struct bench_spec {
    char family[BENCH_NAME], name[BENCH_NAME]; /* "photo", "coffee" */
    /* family of grids; NULL: the instance is a network, or a saved graph in `path` */
    const struct family *kind;
    family_request request;
    const network_family *network;             /* family of networks; NULL: none */
    network_request shape;
    const char *space;                         /* name of a family of volumes, whose size is request.size; NULL: none */
    label_request many;                        /* family with many labels; its name is NULL if there is none */
    /* the problem in the file `path`; BENCH_GRID: the file's shape decides */
    enum bench_problem file;
    char *path, *seeds_path;                   /* photo and seeds, or a graph; owned, may be NULL */
} bench_spec;

typedef struct bench_plan {
    bench_spec *specs; /* owned */
    int count;
} bench_plan;

typedef struct bench_request {
    option_list families, graphs;  /* `families` holds words already split at commas */
    option_list matches, assigns;  /* files with bipartite graphs                    */
    int *sizes, size_count;
    bool usual_sizes;              /* true: no sizes were given; volumes have other default sizes than grids */
    double *lambdas;               /* values of lambda to run photos with */
    int lambda_count;
    double move;                   /* percent of the seeds that a re-solve moves */
    bool whole;                    /* true: also measure the whole way from pixels to mask */
    int connectivity;              /* number of neighbours in grids: 8, or 0 for 4  */
    int labels;                    /* number of labels in families with many labels */
    int64_t seed;
    const char *image;             /* the user's photo, read with the options in `in` */
    inputs in;
} bench_request;

int bench_plan_make(const bench_request *reading, bench_plan *plan, notes *log, failure *why);
void bench_plan_free(bench_plan *plan);

/* An instance: capacities in memory, and a graph that reads them. */
typedef struct bench_instance {
    enum bench_problem problem;
    /* if the problem is not BENCH_GRID: the network is any.saved, whose columns are numbered from 0 */
    network_run any;
    instance made;
    saved_graph saved;
    scan_instance space;
    tilecut_volume_arrays volume; /* a grid in space, which has no `graph`; depth 0: none */
    tilecut_graph *graph;
    /* the graph as made from a photo and its seeds; NULL: there is no photo, or it is not needed */
    tilecut_graph *photo;
    label_energy many;        /* the energy of BENCH_LABELS, which has no `graph` either */
    uint8_t *moved;           /* a copy of the photo's seeds in which some have moved; owned */
    int width, height;  /* size in pixels; for a network, the size and depth of its family, or 0 */
    int slices;         /* depth of a grid in space; else 0 */
    int connectivity;   /* number of neighbours in a grid, 4, 8 or 6; else 0 */
    double lambda;      /* weight of a photo's boundary term; negative if the instance is not a photo */
    double quantum;
} bench_instance;

int bench_instance_make(const bench_spec *spec, bench_request *reading, bench_instance *out, notes *log, failure *why);
void bench_instance_free(bench_instance *it);

/* Makes the network of a family, or takes over the network that a file held. */
int bench_network_make(const bench_spec *spec, bench_instance *out, failure *why);
int bench_network_read(const bench_spec *spec, bench_instance *out, notes *log, failure *why);

/* Writes the network for peers (tools/peers/peer_network.h). */
int bench_network_write(const bench_instance *it, const char *path, failure *why);

/* bench_labels_make() makes an energy of many labels. bench_labels_write() writes it for peers
 * (tools/peers/labels-bk.cpp). bench_labels_are() checks that the labels in file `mask` have the energy that the peer
 * has printed. */
int bench_labels_make(const bench_spec *spec, bench_instance *out, failure *why);
int bench_labels_write(const bench_instance *it, const char *path, failure *why);
bool bench_labels_are(const bench_instance *it, const char *mask, int64_t energy);

/* ---- contestants and their results ------------------------------------------------------------ */

typedef struct bench_times {
    double build, copy, solve; /* milliseconds                                                    */
    /* milliseconds of the whole call, with certificate and mask; for a peer, build + copy + solve */
    double all;
} bench_times;

/* What a row times. */
enum bench_method {
    BENCH_COLD,  /* cold: solving a graph whose capacities are in memory */
    /* warm: a session solves the graph with some seeds moved; then they move back, and the second solve is timed */
    BENCH_WARM,
    BENCH_WHOLE  /* whole: from a photo and its seeds, including learning the colours and building the graph */
};

/* One contestant on one instance; a row of the table. */
typedef struct bench_row {
    char family[BENCH_NAME], name[BENCH_NAME], solver[BENCH_NAME];
    int file;                       /* a graph from a file is a family of its own: its number, from 1; else 0 */
    enum bench_problem problem;
    int width, height, slices, threads; /* slices: depth of a grid in space; else 0 */
    int connectivity;               /* neighbours per pixel of a grid; else 0                        */
    int64_t nodes, arcs;            /* numbers of nodes and arcs; the arcs of a grid are not counted */
    enum bench_method way;
    double lambda;
    const char *device;
    const char *chosen;             /* the solver that ran; differs from `solver` for "auto"; NULL: a peer */
    bench_times run[BENCH_RUNS_MOST];
    int runs;                       /* number of runs; 0: the contestant did not run, and `reason` says why */
    char reason[160];
    bool overtime;                  /* true: the contestant was stopped or left out because it is too slow */
    bool unwanted;                  /* true: the contestant did not run because it cannot solve this instance */
    bool no_device;                 /* true: the contestant did not run because its device is missing */
    double bytes_per_pixel;         /* memory per pixel; for a network, per arc                 */
    int64_t flow;                   /* the flow, the number of pairs, the cost of the assignment, or the energy */
    int labels;                     /* number of labels for BENCH_LABELS; else 0 */
    bool bounded;                   /* true: `bound` is a lower bound of the energy */
    double bound;
    bool may_differ;                /* true: an approximate method, whose labels may differ from the first row's */
    char mask_sha256[SHA256_TEXT];  /* hash of the mask, the sides or the cover; "": the contestant returns none */
    int certified;                  /* 1 if the answer is certified, 0 if not, -1 if unknown */
    bool differs;                   /* true: the answer differs from that of the instance's first row */
    /* filled in by bench_summarise() */
    bench_times median;
    double solve_min, total, total_min; /* total = build + copy + solve; its median and minimum     */
    double ratio_bk, ratio_bk_min;      /* time of bk divided by this row's time; negative: unknown */
} bench_row;

typedef struct bench_rows {
    bench_row *row; /* owned */
    int count;
} bench_rows;

/* True if both rows are of one family or from one file. A solver's time on one instance then tells what to expect
 * on the other. */
bool bench_same_family(const bench_row *a, const bench_row *b);
bool bench_same_solver(const bench_row *a, const bench_row *b); /* True if solver and number of threads are equal */

/* Returns the size of a row's instance in pixels, or for a network in arcs. */
double bench_size(const bench_row *row);

/* Writes the size of a row's instance: "512x512", "64x64x64", "4000", or "-" for a network from a file. */
void bench_size_text(const bench_row *row, char *out, size_t room);

/* A table of solvers, and the problems that they solve: BENCH_GRIDS and the like. */
typedef struct bench_table {
    const solver_table *of;
    unsigned solves;
} bench_table;

enum { BENCH_TABLES = 4 };
extern const bench_table bench_tables[BENCH_TABLES];

/* Returns the device of the solver with this name in any of the tables; "cpu" for a name in none of them,
 * such as "auto". */
const char *bench_device(const char *solver);

/* Runs a solver once. Returns false if it cannot go on, and row->reason says why. A wrong answer returns true. */
bool bench_run_solver(const bench_instance *it, const char *solver, double seconds, bench_row *row, bench_times *times);

/* Runs a solver on a network, for bench_run_solver(), and writes the results of the answer to `row`. */
tilecut_status bench_run_network(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                 bench_row *row, bench_times *times);

/* Labels an energy of many labels once, for bench_run_solver(), and writes the results to `row`. `solver` may also be
 * one of label_peers. */
tilecut_status bench_run_labels(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                bench_row *row, bench_times *times);

/* ---- peers ------------------------------------------------------------------------------------ */

typedef struct bench_peer {
    const char *name, *package; /* package: the Debian package that the peer needs */
    const char *program;        /* file name in the folder of peers; NULL: one of label_peers, within this program */
    unsigned solves;            /* the problems that the peer solves: BENCH_GRIDS and the like */
    bool masks;                 /* true: the peer returns the cut, not only the flow           */
    /* environment variable that names the program it calls; if unset, the peer runs only on request */
    const char *variable;
} bench_peer;

extern const bench_peer bench_peers[]; /* ends with a row whose name is NULL; a name may have several rows */

/* Writes the path of the peer's program to `path`, at most `room` bytes. Returns false if the program is not built. */
bool bench_peer_find(const bench_peer *peer, char *path, size_t room);

/* Runs the peer on the file `graph`: a grid, or a network written by bench_network_write(). Returns the same as
 * bench_run_solver(). */
bool bench_run_peer(const bench_peer *peer, const char *graph, const char *mask, double seconds, bench_row *row,
                    bench_times *times);

/* ---- results ---------------------------------------------------------------------------------- */

/* Computes medians and ratios of the rows from `first` to the last, all of one instance. Returns false if their
 * answers differ. */
bool bench_summarise(bench_rows *rows, int first);

void bench_print_head(void);
void bench_print_row(const bench_row *row);
bool bench_csv(const bench_rows *rows, bytes *out);

typedef struct bench_context {
    const char *machine;
    int rounds;
    bool interrupted;
    const notes *notes;
} bench_context;

/* Prints for each family how much faster than libmaxflow each solver is, and how close auto comes to the
 * fastest solver. */
void bench_print_summary(const bench_rows *rows);

int bench_json(const bench_rows *rows, const bench_context *story, const char *path, failure *why);

bool bench_can_plot(void);                 /* true if gnuplot is installed */
int bench_plot(const bench_rows *rows, const char *name, bytes *png, failure *why);
