/* SPDX-License-Identifier: MIT
 *
 * dressed_scene.h - a person in a red shirt and dark trousers on grass. There is a short stroke on the shirt and one on
 * the grass, but none on the trousers.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "random_graph.h"

enum { DRESSED_WIDTH = 350, DRESSED_HEIGHT = 360, DRESSED = DRESSED_WIDTH * DRESSED_HEIGHT };

typedef struct dressed {
    uint8_t pixels[3 * DRESSED], seeds[DRESSED], truth[DRESSED];
} dressed;

enum { SHIRT = 1, TROUSERS = 2 };

/* Returns what lies at (x, y): shirt, trousers below it, or grass (0). With `down` the trousers reach the border of the
 * image. */
static inline int dressed_part(int x, int y, bool down)
{
    if (abs(x - 170) < 55 && y >= 100 && y < 190) return SHIRT;
    return abs(x - 170) < 45 && y >= 190 && (down || y < 235) ? TROUSERS : 0;
}

static inline void draw_dressed(dressed *d, bool down, uint64_t seed)
{
    static const uint8_t color[3][3] = {{70, 120, 50}, {190, 50, 50}, {40, 44, 70}};
    uint64_t state = seed;
    memset(d, 0, sizeof *d);
    for (int p = 0; p < DRESSED; p++) {
        const int x = p % DRESSED_WIDTH, y = p / DRESSED_WIDTH, part = dressed_part(x, y, down);
        d->truth[p] = part ? 255 : 0;
        for (int c = 0; c < 3; c++) d->pixels[3 * p + c] = (uint8_t)(color[part][c] + random_below(&state, 30));
        if (abs(x - 170) < 12 && abs(y - 130) < 3) d->seeds[p] = TILECUT_FOREGROUND;
        if (abs(x - 12) < 3 && y > 150 && y < 220) d->seeds[p] = TILECUT_BACKGROUND;
    }
}

/* Returns the fraction of the trousers that a mask contains. */
static inline double dressed_trousers(const uint8_t *found, bool down)
{
    int has = 0, all = 0;
    for (int p = 0; p < DRESSED; p++) {
        if (dressed_part(p % DRESSED_WIDTH, p / DRESSED_WIDTH, down) != TROUSERS) continue;
        all++;
        has += found[p] != 0;
    }
    return (double)has / all;
}
