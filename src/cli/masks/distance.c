/* SPDX-License-Identifier: MIT
 *
 * distance.c - dilates a set of pixels by a disc, exactly and in linear time. First each pixel gets g, its vertical
 * distance to the set. In a row, pixel x' then reaches every x with (x - x')^2 + g(x')^2 <= r^2. That is the interval
 * x' +- s(g) with s(g) = floor(sqrt(r^2 - g^2)). So a row of the result is a union of intervals, which a sweep finds by
 * counting open intervals.
 */
#include "distance.h"

#include <math.h>
#include <stdlib.h>

enum { FAR = UINT16_MAX };

/* Computes the vertical distances g[y * width + x]; FAR if they exceed `reach`. */
static void down_the_columns(const uint8_t *set, int width, int height, int reach, uint16_t *g)
{
    const size_t w = (size_t)width;
    for (int y = 0; y < height; y++) {
        uint16_t *const row = g + (size_t)y * w;
        const uint16_t *const above = y > 0 ? row - w : NULL;
        for (size_t x = 0; x < w; x++) {
            if (set[(size_t)y * w + x])
                row[x] = 0;
            else if (above && above[x] < reach)
                row[x] = (uint16_t)(above[x] + 1);
            else
                row[x] = FAR;
        }
    }
    for (int y = height - 2; y >= 0; y--) {
        uint16_t *row = g + (size_t)y * w;
        for (size_t x = 0; x < w; x++)
            if (row[x + w] < reach && row[x + w] + 1 < row[x]) row[x] = (uint16_t)(row[x + w] + 1);
    }
}

/* Computes span[g] = s(g) for g = 0 .. reach. s only falls as g grows, so comparing squares avoids rounding errors. */
static void spans(double radius, int reach, int *span)
{
    const double r2 = radius * radius;
    int64_t s = (int64_t)floor(radius);
    for (int64_t g = 0; g <= reach; g++) {
        while (s > 0 && (double)(s * s + g * g) > r2) s--;
        span[g] = (int)s;
    }
}

static void along_the_row(const uint16_t *g, int width, const int *span, int32_t *step, uint8_t *near)
{
    for (int x = 0; x <= width; x++) step[x] = 0;
    for (int x = 0; x < width; x++) {
        if (g[x] == FAR) continue;
        const int s = span[g[x]];
        step[x > s ? x - s : 0]++;
        step[x + s + 1 < width ? x + s + 1 : width]--;
    }
    int32_t open = 0;
    for (int x = 0; x < width; x++) {
        open += step[x];
        near[x] = open > 0;
    }
}

bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near)
{
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    const double side = fmax(width, height); /* no distance is longer than the diagonal */
    const double r = fmin(fmax(radius, 0), fmin(2 * side, FAR - 1));
    const int reach = (int)floor(r);
    uint16_t *g = malloc(pixels * sizeof *g);
    int *span = malloc(((size_t)reach + 1) * sizeof *span);
    int32_t *step = malloc((w + 1) * sizeof *step);
    const bool done = g && span && step;
    if (done) {
        down_the_columns(set, width, height, reach, g);
        spans(r, reach, span);
        for (int y = 0; y < height; y++) along_the_row(g + (size_t)y * w, width, span, step, near + (size_t)y * w);
    }
    free(g);
    free(span);
    free(step);
    return done;
}
