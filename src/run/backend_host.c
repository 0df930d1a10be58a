/* SPDX-License-Identifier: MIT
 *
 * backend_host.c - the row for the host: energies in tables, a tiled grid, and any solver of the table. See backend.h.
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cut.h"
#include "islands.h"
#include "parallel.h"
#include "solve.h"
#include "status.h"

/* ---- Learning --------------------------------------------------------------------------------- */

/* Sets the facts that depend on the graph alone, not on its cut. */
static void describe(tc_run *run)
{
    const tc_energy *const energy = &run->graph->energy;
    run->facts = (tilecut_report){.connectivity = run->graph->connectivity, .threads = run->params->threads,
                                  .quantum = 1, .colors = "none"};
    if (!run->graph->from_image) return;
    run->facts.quantum = energy->quantum, run->facts.lambda = energy->lambda, run->facts.beta = energy->beta;
    run->facts.colors = energy->model->name;
    run->facts.model_ms = energy->model_ms;
    run->shared = energy->shared;
}

void tc_run_adopt(tc_run *run, const tilecut_graph *graph, tc_energy *energy)
{
    run->learner = &tc_backend_host;
    run->graph = graph;
    run->energy = energy;
    run->pixels = tc_graph_pixels(graph);
    run->guessed = graph->from_image && graph->energy.training.guessed;
    run->painted = graph->from_image && graph->energy.painted && tc_colors_learn(graph->energy.model);
    run->learns = energy && tc_colors_learn(energy->model) && energy->totals;
    describe(run);
}

static tilecut_status learn(tc_run *run)
{
    run->put_off = run->smaller;
    NEED(tc_graph_open(&run->own, run->source.image, run->source.seeds, run->params));
    run->own->energy.shares = true;
    if (!run->put_off) NEED(tc_energy_learn(&run->own->energy, run->params));
    tc_run_adopt(run, run->own, &run->own->energy);
    return TILECUT_OK;
}

static tilecut_status learn_now(tc_run *run)
{
    NEED(tc_energy_learn(run->energy, run->params));
    run->put_off = false;
    describe(run);
    return TILECUT_OK;
}

static void swap_energies(tc_energy *a, tc_energy *b)
{
    const tc_energy before = *a;
    *a = *b;
    *b = before;
}

static void swap_masks(tc_run *run)
{
    uint8_t *const before = run->masks[0];
    run->masks[0] = run->masks[1], run->masks[1] = before;
}

static tilecut_status relearn(tc_run *run)
{
    NEED(tc_energy_relearn(run->energy, run->masks[0], &run->before));
    swap_energies(run->energy, &run->before);
    describe(run);
    return TILECUT_OK;
}

static void keep(tc_run *run)
{
    tc_energy_free(&run->before);
    swap_masks(run);
}

static void drop(tc_run *run)
{
    if (!run->before.model) return; /* no earlier model was kept */
    swap_energies(run->energy, &run->before);
    tc_energy_free(&run->before);
    describe(run);
}

static tilecut_status fork_off(const tc_run *run, tc_branch branch, tc_run *other)
{
    *other = *run;
    other->own_kept = (tc_kept_flow){0};
    other->coarse = (tc_coarse){0};
    other->masks = run->masks + 1;
    other->own = malloc(sizeof *other->own);
    if (!other->own) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    *other->own = *run->graph;
    tc_energy *const energy = &other->own->energy;
    if (branch.kind == TC_AS_IT_IS) NEED(tc_energy_relearn(run->energy, run->masks[0], energy));
    if (branch.kind == TC_OTHER_START) NEED(tc_energy_restart(run->energy, branch.number, energy));
    if (branch.kind == TC_OTHER_MOVE) NEED(tc_energy_move_color(run->energy, run->masks[0], branch.number, energy));
    tc_run_adopt(other, other->own, energy);
    return TILECUT_OK;
}

static void take_result(tc_run *run, tc_run *other)
{
    swap_energies(run->energy, other->energy);
    describe(run);
    if (other->masks == run->masks + 1) swap_masks(run);
    /* the other model was tried at the same time as this run, with masks of its own */
    else memcpy(run->masks[0], other->masks[0], run->pixels);
    run->report = other->report;
}

static tilecut_status shrink(const tc_run *run, int factor, tc_run *small, bool *done)
{
    const tc_source *const source = &run->source;
    NEED(tc_coarse_init(&small->coarse, run->params->comm, source->image, source->seeds, factor, run->params->threads,
                        done));
    if (!*done) return TILECUT_OK;
    small->source = (tc_source){.image = &small->coarse.image, .seeds = small->coarse.seeds};
    return learn(small);
}

static tilecut_status learn_from_copy(tc_run *run, const tc_run *small, int factor)
{
    tc_training_set *const training = &run->energy->training;
    (void)factor; /* the copy knows the factor */
    tc_coarse_spread(&small->coarse, small->masks[0], run->params->threads, run->graph->width, run->graph->height,
                     run->params->comm ? run->params->comm->above : 0, run->masks[0]);
    memcpy(training->mixture, small->energy->training.mixture, sizeof training->mixture);
    NEED(relearn(run));
    tc_energy_free(&run->before);
    return TILECUT_OK;
}

