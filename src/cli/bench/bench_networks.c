/* SPDX-License-Identifier: MIT
 *
 * bench_networks.c - graphs of any shape in the benchmark: makes them or reads them from a file, writes them for peers,
 * and solves them once. Flows, matchings and assignments are three problems on the same lists of arcs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "machine.h"
#include "network_job.h"

const bench_table bench_tables[BENCH_TABLES] = {
    {&grid_solvers, BENCH_GRIDS | BENCH_LABELLINGS}, {&network_solvers, BENCH_FLOWS},
    {&network_matchers, 1 << BENCH_MATCH}, {&network_assigners, 1 << BENCH_ASSIGN}};

const char *bench_device(const char *solver)
{
    const char *device = NULL;
    for (int t = 0; t < BENCH_TABLES && !device; t++) device = solver_device(bench_tables[t].of, solver);
    return device ? device : "cpu";
}

const char *bench_problem_name(enum bench_problem problem)
{
    static const char *const names[] = {"grid", "flow", "match", "assign", "labels"};
    return names[problem];
}

enum bench_problem bench_family_problem(const network_family *kind)
{
    static const enum bench_problem problems[] = {[NETWORK_FLOW] = BENCH_FLOW, [NETWORK_MATCH] = BENCH_MATCH,
                                                  [NETWORK_ASSIGN] = BENCH_ASSIGN};
    return problems[kind->kind];
}

/* ---- making and reading ----------------------------------------------------------------------- */

/* Renumbers the columns from 0, as the library wants them. */
static void number_columns(saved_network *saved)
{
    for (int64_t a = 0; a < saved->list.arcs; a++) saved->list.head[a] -= (int32_t)saved->left;
}

int bench_network_make(const bench_spec *spec, bench_instance *out, failure *why)
{
    saved_network *const saved = &out->any.saved;
    network_shape shape;
    saved->list.most_bytes = machine_memory();
    STEP(network_make(spec->network, &spec->shape, &saved->list, &shape, why));
    out->problem = bench_family_problem(spec->network);
    out->width = (int)spec->shape.size;
    out->height = (int)spec->shape.depth;
    saved->left = shape.left;
    number_columns(saved);
    return EXIT_DONE;
}

int bench_network_read(const bench_spec *spec, bench_instance *out, notes *log, failure *why)
{
    static const network_options none = {0};
    saved_network *const saved = &out->any.saved;
    saved_network_hint(saved, spec->path, log, why);
    out->problem = spec->file == BENCH_GRID ? BENCH_FLOW : spec->file;
    if (out->problem == BENCH_FLOW) return network_run_terminals(&out->any, spec->path, &none, log, why);
    if (saved->left < 1 || saved->left == saved->list.nodes)
        return fail(why, EXIT_INPUT, "%s: has no rows, or no columns", spec->path);
    number_columns(saved);
    return EXIT_DONE;
}

/* ---- for peers -------------------------------------------------------------------------------- */

/* Returns the total capacity of the arcs that have one of `nodes` in `ends`, which is the list's heads or tails.
 * INT64_MAX: no limit, or the sum does not fit 64 bits. */
static int64_t carried(const arc_list *list, const int32_t *ends, const int32_t *nodes, int64_t count)
{
    int64_t sum = 0;
    for (int64_t a = 0; a < list->arcs; a++)
        for (int64_t i = 0; i < count; i++) {
            const int64_t value = list->value ? list->value[a] : 1;
            if (ends[a] != nodes[i]) continue;
            if (value == INT64_MAX || __builtin_add_overflow(sum, value, &sum)) return INT64_MAX;
        }
    return sum;
}

/* Returns an upper bound of the flow. Larger capacities are lowered to it for peers, so that they cannot overflow. */
static int64_t ceiling_of(const arc_list *list)
{
    const int64_t out = carried(list, list->tail, list->sources, list->source_count);
    const int64_t in = carried(list, list->head, list->sinks, list->sink_count);
    int64_t all = 0;
    if (out < INT64_MAX || in < INT64_MAX) return out < in ? out : in;
    for (int64_t a = 0; a < list->arcs; a++) {
        const int64_t value = list->value ? list->value[a] : 1;
        if (value < INT64_MAX && __builtin_add_overflow(all, value, &all)) return INT64_MAX;
    }
    return all;
}

typedef struct writer {
    FILE *file;
    int64_t extra; /* number of arcs from a super source and to a super sink */
} writer;

static bool put_array(writer *w, const void *data, int64_t count, size_t size)
{
    return !count || fwrite(data, size, (size_t)count, w->file) == (size_t)count;
}

/* Writes the heads or the tails of the extra arcs, which join a super source to each source, and each sink
 * to a super sink. */
static bool put_extra(writer *w, const arc_list *list, bool heads)
{
    bool held = true;
    for (int64_t i = 0; w->extra && held && i < w->extra; i++) {
        const bool source = i < list->source_count;
        const int32_t outer = (int32_t)list->nodes + !source;
        const int32_t inner = source ? list->sources[i] : list->sinks[i - list->source_count];
        held = put_array(w, source == heads ? &inner : &outer, 1, sizeof outer);
    }
    return held;
}

