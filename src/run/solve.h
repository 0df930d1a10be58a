/* SPDX-License-Identifier: MIT
 *
 * solve.h - cuts a graph once, starting from no flow or from the flow of the previous solve.
 */
#pragma once

#include "backend.h"

/* Sets *solver to the solver that `params` name, or NULL if it is to be chosen later. Returns EINVAL if there is no
 * solver of that name, or if it does not support an image of that size or `connectivity` neighbours. */
tilecut_status tc_run_solver(const tc_setup *params, int connectivity, int width, int height, const tc_solver **solver);

/* Opens a run with `params`; nothing is learnt yet. Errors: EINVAL as in tc_run_solver(). `kept` is empty or holds the
 * flow of a graph of the same size and connectivity. Close the run with tc_run_close(). */
tilecut_status tc_run_open(tc_run *run, const tc_setup *params, int connectivity, int width, int height,
                           tc_kept_flow *kept);

/* Cuts the run's graph with the first backend that takes it: builds, solves, labels and certifies. If possible it
 * continues from the flow in run->kept. The new flow is left there; after a failure `kept` is empty. `mask` is written
 * last, when all has succeeded; it is NULL if the learner keeps its masks. If run->gave_up is set, only the host can
 * continue, and it must learn first. The flow is then unfinished, and only the times in the report are valid. */
tilecut_status tc_run_cut(tc_run *run, uint8_t *mask, tilecut_report *report);

/* The energy of an answer, including the cost that all labellings share. */
static inline double tc_final_energy(const tilecut_report *report)
{
    return report->iteration_energy[report->iterations];
}

/* Adds the times of `more` to those of `sum`. */
void tc_report_add_times(tilecut_report *sum, const tilecut_report *more);

/* Replaces *report by *next, the report of one more iteration, and appends `energy` to the energies of iterations. */
void tc_report_iterated(tilecut_report *report, const tilecut_report *next, double energy);

/* Cuts `graph` with a run of its own. `kept` and `flow` may be NULL. */
tilecut_status tc_solve(const tilecut_graph *graph, const tc_setup *params, tc_kept_flow *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report);

/* Cuts a small graph on the host, in one part, with all defaults. `cancel`: a tilecut_flag, or NULL. */
tilecut_status tc_solve_small(const void *cancel, const tilecut_graph *graph, uint8_t *mask);

/* Writes the flow of `graph` to `flow`, from `grid`, which must be solved and certified. If the grid has a maximum
 * preflow, excess that reaches no sink is first returned to the source (flow.c). Destroys the grid's contents. */
tilecut_status tc_flow_read(tc_grid *grid, const tilecut_graph *graph, const tc_solve_params *params,
                            const tilecut_flow *flow);
