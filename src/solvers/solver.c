/* SPDX-License-Identifier: MIT
 *
 * solver.c - the table of solvers, and the choice of one for a grid.
 */
#include "solver.h"

#include <string.h>

#include "contour.h"
#include "cuda_solvers.h"
#include "dead_ends.h"
#include "reverse.h"
#include "status.h"
#include "survey.h"
#include "table.h"

const tc_solver tc_solvers[] = {
#define SOLVER(name, function, can, summary) {name, summary, can, function},
#include "solvers.def"
#undef SOLVER
#define CUDA_SOLVER(name, function, can, summary) {name, summary, TC_ON_CUDA | (can), function},
#include "cuda_solvers.def"
#undef CUDA_SOLVER
    {NULL, NULL, 0, NULL},
};

/* Node numbers of 32 bits must also count the guards before and after the nodes. On a device one more bit must be
 * free. */
static const int64_t most_in_32_bits = (INT64_C(1) << 31) - (INT64_C(1) << 22), most_on_device = INT32_MAX / 2;

static int64_t most_nodes(const tc_solver *solver)
{
    if (solver->can & TC_WIDE) return INT64_MAX;
    return solver->can & TC_ON_CUDA ? most_on_device : most_in_32_bits;
}

const tc_solver *tc_solver_find(const char *name)
{
    for (const tc_solver *row = tc_solvers; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

static int64_t count_nodes(int width, int height)
{
    return (int64_t)((width + TC_TILE - 1) / TC_TILE) * ((height + TC_TILE - 1) / TC_TILE) * TC_TILE_NODES;
}

static bool takes(const tc_solver *solver, int connectivity, int64_t nodes)
{
    const unsigned needed = connectivity == 8 ? TC_SOLVES_8 : connectivity == 6 ? TC_SOLVES_6 : connectivity == 26 ?
                            TC_SOLVES_26 : 0;
    return (solver->can & needed) == needed && nodes <= most_nodes(solver);
}

tilecut_status tc_solver_check(const tc_solver *solver, int connectivity, int width, int height)
{
    const int64_t nodes = count_nodes(width, height);
    if (connectivity == 8 && !(solver->can & TC_SOLVES_8))
        return tc_fail(TILECUT_EINVAL, "solver '%s' is for 4 neighbours only", solver->name);
    if (connectivity == 6 && !(solver->can & TC_SOLVES_6))
        return tc_fail(TILECUT_EINVAL, "solver '%s' takes no volumes", solver->name);
    if (connectivity == 26 && !(solver->can & TC_SOLVES_26))
        return tc_fail(TILECUT_EINVAL, "solver '%s' takes no volumes with 26 neighbours; bk does", solver->name);
    if (nodes > most_nodes(solver))
        return tc_fail(TILECUT_EINVAL, "solver '%s' takes up to %lld nodes; %dx%d pixels are %lld with padding",
                       solver->name, (long long)most_nodes(solver), width, height, (long long)nodes);
    return TILECUT_OK;
}

tilecut_status tc_solver_check_any(int connectivity, int width, int height)
{
    const int64_t nodes = count_nodes(width, height);
    for (const tc_solver *row = tc_solvers; row->name; row++)
        if (!(row->can & TC_ON_CUDA) && takes(row, connectivity, nodes)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "no solver takes %d neighbours and %dx%d pixels, %lld nodes with padding",
                   connectivity, width, height, (long long)nodes);
}

const tc_solver *tc_solver_for(tc_role role, const tc_grid *grid)
{
    static tilecut_status (*const chosen[TC_ROLES])(tc_grid *, const tc_solve_params *, tc_solve_stats *) = {
        [TC_FOR_MOST] = tc_solver_cascade,
        [TC_FOR_LONG_PATHS] = tc_solver_push,
        [TC_FOR_NARROW_PATHS] = tc_solver_bk,
        [TC_FOR_ANY_NEIGHBOURS] = tc_solver_bk};
    const tc_solver *row = tc_solvers;
    while (row->solve != chosen[role]) row++;
    if (takes(row, grid->connectivity, (int64_t)grid->nodes)) return row;
    for (row = tc_solvers; row->can & TC_ON_CUDA || !takes(row, grid->connectivity, (int64_t)grid->nodes);) row++;
    return row;
}

/* True if nearly all pixels at the image's border are tied to the sink. */
static bool is_framed(const tc_grid *grid)
{
    int64_t border = 0, sinks = 0;
    for (int x = 0; x < grid->width; x++, border += 2)
        sinks += (grid->excess[tc_grid_at(grid, x, 0)] < 0) + (grid->excess[tc_grid_at(grid, x, grid->height - 1)] < 0);
    for (int y = 0; y < grid->height; y++, border += 2)
        sinks += (grid->excess[tc_grid_at(grid, 0, y)] < 0) + (grid->excess[tc_grid_at(grid, grid->width - 1, y)] < 0);
    return 10 * sinks >= 9 * border;
}

/* True if only a few spots are tied to terminals, and a contour separates the sources from the sinks. In a volume,
 * contours are not searched for. */
static bool is_spot(const tc_grid *grid, const tc_survey *s)
{
    if (grid->slice_rows) return false;
    return 64 * s->terminals < s->pixels && !tc_survey_walled(s) && !is_framed(grid) && tc_contour_holds(grid);
}

/* True if corridors one pixel wide join few terminals. */
static bool is_narrow(const tc_survey *s)
{
    return tc_survey_few(s) && s->closed > s->pixels;
}

/* Chooses by rules that were measured (performance.md). With few terminals:
 *   - Search trees are fastest where most links are closed: paths are then one pixel wide and leave no choice.
 *   - In wider corridors push-relabel is best from the start.
 * For all other graphs, the cascade is chosen, in which excess runs downhill first. In volumes push-relabel is faster
 * wherever terminals are few. */
static const tc_solver *choose(const tc_grid *grid, const tc_survey *s)
{
    const bool few = tc_survey_few(s);
    if (grid->slice_rows) return tc_solver_for(few ? TC_FOR_LONG_PATHS : TC_FOR_MOST, grid);
    if (is_narrow(s)) return tc_solver_for(TC_FOR_NARROW_PATHS, grid);
    if (tc_survey_walled(s)) return tc_solver_for(TC_FOR_LONG_PATHS, grid);
    return tc_solver_for(TC_FOR_MOST, grid);
}

tilecut_status tc_solver_solve(const tc_solver *solver, tc_grid *grid, const tc_solve_params *params,
                               tc_solve_stats *stats)
{
    tc_grid_arrange(grid, solver->can & TC_BY_ROWS, params->threads);
    NEED(solver->solve(grid, params, stats));
    if (!stats->unfinished) return TILECUT_OK;
    stats->unfinished = false;
    return tc_solver_solve(tc_solver_for(TC_FOR_LONG_PATHS, grid), grid, params, stats);
}

bool tc_solver_wants_rows(const tc_solver *solver)
{
    return !solver || solver->can & (TC_BY_ROWS | TC_REVERSIBLE);
}

static tilecut_status solve_without_dead_ends(const tc_solver *solver, tc_grid *grid, const tc_solve_params *params,
                                              tc_solve_stats *stats)
{
    tc_dead_ends ends = {0};
    tilecut_status status = TILECUT_OK;
    tc_dead_ends_shut(&ends, grid, params->threads);
    if (!ends.solved) status = tc_solver_solve(solver, grid, params, stats);
    else if (tc_cancelled(params)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    tc_dead_ends_open(&ends, grid);
    stats->bytes += ends.bytes;
    return status;
}

tilecut_status tc_solver_run(const tc_solver **solver, tc_grid *grid, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    tc_survey seen = {0};
    const bool chosen = !*solver && grid->connectivity != 26;
    if (!*solver && !chosen) *solver = tc_solver_for(TC_FOR_ANY_NEIGHBOURS, grid);
    if (!*solver || (*solver)->can & TC_REVERSIBLE) seen = tc_survey_grid(grid);
    if (chosen) *solver = choose(grid, &seen);
    if (!*solver) return tc_fail(TILECUT_EINVAL, "no solver takes %d neighbours", grid->connectivity);
    if (chosen && !grid->slice_rows && is_narrow(&seen)) return solve_without_dead_ends(*solver, grid, params, stats);
    const bool may = (*solver)->can & TC_REVERSIBLE && !params->preflow;
    if (!may || !(tc_reverse_pays(&seen) || is_spot(grid, &seen))) return tc_solver_solve(*solver, grid, params, stats);
    tc_grid_reverse(grid, params->threads);
    const tilecut_status status = tc_solver_solve(*solver, grid, params, stats);
    tc_grid_reverse(grid, params->threads);
    return status;
}

/* This choice was measured, too. If few terminals have changed, hardly any pixel has excess, and push, which begins
 * with the nearest excess, has little to do. If all may have changed, half of the flow may have to be moved, which is
 * as much work as in a first solve. */
const tc_solver *tc_solver_again(const tc_grid *grid, bool few)
{
    return tc_solver_for(few ? TC_FOR_LONG_PATHS : TC_FOR_MOST, grid);
}

TC_TEXT_OF_ROW(tilecut_solver_name, tc_solvers, name)
TC_TEXT_OF_ROW(tilecut_solver_summary, tc_solvers, summary)

const char *tilecut_solver_device(int index)
{
    if (!tilecut_solver_name(index)) return NULL;
    return tc_solvers[index].can & TC_ON_CUDA ? "cuda" : "cpu";
}

int64_t tilecut_solver_nodes(int index)
{
    return tilecut_solver_name(index) ? most_nodes(&tc_solvers[index]) : 0;
}
