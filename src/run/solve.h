/* SPDX-License-Identifier: MIT
 *
 * solve.h - one solve of a graph, from nothing or from the flow of the solve before.
 */
#ifndef TC_SOLVE_H
#define TC_SOLVE_H

#include "cuda_backend.h"
#include "graph.h"
#include "grid.h"
#include "solver.h"
#include "tilecut.h"

/* A grid that outlives a solve, with the flow that was found. All zero: none yet. It lies here, or on a device. */
typedef struct tc_kept {
    tc_grid grid;
    tc_cuda_graph *resident; /* NULL: in `grid`                 */
    const tc_solver *solver; /* that `resident` was made for    */
    enum {
        TC_NO_FLOW,           /* and no grid                                                               */
        TC_FLOW_OF_ANOTHER,   /* of a graph of this size: it may be one of the next graph too, or not      */
        TC_FLOW_OF_THIS_GRAPH /* whose terminals the excesses in the grid are up to date with             */
    } flow;
} tc_kept;

void tc_kept_free(tc_kept *kept);

/* The solver that params name, NULL for "auto"; EINVAL when there is none or it cannot take the graph. */
tilecut_status tc_solve_check(const tilecut_params *params, int connectivity, const tc_solver **solver);

/* From a solved grid to the mask, with its proof, and to the flow if that is wanted: not NULL. */
tilecut_status tc_conclude(const tilecut_graph *graph, tc_grid *grid, const tc_solve_params *how, uint8_t *mask,
                           const tilecut_flow *flow, tilecut_report *report);

/* What of the report the solver tells; report->solve_ms comes in with all of its time. */
void tc_describe_solve(const tilecut_graph *graph, const tc_grid *grid, const tc_solver *solver,
                       const tc_solve_stats *stats, tilecut_report *report);

/* The times of one more solve. */
void tc_report_add_times(tilecut_report *sum, const tilecut_report *more);

/* Takes over what is told of one more iteration, which has come to `energy`, beside that of those before. */
void tc_report_iterated(tilecut_report *report, const tilecut_report *next, double energy);

/* Solves `graph`. `params`, `kept`, `flow` and `report` may be NULL. `kept` holds nothing or a grid of the graph's
 * size and neighbours: the solve goes on from the flow in it if it can, and leaves its own there; on failure
 * it is empty. */
tilecut_status tc_solve(const tilecut_graph *graph, const tilecut_params *params, tc_kept *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report);

#endif
