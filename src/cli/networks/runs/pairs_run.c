/* SPDX-License-Identifier: MIT */
#include "pairs_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine.h"
#include "network_job.h"

typedef struct work {
    network_job job;
    const pairs_options *asked;
    tilecut_network_pairs_report report;
    int32_t *column_of; /* [rows]; owned           */
    uint8_t *cover;     /* [rows + columns]; owned */
    int64_t *price;     /* [rows + columns]; owned */
} work;

static const solver_table *table_of(const pairs_options *asked)
{
    return asked->costs ? &network_assigners : &network_matchers;
}

static int check_pairs(void *my, failure *why)
{
    const pairs_options *const asked = ((const work *)my)->asked;
    return network_device_check(asked->costs ? "assigner" : "matcher", asked->solver, table_of(asked), why);
}

static int take_pairs(void *my, failure *why)
{
    work *const w = my;
    saved_network *const saved = &w->job.saved;
    char text[120];
    snprintf(text, sizeof text, "%s, %" PRId64 " rows, %" PRId64 " columns, %" PRId64 " edges", saved->format,
             saved->left, saved->list.nodes - saved->left, saved->list.arcs);
    network_stage(w->job.common, "read", w->job.read_ms, text);
    if (saved->left < 1 || saved->left == saved->list.nodes)
        return fail(why, EXIT_INPUT, "%s: has no rows, or no columns", file_input_name(w->job.path));
    /* The library numbers columns from 0. */
    for (int64_t a = 0; a < saved->list.arcs; a++) saved->list.head[a] -= (int32_t)saved->left;
    return EXIT_DONE;
}

static int64_t row_number(const work *w, int64_t row)
{
    return row + w->job.saved.base;
}

static int64_t column_number(const work *w, int64_t column)
{
    return column + w->job.saved.base + (w->job.saved.together ? w->job.saved.left : 0);
}

/* Finds a row that a largest matching leaves out; if there are more rows than columns, finds a column that it leaves
 * out. Returns -1 if the matching fails or leaves none out. */
static int64_t left_over(const tilecut_network_edges *edges, const tilecut_network_params *params)
{
    const tilecut_network_params match = {.threads = params->threads, .cancel = params->cancel};
    const bool tall = edges->rows > edges->columns;
    tilecut_network_edges turned = *edges;
    int64_t found = -1;
    if (tall)
        turned = (tilecut_network_edges){.rows = edges->columns, .columns = edges->rows, .edges = edges->edges,
                                         .row = edges->column, .column = edges->row};
    int32_t *const partner = malloc((size_t)turned.rows * sizeof *partner);
    if (partner && tilecut_network_match(&turned, &match, partner, NULL, NULL) == TILECUT_OK)
        for (int64_t r = 0; found < 0 && r < turned.rows; r++)
            if (partner[r] < 0) found = r;
    free(partner);
    return found;
}

/* Returns the edge whose cost is farthest from 0. */
static int64_t costliest(const tilecut_network_edges *edges)
{
    int64_t most = 0;
    for (int64_t e = 1; e < edges->edges; e++) {
        const int64_t a = edges->cost[e], b = edges->cost[most];
        if ((a < 0 ? -(uint64_t)a : (uint64_t)a) > (b < 0 ? -(uint64_t)b : (uint64_t)b)) most = e;
    }
    return most;
}

/* Turns a refusal by the library into a sentence about the file. The library numbers rows, columns and edges from 0;
 * the sentence has the numbers of the file. */
static int refuse_pairs(const work *w, const tilecut_network_edges *edges, const tilecut_network_params *params,
                  tilecut_status status, failure *why)
{
    const char *const name = file_input_name(w->job.path);
    if (status == TILECUT_ERANGE && edges->cost && edges->edges) {
        const int64_t e = costliest(edges), most = (INT64_C(1) << 58) / (edges->rows + edges->columns);
        const int decimals = w->job.saved.list.decimals;
        char cost[SCALED_TEXT], limit[SCALED_TEXT];
        scaled_text(cost, edges->cost[e], decimals);
        scaled_text(limit, most, decimals);
        return fail(why, EXIT_INPUT, "%s: row %" PRId64 ", column %" PRId64 ": costs %s; with so many rows and columns"
                    "%s at most %s is exact", name, row_number(w, edges->row[e]), column_number(w, edges->column[e]),
                    cost, decimals ? ", and as many digits after the point as some cost has," : "", limit);
    }
    if (status == TILECUT_EINVAL && w->asked->costs) {
        const int64_t lone = left_over(edges, params);
        const bool tall = edges->rows > edges->columns;
        if (lone >= 0)
            return fail(why, EXIT_INPUT, "%s: there is no assignment: some %s, %s %" PRId64 " one of them, have fewer "
                        "%s between them than they are", name, tall ? "columns" : "rows", tall ? "column" : "row",
                        tall ? column_number(w, lone) : row_number(w, lone), tall ? "rows" : "columns");
    }
    if (status == TILECUT_EINVAL) return fail(why, EXIT_INPUT, "%s: %s", name, tilecut_error_detail());
    return engine_failure(status, name, why);
}

