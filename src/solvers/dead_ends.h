/* SPDX-License-Identifier: MIT
 *
 * dead_ends.h - solves what hangs on one link, before the rest of a maze is solved.
 *
 * A pixel with only one link, in whichever direction, has no choice: its excess can only leave over that link, and its
 * room to the sink can only be reached over it. So both are moved to the pixel at the other end, as far as the link
 * carries. Without that pixel the next one may be an end, and so on, up to a ring of links. In a maze without rings
 * nothing is left to be solved. If excess and room meet on the way, they cancel. That loses nothing: whatever would
 * have come from farther away to that room can go where this excess would have gone.
 */
#pragma once

#include "grid.h"

/* What tc_dead_ends_shut() did and tc_dead_ends_open() has to undo. Zero-initialise. */
typedef struct tc_dead_ends {
    struct tc_mouth *mouth; /* links between dead ends and rings, shut meanwhile; owned */
    struct tc_offer *offer; /* room of dead ends that pixels beside them have now; owned */
    size_t mouths, mouth_room, offers, offer_room;
    size_t bytes;           /* most memory held at a time      */
    bool solved;            /* there is no ring: nothing is left */
} tc_dead_ends;

/* Solves all dead ends and shuts the links to them. Only for 4 neighbours; leaves other grids as they are, and does
 * nothing without memory. Linear in the number of pixels. */
void tc_dead_ends_shut(tc_dead_ends *ends, tc_grid *grid, int threads);

/* Call this when the rest is solved. Opens the links again, by node or by row, moves excess that used offered room
 * to the pixel that has the room, and frees the memory. */
void tc_dead_ends_open(tc_dead_ends *ends, tc_grid *grid);
