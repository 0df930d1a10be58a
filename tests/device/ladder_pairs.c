/* SPDX-License-Identifier: MIT
 *
 * ladder_pairs.c - matching, assignment and breadth-first search on a device: answers compared with the CPU's, and
 * times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_pairs.h"
#include "ladder.h"
#include "parallel.h"
#include "random_graph.h"

/* ---- Answers ---------------------------------------------------------------------------------- */

/* A random graph in the form that a caller passes. With `costs` all rows can be assigned. */
typedef struct drawn {
    tilecut_network_edges edges;
    int32_t *row, *column;
    int64_t *cost;
} drawn;

static bool draw(drawn *d, uint64_t seed, bool costs)
{
    static const int sizes[][2] = {{8, 20}, {60, 200}, {400, 3000}, {3000, 9000}, {150, 22500}};
    const int *size = sizes[seed % 5];
    uint64_t state = seed * 31 + costs;
    const int rows = 1 + random_below(&state, size[0]), columns = costs ? rows : 1 + random_below(&state, size[0]);
    const int more = random_below(&state, size[1]), edges = more + (costs ? rows : 0);
    const int span = seed / 5 % 2 ? 10 : 1000000;
    const bool hubs = random_below(&state, 2);
    d->row = malloc(((size_t)edges + 1) * sizeof *d->row);
    d->column = malloc(((size_t)edges + 1) * sizeof *d->column);
    d->cost = malloc(((size_t)edges + 1) * sizeof *d->cost);
    if (!d->row || !d->column || !d->cost) return false;
    for (int e = 0; e < edges; e++) {
        const int side = hubs ? 1 + random_below(&state, columns) : columns;
        d->row[e] = e < more ? random_below(&state, rows) : e - more;
        d->column[e] = e < more ? random_below(&state, side) : e - more;
        d->cost[e] = random_below(&state, span) - span / 3;
    }
    d->edges = (tilecut_network_edges){.rows = rows, .columns = columns, .edges = edges, .row = d->row,
                                       .column = d->column, .cost = d->cost};
    return true;
}

static void undraw(drawn *d)
{
    free(d->row);
    free(d->column);
    free(d->cost);
}

static bool is_cuda(const char *device)
{
    return device && !strcmp(device, "cuda");
}

static int complain(const char *name, uint64_t seed, bool failed)
{
    printf("FAILED %s: seed %llu%s%s\n", name, (unsigned long long)seed, failed ? ": " : "",
           failed ? tilecut_error_detail() : "");
    return 1;
}

static int match_right(const drawn *d, uint64_t seed)
{
    const size_t nodes = (size_t)(d->edges.rows + d->edges.columns);
    uint8_t *want = malloc(nodes), *got = malloc(nodes);
    int wrong = !want || !got || tilecut_network_match(&d->edges, NULL, NULL, want, NULL) != TILECUT_OK;
    for (int i = 0; !wrong && tilecut_network_matcher_name(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_matcher_name(i)};
        if (!is_cuda(tilecut_network_matcher_device(i))) continue;
        const tilecut_status status = tilecut_network_match(&d->edges, &params, NULL, got, NULL);
        if (status != TILECUT_OK || memcmp(want, got, nodes))
            wrong = complain(params.solver, seed, status != TILECUT_OK);
    }
    free(want);
    free(got);
    return wrong;
}

static int assign_right(const drawn *d, uint64_t seed)
{
    tilecut_network_pairs_report want = {0}, got = {0};
    if (tilecut_network_assign(&d->edges, NULL, NULL, NULL, &want) != TILECUT_OK) return complain("assign", seed, true);
    for (int i = 0; tilecut_network_assigner_name(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_assigner_name(i)};
        if (!is_cuda(tilecut_network_assigner_device(i))) continue;
        const tilecut_status status = tilecut_network_assign(&d->edges, &params, NULL, NULL, &got);
        if (status != TILECUT_OK || got.cost != want.cost || strcmp(got.solver, params.solver))
            return complain(params.solver, seed, status != TILECUT_OK);
    }
    return 0;
}

