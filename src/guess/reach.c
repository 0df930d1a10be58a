/* SPDX-License-Identifier: MIT
 *
 * reach.c - see reach.h. Each map of distances is swept down and up until nothing changes, at most SWEEPS times.
 */
#include "reach.h"

#include <stdbool.h>
#include <stdlib.h>

#include "colors.h"
#include "nearness.h"
#include "simd.h"
#include "status.h"

enum { SWEEPS = 4, FAR = 1 << 30 };

/* ---- Costs of steps ---------------------------------------------------------------------------- */

/* The cost of the step from pixel a of row `from` to pixel b of row `to`; a diagonal step costs 1.4 times as much. */
static uint16_t step(const tilecut_image *image, int each, const void *from, int a, const void *to, int b)
{
    const size_t n = (size_t)image->channels;
    int length = each;
    for (size_t c = 0; c < n; c++)
        length += abs(tc_level_at(image, from, (size_t)a * n + c) - tc_level_at(image, to, (size_t)b * n + c));
    return (uint16_t)(from != to && a != b ? length + length * 2 / 5 : length);
}

tilecut_status tc_ways_open(tc_ways *ways, const tilecut_image *image, int each)
{
    const size_t width = (size_t)image->width, pixels = width * (size_t)image->height;
    *ways = (tc_ways){.width = image->width, .height = image->height,
                      .memory = calloc(TC_WAYS * pixels, sizeof *ways->memory)};
    if (!ways->memory) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    for (size_t k = 0; k < TC_WAYS; k++) ways->step[k] = ways->memory + k * pixels;
    for (int y = 0; y < image->height; y++) {
        const void *const row = tc_image_row(image, y), *const above = y ? tc_image_row(image, y - 1) : row;
        for (int x = 0; x < image->width; x++) {
            const size_t p = (size_t)y * width + (size_t)x;
            if (x) ways->step[TC_WAY_LEFT][p] = step(image, each, row, x, row, x - 1);
            for (int k = -1; y && k <= 1; k++)
                if (x + k >= 0 && x + k < image->width)
                    ways->step[TC_WAY_ABOVE + k][p] = step(image, each, row, x, above, x + k);
        }
    }
    return TILECUT_OK;
}

void tc_ways_close(tc_ways *ways)
{
    free(ways->memory);
    ways->memory = NULL;
}

/* ---- Sweeps ------------------------------------------------------------------------------------ */

/* Lowers distances in row `here`, `width` pixels, where the path through the same pixel of `there` is shorter. */
TC_VECTOR_LOOP static bool lower_through(int width, const int32_t *there, const uint16_t *step_there, int32_t *here)
{
    int32_t changed = 0;
    for (int x = 0; x < width; x++) {
        const int32_t way = there[x] + step_there[x];
        changed |= way < here[x];
        here[x] = way < here[x] ? way : here[x];
    }
    return changed != 0;
}

/* The sweep down and to the right: each pixel is updated from the row above, then from its left neighbour. */
static bool sweep_down(const tc_ways *w, int32_t *map, int y)
{
    const size_t width = (size_t)w->width, p = (size_t)y * width;
    int32_t *const here = map + p, *const above = here - width;
    bool changed = false;
    if (y) {
        changed |= lower_through(w->width, above, w->step[TC_WAY_ABOVE] + p, here);
        changed |= lower_through(w->width - 1, above, w->step[TC_WAY_ABOVE - 1] + p + 1, here + 1);
        changed |= lower_through(w->width - 1, above + 1, w->step[TC_WAY_ABOVE + 1] + p, here);
    }
    for (size_t x = 1; x < width; x++) {
        const int32_t way = here[x - 1] + w->step[TC_WAY_LEFT][p + x];
        if (way < here[x]) here[x] = way, changed = true;
    }
    return changed;
}

/* The sweep up and to the left. */
static bool sweep_up(const tc_ways *w, int32_t *map, int y)
{
    const size_t width = (size_t)w->width, p = (size_t)y * width, q = p + width;
    int32_t *const here = map + p, *const below = here + width;
    bool changed = false;
    if (y + 1 < w->height) {
        changed |= lower_through(w->width, below, w->step[TC_WAY_ABOVE] + q, here);
        changed |= lower_through(w->width - 1, below, w->step[TC_WAY_ABOVE + 1] + q, here + 1);
        changed |= lower_through(w->width - 1, below + 1, w->step[TC_WAY_ABOVE - 1] + q + 1, here);
    }
    for (size_t x = width - 1; x-- > 0;) {
        const int32_t way = here[x + 1] + w->step[TC_WAY_LEFT][p + x + 1];
        if (way < here[x]) here[x] = way, changed = true;
    }
    return changed;
}

void tc_reach_ways(const tc_ways *ways, const uint8_t *seeds, uint8_t label, int32_t *map)
{
    const size_t pixels = (size_t)ways->width * (size_t)ways->height;
    bool changed = true;
    for (size_t p = 0; p < pixels; p++) map[p] = seeds[p] == label ? 0 : FAR;
    for (int i = 0; i < SWEEPS && changed; i++) {
        changed = false;
        for (int y = 0; y < ways->height; y++) changed |= sweep_down(ways, map, y);
        for (int y = ways->height; y-- > 0;) changed |= sweep_up(ways, map, y);
    }
}

/* Returns the evidence of strokes for a pixel, as a level of tc_evidence_favour(). f and b are the pixel's distances to
 * foreground and to background strokes. */
static int evidence_of(int32_t f, int32_t b)
{
    const int32_t nearest = f < b ? f : b;
    if (nearest >= FAR) return TC_EVIDENCE_MIDDLE;
    const double side = f == b ? 0 : ((double)b - f) / ((double)f + b);
    return TC_EVIDENCE_MIDDLE - (int)tc_round(TC_EVIDENCE_MIDDLE * side * tc_exp(-nearest / TC_EVIDENCE_FADES));
}

tilecut_status tc_reach(const tilecut_image *image, const uint8_t *seeds, uint8_t *guess)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    tc_ways ways = {.memory = NULL};
    int32_t *const map = malloc(3 * pixels * sizeof *map);
    if (!map) TRY(tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels));
    TRY(tc_ways_open(&ways, image, TC_REACH_STEP));
    int32_t *const painted = map + pixels, *const border = map + 2 * pixels;
    tc_reach_ways(&ways, seeds, TILECUT_FOREGROUND, map);
    tc_reach_ways(&ways, seeds, TILECUT_BACKGROUND, painted);
    tc_reach_ways(&ways, seeds, TILECUT_OUTSIDE, border);
    for (size_t p = 0; p < pixels; p++) {
        const bool inside = map[p] < painted[p] && map[p] < border[p];
        guess[p] = (uint8_t)(2 * evidence_of(map[p], painted[p]) + inside);
    }
done:
    tc_ways_close(&ways);
    free(map);
    return status;
}
