/* SPDX-License-Identifier: MIT
 *
 * nearness.c - two chamfer distance maps and their ratio.
 */
#include "nearness.h"

#include <stdbool.h>
#include <stdlib.h>

#include "status.h"

static const int32_t far = 1 << 29;

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* One row of a sweep: from the two rows before it in the sweep, then along itself in both directions. The
 * knight's move needs the row before last only through `before`, since (1, 2) steps lie two rows away. */
static void sweep_row(int32_t *row, const int32_t *before, const int32_t *earlier, int width)
{
    if (before) {
        for (int x = 0; x < width; x++) {
            int32_t d = least(row[x], before[x] + 5);
            if (x >= 1) d = least(d, before[x - 1] + 7);
            if (x + 1 < width) d = least(d, before[x + 1] + 7);
            if (x >= 2) d = least(d, before[x - 2] + 11);
            if (x + 2 < width) d = least(d, before[x + 2] + 11);
            row[x] = d;
        }
    }
    if (earlier) {
        for (int x = 0; x < width; x++) {
            if (x >= 1) row[x] = least(row[x], earlier[x - 1] + 11);
            if (x + 1 < width) row[x] = least(row[x], earlier[x + 1] + 11);
        }
    }
    for (int x = 1; x < width; x++) row[x] = least(row[x], row[x - 1] + 5);
    for (int x = width - 2; x >= 0; x--) row[x] = least(row[x], row[x + 1] + 5);
}

/* Distances to the pixels whose label is foreground, or is background of either kind. */
static void distances(const uint8_t *seeds, int width, int height, bool foreground, int32_t *map)
{
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    for (size_t p = 0; p < pixels; p++) {
        const bool hit = foreground ? seeds[p] == TILECUT_FOREGROUND
                                    : seeds[p] == TILECUT_BACKGROUND || seeds[p] == TILECUT_OUTSIDE;
        map[p] = hit ? 0 : far;
    }
    for (int y = 0; y < height; y++) {
        int32_t *row = map + (size_t)y * w;
        sweep_row(row, y >= 1 ? row - w : NULL, y >= 2 ? row - 2 * w : NULL, width);
    }
    for (int y = height - 1; y >= 0; y--) {
        int32_t *row = map + (size_t)y * w;
        sweep_row(row, y + 1 < height ? row + w : NULL, y + 2 < height ? row + 2 * w : NULL, width);
    }
}

tilecut_status tc_nearness(const uint8_t *seeds, int width, int height, uint8_t *level)
{
    const size_t pixels = (size_t)width * (size_t)height;
    int32_t *fg = malloc(pixels * sizeof *fg), *bg = malloc(pixels * sizeof *bg);
    tilecut_status status = TILECUT_OK;

    if (fg && bg) {
        distances(seeds, width, height, true, fg);
        distances(seeds, width, height, false, bg);
        for (size_t p = 0; p < pixels; p++) {
            const int64_t sum = (int64_t)fg[p] + bg[p]; /* a pixel is not both: at least one step */
            level[p] = (uint8_t)((2 * (TC_NEARNESS_LEVELS - 1) * (int64_t)fg[p] + sum) / (2 * sum));
        }
    } else {
        status = tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", width, height);
    }
    free(fg);
    free(bg);
    return status;
}
