/* SPDX-License-Identifier: MIT
 *
 * ladder_hybrid.c - the solver on two devices: its answer is right however often it moves between them, and how much
 * time it saves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid.h"
#include "hybrid_case.h"
#include "synthetic.h"
#include "ladder.h"
#include "random_graph.h"
#include "walled.h"

/* ---- to and fro ------------------------------------------------------------------------------- */

/* Returns costs with which the solver changes devices often: no patience, a CPU that seems to cost nothing, and a
 * decision after every few rounds. */
static tc_costs eager(int slice)
{
    tc_costs costs = tc_costs_default(4);
    costs.tiny = costs.local = 0;
    costs.patience = 0;
    costs.cpu_ns = 1e-9;
    costs.latency_ms = 0;
    costs.bytes_per_ms = 1e15;
    costs.slice = slice;
    costs.rounds_most = 1 << 30;
    return costs;
}

typedef struct journey {
    /* parts and wholes count how often the CPU took over a part of the work, or all of it */
    int tried, good, parts, wholes;
} journey;

/* True if the answer is certified and equals that of `bk`. */
static bool right(const tilecut_graph *graph, const tilecut_volume_arrays *volume, int slice, journey *j)
{
    const tc_solve_params params = {.threads = 2};
    const tc_costs costs = eager(slice);
    tc_solve_stats stats = {0};
    tc_grid grid = {0};
    hybrid_case c;
    const char *wrong = NULL;

    if (!hybrid_case_init(&c, graph, volume) || !hybrid_case_grid(&c, &grid) ||
        tc_solver_hybrid_at(&grid, &costs, &params, &stats) != TILECUT_OK)
        wrong = tilecut_error_detail();
    else wrong = hybrid_case_wrong(&c, &grid);
    if (wrong) printf("FAILED hybrid: %s\n", wrong);
    for (int i = 1; i < stats.decisions; i++) {
        if (strcmp(stats.decision[i].next, "cpu")) continue;
        if (stats.decision[i].bytes == (int64_t)tc_grid_bytes(&grid)) j->wholes++;
        else j->parts++;
    }
    tc_grid_free(&grid);
    hybrid_case_free(&c);
    j->tried++;
    j->good += !wrong;
    return !wrong;
}

static int said(const char *what, const journey *j)
{
    printf("%-14s to and fro, %s: %d of %d agree with bk; %d parts and %d wholes went to the CPU\n", "hybrid", what,
           j->good, j->tried, j->parts, j->wholes);
    return j->tried - j->good;
}

/* Solves graphs of the families, and random graphs with walls between their tiles. */
static int images_to_and_fro(int count, int connectivity)
{
    static const char *const names[] = {"hussein", "random", "checker", "spot"};
    journey j = {0}, walled = {0};
    for (int i = 0; i < count; i++) {
        const family_request request = {.size = 64 + i * 37 % 600, .seed = (uint64_t)i + 1, .lambda = -1,
                                        .connectivity = connectivity};
        const int slice = 2 + i / 4 % 5 * 8, before = j.good + walled.good;
        instance it = {0};
        random_graph random;
        tilecut_graph *graph = NULL;
        failure why;
        if (instance_make(family_find(names[i % 4]), &request, &it, &why) == EXIT_DONE &&
            instance_graph(&it, NULL, &graph) == TILECUT_OK)
            (void)right(graph, NULL, slice, &j);
        tilecut_graph_destroy(graph);
        instance_free(&it);
        random_graph_init(&random, request.seed, 40 + i * 7 % 450, 30 + i * 13 % 460, connectivity);
        walled_graph_close(&random, request.seed, i % 2);
        graph = NULL;
        if (tilecut_graph_create(&graph, &random.arrays) == TILECUT_OK) (void)right(graph, NULL, 2 + i % 3, &walled);
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
        if (j.good + walled.good < before + 2) printf("  %s or walls, seed %d\n", names[i % 4], i + 1);
    }
    const int bad = 2 * count - j.tried - walled.tried; /* scenes that could not be made count as wrong */
    return bad + said(connectivity == 8 ? "8 neighbours" : "4 neighbours", &j) + said("walls", &walled);
}

static int volumes_to_and_fro(int count)
{
    journey j = {0};
    for (int i = 0; i < count; i++) {
        walled_volume v;
        walled_volume_draw(&v, (uint64_t)i + 1, 150, 150, 20);
        if (!right(NULL, &v.arrays, 4 + i % 5 * 8, &j)) printf("  volume, seed %d\n", i + 1);
        walled_volume_free(&v);
    }
    return said("volumes", &j);
}

