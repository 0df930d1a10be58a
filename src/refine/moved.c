/* SPDX-License-Identifier: MIT
 *
 * moved.c - compares a refined mask with the original: tilecut_outline_moved(). A place of an outline lies on an edge
 * if the colours one pixel beyond its two sides differ so much that a link between them would cost less than half of a
 * link between equal colours: exp(-beta d^2) < 1/2, with beta as in tilecut_params.
 */
#include <stdlib.h>

#include "chamfer.h"
#include "graph.h"
#include "prior_outline.h"
#include "sized.h"
#include "status.h"
#include "tilecut_correct.h"

#define HALF 1.3862943611198906 /* 2 ln 2 */

/* Returns the sum of squared differences of n samples, from index `a` of one row on and from index `b` of another. */
static int64_t squares(const tilecut_image *image, int row, int a, int other, int b, int n)
{
    const void *const from = tc_image_row(image, row), *const to = tc_image_row(image, other);
    int64_t sum = 0;
    if (image->depth == 8)
        for (int i = 0; i < n; i++) {
            const int d = ((const uint8_t *)from)[a + i] - ((const uint8_t *)to)[b + i];
            sum += d * d;
        }
    else
        for (int i = 0; i < n; i++) {
            const int64_t d = ((const uint16_t *)from)[a + i] - ((const uint16_t *)to)[b + i];
            sum += d * d;
        }
    return sum;
}

/* Returns the squared difference from which on there is an edge. */
static double edge_of(const tilecut_image *image, int rows)
{
    const int channels = image->channels, width = image->width, height = image->height, slices = height / rows;
    const double links = (width - 1.0) * height + (double)width * ((rows - 1.0) * slices + (double)rows * (slices - 1));
    double sum = 0;
    for (int y = 0; y < height; y++) {
        sum += (double)squares(image, y, 0, y, channels, (width - 1) * channels);
        if ((y + 1) % rows) sum += (double)squares(image, y, 0, y + 1, 0, width * channels);
        if (y + rows < height) sum += (double)squares(image, y, 0, y + rows, 0, width * channels);
    }
    return links > 0 ? HALF * sum / links : 0;
}

/* Marks both sides of the outline of `mask` by 0 in `map`. Returns the share of the outline that lies on edges. `rows`
 * is the number of rows of a slice. */
static double look_along(const tilecut_image *image, int rows, const uint8_t *mask, double edge, uint16_t *map)
{
    const int width = image->width, height = image->height, n = image->channels;
    const size_t w = (size_t)width;
    int64_t along = 0, on = 0;
    for (size_t p = 0; p < w * (size_t)height; p++) map[p] = TC_CHAMFER_NOWHERE;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int axis = 0; axis < 3; axis++) {
                const int down = axis == 0 ? 0 : axis == 1 ? 1 : rows; /* number of rows to the next pixel */
                const size_t p = (size_t)y * w + (size_t)x, q = p + (axis ? (size_t)down * w : 1);
                const int at = axis == 0 ? x : axis == 1 ? y % rows : y / rows;
                const int last = (axis == 0 ? width : axis == 1 ? rows : height / rows) - 1;
                if (at == last || (mask[p] >= 128) == (mask[q] >= 128)) continue;
                const int back = at > 0 && at + 1 < last; /* the compared pixels are one pixel beyond either side */
                const int64_t d = axis ? squares(image, y - back * down, n * x, y + (1 + back) * down, n * x, n)
                                       : squares(image, y, n * (x - back), y, n * (x + 1 + back), n);
                map[p] = map[q] = 0;
                along++;
                on += (double)d > edge;
            }
    return along ? (double)on / (double)along : 0;
}

/* Adds the distances of one outline, whose pixels are 0 in `from`, to another outline; `to` has the distances. */
static void add_distances(const uint16_t *from, const uint16_t *to, size_t pixels, double *sum, double *count,
                          int *most)
{
    for (size_t p = 0; p < pixels; p++) {
        if (from[p] || to[p] == TC_CHAMFER_NOWHERE) continue;
        *sum += to[p], *count += 1;
        *most = to[p] > *most ? to[p] : *most;
    }
}

/* Measures how far two outlines are apart. `map` has the maps of both outlines, and scratch memory for distances to one
 * of them. */
static void find_distances(const tc_nearness_lattice *lattice, uint16_t *map[3], tilecut_moved *out)
{
    const size_t pixels = (size_t)lattice->width * (size_t)lattice->height;
    double sum = 0, count = 0;
    int most = 0;
    for (int k = 0; k < 2; k++) {
        for (size_t p = 0; p < pixels; p++) map[2][p] = map[k][p];
        tc_nearness_distances(map[2], lattice);
        add_distances(map[1 - k], map[2], pixels, &sum, &count, &most);
    }
    out->mean = count > 0 ? sum / count / TC_CHAMFER_PIXEL : 0;
    out->most = (double)most / TC_CHAMFER_PIXEL;
}

static void count_changes(const uint8_t *given, const uint8_t *mask, size_t pixels, tilecut_moved *out)
{
    int64_t inside = 0;
    for (size_t p = 0; p < pixels; p++) {
        const bool before = given[p] >= 128, after = mask[p] >= 128;
        inside += before, out->added += !before && after, out->removed += before && !after;
    }
    out->changed = (double)(out->added + out->removed) / (double)pixels;
    out->too_much = 2 * (out->added + out->removed) > inside;
}

tilecut_status tc_outline_moved(const tilecut_image *image, const tc_nearness_lattice *lattice, const uint8_t *given,
                                const uint8_t *mask, tilecut_moved *out)
{
    const int rows = lattice->slice_rows ? lattice->slice_rows : image->height;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    uint16_t *const maps = malloc(3 * pixels * sizeof *maps);
    if (!maps) return tc_fail(TILECUT_ENOMEM, "no memory for two outlines of %zu pixels", pixels);
    const double edge = edge_of(image, rows);
    count_changes(given, mask, pixels, out);
    out->edges_before = look_along(image, rows, given, edge, maps);
    out->edges = look_along(image, rows, mask, edge, maps + pixels);
    find_distances(lattice, (uint16_t *[]){maps, maps + pixels, maps + 2 * pixels}, out);
    free(maps);
    return TILECUT_OK;
}

tilecut_status tilecut_outline_moved(const tilecut_image *given_image, const uint8_t *given, const uint8_t *mask,
                                     tilecut_moved *moved)
{
    tilecut_moved out = {0};
    tilecut_image image;
    if (!given || !mask || !moved)
        return tc_fail(TILECUT_EINVAL, "%s is NULL", !given ? "given" : !mask ? "mask" : "moved");
    NEED(tc_sized_check(moved, "tilecut_moved"));
    NEED(tc_image_read(&image, given_image));
    const tc_nearness_lattice lattice = tc_flat_lattice(image.width, image.height);
    NEED(tc_outline_moved(&image, &lattice, given, mask, &out));
    TC_WRITE(moved, &out, moved);
    return TILECUT_OK;
}