/* Searches the same arcs breadth first, in a graph in which row and column numbers are the same nodes. */
static int levels_right(const drawn *d, uint64_t seed)
{
    const size_t nodes = (size_t)d->edges.rows;
    int32_t *want = malloc(nodes * sizeof *want), *got = malloc(nodes * sizeof *got);
    int wrong = !want || !got || tilecut_network_levels(&d->edges, 0, NULL, want, NULL) != TILECUT_OK;
    for (int i = 0; !wrong && tilecut_network_levels_way(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_levels_way(i)};
        if (!is_cuda(tilecut_network_levels_device(i))) continue;
        const tilecut_status status = tilecut_network_levels(&d->edges, 0, &params, got, NULL);
        if (status != TILECUT_OK || memcmp(want, got, nodes * sizeof *got))
            wrong = complain(params.solver, seed, status != TILECUT_OK);
    }
    free(want);
    free(got);
    return wrong;
}

int pair_answers(int count)
{
    int failed = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)count; seed++) {
        drawn plain = {0}, priced = {0};
        if (draw(&plain, seed, false) && draw(&priced, seed, true))
            failed += match_right(&plain, seed) + assign_right(&priced, seed) + levels_right(&priced, seed);
        else failed++;
        undraw(&plain);
        undraw(&priced);
    }
    printf("pairs          %d random graphs matched, assigned and searched, %d wrong\n", count, failed);
    return failed;
}

/* ---- Times ------------------------------------------------------------------------------------ */

typedef struct timed {
    const char *what;
    network_kind kind;
    tilecut_network_edges edges;
    int64_t answer; /* number of pairs, cost, or number of nodes reached; -1 if not known yet */
    int runs, failed;
} timed;

static tilecut_status solve_once(const timed *t, const tilecut_network_params *params, double *build, double *solve,
                                 int64_t *answer)
{
    tilecut_network_pairs_report pairs = {0};
    tilecut_network_levels_report levels = {0};
    tilecut_status status;
    if (t->kind == NETWORK_FLOW) status = tilecut_network_levels(&t->edges, t->edges.row[0], params, NULL, &levels);
    else if (t->kind == NETWORK_MATCH) status = tilecut_network_match(&t->edges, params, NULL, NULL, &pairs);
    else status = tilecut_network_assign(&t->edges, params, NULL, NULL, &pairs);
    *build = levels.build_ms + pairs.build_ms;
    *solve = levels.solve_ms + pairs.solve_ms;
    *answer = t->kind == NETWORK_FLOW ? levels.reached : t->kind == NETWORK_MATCH ? pairs.pairs : pairs.cost;
    return status;
}

/* Measures the least time of some runs of the library's call. */
static void time_one(timed *t, const char *name, int threads)
{
    const tilecut_network_params params = {.solver = name, .threads = threads};
    double build = 0, least = 0, solve;
    int64_t answer = 0;
    for (int k = 0; k < t->runs; k++) {
        if (solve_once(t, &params, &build, &solve, &answer) != TILECUT_OK) {
            printf("%-26s %-18s %s\n", t->what, name, tilecut_error_detail());
            t->failed++;
            return;
        }
        if (!k || solve < least) least = solve;
        if (k && least > 3000) break;
    }
    if (t->answer < 0) t->answer = answer;
    if (t->answer != answer) t->failed++;
    printf("%-26s %-18s %2d threads  solve %10.2f ms  build %8.1f  %lld%s\n", t->what, name, threads, least, build,
           (long long)answer, t->answer == answer ? "" : " DIFFERS");
    fflush(stdout);
}

static void time_all(timed *t, const char *only, int threads)
{
    const char *(*const name)(int) = t->kind == NETWORK_FLOW ? tilecut_network_levels_way
        : t->kind == NETWORK_MATCH ? tilecut_network_matcher_name : tilecut_network_assigner_name;
    const char *(*const device)(int) = t->kind == NETWORK_FLOW ? tilecut_network_levels_device
        : t->kind == NETWORK_MATCH ? tilecut_network_matcher_device : tilecut_network_assigner_device;
    for (int i = 0; name(i); i++) {
        if (*only && !strstr(only, name(i))) continue;
        time_one(t, name(i), 1);
        if (!is_cuda(device(i)) && threads > 1 && strcmp(name(i), "shortest-paths")) time_one(t, name(i), threads);
    }
}

