/* SPDX-License-Identifier: MIT
 *
 * bench.h - what the parts of the verb `bench` share. bench.c plans and runs the whole, as bench_options.c was told;
 * bench_instances.c makes what is solved, bench_turns.c lets everyone have his turn at it, bench_run.c solves it and
 * takes times, bench_peers.c runs programs to compare with, bench_report.c, bench_summary.c and bench_plot.c say how
 * it went.
 *
 * Everyone starts from the same capacities in memory, and takes turns: a round is one run of every contestant,
 * so that a machine that slows down slows down all of them.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "synthetic.h"
#include "graph_file.h"
#include "inputs.h"
#include "sha256.h"
#include "tilecut.h"

enum { BENCH_RUNS_MOST = 99, BENCH_NAME = 64, BENCH_TEMPORARY = 1024 };

/* A name for mkstemp() or mkdtemp(), in TMPDIR or /tmp. */
void bench_temporary(char out[BENCH_TEMPORARY]);

/* ---- instances -------------------------------------------------------------------------------- */

/* What to make; cheap, so that the whole plan is known (and refused) before work begins. */
typedef struct bench_spec {
    char family[BENCH_NAME], name[BENCH_NAME]; /* "photo", "coffee" */
    const struct family *kind;                 /* NULL: `path` is a saved graph */
    family_request request;
    char *path, *seeds_path;                   /* photo and seeds, or graph; owned, may be NULL */
} bench_spec;

typedef struct bench_plan {
    bench_spec *specs; /* owned */
    int count;
} bench_plan;

typedef struct bench_wish {
    option_list families, graphs;  /* families: words already split at commas */
    int *sizes, size_count;
    double *lambdas;               /* of photos                               */
    int lambda_count;
    double move;                   /* percent of the seeds                    */
    bool whole;                    /* from pixels to mask, too                */
    int64_t seed;
    const char *image;             /* with `in`: a photo of the user's        */
    inputs in;
} bench_wish;

int bench_plan_make(const bench_wish *wish, bench_plan *plan, notes *log, failure *why);
void bench_plan_free(bench_plan *plan);

/* Capacities in memory, and a graph that reads them. */
typedef struct bench_instance {
    instance made;
    saved_graph saved;
    tilecut_graph *graph;
    tilecut_graph *photo;     /* the same from pixels and seeds; NULL: there are none, or they are not asked for */
    uint8_t *moved;           /* with photo: seeds of which some lie elsewhere; owned                            */
    int width, height;
    double lambda;      /* negative: has none */
    double quantum;
} bench_instance;

int bench_instance_make(const bench_spec *spec, bench_wish *wish, bench_instance *out, failure *why);
void bench_instance_free(bench_instance *it);

/* ---- contestants and their results ------------------------------------------------------------ */

typedef struct bench_times {
    double build, copy, solve; /* milliseconds                                                    */
    double all;                /* of the call, certificate and mask included; of a peer their sum */
} bench_times;

/* What is timed. */
enum bench_way {
    BENCH_COLD,  /* a graph of capacities in memory                                                       */
    BENCH_WARM,  /* one that was solved before, with some seeds elsewhere: they move to where they belong, and
                    it is solved again                                                                    */
    BENCH_WHOLE  /* a photo and its seeds: the model is learnt and the graph described, too                */
};

/* One contestant on one instance: a line of the table. */
typedef struct bench_row {
    char family[BENCH_NAME], name[BENCH_NAME], solver[BENCH_NAME];
    int width, height, threads;
    enum bench_way way;
    double lambda;
    const char *device;
    const char *chosen;             /* the solver that ran: of "auto" another name; NULL: a peer */
    bench_times run[BENCH_RUNS_MOST];
    int runs;                       /* 0: left out, `reason` says why               */
    char reason[160];
    bool overtime;                  /* left out for being too slow                  */
    bool unwanted;                  /* left out because it is not for this instance */
    double bytes_per_pixel;
    int64_t flow;
    char mask_sha256[SHA256_TEXT];  /* "": does not tell                            */
    int certified;                  /* 1, 0; -1: cannot be asked                    */
    bool differs;                   /* from the first row of the instance           */
    /* by bench_summarise() */
    bench_times median;
    double solve_min, total, total_min; /* build + copy + solve: median, least      */
    double ratio_bk, ratio_bk_min;      /* negative: none                           */
} bench_row;

typedef struct bench_rows {
    bench_row *row; /* owned */
    int count;
} bench_rows;

typedef struct bench_limits {
    double seconds;    /* of one run                    */
    int rounds;
} bench_limits;

/* One run. False: the contestant is out, row->reason is set (a mismatch is none). */
bool bench_run_solver(const bench_instance *it, const char *solver, double seconds, bench_row *row,
                      bench_times *times);

/* ---- peers ------------------------------------------------------------------------------------ */

typedef struct bench_peer {
    const char *name, *package; /* "bk"; the Debian package that it needs */
    bool masks;                 /* tells the cut, not only the flow       */
} bench_peer;

extern const bench_peer bench_peers[]; /* ends with a row whose name is NULL; bk is the first */

/* The path of the program, in `room` bytes; false when it is not built. */
bool bench_peer_find(const bench_peer *peer, char *path, size_t room);

/* Runs it on the grid file `graph`; as bench_run_solver(). */
bool bench_run_peer(const bench_peer *peer, const char *graph, const char *mask, double seconds, bench_row *row,
                    bench_times *times);

/* ---- results ---------------------------------------------------------------------------------- */

/* Medians, ratios, and whether the rows first .. count-1, all of one instance, agree. */
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

/* Over the instances of each family: how much faster than libmaxflow, and how good the choice of auto is. */
void bench_print_summary(const bench_rows *rows);

int bench_json(const bench_rows *rows, const bench_story *story, const char *path, failure *why);

bool bench_can_plot(void);                 /* whether gnuplot is there */
int bench_plot(const bench_rows *rows, const char *name, bytes *png, failure *why);

#endif