static tilecut_status drop_islands(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    return tc_drop_islands(graph->energy.comm, graph->energy.seeds,
                           tc_islands_of(mask, graph->width, graph->height, graph->depth, graph->connectivity),
                           &report->foreground);
}

static tilecut_status deliver(const tc_run *run, uint8_t *mask)
{
    tc_parallel_copy(run->params->threads, mask, run->masks[0], run->pixels);
    return TILECUT_OK;
}

/* ---- Cutting ---------------------------------------------------------------------------------- */

static bool takes(const tc_run *run)
{
    return run->graph != NULL;
}

/* Builds the graph in the kept grid. Uses the flow in it if that is a flow of this graph. */
static tilecut_status build(tc_run *run, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    tc_kept_flow *const kept = run->kept;
    tc_grid *const grid = &kept->grid;
    double clock = tc_now_ms();
    const int neighbours = graph->connectivity;
    bool warm = kept->flow == TC_FLOW_OF_THIS_GRAPH;
    int64_t changed = 0;

    if (kept->flow != TC_NO_FLOW) tc_grid_clear(grid);
    if (kept->flow == TC_FLOW_OF_ANOTHER) {
        warm = tc_carry_colors(grid, &kept->terminals, &graph->energy, run->solve_params.threads);
        if (!warm) NEED(tc_carry_flow(grid, graph, run->solve_params.threads, &warm, &changed));
    }
    run->few = kept->flow == TC_FLOW_OF_THIS_GRAPH ||
               (warm && tc_graph_is_volume(graph) && 4 * changed < (int64_t)run->pixels);
    if (graph->unchecked) NEED(tc_graph_check(graph, 0, graph->height * graph->depth, 0, run->solve_params.threads));
    if (!warm) {
        if (kept->flow == TC_NO_FLOW)
            NEED(tc_grid_init_lattice(grid, graph->width, graph->height, graph->depth, neighbours, 0));
        grid->by_rows = neighbours != 26 && tc_solver_wants_rows(run->solver);
        if (run->once && run->own)
            NEED(tc_row_cache_init(&run->own->rest, &graph->energy, run->source.given, run->solve_params.threads));
        NEED(tc_grid_build(grid, graph, run->solve_params.threads));
    }
    kept->summed = true;
    if (run->params->draft) tc_color_terminals_keep(&kept->terminals, &graph->energy);
    report->warm = warm;
    report->graph_ms = tc_lap_ms(&clock);
    return TILECUT_OK;
}

static tilecut_status solve(tc_run *run, tilecut_report *report)
{
    const tc_solver *solver = run->solver;
    tc_grid *const grid = &run->kept->grid;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    if (!solver && report->warm) solver = tc_solver_again(grid, run->few);
    /* if few terminals have changed, the stuck excess is no indication of how far the rest has to go */
    NEED(run->few ? tc_solver_solve(solver, grid, &run->solve_params, &stats)
                  : tc_solver_run(&solver, grid, &run->solve_params, &stats));
    if (run->once) tc_grid_clear(grid); /* releases memory before the proof takes some */
    report->solve_ms = tc_lap_ms(&clock);
    tc_run_describe_solve(run, solver, &stats, report);
    return TILECUT_OK;
}

static tilecut_status conclude(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    tc_grid *const grid = &run->kept->grid;
    const tc_grid shape = *grid; /* the grid's dimensions; labels need them even after the grid is freed */
    tilecut_status status = TILECUT_OK;
    tc_labels labels = {0};
    double clock = tc_now_ms();

    TRY(tc_cut(grid, run->solve_params.threads, &labels));
    if (run->params->draft && run->kept->summed) report->flow = report->cut = tc_flow_value(grid);
    else TRY(tc_certify(grid, run->graph, &labels, run->solve_params.threads, &report->flow, &report->cut));
    report->certify_ms = tc_lap_ms(&clock);
    if (run->flow) TRY(tc_flow_read(grid, run->graph, &run->solve_params, run->flow));
    clock = tc_now_ms();
    if (run->once) tc_grid_free(grid);
    report->foreground =
        /* written last, when nothing can fail any more */
        tc_labels_mask(&shape, &labels, run->solve_params.threads, mask);
    report->certify_ms += tc_lap_ms(&clock);
done:
    tc_labels_free(&labels);
    return status;
}

static tilecut_status reseed(tc_kept_flow *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after)
{
    if (kept->flow != TC_FLOW_OF_THIS_GRAPH) return TILECUT_OK;
    return tc_grid_reseed(&kept->grid, energy, before, after);
}

const tc_backend tc_backend_host = {
    .name = "cpu",
    .learn = learn,
    .learn_now = learn_now,
    .relearn = relearn,
    .keep = keep,
    .drop = drop,
    .fork = fork_off,
    .take = take_result,
    .shrink = shrink,
    .learn_from_copy = learn_from_copy,
    .drop_islands = drop_islands,
    .deliver = deliver,
    .takes = takes,
    .build = build,
    .solve = solve,
    .conclude = conclude,
    .reseed = reseed,
};
