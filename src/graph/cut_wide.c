/* SPDX-License-Identifier: MIT
 *
 * cut_wide.c - the flood of cut.h for 26 neighbours, node by node.
 */
#include <stdlib.h>

#include "cut.h"
#include "status.h"
#include "wide.h"

tilecut_status tc_wide_flood_open(tc_wide_flood *flood, const tc_grid *grid)
{
    *flood = (tc_wide_flood){.grid = grid,
                             .labels = {calloc(grid->nodes / TC_TILE, sizeof *flood->labels.background)}};
    flood->stack = tc_stored_take(&flood->room, grid->nodes * sizeof *flood->stack, grid->stored);
    if (flood->stack && flood->labels.background) return TILECUT_OK;
    tc_wide_flood_close(flood);
    return tc_fail(TILECUT_ENOMEM, "no memory for labels of %zu nodes", grid->nodes);
}

void tc_wide_flood_close(tc_wide_flood *flood)
{
    tc_stored_free(&flood->room);
    tc_labels_free(&flood->labels);
    *flood = (tc_wide_flood){0};
}

void tc_wide_flood_add(tc_wide_flood *flood, size_t p)
{
    uint32_t *const word = &flood->labels.background[p / TC_TILE], bit = 1u << p % TC_TILE;
    if (*word & bit) return;
    *word |= bit;
    flood->stack[flood->waiting++] = (int32_t)p;
}

static bool has(const tc_wide_flood *flood, int32_t p)
{
    return p >= 0 && (size_t)p < flood->grid->nodes && tc_is_background(&flood->labels, (size_t)p);
}

/* Each node is on the stack at most once, so the stack has room for all. The label of a neighbour is tested first,
 * because labels take little memory and are mostly in the cache. */
void tc_wide_flood_on(tc_wide_flood *flood)
{
    const tc_grid *const grid = flood->grid;
    const tc_wide_steps steps = tc_wide_steps_of(grid);
    while (flood->waiting) {
        const int32_t p = flood->stack[--flood->waiting];
        for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) {
            const int32_t q = tc_wide_neighbour(&steps, p, d);
            if (!has(flood, q) && *tc_wide_residual(grid, q, d ^ 1) > 0) tc_wide_flood_add(flood, (size_t)q);
        }
    }
}

/* Finds, in the tile row that begins at node p, the nodes all of whose neighbours are labelled; the flood can skip
 * these. Uses the bit rows of the nine rows around, and the nodes next to the row's ends. */
static uint32_t enclosed(const tc_wide_flood *flood, size_t p)
{
    const tc_grid *const grid = flood->grid;
    const int rows = grid->slice_rows * TC_TILE;
    int x, y;
    tc_position(grid->tiles_x, p, &x, &y);
    const int z = y / rows, n = grid->width - x;
    uint32_t all = UINT32_MAX;
    y %= rows;
    for (int i = 0; i < 9; i++) {
        const int beside = y + i % 3 - 1, slice = z + i / 3 - 1;
        if (beside >= 0 && beside < grid->height && slice >= 0 && slice < grid->depth)
            all &= flood->labels.background[tc_volume_at(grid, x, beside, slice) / TC_TILE];
    }
    if (n < TC_TILE) all |= UINT32_MAX << n;
    return all & (all << 1 | (x == 0)) & (all >> 1 | (uint32_t)(n <= TC_TILE) << (TC_TILE - 1));
}

/* Most sinks are surrounded by other sinks; those are not put on the stack. */
void tc_wide_flood_sinks(tc_wide_flood *flood)
{
    const tc_grid *const grid = flood->grid;
    uint32_t *const label = flood->labels.background;
    for (size_t p = 0; p < grid->nodes; p += TC_TILE) {
        uint32_t sinks = 0;
        for (int k = 0; k < TC_TILE; k++) sinks |= (uint32_t)(grid->excess[p + (size_t)k] < 0) << k;
        label[p / TC_TILE] = sinks;
    }
    for (size_t p = 0; p < grid->nodes; p += TC_TILE) {
        if (!label[p / TC_TILE]) continue;
        for (uint32_t rest = label[p / TC_TILE] & ~enclosed(flood, p); rest; rest &= rest - 1)
            flood->stack[flood->waiting++] = (int32_t)p + __builtin_ctz(rest);
    }
    tc_wide_flood_on(flood);
}

tilecut_status tc_wide_cut(const tc_grid *grid, tc_labels *labels)
{
    tc_wide_flood flood;
    NEED(tc_wide_flood_open(&flood, grid));
    tc_wide_flood_sinks(&flood);
    *labels = flood.labels;
    flood.labels = (tc_labels){0};
    tc_wide_flood_close(&flood);
    return TILECUT_OK;
}
