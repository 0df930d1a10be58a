/* SPDX-License-Identifier: MIT
 *
 * bench.h - what the parts of the verb `bench` share:
 *   bench_options.c   reads the options
 *   bench_plan.c      says what instances are solved
 *   bench_instances.c makes them
 *   bench_networks.c  the same for graphs of any shape, and one run of a solver on one
 *   bench_labels.c    the same for energies of many labels; their peers in this program: label_peers.c
 *   bench_turns.c     lets the contestants (solvers and peer programs) run in turns
 *   bench_run.c       makes one run and takes its times
 *   bench_peers.c     runs peer programs
 *   bench_report.c, bench_summary.c, bench_plot.c  print the results
 *
 * All contestants start from the same capacities in memory and run in turns. A round is one run of each contestant,
 * so a machine that slows down slows all of them.
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

/* Makes a template for mkstemp() or mkdtemp(), in TMPDIR or /tmp. */
void bench_temporary(char out[BENCH_TEMPORARY]);

/* What is asked about an instance. Each kind has contestants and peers of its own. */
enum bench_problem {
    BENCH_GRID,  /* the minimum cut of a grid                  */
    BENCH_FLOW,  /* the minimum cut of a graph of any shape    */
    BENCH_MATCH, /* the most pairs of a bipartite graph        */
    BENCH_ASSIGN, /* the cheapest pairs, one for each row       */
    BENCH_LABELS  /* a cheap labelling with many labels         */
};
enum { BENCH_GRIDS = 1 << BENCH_GRID, BENCH_FLOWS = 1 << BENCH_FLOW,
       BENCH_PAIRS = 1 << BENCH_MATCH | 1 << BENCH_ASSIGN, BENCH_LABELLINGS = 1 << BENCH_LABELS };

const char *bench_problem_name(enum bench_problem problem);
enum bench_problem bench_family_problem(const network_family *kind);

/* ---- instances -------------------------------------------------------------------------------- */

/* What instance to make. Specs are cheap, so the whole plan is known, and errors in it are refused, before work
 * begins. */
typedef struct bench_spec {
    char family[BENCH_NAME], name[BENCH_NAME]; /* "photo", "coffee" */
    const struct family *kind;                 /* NULL: a network, or `path` is a saved graph */
    family_request request;
    const network_family *network;             /* NULL: no family of networks   */
    network_request shape;
    const char *space;                         /* name of a family in space, of request.size; NULL: none */
    label_request many;                        /* a family with many labels; its name NULL: none */
    enum bench_problem file;                   /* how `path` is read; BENCH_GRID: its shape decides */
    char *path, *seeds_path;                   /* photo and seeds, or graph; owned, may be NULL */
} bench_spec;

typedef struct bench_plan {
    bench_spec *specs; /* owned */
    int count;
} bench_plan;

typedef struct bench_request {
    option_list families, graphs;  /* families: words already split at commas */
    option_list matches, assigns;  /* files with bipartite graphs             */
    int *sizes, size_count;
    bool usual_sizes;              /* no sizes were given; instances in space have other usual sizes */
    double *lambdas;               /* lambdas for photos                      */
    int lambda_count;
    double move;                   /* percent of the seeds that a re-solve moves */
    bool whole;                    /* also time the way from pixels to mask */
    int connectivity;              /* 8: families with diagonals; 0: 4       */
    int labels;                    /* of families with many labels            */
    int64_t seed;
    const char *image;             /* the user's photo, read with `in`      */
    inputs in;
} bench_request;

/* The words that stand for all families of networks, for all in space, and for all with many labels. */
extern const char bench_all_networks[], bench_all_volumes[], bench_all_labels[];

int bench_plan_make(const bench_request *reading, bench_plan *plan, notes *log, failure *why);
void bench_plan_free(bench_plan *plan);