/* Prints the time of the device's part of each call, and how often its kernels run. */
static void time_kernels(const timed *t)
{
    tc_bipartite graph = {0};
    tc_matching matching = {0};
    tc_search_report report;
    tc_pairs_run run = {0};
    int64_t span, *const price = malloc((size_t)(t->edges.rows + t->edges.columns) * sizeof *price);
    if (!price || tc_bipartite_init(&graph, &t->edges, t->kind == NETWORK_ASSIGN, t->kind == NETWORK_MATCH, 1) ||
        tc_matching_init(&matching, &graph))
        return;
    for (int way = 0; way < (t->kind == NETWORK_FLOW ? 2 : 1); way++) {
        const double start = tc_now_ms();
        if (t->kind == NETWORK_FLOW)
            tc_levels_cuda(&graph, t->edges.row[0], way ? TC_SEARCH_LIST_CUDA : TC_SEARCH_ALL_CUDA, NULL,
                           (int32_t *)price, &report, &run);
        else if (t->kind == NETWORK_MATCH) tc_match_graft_cuda_run(&graph, &matching, NULL, &run);
        else if (tc_scaling_applies(&graph, &matching, 1, NULL, &span) == TILECUT_OK)
            tc_assign_scaling_cuda_at(&graph, &matching, span, price, NULL, NULL, &run);
        printf("%-26s kernels %10.2f of %10.2f ms  steps %lld bids %lld updates %lld rounds %lld\n", t->what,
               run.device_ms, tc_now_ms() - start, (long long)run.steps, (long long)run.bids, (long long)run.updates,
               (long long)run.rounds);
    }
    free(price);
    tc_matching_free(&matching);
    tc_bipartite_free(&graph);
}

/* Times cost scaling on the device with other schedules. */
static void time_schedules(const timed *t)
{
    static const tc_scaling_schedule plans[] = {{50, 2000, 32, 8}, {20, 2000, 32, 8},  {100, 2000, 32, 8},
                                                {400, 2000, 32, 8}, {50, 2000, 8, 8},   {50, 2000, 16, 8},
                                                {50, 2000, 64, 8},  {50, 2000, 128, 8}, {50, 2000, 32, 2}};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        tc_bipartite graph = {0};
        tc_matching matching = {0};
        tc_pairs_run run = {0};
        int64_t span, *const price = malloc((size_t)(t->edges.rows + t->edges.columns) * sizeof *price);
        if (price && tc_bipartite_init(&graph, &t->edges, true, false, 1) == TILECUT_OK &&
            tc_matching_init(&matching, &graph) == TILECUT_OK &&
            tc_scaling_applies(&graph, &matching, 1, NULL, &span) == TILECUT_OK &&
            tc_assign_scaling_cuda_at(&graph, &matching, span, price, &plans[k], NULL, &run) == TILECUT_OK)
            printf("%-26s bids %4d rounds %4d share %2d blocks %d: kernels %9.2f ms, launches %lld bids %lld "
                   "updates %lld rounds %lld\n", t->what, plans[k].bids, plans[k].rounds, plans[k].share,
                   plans[k].blocks, run.device_ms, (long long)run.steps, (long long)run.bids, (long long)run.updates,
                   (long long)run.rounds);
        fflush(stdout);
        free(price);
        tc_matching_free(&matching);
        tc_bipartite_free(&graph);
    }
}

static int time_instance(const char *what, int runs, const char *only, int threads, bool tune)
{
    network_shape shape;
    arc_list list = {0};
    const network_family *const kind = network_named(what, &list, &shape);
    if (!kind) return 1;
    const bool flow = kind->kind == NETWORK_FLOW;
    timed t = {.what = what, .kind = kind->kind, .answer = -1, .runs = runs,
               .edges = {.rows = flow ? list.nodes : shape.left, .columns = flow ? list.nodes : list.nodes - shape.left,
                         .edges = list.arcs, .row = list.tail, .column = list.head, .cost = list.value}};
    for (int64_t a = 0; !flow && a < list.arcs; a++) list.head[a] -= (int32_t)shape.left;
    if (tune) time_schedules(&t);
    else time_all(&t, only, threads);
    if (!tune && (!*only || strstr(only, "cuda") || strstr(only, "kernels"))) time_kernels(&t);
    arcs_clear(&list);
    return t.failed;
}

int pair_times(int count, char **what)
{
    const char *only = "";
    int failed = 0, runs = 3, threads = 16;
    bool tune = false;
    for (int i = 0; i < count; i++) {
        if (!strcmp(what[i], "tune")) tune = true;
        else if (!strncmp(what[i], "with=", 5)) only = what[i] + 5, tune = false;
        else if (!strncmp(what[i], "runs=", 5)) runs = atoi(what[i] + 5);
        else if (!strncmp(what[i], "threads=", 8)) threads = atoi(what[i] + 8);
        else failed += time_instance(what[i], runs, only, threads, tune);
    }
    return failed;
}
