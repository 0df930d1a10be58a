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

/* What a mask is written from. */
typedef struct masking {
    const tc_grid *grid;
    const tilecut_volume_arrays *arrays;
    const tc_labels *labels;
    uint8_t *mask;
    int64_t foreground;
} masking;

static void mask_slice(void *context, int z)
{
    masking *const m = context;
    const int width = m->arrays->width, height = m->arrays->height;
    uint8_t *mask = m->mask + (size_t)z * (size_t)width * (size_t)height;
    int64_t foreground = 0;
    for (int y = 0; y < height; y++)
        for (int x0 = 0; x0 < width; x0 += TC_TILE) {
            const uint32_t word = m->labels->background[tc_volume_at(m->grid, x0, y, z) / TC_TILE];
            for (int x = 0; x < TC_TILE && x0 + x < width; x++) {
                const bool background = word >> x & 1;
                *mask++ = background ? 0 : 255;
                foreground += !background;
            }
        }
    __atomic_fetch_add(&m->foreground, foreground, __ATOMIC_RELAXED);
}

int64_t tc_volume_mask(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels, int threads,
                       uint8_t *mask)
{
    masking m = {grid, a, labels, mask, 0};
    tc_parallel(tc_threads_that_pay(threads, (int64_t)tc_volume_voxels(a)), a->depth, mask_slice, &m);
    return m.foreground;
}