/* Capacities in memory, and a graph that reads them. */
typedef struct bench_instance {
    enum bench_problem problem;
    network_run any;          /* its `saved` is the network, unless the problem is BENCH_GRID; the numbers of columns
                                 then begin at 0 */
    instance made;
    saved_graph saved;
    scan_instance space;
    tilecut_volume_arrays volume; /* a grid in space: there is no `graph`; depth 0: it is none */
    tilecut_graph *graph;
    tilecut_graph *photo;     /* the same graph made from pixels and seeds; NULL: there are none, or not needed */
    label_energy many;        /* of BENCH_LABELS, for which there is no `graph` either                      */
    uint8_t *moved;           /* with photo: the seeds with some of them moved; owned                          */
    int width, height;  /* of a network: size and depth of its family; 0: none */
    int slices;         /* of a grid in space; else 0 */
    int connectivity;   /* of a grid: 4, 8 or 6; else 0 */
    double lambda;      /* negative: not a photo */
    double quantum;
} bench_instance;

int bench_instance_make(const bench_spec *spec, bench_request *reading, bench_instance *out, notes *log, failure *why);
void bench_instance_free(bench_instance *it);

/* Makes the network of a family, or takes over what a file held. */
int bench_network_make(const bench_spec *spec, bench_instance *out, failure *why);
int bench_network_read(const bench_spec *spec, bench_instance *out, notes *log, failure *why);

/* Writes the network for peers (tools/peers/peer_network.h). */
int bench_network_write(const bench_instance *it, const char *path, failure *why);

/* The energy of many labels: made; written for peers (tools/peers/labels-bk.cpp); and whether the labels in file `mask`
 * cost what the peer said. */
int bench_labels_make(const bench_spec *spec, bench_instance *out, failure *why);
int bench_labels_write(const bench_instance *it, const char *path, failure *why);
bool bench_labels_are(const bench_instance *it, const char *mask, int64_t energy);

/* ---- contestants and their results ------------------------------------------------------------ */

typedef struct bench_times {
    double build, copy, solve; /* milliseconds                                                    */
    double all;                /* milliseconds of the whole call, with certificate and mask; for a peer the sum of
                                  the others */
} bench_times;

/* What is timed. */
enum bench_method {
    BENCH_COLD,  /* solve a graph of capacities in memory                                             */
    BENCH_WARM,  /* re-solve: a session has solved the graph with some seeds moved; they go back to their
                    places, and solving it again is timed                                             */
    BENCH_WHOLE  /* start from a photo and its seeds: learning and building count, too                */
};

/* One contestant on one instance: a line of the table. */
typedef struct bench_row {
    char family[BENCH_NAME], name[BENCH_NAME], solver[BENCH_NAME];
    bool file;                      /* a graph from a file, which is a family by itself    */
    enum bench_problem problem;
    int width, height, slices, threads; /* slices: of a grid in space, else 0           */
    int connectivity;               /* connectivity of a grid; else 0                       */
    int64_t nodes, arcs;            /* arcs: 0 of a grid                                    */
    enum bench_method way;
    double lambda;
    const char *device;
    const char *chosen;             /* the solver that ran, which for "auto" has another name; NULL: a peer */
    bench_times run[BENCH_RUNS_MOST];
    int runs;                       /* 0: this contestant did not run, `reason` says why */
    char reason[160];
    bool overtime;                  /* the contestant did not run or finish because it is too slow */
    bool unwanted;                  /* did not run because it cannot solve this instance */
    bool no_device;                 /* did not run because there is no device for it       */
    double bytes_per_pixel;         /* memory per pixel; for a network, per arc            */
    int64_t flow;                   /* the flow, the number of pairs, the cost of the assignment, or the energy */
    int labels;                     /* of BENCH_LABELS; else 0                             */
    bool bounded;                   /* `bound`: no labels have less energy                  */
    double bound;
    bool may_differ;                /* another method, whose labels need not be those of the first row */
    char mask_sha256[SHA256_TEXT];  /* of the mask, the sides or the cover; "": the contestant does not return one */
    int certified;                  /* whether the answer is certified: 1, 0; -1: unknown */
    bool differs;                   /* the answer differs from that of the instance's first row */
    /* by bench_summarise() */
    bench_times median;
    double solve_min, total, total_min; /* total = build + copy + solve; median, and minimum */
    double ratio_bk, ratio_bk_min;      /* how many times faster than bk; negative: unknown  */
} bench_row;