int hybrid_to_and_fro(int count)
{
    return images_to_and_fro(count, 4) + images_to_and_fro(count, 8) + volumes_to_and_fro((count + 1) / 2);
}

/* ---- times ------------------------------------------------------------------------------------ */

/* Returns the least time of a few runs of copying and solving, or 0 on failure. */
static double best_ms(const tilecut_graph *graph, const char *solver, uint8_t *mask, tilecut_report *report)
{
    enum { RUNS = 5, LONG_MS = 300 };
    tilecut_params params = tilecut_params_default();
    double best = INFINITY;
    params.solver = solver;
    for (int run = 0; run < RUNS; run++) {
        if (tilecut_graph_solve(graph, &params, mask, report) != TILECUT_OK) {
            printf("FAILED %s: %s\n", solver, tilecut_error_detail());
            return 0;
        }
        const double ms = report->copy_ms + report->solve_ms;
        if (ms < best) best = ms;
        if (ms > LONG_MS) break;
    }
    return best;
}

static void print_decisions(void)
{
    tilecut_decision decisions[TILECUT_DECISIONS];
    const int count = tilecut_decisions(decisions, TILECUT_DECISIONS);
    for (int i = 0; i < count; i++) {
        const tilecut_decision *const d = &decisions[i];
        printf("    round %5d  active %7lld  cuda %9.1f  cpu %9.1f px/ms  from %9.0f  %9lld bytes  -> %s (%s)\n",
               d->rounds, (long long)d->active, d->cuda_rate, d->cpu_rate, d->threshold, (long long)d->bytes, d->next,
               d->reason);
    }
}

/* Totals over all sizes of a family. */
typedef struct totals {
    double cuda, cpu, hybrid; /* sums of logarithms */
    int count;
} totals;

static int time_one(const family *kind, const family_request *request, totals *sum)
{
    /* The CPU solvers that may be the fastest for the family. All others would take seconds. */
    const char *const cpus[] = {"cascade", kind->is_graph ? "bk" : "push", "push"};
    const size_t tried = request->corridor ? 3 : kind->is_graph ? 1 : 2;
    instance it = {0};
    tilecut_graph *graph = NULL;
    tilecut_report report = {0};
    failure why;
    int bad = 1;
    if (instance_make(kind, request, &it, &why) == EXIT_DONE && instance_graph(&it, NULL, &graph) == TILECUT_OK) {
        const size_t pixels = (size_t)it.width * (size_t)it.height;
        uint8_t *mask = malloc(pixels), *other = malloc(pixels);
        const char *best_cpu = "";
        double cpu = INFINITY;
        for (size_t k = 0; k < tried; k++) {
            const double ms = best_ms(graph, cpus[k], mask, &report);
            if (ms > 0 && ms < cpu) cpu = ms, best_cpu = cpus[k];
        }
        const double cuda = best_ms(graph, "cuda", mask, &report);
        const double hybrid = best_ms(graph, "hybrid", other, &report);
        bad = !(cuda > 0) || !(hybrid > 0) || memcmp(mask, other, pixels) != 0;
        printf("%-8s %d %5d  cuda %9.2f  %-8s %9.2f  hybrid %9.2f (%.2f solving)  x%.2f%s\n", kind->name,
               request->corridor, request->size, cuda, best_cpu, cpu, hybrid, report.solve_ms,
               hybrid / (cuda < cpu ? cuda : cpu), bad ? "  DIFFERS" : "");
        if (request->size >= 512) print_decisions();
        sum->cuda += log(cuda), sum->cpu += log(cpu), sum->hybrid += log(hybrid), sum->count++;
        free(mask);
        free(other);
    }
    tilecut_graph_destroy(graph);
    instance_free(&it);
    return bad;
}

int hybrid_times(int smallest, int largest, int connectivity, const family_photo *photo)
{
    int bad = 0;
    for (const family *kind = families; kind->name; kind++) {
        const bool maze = !strcmp(kind->name, "maze");
        if (kind->needs_photo && !photo) continue;
        for (int corridor = maze ? 1 : 0; corridor <= (maze ? 7 : 0); corridor += 6) {
            totals sum = {0};
            for (int size = smallest; size <= largest; size *= 2) {
                const family_request request = {.size = size, .seed = 1, .corridor = corridor, .lambda = -1,
                                                .connectivity = connectivity,
                                                .photo = kind->needs_photo ? photo : NULL};
                bad += time_one(kind, &request, &sum);
            }
            printf("%-8s %d  mean  cuda %9.2f  the best  %9.2f  hybrid %9.2f\n", kind->name, corridor,
                   exp(sum.cuda / sum.count), exp(sum.cpu / sum.count), exp(sum.hybrid / sum.count));
        }
    }
    return bad;
}
