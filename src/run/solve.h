/* SPDX-License-Identifier: MIT
 *
 * solve.h - one solve of a graph, from nothing or from the flow of the solve before.
 */
#ifndef TC_SOLVE_H
#define TC_SOLVE_H

#include "backend.h"

/* Begins a run by `params`, with nothing learnt yet: EINVAL when there is no solver of that name, or it cannot take so
 * many neighbours and pixels. `kept` holds nothing or the flow of a graph of the same size and neighbours. Close with
 * tc_run_close(). */
tilecut_status tc_run_open(tc_run *run, const tc_setup *params, int connectivity, int width, int height,
                           tc_kept *kept);

/* Cuts what the run has learnt, on the first backend that takes it: builds, solves, labels, proves. The flow goes on
 * from the one in run->kept where it can, and is left there; on failure nothing is. `mask` is written after all went
 * well; NULL where the learner keeps its masks. run->gave_up: it comes to no end without a lesson of the host; the
 * flow is unfinished then, and of the report nothing but times holds. */
tilecut_status tc_run_cut(tc_run *run, uint8_t *mask, tilecut_report *report);

/* The times of one more solve. */
void tc_report_add_times(tilecut_report *sum, const tilecut_report *more);

/* Takes over what is told of one more iteration, which has come to `energy`, beside that of those before. */
void tc_report_iterated(tilecut_report *report, const tilecut_report *next, double energy);

/* Cuts `graph`. `kept` and `flow` may be NULL. */
tilecut_status tc_solve(const tilecut_graph *graph, const tc_setup *params, tc_kept *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report);

#endif
