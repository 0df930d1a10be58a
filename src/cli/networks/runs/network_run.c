/* SPDX-License-Identifier: MIT */
#include "network_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "network_families.h"
#include "network_job.h"
#include "sha256.h"

const option network_run_options[] = {
    OPTION_HEADING("Graphs that are no grids"),
    {.name = "network-solver", .argument = "NAME",
     .help = "the solver; every one gives the same cut\n(default auto: chosen from the graph)",
     .kind = OPTION_NAME_OR_AUTO, .wanted = "a solver of graphs of any shape ('tilecut help maxflow' lists them) or "
     "auto", .at = offsetof(network_options, solver), .choice = tilecut_network_solver_name,
     .choice_summary = tilecut_network_solver_summary},
    {.name = "any-shape", .help = "solve grids as graphs of any shape, too", .at = offsetof(network_options, any)},
    {.name = "source", .argument = "NODE", .help = "number of a source, if the file names none; repeatable",
     .parse = option_texts, .at = offsetof(network_options, sources), .repeatable = true},
    {.name = "sink", .argument = "NODE", .help = "number of a sink, likewise; repeatable",
     .parse = option_texts, .at = offsetof(network_options, sinks), .repeatable = true},
    {.name = "pairs", .argument = "N",
     .help = "without sources and sinks: N pairs of nodes that are far\nfrom each other (default 20)",
     .parse = option_count, .at = offsetof(network_options, pairs)},
    OPTIONS_TABLE(network_options),
    {.name = "undirected", .help = "treat edges of a list or a matrix as undirected",
     .at = offsetof(network_options, undirected)},
    OPTIONS_END
};

enum { PAIRS_DEFAULT = 20, PAIRS_MOST = 10000, PAIRS_TEXT = 26 * PAIRS_DEFAULT + 40 };

static int check_numbers(const option_list *list, const char *name, failure *why)
{
    int64_t node;
    for (int i = 0; i < list->count; i++)
        if (!parse_integer(list->items[i], 0, INT32_MAX, &node))
            return fail(why, EXIT_USAGE, "--%s: '%s' is not the number of a node", name, list->items[i]);
    return EXIT_DONE;
}

int network_options_check(const network_options *asked, failure *why)
{
    int status = network_reading_check(asked->matrix, asked->edges, why);
    if (status == EXIT_DONE) status = check_numbers(&asked->sources, "source", why);
    if (status == EXIT_DONE) status = check_numbers(&asked->sinks, "sink", why);
    if (status != EXIT_DONE) return status;
    if (!asked->sources.count != !asked->sinks.count)
        return fail(why, EXIT_USAGE, "--%s: is missing; a flow goes from a source to a sink",
                    asked->sources.count ? "sink" : "source");
    if (asked->pairs > PAIRS_MOST) return fail(why, EXIT_USAGE, "--pairs: at most %d", PAIRS_MOST);
    if (asked->pairs && asked->sources.count)
        return fail(why, EXIT_USAGE, "--pairs: sources and sinks are named already");
    return network_device_check("network-solver", asked->solver, &network_solvers, why);
}

static int put_named(saved_network *saved, const char *name, const option_list *list, bool source, failure *why)
{
    for (int i = 0; i < list->count; i++) {
        int64_t node = 0;
        parse_integer(list->items[i], 0, INT32_MAX, &node);
        if (node < saved->base || node - saved->base >= saved->list.nodes)
            return fail(why, EXIT_USAGE, "--%s: %s has no node %" PRId64 "; nodes are %" PRId64 " to %" PRId64,
                        source ? "source" : "sink", name, node, saved->base, saved->base + saved->list.nodes - 1);
        for (int64_t k = 0; !source && k < saved->list.source_count; k++)
            if (saved->list.sources[k] == node - saved->base)
                return fail(why, EXIT_USAGE, "--sink: node %" PRId64 " is a source", node);
        if (!(source ? arcs_put_source : arcs_put_sink)(&saved->list, node - saved->base))
            return fail(why, EXIT_RESOURCES, "%s: not enough memory", name);
    }
    return EXIT_DONE;
}

/* Writes pairs of node numbers for the note, "3 > 8, 5 > 2"; if there are many, only the first ones. */
static void name_pairs(const saved_network *saved, const int32_t *from, const int32_t *to, int count,
                       char out[PAIRS_TEXT])
{
    int used = 0, shown = count < PAIRS_DEFAULT ? count : PAIRS_DEFAULT;
    for (int i = 0; i < shown; i++)
        used += snprintf(out + used, (size_t)(PAIRS_TEXT - used), "%s%" PRId64 " > %" PRId64, i ? ", " : "",
                         saved_network_node(saved, from[i]), saved_network_node(saved, to[i]));
    if (shown < count) snprintf(out + used, (size_t)(PAIRS_TEXT - used), " and %d more", count - shown);
}

