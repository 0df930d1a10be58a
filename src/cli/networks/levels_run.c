/* SPDX-License-Identifier: MIT
 *
 * levels_run.c - see levels_run.h.
 */
#include "levels_run.h"

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
    const levels_options *asked;
    const char *path;
    saved_network saved;
    tilecut_network_levels_report report;
    int64_t from;
    int32_t *level; /* owned: [nodes] */
    notes notes;
    bool solved;
    double start_ms, read_ms;
} work;

static void stage(const work *w, const char *name, double ms, const char *what)
{
    if (w->asked->common.verbose) fprintf(stderr, "tilecut: %-8s %9.1f ms  %s\n", name, ms, what);
}

static int read_graph(work *w, failure *why)
{
    bytes file = {0};
    char text[120];
    const network_wish wish = {.undirected = w->asked->undirected, .always = true,
                               .most_bytes = w->asked->max_memory ? w->asked->max_memory : machine_memory()};
    int status = network_load(w->path, wish.most_bytes, &file, why);
    if (status == EXIT_DONE)
        status = network_decode(file_input_name(w->path), file.data, file.size, &wish, &w->saved, NULL, why);
    bytes_free(&file);
    if (status != EXIT_DONE) return status;
    w->read_ms = machine_ms() - w->start_ms;
    snprintf(text, sizeof text, "%s, %" PRId64 " nodes, %" PRId64 " arcs", w->saved.format, w->saved.list.nodes,
             w->saved.list.arcs);
    stage(w, "read", w->read_ms, text);
    return EXIT_DONE;
}

/* The node to begin at: the one asked for, the file's source, or the tail of its first arc. */
static int choose_first(work *w, failure *why)
{
    const arc_list *const list = &w->saved.list;
    const char *const name = file_input_name(w->path);
    const int64_t asked = w->asked->source;
    if (asked >= 0) {
        for (w->from = 0; w->from < list->nodes; w->from++)
            if (saved_network_node(&w->saved, w->from) == asked) return EXIT_DONE;
        return fail(why, EXIT_USAGE, "--source: %s has no node %" PRId64, name, asked);
    }
    if (!list->source_count && !list->arcs)
        return fail(why, EXIT_INPUT, "%s: has no arc; --source names the node to begin at", name);
    w->from = list->source_count ? list->sources[0] : list->tail[0];
    if (!list->source_count)
        note(&w->notes, "%s names no source; the search begins at node %" PRId64, name,
             saved_network_node(&w->saved, w->from));
    return EXIT_DONE;
}

static int solve(work *w, failure *why)
{
    const arc_list *const list = &w->saved.list;
    tilecut_params params = tilecut_params_default();
    char text[120];
    const int status = engine_choose(&w->asked->common, &params, &w->notes, why);
    if (status != EXIT_DONE) return status;
    const tilecut_network_params how = {.solver = w->asked->way, .threads = params.threads, .cancel = params.cancel};
    const tilecut_network_edges edges = {.rows = list->nodes, .columns = list->nodes, .edges = list->arcs,
                                         .row = list->tail, .column = list->head};
    w->level = malloc((size_t)list->nodes * sizeof *w->level);
    if (!w->level) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its levels", file_input_name(w->path));
    const tilecut_status solved = tilecut_network_levels(&edges, w->from, &how, w->level, &w->report);
    if (solved != TILECUT_OK) return engine_failure(solved, file_input_name(w->path), why);
    w->solved = true;
    stage(w, "graph", w->report.build_ms, "");
    snprintf(text, sizeof text, "%" PRId64 " levels down, %" PRId64 " up", w->report.downs, w->report.ups);
    stage(w, "search", w->report.solve_ms, text);
    stage(w, "certify", w->report.certify_ms, "levels are distances");
    return EXIT_DONE;
}

/* Terminals without a number in the file are s and t. */
static void print_level(const work *w, int64_t v)
{
    const int64_t number = saved_network_node(&w->saved, v), nodes = w->saved.list.nodes;
    if (w->saved.numbers.format && v >= nodes - 2 && !number) printf("l %c", v == nodes - 2 ? 's' : 't');
    else printf("l %" PRId64, number);
    printf(" %" PRId32 "\n", w->level[v]);
}

static int print(const work *w, failure *why)
{
    const char *const report = w->asked->common.json;
    if (report && !strcmp(report, "-")) return EXIT_DONE;
    printf("s %" PRId64 " %" PRId64 "\n", w->report.reached, w->report.deepest);
    for (int64_t v = 0; w->asked->levels && v < w->saved.list.nodes; v++)
        if (w->level[v] >= 0) print_level(w, v);
    return file_finish_lines(why);
}

static int write_json(const work *w, const failure *error, failure *why)
{
    json j = {0};
    if (!w->asked->common.json) return EXIT_DONE;
    json_open(&j, NULL, '{');
    json_text(&j, "version", tilecut_version());
    json_text(&j, "graph", w->path);
    if (w->solved) {
        json_text(&j, "format", w->saved.format);
        json_integer(&j, "nodes", w->saved.list.nodes);
        json_integer(&j, "arcs", w->saved.list.arcs);
        json_integer(&j, "source", saved_network_node(&w->saved, w->from));
        json_integer(&j, "reached", w->report.reached);
        json_integer(&j, "deepest", w->report.deepest);
        json_integer(&j, "levels_down", w->report.downs);
        json_integer(&j, "levels_up", w->report.ups);
        json_bool(&j, "certified", w->report.certified);
    }
    const json_stages ms = {.start = w->start_ms, .read = w->read_ms, .graph = w->report.build_ms,
                           .solve = w->report.solve_ms, .certify = w->report.certify_ms};
    return json_finish(&j, &ms, error, w->asked->common.json, why);
}

static int check_device(const char *way, failure *why)
{
    int row = 0;
    while (way && strcmp(way, tilecut_network_levels_way(row))) row++;
    return network_device_check("way", way, tilecut_network_levels_device(row), why);
}

int levels_run(const levels_options *asked, const char *path, failure *why)
{
    work w = {.asked = asked, .path = path, .start_ms = machine_ms()};
    outputs written = {0};
    failure ignored = {0};
    outputs_add(&written, "--json", asked->common.json, false);
    int status = outputs_check(&written, &path, 1, why);
    const bool planned = status == EXIT_DONE; /* otherwise the JSON might overwrite another file */
    if (status == EXIT_DONE) status = check_device(asked->way, why);
    if (status == EXIT_DONE) status = read_graph(&w, why);
    if (status == EXIT_DONE) status = choose_first(&w, why);
    if (status == EXIT_DONE) status = solve(&w, why);
    notes_show(&w.notes, asked->common.quiet);
    if (status == EXIT_DONE) status = print(&w, why);
    if (status == EXIT_DONE) status = write_json(&w, NULL, why);
    else if (planned) write_json(&w, why, &ignored);
    outputs_free(&written);
    saved_network_free(&w.saved);
    notes_free(&w.notes);
    free(w.level);
    return status;
}
