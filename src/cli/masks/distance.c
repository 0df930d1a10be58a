/* SPDX-License-Identifier: MIT
 *
 * distance.c - dilates a set of pixels by a disc, exactly and in linear time. First each pixel gets g, its vertical
 * distance to the set. In a row, pixel x' then reaches every x with (x - x')^2 + g(x')^2 <= r^2. That is the interval
 * x' +- s(g) with s(g) = floor(sqrt(r^2 - g^2)). So a row of the result is a union of intervals, which a sweep finds by
 * counting open intervals. In a volume, g(x')^2 is the least over all slices z' of g(x', z')^2 + (z - z')^2.
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

/* Marks the union of the intervals x +- span[x]; a negative span is none. `step` has width + 1 elements. */
static void join_intervals(const int *span, int width, int32_t *step, uint8_t *near)
{
    for (int x = 0; x <= width; x++) step[x] = 0;
    for (int x = 0; x < width; x++) {
        const int s = span[x];
        if (s < 0) continue;
        step[x > s ? x - s : 0]++;
        step[x + s + 1 < width ? x + s + 1 : width]--;
    }
    int32_t open = 0;
    for (int x = 0; x < width; x++) {
        open += step[x];
        near[x] = open > 0;
    }
}

static void along_the_row(const uint16_t *g, int width, const int *span, int *reach, int32_t *step, uint8_t *near)
{
    for (int x = 0; x < width; x++) reach[x] = g[x] == FAR ? -1 : span[g[x]];
    join_intervals(reach, width, step, near);
}

bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near)
{
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    const double side = fmax(width, height); /* no distance is longer than the diagonal */
    const double r = fmin(fmax(radius, 0), fmin(2 * side, FAR - 1));
    const int reach = (int)floor(r);
    uint16_t *g = malloc(pixels * sizeof *g);
    int *span = malloc(((size_t)reach + 1) * sizeof *span);
    int32_t *step = malloc((2 * w + 1) * sizeof *step); /* with room for the reach of each pixel in a row */
    const bool done = g && span && step;
    if (done) {
        down_the_columns(set, width, height, reach, g);
        spans(r, reach, span);
        for (int y = 0; y < height; y++)
            along_the_row(g + (size_t)y * w, width, span, step + w + 1, step, near + (size_t)y * w);
    }
    free(g);
    free(span);
    free(step);
    return done;
}

/* ---- Volumes ---------------------------------------------------------------------------------- */

typedef struct solid {
    const int *size;
    const double *scale;
    double radius;
    uint16_t *g;    /* [voxels] distances along y, in voxels */
    double *least;  /* [width] squared distance of each voxel of a row from the set within its column of slices */
    int *span;      /* [width] */
    int32_t *step;  /* [width + 1] */
} solid;

/* Computes least[] for row y of slice z; INFINITY if nothing is within the radius. */
static void across_slices(const solid *d, int y, int z)
{
    const double *const scale = d->scale;
    const int width = d->size[0], reach = (int)fmin(d->radius / scale[2], d->size[2]);
    for (int x = 0; x < width; x++) d->least[x] = INFINITY;
    for (int other = z > reach ? z - reach : 0; other <= z + reach && other < d->size[2]; other++) {
        const uint16_t *const row = d->g + ((size_t)other * (size_t)d->size[1] + (size_t)y) * (size_t)width;
        const double dz = (other - z) * scale[2];
        for (int x = 0; x < width; x++) {
            const double dy = row[x] * scale[1], sum = row[x] == FAR ? INFINITY : dy * dy + dz * dz;
            d->least[x] = sum < d->least[x] ? sum : d->least[x];
        }
    }
}

/* Computes how many voxels a row reaches from a voxel with this squared distance; -1: not even its own. */
static int span_of(const solid *d, double least)
{
    const double r2 = d->radius * d->radius, unit = d->scale[0] * d->scale[0];
    if (!(least <= r2)) return -1;
    int64_t s = (int64_t)fmin(sqrt((r2 - least) / unit), d->size[0]) + 1;
    while (s > 0 && (double)(s * s) * unit + least > r2) s--;
    return (int)s;
}

bool distance_within_space(const uint8_t *set, const int size[3], const double scale[3], double radius, uint8_t *near)
{
    const size_t width = (size_t)size[0], slice = width * (size_t)size[1], voxels = slice * (size_t)size[2];
    if (size[2] == 1 && scale[0] == scale[1]) return distance_within(set, size[0], size[1], radius / scale[0], near);
    solid d = {.size = size, .scale = scale, .radius = fmin(fmax(radius, 0), 1e6), .g = malloc(voxels * sizeof *d.g),
               .least = malloc(width * sizeof *d.least), .span = malloc(width * sizeof *d.span),
               .step = malloc((width + 1) * sizeof *d.step)};
    const bool done = d.g && d.least && d.span && d.step;
    for (int z = 0; done && z < size[2]; z++)
        down_the_columns(set + (size_t)z * slice, size[0], size[1], (int)fmin(d.radius / scale[1], FAR - 1),
                         d.g + (size_t)z * slice);
    for (size_t row = 0; done && row < (size_t)size[1] * (size_t)size[2]; row++) {
        across_slices(&d, (int)(row % (size_t)size[1]), (int)(row / (size_t)size[1]));
        for (int x = 0; x < size[0]; x++) d.span[x] = span_of(&d, d.least[x]);
        join_intervals(d.span, size[0], d.step, near + row * width);
    }
    free(d.g);
    free(d.least);
    free(d.span);
    free(d.step);
    return done;
}
