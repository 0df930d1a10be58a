/* SPDX-License-Identifier: MIT
 *
 * solve_rounds_rcsr.c - the solver `rounds` on the tables of net_rcsr.h.
 */
#define TC_LAYOUT_RCSR
#include "solve_rounds.c" // NOLINT(bugprone-suspicious-include): compiled once for each layout, see net_layout.h
