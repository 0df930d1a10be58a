/* SPDX-License-Identifier: MIT
 *
 * solve.h - one solve of a graph, from nothing or from the flow of the solve before.
 */
#ifndef TC_SOLVE_H
#define TC_SOLVE_H

#include "backend.h"

/* The solver that `params` name, NULL for one that is chosen later. EINVAL: there is none of that name, or none for an
 * image of that size with so many neighbours. */
tilecut_status tc_run_solver(const tc_setup *params, int connectivity, int width, int height, const tc_solver **solver);

/* Opens a run with `params`; nothing is learnt yet. EINVAL if there is no solver of that name, or if it does not take
 * that many neighbours and pixels. `kept` is empty or holds the flow of a graph of the same size and neighbours.
 * Close the run with tc_run_close(). */
tilecut_status tc_run_open(tc_run *run, const tc_setup *params, int connectivity, int width, int height, tc_kept *kept);

/* Cuts what the run has learnt, with the first backend that takes it: builds, solves, labels and proves. If possible
 * it goes on from the flow in run->kept. The new flow is left there; after a failure nothing is. `mask` is written
 * last, after all has succeeded; it is NULL if the learner keeps its masks. If run->gave_up is set, the run needs a
 * lesson of the host to go on: the flow is unfinished, and only the times in the report are valid. */
tilecut_status tc_run_cut(tc_run *run, uint8_t *mask, tilecut_report *report);

/* The energy of an answer, including the cost that all labellings share. */
static inline double tc_final_energy(const tilecut_report *report)
{
    return report->iteration_energy[report->iterations];
}

/* Adds the times of `more` to those of `sum`. */
void tc_report_add_times(tilecut_report *sum, const tilecut_report *more);

/* Takes over the report of one more iteration, whose energy is `energy`, and adds it to the list of iterations. */
void tc_report_iterated(tilecut_report *report, const tilecut_report *next, double energy);

/* Cuts `graph`. `kept` and `flow` may be NULL. */
tilecut_status tc_solve(const tilecut_graph *graph, const tc_setup *params, tc_kept *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report);

/* Reads the flow of `graph` from `grid`, which is solved and certified, into `flow`: what holds a maximum preflow is
 * made a flow by returning stuck excess to the source (flow.c). Destroys the grid's contents. */
tilecut_status tc_flow_read(tc_grid *grid, const tilecut_graph *graph, const tc_solve_params *params,
                            const tilecut_flow *flow);

#endif
