/* SPDX-License-Identifier: MIT
 *
 * dead_ends.h - solves what hangs on one link, before the rest of a maze is solved.
 *
 * A pixel from which only one link leads, to or fro, has no choice. Its excess can only go over that link; its room can
 * only be reached over it, and so belongs to the pixel beside it as far as the link carries. Without that pixel the
 * next one may be such an end, and so on, up to a ring. Where there is no ring, as in a maze that was dug without any,
 * nothing is left to be solved. (That excess meets the nearest room on such a tree is no loss: what would come from
 * farther away can go where this excess would have gone.)
 */
#ifndef TC_DEAD_ENDS_H
#define TC_DEAD_ENDS_H

#include "grid.h"

/* What has to be undone. Zero-initialise. */
typedef struct tc_dead_ends {
    struct tc_mouth *mouth; /* links between dead ends and rings, shut meanwhile; owned */
    struct tc_offer *offer; /* room of dead ends that pixels beside them have now; owned */
    size_t mouths, mouth_room, offers, offer_room;
    size_t bytes;           /* most memory held at a time      */
    bool solved;            /* there is no ring: nothing is left */
} tc_dead_ends;

/* Solves all dead ends and shuts the links to them. For 4 neighbours; does nothing with others, or without memory.
 * Linear in the number of pixels. */
void tc_dead_ends_shut(tc_dead_ends *ends, tc_grid *grid, int threads);

/* When the rest is solved: opens the links again, however they lie by now, leads what went into offered room to where
 * the room is, and frees the memory. */
void tc_dead_ends_open(tc_dead_ends *ends, tc_grid *grid);

#endif
