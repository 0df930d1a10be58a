/* SPDX-License-Identifier: MIT
 *
 * prior_fit.h - a mask to begin from that is too small or too large all around. Its outline is moved to where the
 * energy is least, among all outlines at a constant distance from its own.
 */
#pragma once

#include "graph.h"

/* The farthest that an outline is moved, in pixels. */
enum { TC_PRIOR_FARTHEST = 32 };

/* Finds by how many pixels the outline of a graph's prior is to move, positive: outwards. 0 if that does not lower the
 * energy clearly, or if there are no colours to tell. The graph has learnt its colours from the prior mask. */
tilecut_status tc_prior_fit(const tilecut_graph *graph, int *pixels);

/* Moves the outline of a prior mask, packed rows of probabilities in 255ths, in place. A pixel that changes sides keeps
 * how sure it is. */
tilecut_status tc_prior_move(uint8_t *prior, int width, int height, int pixels);
