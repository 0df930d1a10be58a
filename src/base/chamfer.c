/* SPDX-License-Identifier: MIT
 *
 * chamfer.c - see chamfer.h. There are two sweeps, down and right, then up and left. In each, a pixel first takes
 * distances from its neighbours in the row before, and then from the pixel beside it; only the latter has to be done
 * pixel by pixel. A shortest path makes steps of at most two directions, side by side, in any order, so those of the
 * first sweep may come first. In space, sweeps go over slices in the same way: a slice first takes distances from the
 * slice before it, and then its rows are swept.
 */
#include "chamfer.h"

#include <math.h>
#include <stdbool.h>

#include "comm.h"
#include "lattice.h"
#include "simd.h"

/* The costs of steps: along x, along another axis, and along both. */
typedef struct costs {
    int along, straight, slanted;
} costs;

/* Returns `a`, or the distance of a pixel that is `cost` farther away than one at `b`, whichever is less. Neither is
 * above TC_CHAMFER_NOWHERE, and there is no overflow. */
static inline uint16_t lower(uint16_t a, uint16_t b, int cost)
{
    const uint16_t most = (uint16_t)(TC_CHAMFER_NOWHERE - cost), way = (uint16_t)((b < most ? b : most) + cost);
    return way < a ? way : a;
}

TC_VECTOR_LOOP static void from_row_before(const uint16_t *restrict before, uint16_t *restrict at, int width, costs c)
{
    at[0] = lower(at[0], before[0], c.straight);
    if (width > 1) {
        at[0] = lower(at[0], before[1], c.slanted);
        at[width - 1] = lower(lower(at[width - 1], before[width - 1], c.straight), before[width - 2], c.slanted);
    }
    for (int x = 1; x < width - 1; x++) {
        const uint16_t slanted = before[x - 1] < before[x + 1] ? before[x - 1] : before[x + 1];
        at[x] = lower(lower(at[x], before[x], c.straight), slanted, c.slanted);
    }
}

/* True if any of `n` distances would be lowered by the one `by` pixels from it, which is `cost` away. */
TC_VECTOR_LOOP static bool would_lower(const uint16_t *row, int by, int n, int cost)
{
    uint16_t any = 0;
    for (int i = 0; i < n; i++) any |= lower(row[i], row[i + by], cost) ^ row[i];
    return any != 0;
}

enum { CHUNK = 128 };

/* What the row before has lowered seldom has to be lowered along the row, so most chunks stay as they are. */
static void to_the_right(uint16_t *row, int width, int along)
{
    for (int first = 1; first < width; first += CHUNK) {
        const int end = tc_least(first + CHUNK, width);
        int least = row[first - 1];
        if (!would_lower(row + first, -1, end - first, along)) continue;
        for (int x = first; x < end; x++) row[x] = (uint16_t)(least = tc_least(least + along, row[x]));
    }
}

static void to_the_left(uint16_t *row, int width, int along)
{
    for (int end = width - 1; end > 0; end -= CHUNK) {
        const int first = tc_most(end - CHUNK, 0);
        int least = row[end];
        if (!would_lower(row + first, 1, end - first, along)) continue;
        for (int x = end; x-- > first;) row[x] = (uint16_t)(least = tc_least(least + along, row[x]));
    }
}

static void sweep_rows(uint16_t *map, int width, int height, costs c)
{
    const size_t row = (size_t)width;
    for (int y = 0; y < height; y++) {
        if (y > 0) from_row_before(map + row * (size_t)(y - 1), map + row * (size_t)y, width, c);
        to_the_right(map + row * (size_t)y, width, c.along);
    }
    for (int y = height - 1; y >= 0; y--) {
        if (y < height - 1) from_row_before(map + row * (size_t)(y + 1), map + row * (size_t)y, width, c);
        to_the_left(map + row * (size_t)y, width, c.along);
    }
}

void tc_chamfer(uint16_t *map, int width, int height)
{
    const costs c = {TC_CHAMFER_PIXEL, TC_CHAMFER_PIXEL, 7};
    sweep_rows(map, width, height, c);
}

/* The cost of a step of x, y and z, in fifths; at most TC_CHAMFER_NOWHERE. */
static int cost_of(double x, double y, double z)
{
    const double length = floor(TC_CHAMFER_PIXEL * sqrt(x * x + y * y + z * z) + 0.5);
    return length < TC_CHAMFER_NOWHERE ? (int)length : TC_CHAMFER_NOWHERE;
}

/* Lowers the distances of a slice where the path through the slice before it is shorter. */
static void from_slice_before(const uint16_t *before, uint16_t *at, int width, int height, const double s[3])
{
    const size_t row = (size_t)width;
    const costs level = {0, cost_of(0, 0, s[2]), cost_of(s[0], 0, s[2])};
    const costs beside = {0, cost_of(0, s[1], s[2]), cost_of(s[0], s[1], s[2])};
    for (int y = 0; y < height; y++)
        for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
            from_row_before(before + row * (size_t)v, at + row * (size_t)y, width, v == y ? level : beside);
}

void tc_chamfer_space(uint16_t *map, int width, int height, int depth, const double spacing[3])
{
    static const double one[3] = {1, 1, 1};
    const double *const s = spacing ? spacing : one;
    const size_t slice = (size_t)width * (size_t)height;
    const costs c = {cost_of(s[0], 0, 0), cost_of(0, s[1], 0), cost_of(s[0], s[1], 0)};
    for (int z = 0; z < depth; z++) {
        if (z > 0) from_slice_before(map + slice * (size_t)(z - 1), map + slice * (size_t)z, width, height, s);
        sweep_rows(map + slice * (size_t)z, width, height, c);
    }
    for (int z = depth - 2; z >= 0; z--) {
        from_slice_before(map + slice * (size_t)(z + 1), map + slice * (size_t)z, width, height, s);
        sweep_rows(map + slice * (size_t)z, width, height, c);
    }
}

void tc_chamfer_within(uint16_t *map, const uint8_t *within, int width, int height, int depth, const double spacing[3])
{
    const size_t pixels = (size_t)width * (size_t)height * (size_t)depth;
    for (size_t p = 0; p < pixels; p++) map[p] = within[p] ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer_space(map, width, height, depth, spacing);
}

int tc_chamfer_deepest(const uint16_t *map, const uint8_t *these, size_t pixels)
{
    int deepest = 0;
    for (size_t p = 0; p < pixels; p++)
        if (these[p] && map[p] > deepest) deepest = map[p];
    return deepest;
}

/* Looks only at rows near the pixels first. If a pixel may be deeper than that, it looks at twice as many. */
int tc_chamfer_depth(uint16_t *map, const uint8_t *these, const uint8_t *within, int width, int height)
{
    const tc_extent box = tc_extent_of(these, width, height, 1);
    if (box.y1 < 0) return 0;
    for (int more = 128;; more *= 2) {
        const int from = tc_most(box.y0 - more, 0), to = tc_least(box.y1 + more + 1, height);
        const size_t first = (size_t)from * (size_t)width;
        tc_chamfer_within(map, within + first, width, to - from, 1, NULL);
        const int deepest = tc_chamfer_deepest(map, these + first, (size_t)(to - from) * (size_t)width);
        if (deepest <= more * TC_CHAMFER_PIXEL || to - from == height) return deepest;
    }
}
