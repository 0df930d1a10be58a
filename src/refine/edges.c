/* SPDX-License-Identifier: MIT */
#include "edges.h"

#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "prior_outline.h"
#include "status.h"

/* Lengths in units of prior_outline.h. The links around an outline are those at a distance of AROUND_FROM to AROUND_TO
 * from it. A window is a square of four cells; CELL is the side of a cell. Colours are compared up to a distance of
 * BESIDE on either side of an outline. */
enum { AROUND_FROM = 3, AROUND_TO = 10, CELL = 24, BESIDE = 4 };

typedef struct sums {
    double sum;
    int64_t count;
} sums;

static bool is_cut(const uint8_t *mask, size_t p, size_t q)
{
    return (mask[p] >= 128) != (mask[q] >= 128);
}

/* True if there is a pixel to the right of (x, y) or, with `down`, below it. */
static bool has_next(const tc_edges *e, int x, int y, int down)
{
    return down ? y + 1 < e->height : x + 1 < e->width;
}

static size_t step_of(const tc_edges *e, int down)
{
    return down ? (size_t)e->width : 1;
}

static int32_t weakest(const tc_edges *e, size_t p, int down)
{
    const int32_t *const link = e->link[down];
    const size_t step = step_of(e, down), width = (size_t)e->width;
    const size_t at = down ? p / width : p % width, last = (size_t)(down ? e->height : e->width) - 2;
    int32_t least = link[p];
    if (at > 0 && link[p - step] < least) least = link[p - step];
    if (at < last && link[p + step] < least) least = link[p + step];
    return least;
}

double tc_edges_link(const tc_edges *e, size_t p, int down)
{
    return e->around > 0 ? weakest(e, p, down) / e->around : 0;
}

static tilecut_status read_links(const tilecut_graph *graph, tc_edges *e)
{
    const size_t width = (size_t)e->width;
    tilecut_status status = TILECUT_OK;
    tilecut_row row = {0};
    TRY(tc_row_init(&row, e->width));
    for (int y = 0; y < e->height; y++) {
        tc_graph_row(graph, y, &row);
        memcpy(e->link[0] + (size_t)y * width, row.to[TILECUT_RIGHT], width * sizeof **e->link);
        memcpy(e->link[1] + (size_t)y * width, row.to[TILECUT_DOWN], width * sizeof **e->link);
    }
done:
    tc_row_free(&row);
    return status;
}

static tilecut_status find_around(tc_edges *e, const uint8_t *mask)
{
    const size_t width = (size_t)e->width, pixels = width * (size_t)e->height;
    const int one = TC_CHAMFER_PIXEL * e->unit;
    uint16_t *const away = malloc(pixels * sizeof *away);
    sums s = {0};
    if (!away) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) away[p] = TC_CHAMFER_NOWHERE;
    for (size_t p = 0; p < pixels; p++)
        for (int down = 0; down < 2; down++) {
            const size_t q = p + step_of(e, down);
            if (has_next(e, (int)(p % width), (int)(p / width), down) && is_cut(mask, p, q)) away[p] = away[q] = 0;
        }
    tc_chamfer(away, e->width, e->height);
    for (size_t p = 0; p < pixels; p++)
        for (int down = 0; down < 2; down++)
            if (away[p] > AROUND_FROM * one && away[p] < AROUND_TO * one &&
                has_next(e, (int)(p % width), (int)(p / width), down))
                s.sum += weakest(e, p, down), s.count++;
    e->around = s.count ? s.sum / (double)s.count : 0;
    free(away);
    return TILECUT_OK;
}

tilecut_status tc_edges_find(const tilecut_graph *graph, const tilecut_image *image, const uint8_t *mask, tc_edges *e)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_status status = TILECUT_OK;
    *e = (tc_edges){.image = image, .width = graph->width, .height = graph->height};
    e->unit = tc_outline_unit(e->width, e->height);
    e->link[0] = malloc(2 * pixels * sizeof **e->link);
    if (!e->link[0]) return tc_fail(TILECUT_ENOMEM, "no memory for the links of %zu pixels", pixels);
    e->link[1] = e->link[0] + pixels;
    TRY(read_links(graph, e));
    TRY(find_around(e, mask));
done:
    if (status != TILECUT_OK) tc_edges_free(e);
    return status;
}

void tc_edges_free(tc_edges *e)
{
    free(e->link[0]);
    *e = (tc_edges){0};
}

/* Adds the links that an outline cuts to the sums of the cells of `side` pixels in which they lie. */
static void sum_cells(const tc_edges *e, const uint8_t *mask, int side, int columns, sums *cell)
{
    for (int y = 0; y < e->height; y++)
        for (int x = 0; x < e->width; x++) {
            const size_t p = (size_t)y * (size_t)e->width + (size_t)x;
            sums *const s = &cell[(size_t)(y / side) * (size_t)columns + (size_t)(x / side)];
            for (int down = 0; down < 2; down++)
                if (has_next(e, x, y, down) && is_cut(mask, p, p + step_of(e, down)))
                    s->sum += tc_edges_link(e, p, down), s->count++;
        }
}

double tc_edges_along(const tc_edges *e, const uint8_t *mask)
{
    sums s = {0};
    sum_cells(e, mask, e->width > e->height ? e->width : e->height, 1, &s);
    return s.count ? s.sum / (double)s.count : 0;
}

void tc_edges_add_sides(const tc_edges *e, const uint8_t *mask, size_t p, int down, tc_color_sums side[2])
{
    tc_sides_add(e->image, mask, p, down, BESIDE * e->unit, side);
}

double tc_edges_apart(const tc_edges *e, const uint8_t *mask)
{
    tc_color_sums side[2] = {{{0}}};
    for (int y = 0; y < e->height; y++)
        for (int x = 0; x < e->width; x++) {
            const size_t p = (size_t)y * (size_t)e->width + (size_t)x;
            for (int down = 0; down < 2; down++)
                if (has_next(e, x, y, down) && is_cut(mask, p, p + step_of(e, down)))
                    tc_edges_add_sides(e, mask, p, down, side);
        }
    return tc_sides_apart(side);
}

tilecut_status tc_edges_worst(const tc_edges *e, const uint8_t *mask, double *worst)
{
    /* one cell more than the image needs, so that every cell begins a window */
    const int side = CELL * e->unit, columns = (e->width - 1) / side + 2, rows = (e->height - 1) / side + 2;
    sums *const cell = calloc((size_t)columns * (size_t)rows, sizeof *cell);
    *worst = 0;
    if (!cell) return tc_fail(TILECUT_ENOMEM, "no memory for %d windows", columns * rows);
    sum_cells(e, mask, side, columns, cell);
    for (int y = 0; y + 1 < rows; y++)
        for (int x = 0; x + 1 < columns; x++) {
            const sums *const a = &cell[(size_t)y * (size_t)columns + (size_t)x], *const b = a + columns;
            const int64_t count = a[0].count + a[1].count + b[0].count + b[1].count;
            const double mean = count ? (a[0].sum + a[1].sum + b[0].sum + b[1].sum) / (double)count : 0;
            if (count >= side && mean > *worst) *worst = mean;
        }
    free(cell);
    return TILECUT_OK;
}
