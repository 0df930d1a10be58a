/* SPDX-License-Identifier: MIT
 *
 * prior.c - computes distances to the outline of a mask, up to the distance beyond which they do not matter, in the
 * bytes that become levels. In each of two sweeps a pixel uses the neighbours that were visited before. If a neighbour
 * has the other label, the outline is half a step away; if it has the same label, the outline is that neighbour's
 * distance plus a step away. Blocks of pixels are skipped if neither they nor the blocks around them have pixels of the
 * other label.
 */
#include "prior.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "status.h"

/* Distances in fifths of a pixel. The outline runs half a step from the nearest pixel of the other label. */
enum { STRAIGHT = 5, SLANTED = 7, KNIGHT = 11, HALF = 2, FARTHEST = 5 * TC_PRIOR_REACH + HALF };

typedef struct sides {
    const uint8_t *prior;
    uint8_t *distance;
    int width, height;
} sides;

static inline int beyond(const sides *s, bool foreground, int x, int y, int step, int best)
{
    if (x < 0 || y < 0 || x >= s->width || y >= s->height) return best;
    const bool other = (s->prior[(size_t)y * (size_t)s->width + (size_t)x] >= 128) != foreground;
    const int far = step + (other ? 0 : s->distance[(size_t)y * (size_t)s->width + (size_t)x]);
    return far < best ? far : best;
}

/* Updates pixel (x, y) from its neighbours in the rows that were swept before, and in its own row. d is the direction
 * of the sweep, 1 or -1. */
static void approach(const sides *s, int x, int y, int d)
{
    uint8_t *const at = &s->distance[(size_t)y * (size_t)s->width + (size_t)x];
    const bool foreground = s->prior[(size_t)y * (size_t)s->width + (size_t)x] >= 128;
    int best = *at;
    best = beyond(s, foreground, x - d, y, STRAIGHT, best);
    best = beyond(s, foreground, x, y - d, STRAIGHT, best);
    best = beyond(s, foreground, x - 1, y - d, SLANTED, best);
    best = beyond(s, foreground, x + 1, y - d, SLANTED, best);
    best = beyond(s, foreground, x - 2, y - d, KNIGHT, best);
    best = beyond(s, foreground, x + 2, y - d, KNIGHT, best);
    best = beyond(s, foreground, x - 1, y - 2 * d, KNIGHT, best);
    best = beyond(s, foreground, x + 1, y - 2 * d, KNIGHT, best);
    *at = (uint8_t)best;
}

enum { BLOCK = 16, MOST_BLOCKS = TILECUT_MAX_SIDE / BLOCK }; /* BLOCK is larger than the largest distance */

/* Returns the labels that occur in a block: bit 0 background, bit 1 foreground. */
static uint8_t sides_of_block(const sides *s, int x0, int y0)
{
    const int w = s->width - x0 < BLOCK ? s->width - x0 : BLOCK, h = s->height - y0 < BLOCK ? s->height - y0 : BLOCK;
    uint8_t any = 0, all = 255;
    for (int y = y0; y < y0 + h; y++) {
        const uint8_t *const row = s->prior + (size_t)y * (size_t)s->width + (size_t)x0;
        for (int x = 0; x < w; x++) any |= row[x], all &= row[x];
    }
    return (uint8_t)((all < 128) | (any >= 128) << 1);
}

/* Writes the labels of each block in a row of blocks; 0 if that row does not exist. */
static void sides_of_row(const sides *s, int row, uint8_t *of)
{
    const int blocks = (s->width + BLOCK - 1) / BLOCK;
    const bool exists = row >= 0 && row * BLOCK < s->height;
    for (int b = 0; b < blocks; b++) of[b] = exists ? sides_of_block(s, b * BLOCK, row * BLOCK) : 0;
}

