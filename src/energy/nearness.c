/* SPDX-License-Identifier: MIT
 *
 * nearness.c - computes two chamfer distance maps, and from them the level of each pixel.
 */
#include "nearness.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "simd.h"
#include "status.h"

static const int32_t far = 1 << 29;

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Rows of a map have a rim of two far pixels at either end, so that loops need no test for the border. */
enum { RIM = 2 };

/* Updates a row from the two rows before it in the sweep. Knight's moves reach two columns aside in the nearer of
 * these rows, and one column aside in the farther one. */
TC_VECTOR_LOOP static void from_rows(int32_t *restrict row, const int32_t *restrict before,
                                     const int32_t *restrict earlier, int width)
{
    for (int x = 0; x < width; x++) {
        const int32_t straight = before[x] + 5, slanted = least(before[x - 1], before[x + 1]) + 7;
        const int32_t knight = least(least(before[x - 2], before[x + 2]), least(earlier[x - 1], earlier[x + 1])) + 11;
        row[x] = least(least(row[x], straight), least(slanted, knight));
    }
}

/* Marks the pixels whose label is foreground, or those that are background of either kind. */
static void mark(const uint8_t *seeds, int width, int height, bool foreground, int32_t *map)
{
    for (int y = 0; y < height; y++) {
        int32_t *row = map + (size_t)y * (size_t)(width + 2 * RIM);
        const uint8_t *seed = seeds + (size_t)y * (size_t)width;
        for (int x = 0; x < RIM; x++) row[x] = row[width + RIM + x] = far;
        for (int x = 0; x < width; x++) {
            const bool hit = foreground ? seed[x] == TILECUT_FOREGROUND
                                        : seed[x] == TILECUT_BACKGROUND || seed[x] == TILECUT_OUTSIDE;
            row[RIM + x] = hit ? 0 : far;
        }
    }
}

/* Computes distances to the marked pixels: one sweep down and to the right, and one back. `nowhere` is a row of far
 * pixels. */
static void spread(int32_t *map, int width, int height, const int32_t *nowhere)
{
    const size_t step = (size_t)(width + 2 * RIM);
    const int32_t *before = nowhere, *earlier = nowhere;
    for (int y = 0; y < height; y++) {
        int32_t *row = map + (size_t)y * step + RIM;
        from_rows(row, before, earlier, width);
        for (int x = 1; x < width; x++) row[x] = least(row[x], row[x - 1] + 5);
        earlier = before;
        before = row;
    }
    before = earlier = nowhere;
    for (int y = height - 1; y >= 0; y--) {
        int32_t *row = map + (size_t)y * step + RIM;
        from_rows(row, before, earlier, width);
        for (int x = width - 2; x >= 0; x--) row[x] = least(row[x], row[x + 1] + 5);
        earlier = before;
        before = row;
    }
}

tc_extent tc_extent_of(const uint8_t *seeds, int width, int height, uint8_t label)
{
    tc_extent box = {width, -1, height, -1};
    for (int y = 0; y < height; y++) {
        const uint8_t *const seed = seeds + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            if (seed[x] != label) continue;
            if (x < box.x0) box.x0 = x;
            if (x > box.x1) box.x1 = x;
            if (y < box.y0) box.y0 = y;
            box.y1 = y;
        }
    }
    return box;
}

/* Writes the levels of a row from its distances. `rim`: distance of the row to the border; `margin`: distance from
 * which on the border does not matter. */
static void write_levels(const int32_t *fg, const int32_t *bg, double extent, int rim, double margin, int width,
                         uint8_t *level)
{
    for (int x = 0; x < width; x++) {
        const int across = tc_rim_distance(x, width);
        level[x] = tc_nearness_level(fg[x], bg[x], bg[x] < far, extent, across < rim ? across : rim, margin);
    }
}

tilecut_status tc_nearness(const uint8_t *seeds, int width, int height, uint8_t *level)
{
    const size_t step = (size_t)(width + 2 * RIM), nodes = step * (size_t)height;
    int32_t *fg = malloc(nodes * sizeof *fg), *bg = malloc(nodes * sizeof *bg);
    int32_t *nowhere = malloc(step * sizeof *nowhere);
    tilecut_status status = TILECUT_OK;

    if (!fg || !bg || !nowhere) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", width, height);
        goto done;
    }
    for (size_t x = 0; x < step; x++) nowhere[x] = far;
    mark(seeds, width, height, true, fg);
    mark(seeds, width, height, false, bg);
    spread(fg, width, height, nowhere + RIM);
    spread(bg, width, height, nowhere + RIM);
    const tc_extent seeded = tc_extent_of(seeds, width, height, TILECUT_FOREGROUND);
    const double extent = tc_squared_extent(&seeded, width, height), margin = tc_nearness_margin(width, height);
    for (int y = 0; y < height; y++) {
        const size_t at = (size_t)y * step + RIM;
        write_levels(fg + at, bg + at, extent, tc_rim_distance(y, height), margin, width,
                     level + (size_t)y * (size_t)width);
    }
done:
    free(fg);
    free(bg);
    free(nowhere);
    return status;
}
