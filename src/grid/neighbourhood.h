/* SPDX-License-Identifier: MIT
 *
 * neighbourhood.h - the number of neighbours of a pixel as a constant that compilers know. Boards and the solvers on
 * them are written once, for TC_NEIGHBOURS neighbours. A file that defines TC_NEIGHBOURS as 8 and includes their
 * sources compiles them again for 8 (tile_board_8.c, push_8.c, cascade_8.c); types then have another size, and
 * functions another name.
 *
 * A step to a neighbour goes along a row, across to another row, or both. tc_along and tc_across are these two parts.
 */
#ifndef TC_NEIGHBOURHOOD_H
#define TC_NEIGHBOURHOOD_H

#include "grid.h"

#ifndef TC_NEIGHBOURS
#define TC_NEIGHBOURS 4
#endif

/* The name of a function in the copy for this neighbourhood. */
#if TC_NEIGHBOURS == 4
#define TC_OF(name) name
#elif TC_NEIGHBOURS == 8
#define TC_OF(name) name##_8
#else
#error "TC_NEIGHBOURS is 4 or 8"
#endif

enum { TC_DIAGONALS = TC_NEIGHBOURS == 8, TC_NOWHERE = -1 };

/* By direction: the part of a step along its row, and the part across to another row. */
static const int tc_along[8] = {TC_RIGHT, TC_LEFT, TC_NOWHERE, TC_NOWHERE, TC_RIGHT, TC_LEFT, TC_LEFT, TC_RIGHT};
static const int tc_across[8] = {TC_NOWHERE, TC_NOWHERE, TC_DOWN, TC_UP, TC_DOWN, TC_UP, TC_DOWN, TC_UP};

/* By direction: how many rows down a step leads. */
static const int tc_step_down[8] = {0, 0, 1, -1, 1, -1, 1, -1};

#endif
