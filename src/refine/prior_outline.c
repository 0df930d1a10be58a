/* SPDX-License-Identifier: MIT
 *
 * prior_outline.c - see prior_outline.h. A straight piece of length l may be off by l / PART - LESS units, because the
 * shape of the object between two corners is unknown. A mask that follows its object pixel by pixel has few such
 * pieces.
 */
#include "prior_outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "corners.h"
#include "status.h"

enum { SIDE = 480, PART = 8, LESS = 2, MOST = 20, FARTHEST = 5000 };

#define EXACT 2.5 /* a mask of single pixels is exact if its outline is off by less than this on average, in units */

int tc_outline_unit(int width, int height)
{
    const int shorter = width < height ? width : height;
    return shorter < SIDE ? 1 : (shorter + SIDE / 2) / SIDE;
}

typedef struct values {
    const uint8_t *prior;
    int width, height;
    const tc_nearness_lattice *lattice;
    int rows; /* rows of a slice */
} values;

static const uint8_t *row_of(const values *v, int y)
{
    return v->prior + (size_t)y * (size_t)v->width;
}

/* ---- Cells -------------------------------------------------------------------------------------- */

/* Returns the cell size of a mask whose values are constant within cells, along columns or rows: the usual gap between
 * places where any value changes, if all short gaps are like that. 1: there are no cells. */
static double gap_of(const uint8_t *changes, int n)
{
    int least = n, last = -1, alike = 0, others = 0, sum = 0;
    for (int turn = 0; turn < 2; turn++, last = -1)
        for (int i = 0; i < n; i++) {
            if (!changes[i]) continue;
            const int gap = i - last;
            if (last >= 0 && !turn) least = gap < least ? gap : least;
            else if (last >= 0 && gap <= least + 1) alike++, sum += gap;
            else if (last >= 0) others += abs(gap - (gap + least / 2) / least * least) > 1 + gap / least;
            last = i;
        }
    return least > 2 && alike > 2 && !others ? (double)sum / alike : 1;
}

static tilecut_status find_blocks(const values *v, double *cell)
{
    const int slices = v->height / v->rows;
    uint8_t *const columns = calloc((size_t)v->width + (size_t)v->rows + (size_t)slices, 1);
    if (!columns) return tc_fail(TILECUT_ENOMEM, "no memory for the cells of a mask");
    uint8_t *const rows = columns + v->width, *const layers = rows + v->rows;
    const size_t width = (size_t)v->width;
    for (int y = 0; y < v->height; y++) {
        const uint8_t *const at = row_of(v, y);
        for (size_t x = 1; x < width; x++) columns[x] |= at[x] != at[x - 1];
        rows[y % v->rows] |= y % v->rows && memcmp(at, row_of(v, y - 1), width) != 0;
        layers[y / v->rows] |= y >= v->rows && memcmp(at, row_of(v, y - v->rows), width) != 0;
    }
    const double *const step = v->lattice->spacing;
    const double a = gap_of(columns, v->width), b = gap_of(rows, v->rows), c = gap_of(layers, slices);
    *cell = a > 1 && b > 1 ? (a * step[0] + b * step[1]) / 2 : 1;
    if (*cell > 1 && c > 1) *cell = fmax(*cell, c * step[2]);
    free(columns);
    return TILECUT_OK;
}

/* The cell of a mask that was enlarged smoothly: from the slope of its values across the outline. Between two cells
 * the slope is 255 to a cell where the outline runs between them, and half of that where it runs through one. */
static double cell_of_slope(const values *v)
{
    double slopes = 0, count = 0;
    for (int y = 1; y + 1 < v->height; y++) {
        const uint8_t *const at = row_of(v, y), *const above = row_of(v, y - 1), *const below = row_of(v, y + 1);
        for (int x = 1; x + 1 < v->width && y % v->rows && (y + 1) % v->rows; x++) {
            if (!(((at[x] ^ at[x + 1]) | (at[x] ^ below[x])) & 128)) continue; /* all on the same side */
            const double dx = (at[x + 1] - at[x - 1]) / 2.0, dy = (below[x] - above[x]) / 2.0;
            slopes += sqrt(dx * dx + dy * dy);
            count++;
        }
    }
    return slopes > 0 ? 0.75 * 255 * count / slopes : 1;
}

/* ---- Distances ---------------------------------------------------------------------------------- */

/* Finds the distance of each pixel to the nearest pixel of the other side. `room` is a scratch array of the same
 * size. */
static void find_away(const values *v, uint16_t *away, uint16_t *room)
{
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    const uint8_t *const prior = v->prior;
    for (int foreground = 0; foreground < 2; foreground++) {
        uint16_t *const map = foreground ? room : away;
        for (size_t p = 0; p < pixels; p++) map[p] = (prior[p] >= 128) == foreground ? TC_CHAMFER_NOWHERE : 0;
        tc_nearness_distances(map, v->lattice);
    }
    for (size_t p = 0; p < pixels; p++) away[p] = away[p] ? away[p] : room[p];
}

/* For pixels along the outline, o->left is how far the outline may be off there. Spreads this to the surrounding
 * pixels; it decreases with the distance, down to 0. */
