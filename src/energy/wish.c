/* SPDX-License-Identifier: MIT
 *
 * wish.c - distances to the edge of a mask, no farther than they matter, in the bytes that become levels. Two sweeps,
 * in which a pixel looks at neighbours that have been looked at: one of the other side is a step away, one of its own
 * side as far as that, and a step.
 */
#include "wish.h"

#include <stdbool.h>

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
