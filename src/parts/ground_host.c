/* SPDX-License-Identifier: MIT
 *
 * ground_host.c - a part's grid in host memory (part.h), for all solvers of the CPU. It may be in a file; then memory
 * is given back whenever a function has gone through all of it. Of a volume, what is a row here is a slice.
 */
#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "build_grid.h"
#include "packed_rows.h"
#include "part.h"
#include "status.h"

/* Node of pixel x of row y; of a volume, of voxel x of slice y. */
static ptrdiff_t node_at(const tc_part *part, int x, int y)
{
    const tc_grid *const grid = part->grid;
    if (part->volume) return (ptrdiff_t)tc_volume_at(grid, x % grid->width, x / grid->width, y);
    return (ptrdiff_t)tc_grid_at(grid, x, y);
}

/* The direction of the links of kind k out of own pixels to side s. */
static int direction_to(const tc_part *part, int s, int k)
{
    if (part->volume) return s == TC_ABOVE ? TC_BEFORE : TC_BEHIND;
    return tc_side_direction[s][k];
}

static bool in_row(const tc_part *part, int x)
{
    return x >= 0 && x < part->width;
}

/* Rows of tiles first .. end - 1. */
typedef struct tile_rows {
    int first, end;
} tile_rows;

/* Where rows (or slices) first .. end - 1 lie. */
static tile_rows tiles_of(const tc_part *part, int first, int end)
{
    const int slice = part->grid->slice_rows;
    return part->volume ? (tile_rows){first * slice, end * slice}
                        : (tile_rows){first / TC_TILE, (end + TC_TILE - 1) / TC_TILE};
}

/* Rows first .. end - 1 of the grid have changed. */
static void changed(const tc_part *part, int first, int end)
{
    const tile_rows tiles = tiles_of(part, first, end);
    for (int row = tiles.first; row < tiles.end; row++) part->stale[row] = 1;
}

static void all_changed(const tc_part *part)
{
    memset(part->stale, 1, (size_t)part->grid->tiles_y);
}

/* ---- The grid --------------------------------------------------------------------------------- */

static void seal_pixel(const tc_part *part, ptrdiff_t p)
{
    part->grid->excess[p] = 0;
    for (int d = 0; d < part->grid->connectivity; d++) *tc_residual(part->grid, p, d) = 0;
}

tilecut_status tc_ground_begin(tc_part *part)
{
    tc_grid *const grid = part->grid;
    part->source = malloc(2 * grid->nodes / TC_TILE * sizeof *part->source);
    part->stale = malloc((size_t)grid->tiles_y);
    if (!part->source || !part->stale)
        return tc_fail(TILECUT_ENOMEM, "no memory for the sources of a part of %d columns", part->width);
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; part->side[s].there && x < part->width; x++)
            seal_pixel(part, node_at(part, x, part->side[s].rim));
    tc_grid_rest(grid);
    return TILECUT_OK;
}

static tilecut_status build(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params)
{
    NEED(tc_grid_build(part->grid, graph, params->threads));
    return tc_ground_begin(part);
}

static void close_ground(tc_part *part)
{
    tc_flood_close(&part->flood);
    free(part->source);
    free(part->stale);
    part->source = NULL;
    part->stale = NULL;
    part->grid = NULL;
}

/* Once more, in bands along the borders; a volume all of it. */
static tilecut_status solve_again(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                  tc_solve_stats *stats)
{
    tc_band band[TC_SIDES];
    if (part->volume) {
        all_changed(part);
        tc_grid_clear(part->grid);
        return tc_solver_solve(solver, part->grid, params, stats);
    }
    const int bands = tc_bands_find(part, band);
    tc_grid_arrange(part->grid, solver->can & TC_BY_ROWS, params->threads);
    for (int i = 0; i < bands; i++) {
        tc_solve_stats now = {0};
        changed(part, band[i].first * TC_TILE, band[i].end * TC_TILE);
        NEED(tc_band_solve(part, band[i], solver, params, &now));
        if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    }
    return TILECUT_OK;
}

