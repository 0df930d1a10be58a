/* SPDX-License-Identifier: MIT
 *
 * solver_push.h - solver_push.c for a solver that has boards of the graph already.
 */
#ifndef TC_SOLVER_PUSH_H
#define TC_SOLVER_PUSH_H

#include "solver.h"
#include "tile_board.h"

/* The boards of a grid, or of a strip of it: `open`, `source` (all excess above 0) and `sink` are true, and stay so.
 * The rest is overwritten. Heights in use are below `base`, and are again afterwards. */
typedef struct tc_push_boards {
    tc_board *board;
    uint32_t base;
} tc_push_boards;

tilecut_status tc_push_on(tc_grid *grid, tc_push_boards *boards, const tc_solve_params *params, tc_solve_stats *stats);

#endif
