/* SPDX-License-Identifier: MIT
 *
 * part_solve.c - a maximum preflow over all parts, in waves. docs/design/parts.md has the proof.
 *
 * First each part solves its own grid. Then a search finds the level of each pixel: the number of borders between parts
 * that a path to a sink must cross. As long as some excess reaches a sink, it is moved over the borders, and another
 * search follows: at most twice in strips (strips.h), else in waves or, if these are many and the whole is small, in
 * one part (serial_solve.h). A wave goes from the highest level with excess down to 0. At level k, each part with
 * excess there solves its grid with the halo's pixels of level k - 1 as sinks, and sends the flow that they got to the
 * neighbours.
 *
 * This is the method of Hussein, Varshney & Davis 2007: levels of exact distances, from the farthest to the nearest.
 * But here distances are counted in borders, and everything between two borders is left to a solver (cf. Delong &
 * Boykov 2008; Shekhovtsov & Hlavac 2013).
 */
#include "part.h"
#include "serial_solve.h"
#include "status.h"
#include "strips.h"

/* Solves the part's grid. `again` says that it was solved before. */
static tilecut_status solve_own(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                                tc_solve_stats *stats)
{
    part->comm.report.solves++;
    return part->backend->solve(part, solver, again, params, stats);
}

/* Sends excess that a solver has left in the halo to the neighbours; a solver may leave excess anywhere. */
static tilecut_status hand_over(tc_part *part)
{
    bool arrived;
    NEED(part->backend->take_flows(part));
    return tc_part_swap_flows(part, &arrived);
}

/* One wave: all levels from the highest with excess down to 0. */
static tilecut_status wave(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                           tc_solve_stats *stats)
{
    bool arrived = false;

    part->comm.report.waves++;
    part->waves++;
    for (int level = part->highest; level > 0; level--) {
        const bool work = arrived || part->active[level];
        if (work) NEED(part->backend->unseal(part, level - 1));
        if (work) NEED(solve_own(part, solver, true, params, stats));
        NEED(part->backend->take_flows(part));
        NEED(tc_part_swap_flows(part, &arrived));
    }
    if (arrived || part->active[0]) NEED(solve_own(part, solver, true, params, stats));
    return hand_over(part);
}

tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    const tc_solver *again = *solver;
    bool stripped = true, serial;

    part->waves = part->strips = part->depth = 0;
    NEED(solve_own(part, solver, false, params, stats));
    NEED(hand_over(part));
    for (;;) {
        NEED(tc_part_search(part, params->threads));
        if (part->highest < 0) break;
        if (stripped || part->volume) NEED(tc_strips_solve(part, again, params, stats, &stripped));
        if (stripped) continue;
        NEED(tc_serial_solve(part, again, params, stats, &serial));
        if (!serial) NEED(wave(part, &again, params, stats));
    }
    return TILECUT_OK;
}

tilecut_status tc_part_conclude(tc_part *part, const tilecut_graph *graph, int threads, uint8_t *mask,
                                tilecut_report *report)
{
    tc_part_answer own;

    NEED(tc_part_swap_residuals(part));
    NEED(part->backend->prove(part, graph, threads, &own));
    int64_t sums[4] = {own.proof.flow, own.proof.cut, own.proof.violations, own.foreground};
    NEED(tc_comm_allreduce(part->cut, sums, 4));
    const tc_proof all = {sums[0], sums[1], sums[2]};
    report->flow = all.flow;
    report->cut = all.cut;
    report->foreground = sums[3];
    NEED(tc_proof_judge(&all));
    return part->backend->mask(part, threads, mask);
}
