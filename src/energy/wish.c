/* SPDX-License-Identifier: MIT
 *
 * wish.c - distances to the edge of a mask, no farther than they matter, in the bytes that become levels. Two sweeps,
 * in which a pixel looks at neighbours that have been looked at: one of the other side is a step away, one of its own
 * side as far as that, and a step.
 */
#include "wish.h"

#include <stdbool.h>
#include <stdlib.h>

#include "status.h"

/* Fifths of a pixel. The edge runs half a step from the nearest pixel of the other side. */
enum { STRAIGHT = 5, SLANTED = 7, KNIGHT = 11, HALF = 2, FARTHEST = 5 * TC_WISH_REACH + HALF };

typedef struct sides {
    const uint8_t *wish;
    uint8_t *distance;
    size_t stride;
    int width, height;
} sides;

static inline int beyond(const sides *s, bool foreground, int x, int y, int step, int best)
{
    if (x < 0 || y < 0 || x >= s->width || y >= s->height) return best;
    const bool other = (s->wish[(size_t)y * s->stride + (size_t)x] >= 128) != foreground;
    const int far = step + (other ? 0 : s->distance[(size_t)y * (size_t)s->width + (size_t)x]);
    return far < best ? far : best;
}

/* Pixel (x, y) from the neighbours in the rows that were swept before, in direction `d`, 1 or -1, and in its own. */
static void approach(const sides *s, int x, int y, int d)
{
    uint8_t *const at = &s->distance[(size_t)y * (size_t)s->width + (size_t)x];
    const bool foreground = s->wish[(size_t)y * s->stride + (size_t)x] >= 128;
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

void tc_wish_levels(const uint8_t *wish, size_t stride, int width, int height, uint8_t *level)
{
    const sides s = {wish, level, stride, width, height};
    const size_t pixels = (size_t)width * (size_t)height;
    const int middle = TC_WISH_LEVELS / 2;

    for (size_t p = 0; p < pixels; p++) level[p] = FARTHEST;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) approach(&s, x, y, 1);
    for (int y = height - 1; y >= 0; y--)
        for (int x = width - 1; x >= 0; x--) approach(&s, x, y, -1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *const at = &level[(size_t)y * (size_t)width + (size_t)x];
            const int p = wish[(size_t)y * stride + (size_t)x], sure = p >= 128 ? 2 * p - 255 : 255 - 2 * p;
            const int most = (FARTHEST - HALF) * 255, away = (*at - HALF) * sure;
            const int from_middle = (2 * middle * away + most) / (2 * most);
            *at = (uint8_t)(p >= 128 ? middle - from_middle : middle + from_middle);
        }
}

/* ---- Doubt ------------------------------------------------------------------------------------ */

enum { MIDDLE = TC_WISH_LEVELS / 2, NOWHERE = 60000 };

/* The distance of pixel (x, y) by way of those that were swept before it, in direction `d`, 1 or -1. */
static uint16_t by_way_of(const uint16_t *at, int x, int y, int width, int height, ptrdiff_t d)
{
    const ptrdiff_t row = d * width;
    const bool before = d > 0 ? x > 0 : x + 1 < width, after = d > 0 ? x + 1 < width : x > 0;
    const bool above = d > 0 ? y > 0 : y + 1 < height;
    int best = *at;
    if (before && at[-d] + STRAIGHT < best) best = at[-d] + STRAIGHT;
    if (above && at[-row] + STRAIGHT < best) best = at[-row] + STRAIGHT;
    if (above && before && at[-row - d] + SLANTED < best) best = at[-row - d] + SLANTED;
    if (above && after && at[-row + d] + SLANTED < best) best = at[-row + d] + SLANTED;
    return (uint16_t)best;
}

/* Distances to the marked pixels, which are 0 in `map`, in fifths of a pixel; others come in as NOWHERE. */
static void spread(uint16_t *map, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint16_t *const at = map + (size_t)y * (size_t)width + (size_t)x;
            *at = by_way_of(at, x, y, width, height, 1);
        }
    for (int y = height - 1; y >= 0; y--)
        for (int x = width - 1; x >= 0; x--) {
            uint16_t *const at = map + (size_t)y * (size_t)width + (size_t)x;
            *at = by_way_of(at, x, y, width, height, -1);
        }
}

/* Marks the seeds that contradict; returns in fifths of a pixel how far that is to be felt, 0: there are none. */
static int mark(const uint8_t *wish, size_t stride, const uint8_t *seeds, int width, int height, const uint8_t *level,
                uint16_t *map)
{
    double depth = 0, count = 0; /* of whole numbers: exact */
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            const bool wished = wish[(size_t)y * stride + (size_t)x] >= 128;
            const bool seeded = seeds[p] == TILECUT_FOREGROUND || seeds[p] == TILECUT_BACKGROUND;
            const bool against = seeded && (seeds[p] == TILECUT_FOREGROUND) != wished;
            map[p] = against ? 0 : NOWHERE;
            count += against;
            depth += against ? abs(level[p] - MIDDLE) : 0;
        }
    const double mean = count > 0 ? depth / (count * MIDDLE) : 0;
    const int reach = (int)(STRAIGHT * TC_WISH_DOUBT * mean);
    return count > 0 && reach < 1 ? 1 : reach;
}

tilecut_status tc_wish_doubt(const uint8_t *wish, size_t stride, const uint8_t *seeds, int width, int height,
                             uint8_t *level)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint16_t *const map = malloc(pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", width, height);
    const int reach = mark(wish, stride, seeds, width, height, level, map);
    if (reach > 0) spread(map, width, height);
    for (size_t p = 0; p < pixels && reach > 0; p++)
        if (map[p] < reach) level[p] = (uint8_t)(MIDDLE + (level[p] - MIDDLE) * map[p] / reach);
    free(map);
    return TILECUT_OK;
}