/* Makes one sweep in direction d. */
static void sweep(const sides *s, int d)
{
    const int blocks = (s->width + BLOCK - 1) / BLOCK, rows = (s->height + BLOCK - 1) / BLOCK;
    uint8_t of[3][MOST_BLOCKS + 2] = {{0}}; /* labels in the previous, the present and the next row of blocks; 0 at the
                                               ends */
    sides_of_row(s, d > 0 ? 0 : rows - 1, of[2] + 1);
    for (int i = 0; i < rows; i++) {
        const int row = d > 0 ? i : rows - 1 - i, top = row * BLOCK;
        const int bottom = (top + BLOCK < s->height ? top + BLOCK : s->height) - 1;
        memcpy(of[0], of[1], sizeof of[0]);
        memcpy(of[1], of[2], sizeof of[1]);
        sides_of_row(s, row + d, of[2] + 1);
        for (int y = d > 0 ? top : bottom; y >= top && y <= bottom; y += d)
            for (int j = 0; j < blocks; j++) {
                const int b = d > 0 ? j : blocks - 1 - j, left = b * BLOCK;
                const int right = (left + BLOCK < s->width ? left + BLOCK : s->width) - 1;
                uint8_t around = 0;
                for (int k = 0; k < 3; k++) around |= (uint8_t)(of[k][b] | of[k][b + 1] | of[k][b + 2]);
                for (int x = d > 0 ? left : right; around == 3 && x >= left && x <= right; x += d) approach(s, x, y, d);
            }
    }
}

/* Returns the level of a pixel with probability p at that distance from the outline. */
static uint8_t level_of(int p, int distance)
{
    const int middle = TC_PRIOR_LEVELS / 2, sure = p >= 128 ? 2 * p - 255 : 255 - 2 * p;
    const int most = (FARTHEST - HALF) * 255, away = (distance - HALF) * sure;
    const int from_middle = (2 * middle * away + most) / (2 * most);
    return (uint8_t)(p >= 128 ? middle - from_middle : middle + from_middle);
}

void tc_prior_levels(const uint8_t *prior, int width, int height, uint8_t *level)
{
    const sides s = {prior, level, width, height};
    uint8_t far[256];

    memset(level, FARTHEST, (size_t)width * (size_t)height);
    sweep(&s, 1);
    sweep(&s, -1);
    for (int p = 0; p < 256; p++) far[p] = level_of(p, FARTHEST);
    for (int y = 0; y < height; y++) {
        const uint8_t *const row = prior + (size_t)y * (size_t)width;
        uint8_t *const at = level + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) at[x] = at[x] == FARTHEST ? far[row[x]] : level_of(row[x], at[x]);
    }
}

/* ---- Doubt ------------------------------------------------------------------------------------ */

enum { MIDDLE = TC_PRIOR_LEVELS / 2 };

/* Marks the seeds that contradict the prior mask. Returns how far they reduce confidence in it, in fifths of a pixel; 0
 * if there are none. */
static int mark(const uint8_t *prior, const uint8_t *seeds, int width, int height, const uint8_t *level,
                uint16_t *map)
{
    double depth = 0, count = 0; /* sums of whole numbers, so they are exact */
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            const bool inside = prior[p] >= 128;
            const bool seeded = seeds[p] == TILECUT_FOREGROUND || seeds[p] == TILECUT_BACKGROUND;
            const bool against = seeded && (seeds[p] == TILECUT_FOREGROUND) != inside;
            map[p] = against ? 0 : TC_CHAMFER_NOWHERE;
            count += against;
            depth += against ? abs(level[p] - MIDDLE) : 0;
        }
    const double mean = count > 0 ? depth / (count * MIDDLE) : 0;
    const int reach = (int)(STRAIGHT * TC_PRIOR_DOUBT * mean);
    return count > 0 && reach < 1 ? 1 : reach;
}

tilecut_status tc_prior_confidence(const uint8_t *prior, const uint8_t *seeds, int width, int height,
                             uint8_t *level)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint16_t *const map = malloc(pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", width, height);
    const int reach = mark(prior, seeds, width, height, level, map);
    if (reach > 0) tc_chamfer(map, width, height);
    for (size_t p = 0; p < pixels && reach > 0; p++)
        if (map[p] < reach) level[p] = (uint8_t)(MIDDLE + (level[p] - MIDDLE) * map[p] / reach);
    free(map);
    return TILECUT_OK;
}
