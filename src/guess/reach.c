/* SPDX-License-Identifier: MIT
 *
 * reach.c - see reach.h. Each map of distances is swept down and up until nothing changes, at most SWEEPS times.
 */
#include "reach.h"

#include <stdbool.h>
#include <stdlib.h>

#include "colors.h"
#include "nearness.h"
#include "status.h"

enum { SWEEPS = 4, FAR = 1 << 30 };

typedef struct walk {
    const tilecut_image *image;
    int step;
} walk;

static int sample_at(const tilecut_image *image, const void *row, int i)
{
    return image->depth == 8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i] >> 8;
}

/* The cost of the step from pixel a of row `from` to pixel b of row `to`; a diagonal step costs 1.4 times as much. */
static int32_t step(const walk *w, const void *from, int a, const void *to, int b, bool slanted)
{
    const tilecut_image *const image = w->image;
    int32_t length = w->step;
    for (int c = 0; c < image->channels; c++)
        length += abs(sample_at(image, from, a * image->channels + c) - sample_at(image, to, b * image->channels + c));
    return slanted ? length + length * 2 / 5 : length;
}

/* Shortens the distance of pixel x if the path through pixel `from` of row `there` is shorter. */
static void by_way_of(int32_t *here, int x, const int32_t *there, int from, int32_t length, bool *changed)
{
    if (there[from] + length >= here[x]) return;
    here[x] = there[from] + length;
    *changed = true;
}

/* Sweeps row y in direction d, +1 (down, to the right) or -1 (up, to the left): updates each pixel from its three
 * neighbours in the previous row and from the previous pixel. */
static void sweep_row(const walk *w, int32_t *map, int y, int d, bool *changed)
{
    const tilecut_image *const image = w->image;
    const int width = image->width;
    const bool above = d > 0 ? y > 0 : y + 1 < image->height;
    int32_t *const here = map + (size_t)y * (size_t)width;
    const int32_t *const before = above ? here - (ptrdiff_t)d * width : here;
    const void *const row = tc_image_row(image, y), *const other = above ? tc_image_row(image, y - d) : row;
    for (int i = 0; i < width; i++) {
        const int x = d > 0 ? i : width - 1 - i;
        for (int k = -1; above && k <= 1; k++)
            if (x + k >= 0 && x + k < width)
                by_way_of(here, x, before, x + k, step(w, row, x, other, x + k, k != 0), changed);
        if (x - d >= 0 && x - d < width)
            by_way_of(here, x, here, x - d, step(w, row, x, row, x - d, false), changed);
    }
}

void tc_reach_ways(const tilecut_image *image, const uint8_t *seeds, uint8_t label, int each, int32_t *map)
{
    const walk w = {image, each};
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    bool changed = true;
    for (size_t p = 0; p < pixels; p++) map[p] = seeds[p] == label ? 0 : FAR;
    for (int i = 0; i < SWEEPS && changed; i++) {
        changed = false;
        for (int y = 0; y < image->height; y++) sweep_row(&w, map, y, 1, &changed);
        for (int y = image->height; y-- > 0;) sweep_row(&w, map, y, -1, &changed);
    }
}

/* The evidence of strokes for a pixel, as a level of tc_evidence_favour(). f, b: the pixel's distances to foreground
 * and to background strokes. */
static int evidence_of(int32_t f, int32_t b)
{
    const int32_t nearest = f < b ? f : b;
    if (nearest >= FAR) return TC_LEAN_MIDDLE;
    const double side = f == b ? 0 : ((double)b - f) / ((double)f + b);
    return TC_LEAN_MIDDLE - (int)tc_round(TC_LEAN_MIDDLE * side * tc_exp(-nearest / TC_LEAN_FADES));
}

tilecut_status tc_reach(const tilecut_image *image, const uint8_t *seeds, uint8_t *guess)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    int32_t *const map = malloc(3 * pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    int32_t *const painted = map + pixels, *const border = map + 2 * pixels;
    tc_reach_ways(image, seeds, TILECUT_FOREGROUND, TC_REACH_STEP, map);
    tc_reach_ways(image, seeds, TILECUT_BACKGROUND, TC_REACH_STEP, painted);
    tc_reach_ways(image, seeds, TILECUT_OUTSIDE, TC_REACH_STEP, border);
    for (size_t p = 0; p < pixels; p++) {
        const bool inside = map[p] < painted[p] && map[p] < border[p];
        guess[p] = (uint8_t)(2 * evidence_of(map[p], painted[p]) + inside);
    }
    free(map);
    return TILECUT_OK;
}
