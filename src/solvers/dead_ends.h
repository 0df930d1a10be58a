/* SPDX-License-Identifier: MIT
 *
 * dead_ends.h - solves the dead ends of a maze, which are parts that hang on one link, before the rest is solved.
 *
 * A pixel with only one link, in whichever direction, has no choice: its excess can only leave over that link, and its
 * residual capacity to the sink can only be reached over it. So both are moved to the pixel at the other end, as far as
 * the link carries. Once that pixel is solved, the next one may be an end, and so on, up to a ring of links. In a maze
 * without rings nothing is left to be solved. If excess meets capacity to the sink on the way, they cancel. That loses
 * nothing: any flow that would have come to this sink from farther away can go where this excess would have gone.
 */
#pragma once

#include "grid.h"

/* What tc_dead_ends_shut() did and tc_dead_ends_open() has to undo. Zero-initialise. */
typedef struct tc_dead_ends {
    struct tc_end_link *end_link; /* the links between dead ends and rings, closed meanwhile; owned */
    struct tc_offer *offer; /* one for each dead end whose capacity to the sink was moved to the next pixel; owned */
    size_t end_links, end_link_room, offers, offer_room;
    size_t bytes;           /* the most memory held at a time  */
    bool solved;            /* true: there is no ring, so nothing is left to be solved */
} tc_dead_ends;

/* Solves all dead ends and closes the links to them. Only for 4 neighbours; leaves other grids as they are, and does
 * nothing if there is no memory. Linear in the number of pixels. */
void tc_dead_ends_shut(tc_dead_ends *ends, tc_grid *grid, int threads);

/* Undoes tc_dead_ends_shut() when the rest is solved: opens the links again, in whichever layout the solver has left
 * them, moves the excess that a pixel drained into a dead end's capacity on to that dead end, and frees the memory. */
void tc_dead_ends_open(tc_dead_ends *ends, tc_grid *grid);