typedef struct bench_rows {
    bench_row *row; /* owned */
    int count;
} bench_rows;

/* Whether a solver's time on instance `a` says something of its time on `b`: both are of one family, or from one
 * file. */
bool bench_same_family(const bench_row *a, const bench_row *b);
bool bench_same_solver(const bench_row *a, const bench_row *b); /* with as many threads, too */

/* How large the instance of a row is: its pixels, or its arcs. */
double bench_size(const bench_row *row);

/* Writes "512x512", "64x64x64", "4000", or "-" for a network from a file. */
void bench_size_text(const bench_row *row, char *out, size_t room);

/* The tables of solvers, and what the solvers of each solve: BENCH_GRIDS and friends. */
typedef struct bench_table {
    const solver_table *of;
    unsigned solves;
} bench_table;

enum { BENCH_TABLES = 4 };
extern const bench_table bench_tables[BENCH_TABLES];

/* Where the solver of that name runs, of whichever table; "cpu" for a name in none, such as "auto". */
const char *bench_device(const char *solver);

/* One run. False: the contestant is out, and row->reason says why. A wrong answer does not put it out. */
bool bench_run_solver(const bench_instance *it, const char *solver, double seconds, bench_row *row, bench_times *times);

/* Runs a solver on a network, for bench_run_solver(), and writes the results of the answer to `row`. */
tilecut_status bench_run_network(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                 bench_row *row, bench_times *times);

/* The same for an energy of many labels; `solver` may also be one of label_peers. */
tilecut_status bench_run_labels(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                bench_row *row, bench_times *times);

/* ---- peers ------------------------------------------------------------------------------------ */

typedef struct bench_peer {
    const char *name, *package; /* "bk"; the Debian package that it needs     */
    const char *program;        /* file name in the folder of peers; NULL: one of label_peers, in this program */
    unsigned solves;            /* BENCH_GRIDS and friends                    */
    bool masks;                 /* returns the cut, not only the flow         */
    const char *variable;       /* variable of the environment that names the program it calls; if unset, the peer
                                   runs only if it is asked for */
} bench_peer;

extern const bench_peer bench_peers[]; /* ends with a row whose name is NULL; a name may have several rows */

/* Writes the path of the peer's program to `path`, at most `room` bytes; false if it is not built. */
bool bench_peer_find(const bench_peer *peer, char *path, size_t room);

/* Runs the peer on the file `graph`: a grid, or a network as bench_network_write() makes it. Otherwise as
 * bench_run_solver(). */
bool bench_run_peer(const bench_peer *peer, const char *graph, const char *mask, double seconds, bench_row *row,
                    bench_times *times);

/* ---- results ---------------------------------------------------------------------------------- */

/* Computes medians and ratios of the rows first .. count-1, all of one instance. False: their answers differ. */
bool bench_summarise(bench_rows *rows, int first);

void bench_print_head(void);
void bench_print_row(const bench_row *row);
bool bench_csv(const bench_rows *rows, bytes *out);

typedef struct bench_story {
    const char *machine;
    int rounds;
    bool interrupted;
    const notes *notes;
} bench_story;

/* Prints, for each family, how much faster than libmaxflow the solvers are, and how close auto comes to the best. */
void bench_print_summary(const bench_rows *rows);

int bench_json(const bench_rows *rows, const bench_story *story, const char *path, failure *why);

bool bench_can_plot(void);                 /* whether gnuplot is installed */
int bench_plot(const bench_rows *rows, const char *name, bytes *png, failure *why);
