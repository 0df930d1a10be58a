/* SPDX-License-Identifier: MIT
 *
 * maxflow.c - the verb `maxflow`: finds the minimum cut of a saved graph and prints it as DIMACS solvers do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "graph_file.h"
#include "image.h"
#include "json.h"
#include "machine.h"
#include "network_job.h"
#include "network_run.h"
#include "outputs.h"
#include "report.h"
#include "scan.h"
#include "sha256.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    const char *labels;
    bool cut, flow;
    uint64_t max_memory; /* limit in bytes; 0: the memory that is free on this machine */
    network_options network;
} wanted;

static const option maxflow_options[] = {
    OPTION_HEADING("Output"),
    {.name = "flow", .help = "also print 'f FROM TO FLOW' for each arc with flow",
     .at = offsetof(wanted, flow)},
    {.name = "cut", .help = "also print 't NODE' for each node on the sink's side",
     .at = offsetof(wanted, cut)},
    {.name = "labels", .argument = "FILE",
     .help = "the cut as a picture, or as a volume if the grid is one:\n0 side of the sink, 255 of the source",
     .parse = option_file, .at = offsetof(wanted, labels)},
    OPTION_HEADING("Reading"),
    OPTION_MAX_MEMORY(wanted),
    OPTIONS_END
};

typedef struct work {
    const char *path;
    outputs outputs;
    output *labels_out, *json_out;
    notes notes;
    saved_graph saved;
    tilecut_graph *graph; /* NULL: the graph is a grid in space, or no grid */
    network_run network;  /* the graph if it is no grid: it then has nodes, and `graph` is NULL */
    uint8_t *mask;
    tilecut_flow arcs;    /* point into `carried` */
    int32_t *carried;     /* flow on each arc; owned; NULL: not wanted */
    tilecut_report report;
    int64_t flow;         /* value of the flow, including the part found while reading */
    char mask_sha256[SHA256_TEXT];
    bool solved, fell_back;
    double start_ms, read_ms, write_ms;
} work;

static void work_free(work *w)
{
    outputs_free(&w->outputs);
    notes_free(&w->notes);
    tilecut_graph_destroy(w->graph);
    saved_graph_free(&w->saved);
    network_run_free(&w->network);
    free(w->mask);
    free(w->carried);
}

/* ---- the run ---------------------------------------------------------------------------------- */

static int plan(const wanted *my, work *w, failure *why)
{
    int status;
    if (my->labels && !scan_is_named(my->labels) &&
        (status = image_can_write(my->labels, IMAGE_MASK, 1, why)) != EXIT_DONE)
        return status;
    w->labels_out = outputs_add(&w->outputs, "--labels", my->labels, true);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    status = outputs_check(&w->outputs, &w->path, 1, why);
    return status == EXIT_DONE
               ? outputs_check_lines(&w->outputs, my->flow ? "--flow" : my->cut ? "--cut" : NULL, why) : status;
}

static bool is_network(const work *w)
{
    return w->network.saved.list.nodes > 0;
}

static int take_network(const wanted *my, work *w, failure *why)
{
    char text[120];
    const arc_list *const list = &w->network.saved.list;
    if (my->labels)
        return fail(why, EXIT_USAGE, "--labels: %s is no grid, so its cut is no picture; --cut tells it",
                    file_input_name(w->path));
    STEP(network_run_terminals(&w->network, file_input_name(w->path), &my->network, &w->notes, why));
    if (my->common.solver && strcmp(my->common.solver, "auto"))
        note(&w->notes, "--solver: %s is solved as no grid; --network-solver chooses how", file_input_name(w->path));
    w->read_ms = machine_ms() - w->start_ms;
    snprintf(text, sizeof text, "%s, %" PRId64 " nodes, %" PRId64 " arcs", w->network.saved.format, list->nodes,
             list->arcs);
    network_stage(&my->common, "read", w->read_ms, text);
    return EXIT_DONE;
}

static bool is_volume(const work *w)
{
    return w->saved.connectivity == 6;
}

