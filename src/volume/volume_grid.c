/* SPDX-License-Identifier: MIT
 *
 * volume_grid.c - from capacities of a volume to a grid, and from labels to a mask.
 */
#include <string.h>

#include "volume.h"

/* Links of voxel i at (x, y, z), in directions 0 .. 5. */
static void read_links(const tilecut_volume_arrays *a, size_t i, const int at[3], float to[6])
{
    const size_t step[3] = {1, (size_t)a->width, (size_t)a->width * (size_t)a->height};
    const int size[3] = {a->width, a->height, a->depth};
    for (int k = 0; k < 3; k++) {
        to[2 * k] = at[k] + 1 < size[k] ? (float)a->to[k][i] : 0;
        to[2 * k + 1] = at[k] > 0 ? (float)a->from[k][i - step[k]] : 0;
    }
}

void tc_volume_build(tc_grid *grid, const tilecut_volume_arrays *a)
{
    size_t i = 0;
    memset(grid->residual, 0, grid->nodes * sizeof *grid->residual);
    memset(grid->diagonal, 0, grid->nodes * sizeof *grid->diagonal);
    memset(grid->excess, 0, grid->nodes * sizeof *grid->excess);
    for (int z = 0; z < a->depth; z++)
        for (int y = 0; y < a->height; y++)
            for (int x = 0; x < a->width; x++, i++) {
                const size_t p = tc_volume_at(grid, x, y, z);
                float to[6];
                read_links(a, i, (int[3]){x, y, z}, to);
                memcpy(grid->residual[p].to, to, sizeof grid->residual[p].to);
                memcpy(grid->diagonal[p].to, to + 4, 2 * sizeof *to);
                grid->excess[p] = (float)(a->source[i] - a->sink[i]);
            }
}

int64_t tc_volume_mask(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels, uint8_t *mask)
{
    int64_t foreground = 0;
    for (int z = 0; z < a->depth; z++)
        for (int y = 0; y < a->height; y++)
            for (int x = 0; x < a->width; x++) {
                const size_t p = tc_volume_at(grid, x, y, z);
                const bool background = labels->background[p / TC_TILE] >> p % TC_TILE & 1;
                *mask++ = background ? 0 : 255;
                foreground += !background;
            }
    return foreground;
}