static bool put_values(writer *w, const arc_list *list, bool flow)
{
    /* Use one more than the upper bound, so that an arc with a lowered capacity is in no minimum cut. */
    const int64_t ceiling = flow ? ceiling_of(list) : INT64_MAX, most = ceiling < INT64_MAX ? ceiling + 1 : ceiling;
    bool held = true;
    for (int64_t a = 0; held && a < list->arcs; a++) {
        int64_t value = list->value ? list->value[a] : 1;
        if (value > most) value = most;
        held = put_array(w, &value, 1, sizeof value);
    }
    for (int64_t i = 0; held && i < w->extra; i++) held = put_array(w, &most, 1, sizeof most);
    return held;
}

int bench_network_write(const bench_instance *it, const char *path, failure *why)
{
    const saved_network *const saved = &it->any.saved;
    const arc_list *const list = &saved->list;
    const bool flow = it->problem == BENCH_FLOW, one = !flow || (list->source_count == 1 && list->sink_count == 1);
    writer w = {.file = fopen(path, "wb"), .extra = one ? 0 : list->source_count + list->sink_count};
    const int64_t head[8] = {it->problem, list->nodes, list->nodes + (one ? 0 : 2), list->arcs + w.extra, saved->left,
                             !flow ? 0 : one ? list->sources[0] : list->nodes,
                             !flow ? 0 : one ? list->sinks[0] : list->nodes + 1, 0};
    bool held = w.file && put_array(&w, "TCNET 1\n", 8, 1) && put_array(&w, head, 8, sizeof *head) &&
                put_array(&w, list->tail, list->arcs, sizeof *list->tail) && put_extra(&w, list, false) &&
                put_array(&w, list->head, list->arcs, sizeof *list->head) && put_extra(&w, list, true) &&
                put_values(&w, list, flow);
    if (w.file && fclose(w.file)) held = false;
    return held ? EXIT_DONE : fail(why, EXIT_RUNTIME, "%s: cannot be written for the peers", path);
}

/* ---- one run ---------------------------------------------------------------------------------- */

static tilecut_status run_flow(const bench_instance *it, const tilecut_network_params *params, bench_row *row,
                               bench_times *times)
{
    tilecut_network_arcs arcs = arcs_network(&it->any.saved.list);
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    uint8_t *const side = malloc((size_t)arcs.nodes);
    arcs.threads = params->threads;
    const double start = machine_ms();
    tilecut_status status = side ? tilecut_network_create(&network, &arcs) : TILECUT_ENOMEM;
    if (status == TILECUT_OK) status = tilecut_network_solve(network, params, side, NULL, &report);
    tilecut_network_destroy(network);
    *times = (bench_times){report.build_ms, 0, report.solve_ms, machine_ms() - start};
    if (status == TILECUT_OK) {
        row->flow = report.flow;
        row->certified = (int)report.certified;
        row->bytes_per_pixel = report.bytes_per_arc;
        row->chosen = report.solver;
        sha256(side, (size_t)arcs.nodes, row->mask_sha256);
    }
    free(side);
    return status;
}

static tilecut_status run_pairs(const bench_instance *it, const tilecut_network_params *params, bench_row *row,
                                bench_times *times)
{
    const saved_network *const saved = &it->any.saved;
    const arc_list *const list = &saved->list;
    const bool costs = it->problem == BENCH_ASSIGN;
    const tilecut_network_edges edges = {.rows = saved->left, .columns = list->nodes - saved->left, .edges = list->arcs,
                                         .row = list->tail, .column = list->head, .cost = list->value};
    tilecut_network_pairs_report report = {0};
    uint8_t *const cover = costs ? NULL : malloc((size_t)list->nodes);
    const double start = machine_ms();
    if (!costs && !cover) return TILECUT_ENOMEM;
    const tilecut_status status = costs ? tilecut_network_assign(&edges, params, NULL, NULL, &report)
                                        : tilecut_network_match(&edges, params, NULL, cover, &report);
    *times = (bench_times){report.build_ms, 0, report.solve_ms, machine_ms() - start};
    if (status == TILECUT_OK) {
        row->flow = costs ? report.cost : report.pairs;
        row->certified = (int)report.certified;
        row->chosen = report.solver;
        /* the cover is the same for every largest matching */
        if (cover) sha256(cover, (size_t)list->nodes, row->mask_sha256);
    }
    free(cover);
    return status;
}

tilecut_status bench_run_network(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                 bench_row *row, bench_times *times)
{
    const tilecut_network_params params = {.solver = solver, .threads = row->threads, .cancel = cancel};
    row->device = bench_device(solver);
    return it->problem == BENCH_FLOW ? run_flow(it, &params, row, times) : run_pairs(it, &params, row, times);
}
