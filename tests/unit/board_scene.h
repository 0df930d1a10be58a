/* SPDX-License-Identifier: MIT
 *
 * board_scene.h - for tests of the board kernels: lists the kernels of all instruction sets of this processor and the
 * portable ones, tells to which tile a step from a pixel leads, and draws random rows.
 */
#pragma once

#include <stdbool.h>

#include "random_graph.h"
#include "tile_board.h"

/* The portable kernels, for processors without any of the instruction sets. */
const tc_board_kernels *portable_kernels_at(int index);
tc_board *portable_boards_take(int count);
#undef __x86_64__
#undef tc_board_kernels_at
#undef tc_boards_take
#define tc_board_kernels_at portable_kernels_at
#define tc_boards_take portable_boards_take
#include "../../src/grid/tile_board.c"
#undef tc_board_kernels_at
#undef tc_boards_take
#define tc_board_kernels_at TC_OF(tc_board_kernels_at)

enum { SETS = 4, CASES = 200 };

static inline int step_x(int d)
{
    return (tc_along[d] == TC_RIGHT) - (tc_along[d] == TC_LEFT);
}

static inline int step_y(int d)
{
    return (tc_across[d] == TC_DOWN) - (tc_across[d] == TC_UP);
}

/* Returns the direction of the tile that contains pixel (x, y). Coordinates are relative to one tile, and the pixel may
 * lie outside of that tile. */
static inline int tile_of(int x, int y)
{
    for (int d = 0; d < TC_TILE_SIDES; d++)
        if (step_x(d) == (x == TC_TILE) - (x < 0) && step_y(d) == (y == TC_TILE) - (y < 0)) return d;
    return TC_NOWHERE;
}

/* Returns the direction of the tile that a step from pixel (x, y) in direction d enters. The step may lead to another
 * slice. */
static inline int tile_towards(int d, int x, int y)
{
    return TC_SLICES && d >= 4 ? d : tile_of(x + step_x(d), y + step_y(d));
}

/* Returns the bit of pixel (x, y) in the halo of the tile in direction d. */
static inline int side_bit(int d, int x, int y)
{
    return d >= 4 ? 0 : step_x(d) ? y : x;
}

static inline int all_sets(const tc_board_kernels *sets[SETS])
{
    int count = 0;
    sets[count++] = portable_kernels_at(0);
    while (count < SETS && (sets[count] = tc_board_kernels_at(count - 1))) count++;
    return count;
}

/* Draws random rows: in each, one bit of `rare` is set, or no bit, or all bits. */
static inline void draw_rows(uint64_t *state, int rare, uint32_t rows[TC_TILE])
{
    for (int y = 0; y < TC_TILE; y++) {
        rows[y] = 0;
        for (int x = 0; x < TC_TILE; x++) rows[y] |= (uint32_t)(random_below(state, rare) == 0) << x;
    }
}

static inline uint32_t draw_word(uint64_t *state)
{
    uint32_t rows[TC_TILE];
    draw_rows(state, 1 + random_below(state, 6), rows);
    return rows[0];
}

static inline bool bit(const uint32_t *rows, int x, int y)
{
    return rows[y] >> x & 1;
}

static inline int sources_of(const tc_board *board)
{
    int sources = 0;
    for (int y = 0; y < TC_TILE; y++) sources += __builtin_popcount(board->source[y]);
    return sources;
}
