/* SPDX-License-Identifier: MIT
 *
 * rungs.cuh - the ladder: every GPU solver by name, from the paper of 2007 to the fastest.
 */
#ifndef TC_RUNGS_CUH
#define TC_RUNGS_CUH

#include "grid_view.cuh"

extern const device_solver basic_solver, lockstep_solver, tiled_solver, lockfree_solver, queue_solver, cut_solver;

#endif