static int put_pairs(saved_network *saved, const char *name, int pairs, notes *log, failure *why)
{
    int found = 0;
    int32_t *ends = malloc(2 * (size_t)pairs * sizeof *ends);
    char text[PAIRS_TEXT] = "";
    bool held = ends && network_far_pairs(&saved->list, true, pairs, 1, ends, ends + pairs, &found);
    if (held) name_pairs(saved, ends, ends + pairs, found, text);
    for (int i = 0; held && i < found; i++)
        held = arcs_put_source(&saved->list, ends[i]) && arcs_put_sink(&saved->list, ends[pairs + i]);
    free(ends);
    if (!held) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its neighbourhoods", name);
    if (!found)
        return fail(why, EXIT_INPUT, "%s: no arc from one node to another has a capacity, so there is no flow", name);
    note(log, "%s names no source and sink; these are taken, far apart, each sink reached from its source: %s", name,
         text);
    return EXIT_DONE;
}

int network_run_terminals(network_run *run, const char *name, const network_options *asked, notes *log, failure *why)
{
    if (run->saved.terminals) {
        if (asked->sources.count || asked->pairs)
            return fail(why, EXIT_USAGE, "--%s: %s names its source and sink", asked->pairs ? "pairs" : "source", name);
        return EXIT_DONE;
    }
    if (!asked->sources.count)
        return put_pairs(&run->saved, name, asked->pairs ? asked->pairs : PAIRS_DEFAULT, log, why);
    const int status = put_named(&run->saved, name, &asked->sources, true, why);
    return status == EXIT_DONE ? put_named(&run->saved, name, &asked->sinks, false, why) : status;
}

int network_run_solve(network_run *run, const char *name, const network_options *asked, const common *engine,
                      bool flow, notes *log, failure *why)
{
    tilecut_params params = tilecut_params_default();
    tilecut_network_arcs arcs = arcs_network(&run->saved.list);
    tilecut_network *network = NULL;
    if (engine->device && strcmp(engine->device, "auto") && strcmp(engine->device, "cpu"))
        return fail(why, EXIT_RESOURCES, "--device: %s solves grids; a graph of another shape goes to a GPU by "
                    "--network-solver network-cuda", engine->device);
    STEP(engine_choose(engine, &params, log, why));
    run->side = malloc((size_t)arcs.nodes);
    run->flow = flow ? malloc(((size_t)arcs.arcs + 1) * sizeof *run->flow) : NULL;
    if (!run->side || (flow && !run->flow))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its flow", name);
    arcs.threads = params.threads;
    tilecut_status solved = tilecut_network_create(&network, &arcs);
    /* The library refuses only what comes from the file, so the file is at fault. */
    if (solved == TILECUT_EINVAL) return fail(why, EXIT_INPUT, "%s: %s", name, tilecut_error_detail());
    if (solved == TILECUT_ERANGE && run->saved.list.decimals > 0)
        return fail(why, EXIT_INPUT, "%s: %s; they have up to %d digits after the point, so round them", name,
                    tilecut_error_detail(), run->saved.list.decimals);
    const tilecut_network_params own_params = {
        .solver = asked->solver, .threads = params.threads, .cancel = params.cancel};
    if (solved == TILECUT_OK) solved = tilecut_network_solve(network, &own_params, run->side, run->flow, &run->report);
    tilecut_network_destroy(network);
    return engine_failure(solved, name, why);
}

void network_run_print(const network_run *run, bool flow, bool cut)
{
    const arc_list *const list = &run->saved.list;
    putchar('s');
    saved_network_print_value(&run->saved, run->report.flow);
    putchar('\n');
    for (int64_t a = 0; flow && a < list->arcs; a++) {
        if (!run->flow[a]) continue;
        putchar('f');
        saved_network_print(&run->saved, list->tail[a]);
        saved_network_print(&run->saved, list->head[a]);
        saved_network_print_value(&run->saved, run->flow[a]);
        putchar('\n');
    }
    /* As for grids, source and sink are not printed if they are not pixels. */
    const int64_t nodes = run->saved.numbers.format ? list->nodes - 2 : list->nodes;
    for (int64_t v = 0; cut && v < nodes; v++)
        if (!run->side[v]) printf("t %" PRId64 "\n", saved_network_node(&run->saved, v));
}

void network_run_json(const network_run *run, json *out)
{
    char hash[SHA256_TEXT];
    const tilecut_network_report *const result = &run->report;
    sha256(run->side, (size_t)run->saved.list.nodes, hash);
    JSON_MEMBERS(out, &run->saved.list, nodes, arcs);
    json_integer(out, "sources", run->saved.list.source_count);
    JSON_MEMBERS(out, result, sink_side, solver);
    json_text(out, "device", solver_device(&network_solvers, result->solver));
    json_integer(out, "threads", result->threads);
    network_json_value(out, "flow", result->flow, &run->saved);
    network_json_value(out, "cut", result->cut, &run->saved);
    json_bool(out, "certified", result->certified);
    json_text(out, "mask_sha256", hash);
    json_real(out, "bytes_per_arc", result->bytes_per_arc);
}

void network_run_free(network_run *run)
{
    saved_network_free(&run->saved);
    free(run->side);
    free(run->flow);
    memset(run, 0, sizeof *run);
}
