/* SPDX-License-Identifier: MIT
 *
 * pairs_run.c - see pairs_run.h.
 */
#include "pairs_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "json.h"
#include "machine.h"
#include "network_run.h"
#include "outputs.h"

typedef struct work {
    const pairs_options *asked;
    const char *path;
    saved_network saved;
    tilecut_network_pairs_report report;
    int32_t *column_of; /* owned: [rows]           */
    uint8_t *cover;     /* owned: [rows + columns] */
    int64_t *price;     /* owned: the same         */
    notes notes;
    bool solved;
    double start_ms, read_ms;
} work;

static void stage(const work *w, const char *name, double ms, const char *what)
{
    if (w->asked->common.verbose) fprintf(stderr, "tilecut: %-8s %9.1f ms  %s\n", name, ms, what);
}

static int read_edges(work *w, failure *why)
{
    bytes file = {0};
    char text[120];
    const network_wish wish = {.sides = true, .costs = w->asked->costs,
                               .most_bytes = w->asked->max_memory ? w->asked->max_memory : machine_memory()};
    const char *const name = file_input_name(w->path);
    int status = network_load(w->path, wish.most_bytes, &file, why);
    if (status == EXIT_DONE && graph_known(file.data, file.size) &&
        !network_known(file.data, file.size))
        status = fail(why, EXIT_INPUT, "%s: a graph of flow, not of pairs; lists of edges, Matrix Market files and "
                      "DIMACS asn files are read", name);
    if (status == EXIT_DONE) status = network_decode(name, file.data, file.size, &wish, &w->saved, NULL, why);
    bytes_free(&file);
    if (status != EXIT_DONE) return status;
    w->read_ms = machine_ms() - w->start_ms;
    snprintf(text, sizeof text, "%s, %" PRId64 " rows, %" PRId64 " columns, %" PRId64 " edges", w->saved.format,
             w->saved.left, w->saved.list.nodes - w->saved.left, w->saved.list.arcs);
    stage(w, "read", w->read_ms, text);
    if (w->saved.left < 1 || w->saved.left == w->saved.list.nodes)
        return fail(why, EXIT_INPUT, "%s: has no rows, or no columns", name);
    /* The library numbers columns from 0. */
    for (int64_t a = 0; a < w->saved.list.arcs; a++) w->saved.list.head[a] -= (int32_t)w->saved.left;
    return EXIT_DONE;
}

static int64_t row_number(const work *w, int64_t row)
{
    return row + w->saved.base;
}

static int64_t column_number(const work *w, int64_t column)
{
    return column + w->saved.base + (w->saved.together ? w->saved.left : 0);
}

/* A row that none of the largest matchings need have; -1: cannot be told. */
static int64_t row_left_over(const work *w, const tilecut_network_edges *edges, const tilecut_network_params *how)
{
    const tilecut_network_params match = {.threads = how->threads, .cancel = how->cancel};
    if (tilecut_network_match(edges, &match, w->column_of, NULL, NULL) != TILECUT_OK) return -1;
    for (int64_t r = 0; r < edges->rows; r++)
        if (w->column_of[r] < 0) return r;
    return -1;
}

/* The edge whose cost is farthest from 0. */
static int64_t dearest(const tilecut_network_edges *edges)
{
    int64_t most = 0;
    for (int64_t e = 1; e < edges->edges; e++) {
        const int64_t a = edges->cost[e], b = edges->cost[most];
        if ((a < 0 ? -(uint64_t)a : (uint64_t)a) > (b < 0 ? -(uint64_t)b : (uint64_t)b)) most = e;
    }
    return most;
}

/* What the library refuses is the file's fault. It numbers rows, columns and edges from 0; here they get the numbers
 * of the file. */
static int refuse(const work *w, const tilecut_network_edges *edges, const tilecut_network_params *how,
                  tilecut_status status, failure *why)
{
    const char *const name = file_input_name(w->path);
    if (status == TILECUT_ERANGE && w->asked->costs && edges->edges) {
        const int64_t e = dearest(edges);
        return fail(why, EXIT_INPUT, "%s: row %" PRId64 ", column %" PRId64 ": costs %" PRId64 "; with so many rows "
                    "and columns at most %" PRId64 " is exact", name, row_number(w, edges->row[e]),
                    column_number(w, edges->column[e]), edges->cost[e],
                    (INT64_C(1) << 58) / (edges->rows + edges->columns));
    }
    if (status == TILECUT_EINVAL && w->asked->costs && edges->columns >= edges->rows) {
        const int64_t row = row_left_over(w, edges, how);
        if (row >= 0)
            return fail(why, EXIT_INPUT, "%s: there is no assignment: some rows, row %" PRId64 " one of them, have "
                        "fewer columns between them than they are", name, row_number(w, row));
    }
    if (status == TILECUT_EINVAL) return fail(why, EXIT_INPUT, "%s: %s", name, tilecut_error_detail());
    return engine_failure(status, name, why);
}

