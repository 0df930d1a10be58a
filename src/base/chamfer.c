/* SPDX-License-Identifier: MIT
 *
 * chamfer.c - see chamfer.h. Two sweeps, down and up. In each a pixel looks at its neighbours in the row before, and
 * then at the one beside it; only the latter has to be done one by one.
 */
#include "chamfer.h"

#include <stddef.h>

enum { STRAIGHT = TC_CHAMFER_PIXEL, SLANTED = 7 };

static uint16_t lower(uint16_t a, int b) { return b < a ? (uint16_t)b : a; }

static void from_row_before(const uint16_t *restrict before, uint16_t *restrict at, int width)
{
    at[0] = lower(at[0], before[0] + STRAIGHT);
    if (width > 1) {
        at[0] = lower(at[0], before[1] + SLANTED);
        at[width - 1] = lower(lower(at[width - 1], before[width - 1] + STRAIGHT), before[width - 2] + SLANTED);
    }
    for (int x = 1; x < width - 1; x++) {
        const uint16_t slanted = before[x - 1] < before[x + 1] ? before[x - 1] : before[x + 1];
        at[x] = lower(lower(at[x], before[x] + STRAIGHT), slanted + SLANTED);
    }
}

static void along_row(uint16_t *at, int width)
{
    for (int x = 1; x < width; x++) at[x] = lower(at[x], at[x - 1] + STRAIGHT);
    for (int x = width - 2; x >= 0; x--) at[x] = lower(at[x], at[x + 1] + STRAIGHT);
}

void tc_chamfer(uint16_t *map, int width, int height)
{
    const size_t row = (size_t)width;
    for (int y = 0; y < height; y++) {
        if (y > 0) from_row_before(map + row * (size_t)(y - 1), map + row * (size_t)y, width);
        along_row(map + row * (size_t)y, width);
    }
    for (int y = height - 2; y >= 0; y--) {
        from_row_before(map + row * (size_t)(y + 1), map + row * (size_t)y, width);
        along_row(map + row * (size_t)y, width);
    }
}
