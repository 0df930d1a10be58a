/* SPDX-License-Identifier: MIT
 *
 * lattice.h - the neighbours of a pixel. A lattice has width x height x depth pixels, an image is one of depth 1, and a
 * pixel has 4 or 8 neighbours in its slice, or 6 or 26 in space. Link k of a pixel leads forward by the step
 * tc_link_step(). Direction 2 k is the way forward along it, and direction 2 k + 1 the way back.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TC_LINKS = 13 /* the number of links that lead forward, with 26 neighbours */ };

static inline int tc_least(int a, int b) { return a < b ? a : b; }
static inline int tc_most(int a, int b) { return a > b ? a : b; }

typedef struct tc_link_steps {
    int x, y, z;
} tc_link_steps;

/* The step of the forward link `k` of a pixel; k < connectivity / 2. The links of 4, 6 and 8 neighbours are among those
 * of 26. */
static inline tc_link_steps tc_link_step(int connectivity, int k)
{
    static const tc_link_steps all[TC_LINKS] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, 1},
        {0, 1, 1}, {0, -1, 1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};
    return all[connectivity == 8 && k > 1 ? k + 1 : k];
}

/* A part of a row's pixels: first .. end - 1. */
typedef struct tc_span {
    int first, end;
} tc_span;

static inline tc_span tc_linked(int x0, int n, int step, int width)
{
    return (tc_span){x0 + step < 0 ? 1 : 0, x0 + n + step > width ? n - 1 : n};
}

/* The rectangle of columns x0 to x1 and rows y0 to y1; empty if x1 < x0. */
typedef struct tc_extent {
    int x0, x1, y0, y1;
} tc_extent;

static inline void tc_extent_join(tc_extent *box, const tc_extent *other)
{
    if (other->x0 < box->x0) box->x0 = other->x0;
    if (other->x1 > box->x1) box->x1 = other->x1;
    if (other->y0 < box->y0) box->y0 = other->y0;
    if (other->y1 > box->y1) box->y1 = other->y1;
}

/* Widens a range of columns (or rows, or slices), *from .. *from + *size - 1, by `by` on both sides; it stays within
 * 0 .. most - 1. */
static inline void tc_widen(int *from, int *size, int by, int most)
{
    const int first = *from > by ? *from - by : 0, end = *from + *size < most - by ? *from + *size + by : most;
    *from = first, *size = end - first;
}

/* A block of a lattice: columns, rows of a slice, and slices. */
typedef struct tc_block {
    int x, y, z, width, height, depth;
} tc_block;

static inline size_t tc_block_pixels(const tc_block *b)
{
    return (size_t)b->width * (size_t)b->height * (size_t)b->depth;
}

/* The index within the block of pixel (x, y, z) of the lattice. */
static inline size_t tc_block_at(const tc_block *b, int x, int y, int z)
{
    return ((size_t)(z - b->z) * (size_t)b->height + (size_t)(y - b->y)) * (size_t)b->width + (size_t)(x - b->x);
}

static inline bool tc_block_has(const tc_block *b, int x, int y, int z)
{
    return x >= b->x && x - b->x < b->width && y >= b->y && y - b->y < b->height && z >= b->z && z - b->z < b->depth;
}

/* Makes `b` the bounding box of both blocks; either may be empty (a width of 0). */
static inline void tc_block_join(tc_block *b, const tc_block *other)
{
    if (!b->width) *b = *other;
    if (!other->width) return;
    const int x = tc_most(b->x + b->width, other->x + other->width);
    const int y = tc_most(b->y + b->height, other->y + other->height);
    const int z = tc_most(b->z + b->depth, other->z + other->depth);
    b->x = tc_least(b->x, other->x), b->y = tc_least(b->y, other->y), b->z = tc_least(b->z, other->z);
    b->width = x - b->x, b->height = y - b->y, b->depth = z - b->z;
}

#define TC_BLOCK_NONE SIZE_MAX

/* Returns the neighbour of pixel p of a block in direction d, or TC_BLOCK_NONE if it lies outside of the block. */
static inline size_t tc_block_neighbour(const tc_block *b, size_t p, int connectivity, int d)
{
    const tc_link_steps step = tc_link_step(connectivity, d / 2);
    const size_t w = (size_t)b->width, h = (size_t)b->height;
    const int sign = d % 2 ? -1 : 1, x = b->x + (int)(p % w) + sign * step.x;
    const int y = b->y + (int)(p / w % h) + sign * step.y, z = b->z + (int)(p / w / h) + sign * step.z;
    return tc_block_has(b, x, y, z) ? tc_block_at(b, x, y, z) : TC_BLOCK_NONE;
}
