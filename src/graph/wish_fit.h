/* SPDX-License-Identifier: MIT
 *
 * wish_fit.h - a mask to begin from that is too small or too large all around. Its outline is moved to where the
 * energy is least, among all outlines at a constant distance from its own.
 */
#ifndef TC_WISH_FIT_H
#define TC_WISH_FIT_H

#include "graph.h"

/* The farthest that an outline is moved, in pixels. */
enum { TC_WISH_FARTHEST = 32 };

/* Finds by how many pixels the outline of a graph's wish is to move, positive: outwards. 0 if that does not lower the
 * energy clearly, or if there are no colours to tell. The graph has learnt its colours from the wish. */
tilecut_status tc_wish_fit(const tilecut_graph *graph, int *pixels);

/* Moves the outline of a wish, packed rows of probabilities in 255ths, in place. A pixel that changes sides keeps how
 * sure it is. */
tilecut_status tc_wish_move(uint8_t *wish, int width, int height, int pixels);

#endif