static tilecut_status solve(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats)
{
    if (again && !*solver) *solver = tc_solver_again(part->grid, true);
    if (!again) all_changed(part);
    NEED(again ? solve_again(part, *solver, params, stats) : tc_solver_run(solver, part->grid, params, stats));
    tc_grid_rest(part->grid);
    return TILECUT_OK;
}

/* ---- The rim ---------------------------------------------------------------------------------- */

/* The capacity of all links from own pixels to pixel x of the rim. */
static float carried_to(const tc_part *part, int s, int x)
{
    float sum = 0;
    for (int k = 0; k < part->kinds; k++) {
        const int from = x - tc_side_step[s][k];
        if (!in_row(part, from)) continue;
        sum += *tc_residual(part->grid, node_at(part, from, part->side[s].own), direction_to(part, s, k));
    }
    return sum;
}

static tilecut_status unseal(tc_part *part, int level)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (side->there) changed(part, side->rim, side->rim + 1);
        for (int x = 0; side->there && x < part->width; x++)
            if (side->level[x] == level) part->grid->excess[node_at(part, x, side->rim)] = 0 - carried_to(part, s, x);
    }
    return TILECUT_OK;
}

/* Links out of the rim had no residuals before the solve, so what they have now is what went the other way. */
static void take_side(const tc_part *part, int s)
{
    const tc_side *const side = &part->side[s];
    const int width = part->width;
    changed(part, side->rim, side->rim + 1);
    memset(side->out, 0, (size_t)part->kinds * (size_t)width * sizeof *side->out);
    for (int x = 0; x < width; x++) {
        const ptrdiff_t p = node_at(part, x, side->rim);
        for (int k = 0; k < part->kinds; k++) {
            const int from = x - tc_side_step[s][k];
            if (!in_row(part, from)) continue;
            side->out[k * width + from] = (int32_t)*tc_residual(part->grid, p, direction_to(part, s, k) ^ 1);
        }
        seal_pixel(part, p);
    }
}

static tilecut_status take_flows(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        if (part->side[s].there) take_side(part, s);
    return TILECUT_OK;
}

/* Adds what has come over the links of kind k of a side. Returns whether that is anything. */
static bool put_kind(const tc_part *part, int s, int k)
{
    const tc_side *const side = &part->side[s];
    const int32_t *const in = side->in + k * part->width;
    bool any = false;
    changed(part, side->own, side->own + 1);
    for (int x = 0; x < part->width; x++) {
        if (in[x] == 0) continue;
        const ptrdiff_t p = node_at(part, x - tc_side_step[s][k], side->own);
        *tc_residual(part->grid, p, direction_to(part, s, k)) += (float)in[x];
        part->grid->excess[p] += (float)in[x];
        any = true;
    }
    return any;
}

static tilecut_status put_flows(tc_part *part, bool *any)
{
    *any = false;
    for (int s = 0; s < TC_SIDES; s++)
        for (int k = 0; part->side[s].there && k < part->kinds; k++) *any |= put_kind(part, s, k);
    return TILECUT_OK;
}

static tilecut_status show_residuals(tc_part *part)
{
    const int width = part->width;
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].there && i < part->kinds * width; i++)
            part->side[s].out[i] = (int32_t)*tc_residual(part->grid, node_at(part, i % width, part->side[s].own),
                                                         direction_to(part, s, i / width));
    return TILECUT_OK;
}

static tilecut_status set_residuals(tc_part *part)
{
    const int width = part->width;
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (side->there) changed(part, side->rim, side->rim + 1);
        for (int i = 0; side->there && i < part->kinds * width; i++)
            *tc_residual(part->grid, node_at(part, i % width, side->rim), direction_to(part, 1 - s, i / width)) =
                (float)side->in[i];
    }
    return TILECUT_OK;
}

/* ---- The search ------------------------------------------------------------------------------- */

/* The word of labels with pixel x of row y, and the pixel's bit. */
static uint32_t *label_word(const tc_part *part, int x, int y, int *bit)
{
    const ptrdiff_t p = node_at(part, x, y);
    *bit = (int)(p % TC_TILE);
    return &part->flood.label[p / TC_TILE];
}

