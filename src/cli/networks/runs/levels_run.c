/* SPDX-License-Identifier: MIT */
#include "levels_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine.h"
#include "network_job.h"

typedef struct work {
    network_job job;
    const levels_options *asked;
    tilecut_network_levels_report report;
    int64_t from;
    int32_t *level; /* [nodes]; owned */
} work;

static int check_levels(void *my, failure *why)
{
    static const solver_table ways = {tilecut_network_levels_way, tilecut_network_levels_device};
    return network_device_check("way", ((const work *)my)->asked->way, &ways, why);
}

/* Chooses the first node: the one asked for, else the file's source, else the tail of its first arc. */
static int choose_first(work *w, failure *why)
{
    const saved_network *const saved = &w->job.saved;
    const arc_list *const list = &saved->list;
    const char *const name = file_input_name(w->job.path);
    const int64_t asked = w->asked->source;
    if (asked >= 0) {
        for (w->from = 0; w->from < list->nodes; w->from++)
            if (saved_network_node(saved, w->from) == asked) return EXIT_DONE;
        return fail(why, EXIT_USAGE, "--source: %s has no node %" PRId64 " among its %" PRId64, name, asked,
                    list->nodes);
    }
    if (!list->source_count && !list->arcs)
        return fail(why, EXIT_INPUT, "%s: has no arc; --source names the node to begin at", name);
    w->from = list->source_count ? list->sources[0] : list->tail[0];
    if (!list->source_count)
        note(&w->job.notes, "%s names no source; the search begins at node %" PRId64, name,
             saved_network_node(saved, w->from));
    return EXIT_DONE;
}

static int take_levels(void *my, failure *why)
{
    work *const w = my;
    const saved_network *const saved = &w->job.saved;
    char text[120];
    snprintf(text, sizeof text, "%s, %" PRId64 " nodes, %" PRId64 " arcs", saved->format, saved->list.nodes,
             saved->list.arcs);
    network_stage(w->job.common, "read", w->job.read_ms, text);
    return choose_first(w, why);
}

static int solve_levels(void *my, failure *why)
{
    work *const w = my;
    const char *const name = file_input_name(w->job.path);
    const arc_list *const list = &w->job.saved.list;
    tilecut_network_levels_report *const result = &w->report;
    tilecut_params params = tilecut_params_default();
    char text[120];
    STEP(engine_choose(w->job.common, &params, &w->job.notes, why));
    const tilecut_network_params own_params = {
        .solver = w->asked->way, .threads = params.threads, .cancel = params.cancel};
    const tilecut_network_edges edges = {.rows = list->nodes, .columns = list->nodes, .edges = list->arcs,
                                         .row = list->tail, .column = list->head};
    w->level = malloc((size_t)list->nodes * sizeof *w->level);
    if (!w->level) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its levels", name);
    const tilecut_status solved = tilecut_network_levels(&edges, w->from, &own_params, w->level, result);
    if (solved != TILECUT_OK) return engine_failure(solved, name, why);
    snprintf(text, sizeof text, "%" PRId64 " levels down, %" PRId64 " up", result->downs, result->ups);
    network_job_solved(&w->job, result->build_ms, result->solve_ms, result->certify_ms, text, "levels are distances");
    return EXIT_DONE;
}

static int print(void *my, failure *why)
{
    const work *const w = my;
    printf("s %" PRId64 " %" PRId64 "\n", w->report.reached, w->report.deepest);
    for (int64_t v = 0; w->asked->levels && v < w->job.saved.list.nodes; v++) {
        if (w->level[v] < 0) continue;
        putchar('l');
        saved_network_print(&w->job.saved, v);
        printf(" %" PRId32 "\n", w->level[v]);
    }
    return file_finish_lines(why);
}

static void put_answer(json *j, const void *my)
{
    const work *const w = my;
    const saved_network *const saved = &w->job.saved;
    json_text(j, "format", saved->format);
    JSON_MEMBERS(j, &saved->list, nodes, arcs);
    json_integer(j, "source", saved_network_node(saved, w->from));
    JSON_MEMBERS(j, &w->report, reached, deepest);
    json_integer(j, "levels_down", w->report.downs);
    json_integer(j, "levels_up", w->report.ups);
    json_bool(j, "certified", w->report.certified);
}

int levels_run(const levels_options *asked, const char *path, failure *why)
{
    static const network_steps steps = {check_levels, take_levels, solve_levels, print, put_answer};
    const network_reading options = {.undirected = asked->undirected, .matrix = asked->matrix, .edges = asked->edges,
                               .steps = true, .always = true,
                               .most_bytes = asked->max_memory};
    work w = {.job = {.common = &asked->common,
                      .path = path,
                      .lines = asked->levels ? "--levels" : NULL,
                      .options = options},
              .asked = asked};
    const int status = network_job_run(&w.job, &steps, &w, why);
    network_job_free(&w.job);
    free(w.level);
    return status;
}