/* Refuses options for pictures if the graph is a volume, and the reverse. */
static int check_volume(const wanted *my, const work *w, failure *why)
{
    const char *const name = file_input_name(w->path);
    if (!is_volume(w))
        return !my->labels || !scan_is_named(my->labels) ? EXIT_DONE
            : fail(why, EXIT_USAGE, "--labels: %s is no volume; name a picture, such as cut.png", name);
    if (my->flow) return fail(why, EXIT_USAGE, "--flow: %s is a volume without a list of arcs; save it as .max", name);
    return my->labels ? scan_can_write(my->labels, 0, why) : EXIT_DONE;
}

static int take_grid(const wanted *my, work *w, failure *why)
{
    char text[120], size[GRAPH_SHAPE_TEXT];
    const graph_shape shape = {w->saved.width, w->saved.height, w->saved.depth, w->saved.connectivity};
    const char *const name = file_input_name(w->path);
    if (my->network.sources.count || my->network.pairs)
        return fail(why, EXIT_USAGE, "--%s: %s names its source and sink", my->network.pairs ? "pairs" : "source",
                    name);
    STEP(check_volume(my, w, why));
    const tilecut_status made = is_volume(w) ? TILECUT_OK : tilecut_graph_create(&w->graph, &w->saved.arrays);
    /* If the library refuses capacities, the file is wrong. */
    if (made == TILECUT_EINVAL) return fail(why, EXIT_INPUT, "%s: %s", name, tilecut_error_detail());
    if (made != TILECUT_OK) return engine_failure(made, name, why);
    w->read_ms = machine_ms() - w->start_ms;
    graph_shape_text(&shape, size);
    snprintf(text, sizeof text, "%s, %s, %d neighbours", w->saved.format, size, w->saved.connectivity);
    network_stage(&my->common, "read", w->read_ms, text);
    return EXIT_DONE;
}

static int read_graph(const wanted *my, work *w, failure *why)
{
    const network_reading options = {.undirected = my->network.undirected, .matrix = my->network.matrix,
                               .edges = my->network.edges, .always = my->network.any, .flow = my->flow,
                               .named = my->network.solver != NULL, .most_bytes = my->max_memory};
    STEP(network_read(w->path, &options, &w->network.saved, &w->saved, why));
    return is_network(w) ? take_network(my, w, why) : take_grid(my, w, why);
}

/* Allocates the arcs' flows. */
static int prepare_flow(const wanted *my, work *w, size_t pixels, failure *why)
{
    if (!my->flow) return EXIT_DONE;
    w->carried = calloc(pixels * (2 + TILECUT_LINKS), sizeof *w->carried);
    if (!w->carried) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its flow", file_input_name(w->path));
    w->arcs.source = w->carried;
    w->arcs.sink = w->carried + pixels;
    for (size_t k = 0; k < TILECUT_LINKS; k++) w->arcs.to[k] = w->carried + pixels * (2 + k);
    return EXIT_DONE;
}

static void plan_device(const wanted *my, work *w, size_t pixels, tilecut_params *params)
{
    char reason[200];
    engine_auto engine;
    engine_auto_init(&engine, &my->common, w->saved.connectivity == 8 ? CALIBRATION_EIGHT : CALIBRATION_PHOTO,
                     &w->notes);
    if (!engine.open) return;
    engine_auto_plan(&engine, pixels, 1, params, reason, sizeof reason);
    network_stage(&my->common, "device", 0, reason);
}

static tilecut_status cut_graph(const wanted *my, work *w, const tilecut_params *params)
{
    const tilecut_volume_arrays volume = saved_graph_volume(&w->saved);
    if (is_volume(w)) return tilecut_volume_solve(&volume, params, w->mask, &w->report);
    return my->flow ? tilecut_graph_flow(w->graph, params, w->mask, &w->arcs, &w->report)
                    : tilecut_graph_solve(w->graph, params, w->mask, &w->report);
}

static int solve_network(const wanted *my, work *w, failure *why)
{
    STEP(network_run_solve(&w->network, file_input_name(w->path), &my->network, &my->common, my->flow, &w->notes, why));
    const tilecut_network_report *const result = &w->network.report;
    w->flow = result->flow;
    w->solved = true;
    network_stage(&my->common, "graph", result->build_ms, "");
    network_stage(&my->common, "solve", result->solve_ms, result->solver);
    if (my->flow) network_stage(&my->common, "flow", result->flow_ms, "excess led back to the sources");
    network_stage(&my->common, "certify", result->certify_ms, "flow equals cut");
    return EXIT_DONE;
}