static void spread(const tc_outline *o, int most)
{
    const size_t pixels = (size_t)o->lattice.pixels.width * (size_t)o->lattice.pixels.height;
    for (size_t p = 0; p < pixels; p++)
        o->left[p] = o->left[p] ? (uint16_t)(most - o->left[p]) : TC_CHAMFER_NOWHERE;
    tc_nearness_distances(o->left, &o->lattice.pixels);
    for (size_t p = 0; p < pixels; p++) o->left[p] = o->left[p] <= most ? (uint16_t)(most + 1 - o->left[p]) : 0;
}

/* Returns the mean of the values of tc_corners_mark() over the pixels along the outline. */
static double mean_tolerance(const tc_outline *o)
{
    double sum = 0, count = 0;
    for (size_t p = 0; p < (size_t)o->lattice.pixels.width * (size_t)o->lattice.pixels.height; p++)
        if (o->away[p] == TC_CHAMFER_PIXEL) sum += o->left[p], count++;
    return count > 0 ? sum / count : 0;
}

/* Finds how far the outline moves if the mask is smoothed over squares of 2 DETAIL + 1 units. For a mask that was made
 * of cells and then enlarged smoothly, that is little. */
static tilecut_status measure_detail(const values *v, tc_outline *o)
{
    enum { ONE = 65536, DETAIL = 2 };
    const size_t width = (size_t)v->width, pixels = width * (size_t)v->height;
    const int unit = tc_outline_unit(v->width, v->height);
    int32_t *const share = malloc((2 * pixels + width) * sizeof *share);
    int64_t changes = 0, along = 0;
    if (!share) return tc_fail(TILECUT_ENOMEM, "no memory to smooth a mask of %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) share[p] = v->prior[p] >= 128 ? ONE : 0;
    tc_sides_smooth(share, v->width, v->height, DETAIL * unit, share + pixels);
    for (int y = 0; y < v->height; y++) {
        const uint8_t *const at = row_of(v, y), *const above = row_of(v, y ? y - 1 : 0);
        const int32_t *const smooth = share + (size_t)y * width;
        for (size_t x = 0; x < width; x++) {
            const bool inside = at[x] >= 128;
            changes += inside != (smooth[x] > ONE / 2);
            along += inside != (above[x] >= 128);
        }
        for (size_t x = 1; x < width; x++) along += (at[x] >= 128) != (at[x - 1] >= 128);
    }
    o->detail = along ? (double)changes / (double)along / unit : 0;
    free(share);
    return TILECUT_OK;
}

/* Marks straight pieces in all slices. */
static tilecut_status mark_pieces(const values *v, const tc_corner_tolerance *how, uint16_t *tolerance)
{
    for (int y = 0; y < v->height; y += v->rows)
        NEED(tc_corners_mark(v->prior + (size_t)y * (size_t)v->width, v->width, v->rows, how,
                             tolerance + (size_t)y * (size_t)v->width));
    return TILECUT_OK;
}

tilecut_status tc_outline_measure(const uint8_t *prior, const tc_nearness_lattice *lattice, double reach,
                                  tc_outline *o)
{
    const int width = lattice->width, height = lattice->height, rows = lattice->slice_rows;
    const values v = {prior, width, height, lattice, rows ? rows : height};
    const size_t pixels = (size_t)width * (size_t)height;
    const int unit = tc_outline_unit(width, v.rows);
    tilecut_status status = TILECUT_OK;
    double blocks = 1;
    size_t between = 0;

    *o = (tc_outline){.lattice = {*lattice, unit}, .away = calloc(2 * pixels, sizeof *o->away)};
    if (!o->away) return tc_fail(TILECUT_ENOMEM, "no memory for the outline of %zu pixels", pixels);
    o->left = o->away + pixels;
    find_away(&v, o->away, o->left);
    for (size_t p = 0; p < pixels; p++) between += prior[p] > 0 && prior[p] < 255;
    memset(o->left, 0, pixels * sizeof *o->left);
    TRY(find_blocks(&v, &blocks));
    o->cell = fmax(blocks, cell_of_slope(&v));
    o->soft = between > 0 && o->cell > TC_OUTLINE_SHARP && blocks < TC_OUTLINE_SHARP;
    /* along the outline, pixels are half a pixel from it */
    const double given = fmax(reach - 0.5, 1.0 / TC_CHAMFER_PIXEL);
    const double least = fmin(reach > 0 ? given : o->cell > TC_OUTLINE_SHARP ? o->cell / 2 : 0, FARTHEST);
    const double most = reach > 0 ? least : fmax(least, MOST * unit);
    TRY(mark_pieces(&v, &(tc_corner_tolerance){PART, LESS * unit, least, most}, o->left));
    o->deviation = mean_tolerance(o) / (unit * TC_CHAMFER_PIXEL);
    o->exact = !(reach > 0) && o->cell <= TC_OUTLINE_SHARP && o->deviation < EXACT;
    if (o->exact && !rows) TRY(measure_detail(&v, o));
    if (o->exact) memset(o->left, 0, pixels * sizeof *o->left);
    else spread(o, (int)(most * TC_CHAMFER_PIXEL));
done:
    if (status != TILECUT_OK) tc_outline_free(o);
    return status;
}

void tc_outline_free(tc_outline *o)
{
    free(o->away);
    *o = (tc_outline){0};
}
