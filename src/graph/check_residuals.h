/* SPDX-License-Identifier: MIT
 *
 * check_residuals.h - reads the flow on links from a grid and checks it against the original capacities. Both
 * certifying an answer and carrying a flow over to new terminals need that.
 */
#ifndef TC_CHECK_RESIDUALS_H
#define TC_CHECK_RESIDUALS_H

#include "graph.h"
#include "grid.h"

/* net: the flow that leaves each of the TC_TILE pixels from (x0, rows->y) on over its links; 0 in the padding. x0 is
 * a multiple of TC_TILE. Returns the number of violations: residual capacities that are negative or not whole, and
 * links whose two residuals do not add up to their two capacities. Each link is checked at its left or upper end.
 * Links that leave the image have capacity zero. */
int32_t tc_check_residuals(const tc_grid *grid, const tc_two_rows *rows, int x0, int32_t net[TC_TILE]);

#endif