static int solve_graph(const wanted *my, work *w, failure *why)
{
    if (is_network(w)) return solve_network(my, w, why);
    tilecut_params params = tilecut_params_default();
    const size_t pixels = saved_graph_pixels(&w->saved);
    int status = engine_choose(&my->common, &params, &w->notes, why);
    if (status == EXIT_DONE) status = prepare_flow(my, w, pixels, why);
    if (status != EXIT_DONE) return status;
    w->mask = malloc(pixels);
    if (!w->mask) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", w->path);
    if (!is_volume(w)) plan_device(my, w, pixels, &params);
    tilecut_status solved = cut_graph(my, w, &params);
    w->fell_back = solved != TILECUT_OK && engine_falls_back(&my->common, solved, &params, &w->notes);
    if (w->fell_back) solved = cut_graph(my, w, &params);
    if (solved != TILECUT_OK) return engine_failure(solved, file_input_name(w->path), why);
    if (__builtin_add_overflow(w->report.flow, w->saved.settled, &w->flow))
        return fail(why, EXIT_INPUT, "%s: the flow does not fit 64 bits", file_input_name(w->path));
    w->solved = true;
    sha256(w->mask, pixels, w->mask_sha256);
    network_stage(&my->common, "graph", w->report.graph_ms, "");
    network_stage(&my->common, "solve", w->report.solve_ms, w->report.solver);
    show_decisions(&my->common);
    network_stage(&my->common, "certify", w->report.certify_ms, "flow equals cut");
    return EXIT_DONE;
}

/* ---- output ----------------------------------------------------------------------------------- */

static void json_times(json *j, const work *w)
{
    const tilecut_network_report *const any = &w->network.report;
    json_open(j, "ms", '{');
    json_real(j, "read", w->read_ms);
    json_real(j, "graph", w->report.graph_ms + any->build_ms);
    json_real(j, "copy", w->report.copy_ms);
    json_real(j, "solve", w->report.solve_ms + any->solve_ms + any->flow_ms);
    json_real(j, "certify", w->report.certify_ms + any->certify_ms);
    json_real(j, "write", w->write_ms);
    json_real(j, "total", machine_ms() - w->start_ms);
    json_close(j, '}');
}

/* Writes the members of the report that exist only if there is a cut. */
static void json_cut(json *j, const work *w)
{
    char device[RUN_DEVICE];
    const double pixels = (double)saved_graph_pixels(&w->saved);
    JSON_MEMBERS(j, &w->saved, format, width, height);
    if (is_volume(w)) json_integer(j, "slices", w->saved.depth);
    JSON_MEMBERS(j, &w->saved, connectivity, quantum);
    json_text(j, "solver", w->report.solver);
    json_text(j, "device", run_device(&w->report, device));
    json_bool(j, "fallback", w->fell_back);
    json_integer(j, "threads", w->report.threads);
    put_decisions(j);
    json_integer(j, "flow", w->flow);
    json_integer(j, "cut", w->flow - w->report.flow + w->report.cut);
    json_bool(j, "certified", w->report.certified);
    json_real(j, "energy", (double)w->flow * w->saved.quantum);
    json_real(j, "foreground_fraction", (double)w->report.foreground / pixels);
    json_text(j, "mask_sha256", w->mask_sha256);
    json_real(j, "bytes_per_pixel", w->report.bytes_per_pixel);
}

static void json_network_cut(json *j, const work *w)
{
    json_text(j, "format", w->network.saved.format);
    json_nulls(j, "width height");
    network_run_json(&w->network, j);
}

static int write_json(const wanted *my, const work *w, const failure *error, failure *why)
{
    json j = {0};
    if (!my->common.json) return EXIT_DONE;
    json_begin(&j);
    json_text(&j, "graph", w->path);
    if (w->solved && is_network(w)) json_network_cut(&j, w);
    else if (w->solved) json_cut(&j, w);
    else json_nulls(&j, "format width height connectivity quantum solver device fallback threads flow cut certified "
                        "energy foreground_fraction mask_sha256 bytes_per_pixel");
    json_times(&j, w);
    json_integer(&j, "peak_bytes", (int64_t)machine_peak());
    json_warnings(&j, &w->notes);
    json_error(&j, error);
    return json_write(&j, my->common.json, why);
}

