/* SPDX-License-Identifier: MIT
 *
 * neighbourhood.h - the number of neighbours of a pixel as a compile-time constant. Bitboards and the solvers that use
 * them are written once, for TC_NEIGHBOURS neighbours: 4 or 8 in an image, 6 in a volume. Files such as push_8.c and
 * push_6.c define TC_NEIGHBOURS as 8 or 6 and include these sources, which compiles them again; types then have another
 * size, and functions another name.
 *
 * A step to a neighbour goes along a row, across to another row, or both. tc_along and tc_across are these two parts.
 * In a volume it may also go to the same pixel of the next or the previous slice.
 *
 * Threads divide a grid by rows of tiles. In a volume, such a row is a whole slice, as if the slice's tiles lay side by
 * side: see tc_row_tiles() and tc_rows(). So code that divides a grid does not depend on the neighbourhood.
 */
#pragma once

#include "grid.h"

#ifndef TC_NEIGHBOURS
#define TC_NEIGHBOURS 4
#endif

/* The name of a function in the copy that is compiled for this neighbourhood. */
#if TC_NEIGHBOURS == 4
#define TC_OF(name) name
#elif TC_NEIGHBOURS == 8
#define TC_OF(name) name##_8
#elif TC_NEIGHBOURS == 6
#define TC_OF(name) name##_6
#else
#error "TC_NEIGHBOURS is 4, 6 or 8"
#endif

enum {
    TC_DIAGONALS = TC_NEIGHBOURS == 8,
    TC_SLICES = TC_NEIGHBOURS == 6,
    TC_TILE_SIDES = TC_NEIGHBOURS == 8 ? 8 : 4,   /* edges and corners of a tile, within its slice */
    TC_LINK_ARRAYS = TC_NEIGHBOURS == 4 ? 1 : 2,  /* arrays of links: residual, and diagonal       */
    TC_NOWHERE = -1
};

/* By direction: the part of a step along its row, and the part across to another row. */
#if TC_NEIGHBOURS == 6
static const int tc_along[6] = {TC_RIGHT, TC_LEFT, TC_NOWHERE, TC_NOWHERE, TC_NOWHERE, TC_NOWHERE};
static const int tc_across[6] = {TC_NOWHERE, TC_NOWHERE, TC_DOWN, TC_UP, TC_NOWHERE, TC_NOWHERE};
#else
static const int tc_along[8] = {TC_RIGHT, TC_LEFT, TC_NOWHERE, TC_NOWHERE, TC_RIGHT, TC_LEFT, TC_LEFT, TC_RIGHT};
static const int tc_across[8] = {TC_NOWHERE, TC_NOWHERE, TC_DOWN, TC_UP, TC_DOWN, TC_UP, TC_DOWN, TC_UP};
#endif

/* By direction: how many rows of tiles a step to another tile leads down; in a volume, how many slices it leads on. */
#if TC_NEIGHBOURS == 6
static const int tc_step_down[6] = {0, 0, 0, 0, 1, -1};
#else
static const int tc_step_down[8] = {0, 0, 1, -1, 1, -1, 1, -1};
#endif

/* The number of tiles in a row of tiles, and the number of such rows; in a volume, tiles in a slice, and slices. */
static inline int tc_row_tiles(const tc_grid *grid)
{
    return TC_SLICES ? grid->tiles_x * grid->slice_rows : grid->tiles_x;
}

static inline int tc_rows(const tc_grid *grid)
{
    return TC_SLICES ? grid->tiles_y / grid->slice_rows : grid->tiles_y;
}
