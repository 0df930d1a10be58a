/* SPDX-License-Identifier: MIT
 *
 * part_solve.c - a maximum preflow over all parts, in waves. docs/design/parts.md has the proof.
 *
 * First each part moves what it can within itself. Then, as long as excess somewhere reaches a sink in another part, a
 * search finds the level of each pixel: how many borders between parts lie on the way. A wave goes from the highest
 * level with excess down to 0. At level k, each part with excess there solves its grid with the rim's pixels of level
 * k - 1 as sinks, and hands over what has come to them. So this is the method of Hussein, Varshney & Davis 2007, levels
 * of exact distances from the farthest to the nearest, with distances counted in borders, and all that is between two
 * borders left to a solver (cf. Delong & Boykov 2008; Shekhovtsov & Hlavac 2013).
 */
#include "part.h"
#include "status.h"

/* Solves the part's grid again, in which few pixels have excess. */
static tilecut_status solve_on(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    tc_solve_stats now = {0};
    part->whole.told.solves++;
    tc_grid_clear(part->grid);
    TRY(tc_solver_solve(solver, part->grid, params, &now));
    if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    tc_grid_rest(part->grid);
done:
    return status;
}

/* Hands over what a solver has left in the rim: excess that reached no sink may lie anywhere. */
static tilecut_status hand_over(tc_part *part)
{
    bool arrived;
    tc_part_take_flows(part);
    return tc_part_swap_flows(part, &arrived);
}

/* All levels from the highest with excess down. */
static tilecut_status wave(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                           tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    bool arrived = false;

    part->whole.told.waves++;
    for (int level = part->highest; level > 0; level--) {
        const bool work = arrived || part->active[level];
        if (work) tc_part_unseal(part, level - 1);
        if (work) TRY(solve_on(part, solver, params, stats));
        tc_part_take_flows(part);
        TRY(tc_part_swap_flows(part, &arrived));
    }
    if (arrived || part->active[0]) TRY(solve_on(part, solver, params, stats));
    TRY(hand_over(part));
done:
    return status;
}

tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    const tc_solver *again = *solver;
    tilecut_status status = TILECUT_OK;

    if (!again) again = tc_solver_again(part->grid, true);
    part->whole.told.solves++;
    TRY(tc_solver_run(solver, part->grid, params, stats));
    tc_grid_rest(part->grid);
    TRY(hand_over(part));
    for (;;) {
        TRY(tc_part_search(part, params->threads));
        if (part->highest < 0) break;
        TRY(wave(part, again, params, stats));
    }
done:
    return status;
}

tilecut_status tc_part_certify(tc_part *part, const tilecut_graph *graph, int threads, int64_t *flow, int64_t *cut)
{
    const tc_labels labels = {part->flood.label};
    const int first = part->cut->first;
    tilecut_status status = TILECUT_OK;
    tc_proof own;

    TRY(tc_part_swap_residuals(part));
    TRY(tc_prove_rows(part->grid, graph, &labels, first, first + part->cut->rows, threads, &own));
    tc_grid_rest(part->grid);
    int64_t sums[3] = {own.flow, own.cut, own.violations};
    TRY(tc_whole_sum(part->cut, sums, 3));
    const tc_proof all = {sums[0], sums[1], sums[2]};
    *flow = all.flow;
    *cut = all.cut;
    status = tc_proof_judge(&all);
done:
    return status;
}
