/* SPDX-License-Identifier: MIT
 *
 * prior_fit.h - corrects a prior mask that is too small or too large all around. Its outline is moved to the place of
 * least energy, among all outlines at a constant distance from its own.
 */
#pragma once

#include "graph.h"

/* The farthest that an outline is moved, in pixels. */
enum { TC_PRIOR_FARTHEST = 32 };

/* Finds by how many pixels the outline of a graph's prior mask should move; positive is outwards. 0 if no move clearly
 * lowers the energy, or if there are no colours. The graph must have learnt its colours from the prior mask. */
tilecut_status tc_prior_fit(const tilecut_graph *graph, int *pixels);

/* Moves the outline of a prior mask, packed rows of probabilities in 255ths, in place. A pixel that changes sides keeps
 * its degree of certainty. */
tilecut_status tc_prior_move(uint8_t *prior, int width, int height, int pixels);