/* Allocates memory for the result, and for costs of 1 if the file has none. */
static int make_room(work *w, int64_t **ones, failure *why)
{
    const bool costs = w->asked->costs;
    const size_t nodes = (size_t)w->job.saved.list.nodes, edges = (size_t)w->job.saved.list.arcs;
    w->column_of = malloc((size_t)w->job.saved.left * sizeof *w->column_of);
    w->cover = costs ? NULL : malloc(nodes);
    w->price = costs ? malloc(nodes * sizeof *w->price) : NULL;
    *ones = costs && !w->job.saved.list.value ? malloc((edges + 1) * sizeof **ones) : NULL;
    if (!w->column_of || !(w->cover || w->price) || (costs && !w->job.saved.list.value && !*ones))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its pairs", file_input_name(w->job.path));
    for (size_t e = 0; *ones && e < edges; e++) (*ones)[e] = 1;
    return EXIT_DONE;
}

static int solve_pairs(void *my, failure *why)
{
    work *const w = my;
    const arc_list *const list = &w->job.saved.list;
    const bool costs = w->asked->costs;
    tilecut_network_pairs_report *const result = &w->report;
    tilecut_params params = tilecut_params_default();
    int64_t *ones = NULL;
    int status = engine_choose(w->job.common, &params, &w->job.notes, why);
    if (status == EXIT_DONE) status = make_room(w, &ones, why);
    if (status == EXIT_DONE) {
        const tilecut_network_params own_params = {.solver = w->asked->solver, .threads = params.threads,
                                            .cancel = params.cancel};
        const tilecut_network_edges edges = {.rows = w->job.saved.left, .columns = list->nodes - w->job.saved.left,
                                             .edges = list->arcs, .row = list->tail, .column = list->head,
                                             .cost = ones ? ones : list->value};
        const tilecut_status solved =
            costs ? tilecut_network_assign(&edges, &own_params, w->column_of, w->price, result)
                  : tilecut_network_match(&edges, &own_params, w->column_of, w->cover, result);
        if (solved != TILECUT_OK) status = refuse_pairs(w, &edges, &own_params, solved, why);
        else network_job_solved(&w->job, result->build_ms, result->solve_ms, result->certify_ms, "",
                                costs ? "prices equal cost" : "cover equals matching");
    }
    free(ones);
    return status;
}

static void print_proof(const work *w)
{
    const int64_t rows = w->job.saved.left, nodes = w->job.saved.list.nodes;
    for (int64_t v = 0; v < nodes; v++) {
        const int64_t number = v < rows ? row_number(w, v) : column_number(w, v - rows);
        if (w->price) {
            printf("%c %" PRId64, v < rows ? 'u' : 'v', number);
            saved_network_print_value(&w->job.saved, w->price[v]);
            putchar('\n');
        } else if (w->cover[v]) {
            printf("%c %" PRId64 "\n", v < rows ? 'r' : 'c', number);
        }
    }
}

static int print(void *my, failure *why)
{
    const work *const w = my;
    putchar('s');
    if (w->asked->costs) saved_network_print_value(&w->job.saved, w->report.cost);
    else printf(" %" PRId64, w->report.pairs);
    putchar('\n');
    for (int64_t r = 0; w->asked->pairs && r < w->job.saved.left; r++)
        if (w->column_of[r] >= 0)
            printf("m %" PRId64 " %" PRId64 "\n", row_number(w, r), column_number(w, w->column_of[r]));
    if (w->asked->proof) print_proof(w);
    return file_finish_lines(why);
}

static void put_answer(json *j, const void *my)
{
    const work *const w = my;
    json_text(j, "format", w->job.saved.format);
    json_integer(j, "rows", w->job.saved.left);
    json_integer(j, "columns", w->job.saved.list.nodes - w->job.saved.left);
    json_integer(j, "edges", w->job.saved.list.arcs);
    json_text(j, "solver", w->report.solver);
    json_text(j, "device", solver_device(table_of(w->asked), w->report.solver));
    JSON_MEMBERS(j, &w->report, pairs, first_pairs);
    if (w->asked->costs) network_json_value(j, "cost", w->report.cost, &w->job.saved);
    json_bool(j, "certified", w->report.certified);
}

int pairs_run(const pairs_options *asked, const char *path, failure *why)
{
    static const network_steps steps = {check_pairs, take_pairs, solve_pairs, print, put_answer};
    const network_reading options = {.sides = true,
                                     .costs = asked->costs,
                                     .matrix = asked->matrix,
                                     .edges = asked->edges,
                                     .named = asked->solver != NULL,
                                     .most_bytes = asked->max_memory};
    const char *const proof = !asked->proof ? NULL : asked->costs ? "--prices" : "--cover";
    work w = {.job = {.common = &asked->common,
                      .path = path,
                      .lines = asked->pairs ? "--pairs" : proof,
                      .options = options},
              .asked = asked};
    const int status = network_job_run(&w.job, &steps, &w, why);
    network_job_free(&w.job);
    free(w.column_of);
    free(w.cover);
    free(w.price);
    return status;
}
