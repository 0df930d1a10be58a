/* SPDX-License-Identifier: MIT
 *
 * check_residuals.h - reads the flow over links out of a grid, and checks it against the original capacities: what
 * certifying an answer and taking a flow over to other terminals have in common.
 */
#ifndef TC_CHECK_RESIDUALS_H
#define TC_CHECK_RESIDUALS_H

#include "graph.h"
#include "grid.h"

/* The flow that leaves each of the TC_TILE pixels from (x0, rows->y) on over their links, x0 a multiple of TC_TILE;
 * 0 in the padding. Returns at how many places it is no flow: a residual capacity is negative or not whole, or the
 * two of a link (each is looked at from its left or upper end) do not add up to its capacities; links that
 * leave the image have none. */
int32_t tc_check_residuals(const tc_grid *grid, const tc_two_rows *rows, int x0, int32_t net[TC_TILE]);

#endif