/* Prints the lines to standard output, unless another output goes there. */
static int print_lines(const wanted *my, const work *w, failure *why)
{
    const size_t pixels = saved_graph_pixels(&w->saved);
    for (int i = 0; i < w->outputs.count; i++)
        if (!strcmp(w->outputs.item[i].path, "-")) return EXIT_DONE;
    if (is_network(w)) {
        network_run_print(&w->network, my->flow, my->cut);
        return file_finish_lines(why);
    }
    printf("s %" PRId64 "\n", w->flow);
    if (my->flow) graph_print_flow(&w->saved, &w->arcs);
    for (size_t p = 0; my->cut && p < pixels; p++)
        if (!w->mask[p]) printf("t %" PRId64 "\n", saved_graph_node(&w->saved, p));
    return file_finish_lines(why);
}

static int write_outputs(const wanted *my, work *w, failure *why)
{
    const double start = machine_ms();
    int status = EXIT_DONE;
    if (w->labels_out && is_volume(w)) {
        const scan labels = {.width = w->saved.width, .height = w->saved.height, .depth = w->saved.depth,
                             .type = TILECUT_VOXEL_U8, .voxels = w->mask, .slope = 1};
        status = scan_encode(my->labels, &labels, NULL, &w->labels_out->data, why);
    } else if (w->labels_out) {
        const image_view view = {.width = w->saved.width, .height = w->saved.height, .channels = 1, .depth = 8,
                                 .pixels = w->mask};
        status = image_encode(my->labels, IMAGE_MASK, &view, &w->labels_out->data, why);
    }
    if (status == EXIT_DONE) status = outputs_write(&w->outputs, w->json_out, why);
    w->write_ms = machine_ms() - start;
    if (status == EXIT_DONE) status = print_lines(my, w, why);
    if (status == EXIT_DONE) status = write_json(my, w, NULL, why);
    if (status != EXIT_DONE) outputs_undo(&w->outputs);
    return status;
}

int verb_maxflow(int argc, char **argv, failure *why)
{
    wanted my = {0};
    work w = {.start_ms = machine_ms()};
    int status;
    const syntax usage = {
        .verb = "maxflow", .synopsis = "GRAPH [options]",
        .about = "Finds the maximum flow and the minimum cut of a saved graph and prints 's FLOW'. GRAPH is a DIMACS\n"
                 "maximum-flow file, a .bbk file, a grid file of tilecut, a list of edges (SNAP, KONECT), a square\n"
                 "table of capacities or a Matrix Market file, packed by gzip or not, or - for standard input.\n"
                 "Capacities may be fractions, and inf. One that has the shape of a grid of\n"
                 "pixels with 4 or 8 neighbours, or of voxels with 6, goes to the solvers of grids, any other to\n"
                 "those of networks.",
        .operands_min = 1, .operands_max = 1, .operands = "one GRAPH",
        .sets = {{maxflow_options, &my}, {network_run_options, &my.network}, {engine_options, &my.common},
                 {common_options, &my.common}}};
    if (!options_parse(&usage, &argc, argv, &status, why)) return status;
    w.path = argv[0];
    status = network_options_check(&my.network, why);
    if (status == EXIT_DONE) status = plan(&my, &w, why);
    const bool planned = status == EXIT_DONE; /* only then is it certain that the report overwrites nothing */
    if (status == EXIT_DONE) status = read_graph(&my, &w, why);
    if (status == EXIT_DONE) status = solve_graph(&my, &w, why);
    saved_network_hint(&w.network.saved, file_input_name(w.path), &w.notes, why);
    notes_show(&w.notes, my.common.quiet);
    failure ignored = {0};
    if (status == EXIT_DONE) status = write_outputs(&my, &w, why);
    else if (planned) write_json(&my, &w, why, &ignored);
    work_free(&w);
    free(my.network.sources.items);
    free(my.network.sinks.items);
    return status;
}
