/* SPDX-License-Identifier: MIT
 *
 * volume_grid.c - from capacities of a volume to a grid, and from labels to a mask.
 */
#include "parallel.h"
#include "volume.h"

/* What a build reads and writes. */
typedef struct building {
    tc_grid *grid;
    const tilecut_volume_arrays *arrays;
} building;

/* Writes `count` capacities to a row of links; NULL: there are none, and the row is zero already. */
static void write_links(float *row, const int32_t *capacity, int count)
{
    for (int i = 0; capacity && i < count; i++) row[i] = (float)capacity[i];
}

/* Builds voxels x0 .. x0 + count - 1 of row (y, z), which lie in one tile. */
static void build_row(const building *b, int x0, int y, int z, int count)
{
    const tilecut_volume_arrays *const a = b->arrays;
    const size_t width = (size_t)a->width, slice = width * (size_t)a->height;
    const size_t i = (size_t)z * slice + (size_t)y * width + (size_t)x0;
    const ptrdiff_t p = (ptrdiff_t)tc_volume_at(b->grid, x0, y, z);
    const int first = x0 == 0, last = x0 + count == a->width;
    float *const excess = b->grid->excess + p;
    float *to[6];

    for (int d = 0; d < 6; d++) to[d] = tc_residual(b->grid, p, d);
    write_links(to[TC_RIGHT], a->to[0] + i, count - last);
    write_links(to[TC_LEFT] + first, a->from[0] + i + first - 1, count - first);
    write_links(to[TC_DOWN], y + 1 < a->height ? a->to[1] + i : NULL, count);
    write_links(to[TC_UP], y > 0 ? a->from[1] + i - width : NULL, count);
    write_links(to[TC_BEHIND], z + 1 < a->depth ? a->to[2] + i : NULL, count);
    write_links(to[TC_BEFORE], z > 0 ? a->from[2] + i - slice : NULL, count);
    for (int k = 0; k < count; k++) excess[k] = (float)(a->source[i + (size_t)k] - a->sink[i + (size_t)k]);
}

static void build_slice(void *context, int z)
{
    const building *const b = context;
    const int width = b->arrays->width;
    for (int y = 0; y < b->arrays->height; y++)
        for (int x0 = 0; x0 < width; x0 += TC_TILE) build_row(b, x0, y, z, width - x0 < TC_TILE ? width - x0 : TC_TILE);
}

void tc_volume_build(tc_grid *grid, const tilecut_volume_arrays *a, int threads)
{
    building b = {grid, a};
    grid->by_rows = true;
    tc_parallel(threads, a->depth, build_slice, &b);
}

int64_t tc_volume_mask(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels, uint8_t *mask)
{
    int64_t foreground = 0;
    for (int z = 0; z < a->depth; z++)
        for (int y = 0; y < a->height; y++)
            for (int x = 0; x < a->width; x++) {
                const size_t p = tc_volume_at(grid, x, y, z);
                const bool background = tc_is_background(labels, p);
                *mask++ = background ? 0 : 255;
                foreground += !background;
            }
    return foreground;
}
