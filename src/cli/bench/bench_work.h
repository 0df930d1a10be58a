/* SPDX-License-Identifier: MIT
 *
 * bench_work.h - the user's wishes for `bench`, the contestants, and the progress so far. Shared by bench.c,
 * bench_options.c and bench_turns.c.
 */
#pragma once

#include "bench.h"
#include "options.h"
#include "outputs.h"

enum { BENCH_LIST_MOST = 32 };

/* A list of words separated by commas. */
typedef struct bench_words {
    char *text; /* owned: a copy of the list, cut into words */
    const char *item[BENCH_LIST_MOST];
    int count;
} bench_words;

typedef struct bench_numbers {
    double item[BENCH_LIST_MOST];
    int count;
} bench_numbers;

/* The options as given, and the values that follow from them. */
typedef struct bench_wanted {
    common common;
    bench_request request;
    bench_words families, solvers, peers;
    bench_numbers sizes, lambdas, threads;
    int side[BENCH_LIST_MOST]; /* the sizes; request.sizes points here */
    int runs;
    double limit;
    const char *csv, *plot;
} bench_wanted;

extern const option bench_options[];

/* Fills in the options that were not given. */
void bench_wanted_fill_in(bench_wanted *my);
void bench_wanted_free(bench_wanted *my);

typedef struct bench_contestant {
    const char *name;       /* name of the solver, or "auto" */
    int threads;
    const bench_peer *peer; /* the peer program; NULL: the contestant is a solver */
    enum bench_method way;
    unsigned solves;        /* the problems that the contestant solves: BENCH_GRIDS and the like */
} bench_contestant;

/* Room for solvers in 3 methods with each number of threads, and for peers. */
enum { BENCH_FIELD = 3 * BENCH_LIST_MOST * (BENCH_LIST_MOST + 1) + BENCH_LIST_MOST };

typedef struct bench_work {
    bench_plan plan;
    bench_contestant entrant[BENCH_FIELD]; /* all contestants that the user chose */
    int entrants;
    bench_contestant field[BENCH_FIELD];   /* the solvers and peers that run on the present instance */
    int contestants;
    bool peers;
    outputs outputs;
    output *csv_out, *json_out, *plot_out;
    notes notes;
    bench_rows rows;
    char machine[160];
    /* Paths of temporary files for peers; "": not made. */
    char folder[BENCH_TEMPORARY], graph_path[BENCH_TEMPORARY + 16], mask_path[BENCH_TEMPORARY + 16];
    bool disagreed, table;
} bench_work;

/* Returns EXIT_USAGE if no chosen solver can solve this problem. */
int bench_check_solvers(const bench_work *w, enum bench_problem problem, const bench_spec *spec, failure *why);

/* Makes instance `index` of the plan and runs all contestants on it. Appends a row for each and prints it. */
int bench_measure_instance(bench_wanted *my, bench_work *w, int index, failure *why);