/* Only what has changed since the last search is read. */
static tilecut_status search(tc_part *part, int threads)
{
    if (part->flood.label) tc_flood_again(&part->flood, part->stale, threads);
    else NEED(tc_flood_open(&part->flood, part->grid, part->source, threads));
    memset(part->stale, 0, (size_t)part->grid->tiles_y);
    tc_grid_rest(part->grid);
    return TILECUT_OK;
}

static tilecut_status count(tc_part *part, int64_t *all, int64_t *reached)
{
    const size_t words = part->grid->nodes / TC_TILE;
    *all = *reached = 0;
    for (size_t i = 0; i < words; i++) {
        if (!part->source[i]) continue;
        *all += __builtin_popcount(part->source[i]);
        *reached += __builtin_popcount(part->source[i] & part->flood.label[i]);
    }
    return TILECUT_OK;
}

static tilecut_status tell(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; x < part->width; x++) {
            int bit;
            const uint32_t *const word = label_word(part, x, part->side[s].own, &bit);
            part->side[s].told[x] = *word >> bit & 1;
        }
    return TILECUT_OK;
}

static tilecut_status reach(tc_part *part, const bool news[TC_SIDES], bool on)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; news[s] && x < part->width; x++) {
            int bit;
            if (!part->side[s].news[x]) continue;
            uint32_t *const word = label_word(part, x, part->side[s].rim, &bit);
            *word |= 1u << bit;
        }
    for (int s = 0; s < TC_SIDES; s++) {
        const tile_rows tiles = tiles_of(part, part->side[s].rim, part->side[s].rim + 1);
        if (on && news[s]) tc_flood_rows(&part->flood, tiles.first, tiles.end);
    }
    return TILECUT_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static void active(const tc_part *part, int side, int rows, uint8_t *column)
{
    const tc_grid *const grid = part->grid;
    const int border = part->side[side].own, last = side == TC_ABOVE ? border + rows - 1 : border - rows + 1;
    const int from = (side == TC_ABOVE ? border : last) / TC_TILE, to = (side == TC_ABOVE ? last : border) / TC_TILE;
    for (int tile = from * grid->tiles_x; tile < (to + 1) * grid->tiles_x; tile++)
        for (int y = 0; y < TC_TILE; y++) {
            const size_t i = (size_t)tile * TC_TILE + (size_t)y;
            if (part->source[i] & part->flood.label[i]) column[tile % grid->tiles_x] = 1;
        }
}

static tilecut_status pack(tc_part *part, const tc_strip_rows *rows, float *packed, int threads)
{
    tc_rows_pack(part->grid, rows, packed, threads);
    return TILECUT_OK;
}

static tilecut_status unpack(tc_part *part, const tc_strip_rows *rows, float *packed, int threads)
{
    changed(part, rows->first, rows->first + rows->count);
    tc_rows_unpack(part->grid, rows, packed, threads);
    return TILECUT_OK;
}

/* ---- The proof -------------------------------------------------------------------------------- */

/* The pixels of own rows that are foreground. */
static int64_t count_foreground(const tc_part *part)
{
    const int first = part->cut->first, end = first + part->cut->rows;
    int64_t foreground = 0;
    for (int y = first; y < end; y++)
        for (int x = 0; x < part->width; x += TC_TILE) {
            const int n = part->width - x;
            const uint32_t inside = n < TC_TILE ? (1u << n) - 1 : UINT32_MAX;
            foreground += __builtin_popcount(~part->flood.label[tc_grid_at(part->grid, x, y) / TC_TILE] & inside);
        }
    return foreground;
}

static tilecut_status prove(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer)
{
    const tc_labels labels = {part->flood.label};
    const int first = part->cut->first;
    NEED(tc_prove_rows(part->grid, graph, &labels, first, first + part->cut->rows, threads, &answer->proof));
    tc_grid_rest(part->grid);
    answer->foreground = count_foreground(part);
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    (void)tc_labels_mask(part->grid, &(tc_labels){part->flood.label}, threads, mask);
    return TILECUT_OK;
}

const tc_ground tc_ground_host = {build, close_ground, solve, unseal, take_flows, put_flows, show_residuals,
                                  set_residuals, search, count, tell, reach, active, pack, unpack, prove, read_mask};
