/* SPDX-License-Identifier: MIT
 *
 * resident.h - solves of a graph that stay on a device (solvers with TC_RESIDENT).
 */
#ifndef TC_RESIDENT_H
#define TC_RESIDENT_H

#include "solve.h"

/* The part of tc_solve() for a graph from an image with 4 neighbours. */
tilecut_status tc_resident_solve(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *report);

/* The same for `hybrid`, which may come to its end here or there. */
tilecut_status tc_resident_hybrid(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                  uint8_t *mask, tilecut_report *report);

/* Parts of both, for those who learn there, too (resident_segment.h): takes the device's answer into the report, if it
 * is one; and goes on here with what the device gave up, with a solver that is good at long paths. */
tilecut_status tc_resident_answer(const tc_cuda_answer *answer, double pixels, tilecut_report *report);
tilecut_status tc_resident_finish(const tilecut_graph *graph, const tc_solve_params *how, tc_kept *kept, uint8_t *mask,
                                  tilecut_report *report);

#endif
