/* SPDX-License-Identifier: MIT
 *
 * neighbourhood.h - how many neighbours the pixels of a grid have, as a number that compilers know. Boards and the
 * solvers on them are written once; a file that defines TC_NEIGHBOURS as 8 and includes theirs compiles them again for
 * 8 (tile_board_8.c, push_8.c, cascade_8.c). Types are then of another size, and functions have other names.
 *
 * A step to a neighbour is one along a row, one across to another row, or both: tc_along and tc_across say which.
 */
#ifndef TC_NEIGHBOURHOOD_H
#define TC_NEIGHBOURHOOD_H

#include "grid.h"

#ifndef TC_NEIGHBOURS
#define TC_NEIGHBOURS 4
#endif

/* The name that a function has in the copy for this neighbourhood. */
#if TC_NEIGHBOURS == 4
#define TC_OF(name) name
#elif TC_NEIGHBOURS == 8
#define TC_OF(name) name##_8
#else
#error "TC_NEIGHBOURS is 4 or 8"
#endif

enum { TC_DIAGONALS = TC_NEIGHBOURS == 8, TC_NOWHERE = -1 };

/* By direction: the part of a step along its row and the one across to another row. */
static const int tc_along[8] = {TC_RIGHT, TC_LEFT, TC_NOWHERE, TC_NOWHERE, TC_RIGHT, TC_LEFT, TC_LEFT, TC_RIGHT};
static const int tc_across[8] = {TC_NOWHERE, TC_NOWHERE, TC_DOWN, TC_UP, TC_DOWN, TC_UP, TC_DOWN, TC_UP};

/* By direction: by how many rows a step goes down. */
static const int tc_step_down[8] = {0, 0, 1, -1, 1, -1, 1, -1};

#endif