static int solve(work *w, failure *why)
{
    const arc_list *const list = &w->saved.list;
    tilecut_params params = tilecut_params_default();
    const int status = engine_choose(&w->asked->common, &params, &w->notes, why);
    if (status != EXIT_DONE) return status;
    const tilecut_network_params how = {.solver = w->asked->solver, .threads = params.threads, .cancel = params.cancel};
    tilecut_network_edges edges = {.rows = w->saved.left, .columns = list->nodes - w->saved.left,
                                   .edges = list->arcs, .row = list->tail, .column = list->head,
                                   .cost = list->value};
    w->column_of = malloc((size_t)w->saved.left * sizeof *w->column_of);
    w->cover = w->asked->costs ? NULL : malloc((size_t)list->nodes);
    w->price = w->asked->costs ? malloc((size_t)list->nodes * sizeof *w->price) : NULL;
    if (!w->column_of || !(w->cover || w->price))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its pairs", file_input_name(w->path));
    /* If the file has no costs, all are 1. */
    int64_t *ones = NULL;
    if (w->asked->costs && !list->value) {
        edges.cost = ones = malloc(((size_t)list->arcs + 1) * sizeof *ones);
        if (!ones) return fail(why, EXIT_RESOURCES, "%s: not enough memory", file_input_name(w->path));
        for (int64_t e = 0; e < list->arcs; e++) ones[e] = 1;
    }
    const tilecut_status solved = w->asked->costs
        ? tilecut_network_assign(&edges, &how, w->column_of, w->price, &w->report)
        : tilecut_network_match(&edges, &how, w->column_of, w->cover, &w->report);
    const int status_of = solved == TILECUT_OK ? EXIT_DONE : refuse(w, &edges, &how, solved, why);
    free(ones);
    w->solved = solved == TILECUT_OK;
    stage(w, "graph", w->report.build_ms, "");
    stage(w, "solve", w->report.solve_ms, "");
    stage(w, "certify", w->report.certify_ms, w->asked->costs ? "prices equal cost" : "cover equals matching");
    return status_of;
}

static void print_proof(const work *w)
{
    const int64_t rows = w->saved.left, nodes = w->saved.list.nodes;
    for (int64_t v = 0; v < nodes; v++) {
        const int64_t number = v < rows ? row_number(w, v) : column_number(w, v - rows);
        if (w->price) printf("%c %" PRId64 " %" PRId64 "\n", v < rows ? 'u' : 'v', number, w->price[v]);
        else if (w->cover[v]) printf("%c %" PRId64 "\n", v < rows ? 'r' : 'c', number);
    }
}

static int print(const work *w, failure *why)
{
    const char *const report = w->asked->common.json;
    if (report && !strcmp(report, "-")) return EXIT_DONE;
    printf("s %" PRId64 "\n", w->asked->costs ? w->report.cost : w->report.pairs);
    for (int64_t r = 0; w->asked->pairs && r < w->saved.left; r++)
        if (w->column_of[r] >= 0)
            printf("m %" PRId64 " %" PRId64 "\n", row_number(w, r), column_number(w, w->column_of[r]));
    if (w->asked->proof) print_proof(w);
    return file_finish_lines(why);
}

static void json_answer(json *j, const work *w)
{
    json_text(j, "format", w->saved.format);
    json_integer(j, "rows", w->saved.left);
    json_integer(j, "columns", w->saved.list.nodes - w->saved.left);
    json_integer(j, "edges", w->saved.list.arcs);
    json_text(j, "solver", w->report.solver);
    json_integer(j, "pairs", w->report.pairs);
    json_integer(j, "first_pairs", w->report.first_pairs);
    if (w->asked->costs) json_integer(j, "cost", w->report.cost);
    json_bool(j, "certified", w->report.certified);
}

static int write_json(const work *w, const failure *error, failure *why)
{
    json j = {0};
    if (!w->asked->common.json) return EXIT_DONE;
    json_open(&j, NULL, '{');
    json_text(&j, "version", tilecut_version());
    json_text(&j, "graph", w->path);
    if (w->solved) json_answer(&j, w);
    const json_stages ms = {.start = w->start_ms, .read = w->read_ms, .graph = w->report.build_ms,
                           .solve = w->report.solve_ms, .certify = w->report.certify_ms};
    return json_finish(&j, &ms, error, w->asked->common.json, why);
}

static void work_free(work *w)
{
    saved_network_free(&w->saved);
    notes_free(&w->notes);
    free(w->column_of);
    free(w->cover);
    free(w->price);
}

static int check_device(const pairs_options *asked, failure *why)
{
    const char *(*const name)(int) = asked->costs ? tilecut_network_assigner_name : tilecut_network_matcher_name;
    int row = 0;
    while (asked->solver && strcmp(asked->solver, name(row))) row++;
    return network_device_check(asked->costs ? "assigner" : "matcher", asked->solver,
                                asked->costs ? tilecut_network_assigner_device(row)
                                             : tilecut_network_matcher_device(row), why);
}

int pairs_run(const pairs_options *asked, const char *path, failure *why)
{
    work w = {.asked = asked, .path = path, .start_ms = machine_ms()};
    outputs written = {0};
    failure ignored = {0};
    outputs_add(&written, "--json", asked->common.json, false);
    int status = outputs_check(&written, &path, 1, why);
    const bool planned = status == EXIT_DONE; /* otherwise the JSON might overwrite another file */
    if (status == EXIT_DONE) status = check_device(asked, why);
    if (status == EXIT_DONE) status = read_edges(&w, why);
    if (status == EXIT_DONE) status = solve(&w, why);
    notes_show(&w.notes, asked->common.quiet);
    if (status == EXIT_DONE) status = print(&w, why);
    if (status == EXIT_DONE) status = write_json(&w, NULL, why);
    else if (planned) write_json(&w, why, &ignored);
    outputs_free(&written);
    work_free(&w);
    return status;
}
