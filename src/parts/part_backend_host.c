/* SPDX-License-Identifier: MIT
 *
 * part_backend_host.c - a part's grid in host memory (part.h), for all solvers of the CPU. The grid may be in a file;
 * then each function that has read all of it releases its memory. In a volume, a row is a slice. With 26 neighbours
 * links lie in grid->wide, the flood is part->wide, and the solver is bk.
 */
#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "build_grid.h"
#include "neighbourhoods.h"
#include "packed_rows.h"
#include "runs.h"
#include "status.h"

static bool is_wide(const tc_part *part)
{
    return part->kinds == TC_WIDE_KINDS;
}

/* Returns the bit rows of the pixels that the last search has reached. */
static uint32_t *label_of(const tc_part *part)
{
    return is_wide(part) ? part->wide.labels.background : part->flood.label;
}

/* The rows of tiles first .. end - 1. */
typedef struct tile_rows {
    int first, end;
} tile_rows;

/* The rows of tiles that contain rows (or slices) first .. end - 1. */
static tile_rows tiles_of(const tc_part *part, int first, int end)
{
    const int slice = part->grid->slice_rows;
    return part->volume ? (tile_rows){first * slice, end * slice}
                        : (tile_rows){first / TC_TILE, (end + TC_TILE - 1) / TC_TILE};
}

/* Marks rows first .. end - 1 of the grid as changed. */
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

static void seal(const tc_part *part, tc_run run)
{
    const tc_grid *const grid = part->grid;
    const int step = tc_run_step(grid);
    memset(grid->excess + run.p, 0, (size_t)run.count * sizeof *grid->excess);
    for (int d = 0; d < grid->connectivity; d++) {
        float *const link = tc_run_residual(grid, run.p, d);
        for (int i = 0; i < run.count; i++) link[i * step] = 0;
    }
}

static tilecut_status begin_part(tc_part *part)
{
    tc_grid *const grid = part->grid;
    const size_t words = grid->nodes / TC_TILE; /* one bit per pixel; tc_flood needs scratch memory of the same size */
    part->source = malloc((is_wide(part) ? words : 2 * words) * sizeof *part->source);
    part->stale = malloc((size_t)grid->tiles_y);
    if (!part->source || !part->stale)
        return tc_fail(TILECUT_ENOMEM, "no memory for the sources of a part of %d columns", part->width);
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].exists && i < tc_runs(part); i++)
            seal(part, tc_run_of(part, part->side[s].halo, i));
    tc_grid_release_pages(grid);
    /* the volume's memory can be released, because a solver does not read it */
    if (part->voxels) tc_volume_release_pages(part->voxels);
    return TILECUT_OK;
}

static tilecut_status build_part(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params)
{
    if (is_wide(part)) NEED(tc_wide_flood_open(&part->wide, part->grid));
    NEED(tc_grid_build(part->grid, graph, params->threads));
    return begin_part(part);
}

static void close_ground(tc_part *part)
{
    tc_flood_close(&part->flood);
    tc_wide_flood_close(&part->wide);
    free(part->source);
    free(part->stale);
    part->source = NULL;
    part->stale = NULL;
    part->grid = NULL;
}

/* Solves again, in bands along the borders. */
static tilecut_status solve_again(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                  tc_solve_stats *stats)
{
    tc_band band[TC_SIDES];
    const int bands = tc_bands_find(part, band), rows = part->volume ? 1 : TC_TILE;
    tc_grid_arrange(part->grid, solver->can & TC_BY_ROWS, params->threads);
    for (int i = 0; i < bands; i++) {
        tc_solve_stats now = {0};
        changed(part, band[i].first * rows, band[i].end * rows);
        NEED(tc_band_solve(part, band[i], solver, params, &now));
        if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    }
    return TILECUT_OK;
}

/* Solves with 26 neighbours. With `again`, only among pixels that the last search has reached. */
static tilecut_status solve_wide(tc_part *part, bool again, const tc_solve_params *params, tc_solve_stats *stats)
{
    tc_solve_params solve_params = *params;
    if (again) solve_params.reached = label_of(part);
    if (again) tc_grid_clear(part->grid);
    return tc_bk_solve_wide(part->grid, &solve_params, stats);
}

static tilecut_status solve_on_host(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats)
{
    if (again && !*solver) *solver = tc_solver_again(part->grid, true);
    if (!again) all_changed(part);
    NEED(is_wide(part) ? solve_wide(part, again, params, stats)
         : again       ? solve_again(part, *solver, params, stats)
                       : tc_solver_run(solver, part->grid, params, stats));
    tc_grid_release_pages(part->grid);
    return TILECUT_OK;
}

/* ---- The halo ---------------------------------------------------------------------------------- */

/* The pixels of the adjacent row (or slice) to which the pixels of a run are linked, shifted by `right` and `down`. */
typedef struct joined {
    int from;       /* the number of the pixel to which the run's first pixel is linked; it may lie outside of the
                       row */
    int first, end; /* for pixels first .. end - 1 of the run, the linked pixel lies inside the row    */
} joined;

static joined joined_by(const tc_part *part, tc_run run, int right, int down)
{
    const int width = part->width / part->lines, column = run.column + right, line = run.line + down;
    const bool within = line >= 0 && line < part->lines;
    const int end = column + run.count > width ? width - column : run.count;
    return (joined){run.x + down * width + right, column < 0 ? -column : 0, within ? end : 0};
}

/* Makes the halo pixels at level `level` next to a run of own pixels sinks, with room for the residuals of the links of
 * kind k that lead into them. */
static void unseal_run(const tc_part *part, int s, int k, tc_run own, int level)
{
    const tc_grid *const grid = part->grid;
    const tc_side_link to = tc_side_link_of(part, s, k);
    const joined halo = joined_by(part, own, to.right, to.down);
    const float *const link = tc_run_residual(grid, own.p, to.direction);
    const int between = tc_run_step(grid);
    for (int i = halo.first; i < halo.end; i++)
        if (part->side[s].level[halo.from + i] == level)
            grid->excess[tc_part_node(part, own.column + i + to.right, own.line + to.down, part->side[s].halo)] -=
                link[i * between];
}

static tilecut_status unseal(tc_part *part, int level)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (side->exists) changed(part, side->halo, side->halo + 1);
        for (int k = 0; side->exists && k < part->kinds; k++)
            for (int i = 0; i < tc_runs(part); i++) unseal_run(part, s, k, tc_run_of(part, side->own, i), level);
    }
    return TILECUT_OK;
}

/* Writes the flow into a run of the halo to side.out. Links out of the halo had residual 0 before the solve, so their
 * residuals are now the flows in the other direction. */
static void take_run(const tc_part *part, int s, tc_run run)
{
    const int between = tc_run_step(part->grid);
    for (int k = 0; k < part->kinds; k++) {
        const tc_side_link over = tc_side_link_of(part, s, k);
        const joined to = joined_by(part, run, -over.right, -over.down);
        const float *const link = tc_run_residual(part->grid, run.p, over.direction ^ 1);
        int32_t *const out = part->side[s].out + (ptrdiff_t)k * part->width + to.from;
        for (int i = to.first; i < to.end; i++) out[i] = (int32_t)link[i * between];
    }
    seal(part, run);
}

static tilecut_status take_flows(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (!side->exists) continue;
        changed(part, side->halo, side->halo + 1);
        if (part->kinds > 1) memset(side->out, 0, (size_t)part->kinds * (size_t)part->width * sizeof *side->out);
        for (int i = 0; i < tc_runs(part); i++) take_run(part, s, tc_run_of(part, side->halo, i));
    }
    return TILECUT_OK;
}

/* Adds to a run of own pixels the flow that has come from the part beyond side `s`, over its links of kind k. Returns
 * true if any flow has come. */
static bool put_run(const tc_part *part, int s, int k, tc_run run)
{
    const tc_grid *const grid = part->grid;
    const int between = tc_run_step(grid);
    const tc_side_link over = tc_side_link_of(part, s, k);
    const joined from = joined_by(part, run, over.right, over.down);
    const int32_t *const in = part->side[s].in + (ptrdiff_t)k * part->width + from.from;
    float *const link = tc_run_residual(grid, run.p, over.direction);
    int32_t any = 0;
    for (int i = from.first; i < from.end; i++) {
        link[i * between] += (float)in[i];
        grid->excess[run.p + i] += (float)in[i];
        any |= in[i];
    }
    return any != 0;
}

static tilecut_status put_flows(tc_part *part, bool *any)
{
    *any = false;
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (!side->exists) continue;
        changed(part, side->own, side->own + 1);
        for (int k = 0; k < part->kinds; k++)
            for (int i = 0; i < tc_runs(part); i++) *any |= put_run(part, s, k, tc_run_of(part, side->own, i));
    }
    return TILECUT_OK;
}

/* read_run() copies the residuals of a run's links in one direction to words; write_run() copies words back. */
static void read_run(const tc_part *part, tc_run run, int direction, int32_t *words)
{
    const float *const link = tc_run_residual(part->grid, run.p, direction);
    for (int i = 0, step = tc_run_step(part->grid); i < run.count; i++) words[run.x + i] = (int32_t)link[i * step];
}

static void write_run(const tc_part *part, tc_run run, int direction, const int32_t *words)
{
    float *const link = tc_run_residual(part->grid, run.p, direction);
    for (int i = 0, step = tc_run_step(part->grid); i < run.count; i++) link[i * step] = (float)words[run.x + i];
}

static tilecut_status show_residuals(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        for (int k = 0; side->exists && k < part->kinds; k++)
            for (int i = 0; i < tc_runs(part); i++)
                read_run(part, tc_run_of(part, side->own, i), tc_side_link_of(part, s, k).direction,
                         side->out + (ptrdiff_t)k * part->width);
    }
    return TILECUT_OK;
}

static tilecut_status set_residuals(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        if (side->exists) changed(part, side->halo, side->halo + 1);
        for (int k = 0; side->exists && k < part->kinds; k++)
            for (int i = 0; i < tc_runs(part); i++)
                write_run(part, tc_run_of(part, side->halo, i), tc_side_link_of(part, 1 - s, k).direction,
                          side->in + (ptrdiff_t)k * part->width);
    }
    return TILECUT_OK;
}

/* ---- The search ------------------------------------------------------------------------------- */

/* Returns the word of labels of a run: bit i is the label of its pixel i, because a run begins at a tile's first
 * column. */
static uint32_t *label_word(const tc_part *part, tc_run run)
{
    return &label_of(part)[run.p / TC_TILE];
}

static void search_wide(tc_part *part)
{
    const tc_grid *const grid = part->grid;
    memset(part->source, 0, grid->nodes / TC_TILE * sizeof *part->source);
    for (size_t p = 0; p < grid->nodes; p++)
        if (grid->excess[p] > 0) part->source[p / TC_TILE] |= 1u << p % TC_TILE;
    tc_wide_flood_sinks(&part->wide);
}

/* Reads only rows that have changed since the last search; with 26 neighbours all rows. */
static tilecut_status search_part(tc_part *part, int threads)
{
    if (is_wide(part)) search_wide(part);
    else if (part->flood.label) tc_flood_again(&part->flood, part->stale, threads);
    else NEED(tc_flood_open(&part->flood, part->grid, part->source, threads));
    memset(part->stale, 0, (size_t)part->grid->tiles_y);
    tc_grid_release_pages(part->grid);
    return TILECUT_OK;
}

static tilecut_status count_reached(tc_part *part, int64_t *all, int64_t *reached)
{
    const size_t words = part->grid->nodes / TC_TILE;
    const uint32_t *const label = label_of(part);
    *all = *reached = 0;
    for (size_t i = 0; i < words; i++) {
        if (!part->source[i]) continue;
        *all += __builtin_popcount(part->source[i]);
        *reached += __builtin_popcount(part->source[i] & label[i]);
    }
    return TILECUT_OK;
}

static tilecut_status get_reached(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; i < tc_runs(part); i++) {
            const tc_run run = tc_run_of(part, part->side[s].own, i);
            const uint32_t word = *label_word(part, run);
            for (int j = 0; j < run.count; j++) part->side[s].reached[run.x + j] = word >> j & 1;
        }
    return TILECUT_OK;
}

static void reach_run(const tc_part *part, const uint8_t *news, tc_run run)
{
    uint32_t word = 0;
    for (int j = 0; j < run.count; j++) word |= (uint32_t)(news[run.x + j] != 0) << j;
    *label_word(part, run) |= word;
}

static tilecut_status reach_wide(tc_part *part, const bool news[TC_SIDES], bool on)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; news[s] && i < tc_runs(part); i++) {
            const tc_run run = tc_run_of(part, part->side[s].halo, i);
            for (int j = 0; j < run.count; j++)
                if (part->side[s].news[run.x + j]) tc_wide_flood_add(&part->wide, (size_t)run.p + (size_t)j);
        }
    if (on) tc_wide_flood_on(&part->wide);
    part->wide.waiting = 0;
    return TILECUT_OK;
}

static tilecut_status reach_from_sides(tc_part *part, const bool news[TC_SIDES], bool on)
{
    if (is_wide(part)) return reach_wide(part, news, on);
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; news[s] && i < tc_runs(part); i++)
            reach_run(part, part->side[s].news, tc_run_of(part, part->side[s].halo, i));
    for (int s = 0; s < TC_SIDES; s++) {
        const tile_rows tiles = tiles_of(part, part->side[s].halo, part->side[s].halo + 1);
        if (on && news[s]) tc_flood_rows(&part->flood, tiles.first, tiles.end);
    }
    return TILECUT_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static void active(const tc_part *part, int side, int rows, uint8_t *column)
{
    const tc_grid *const grid = part->grid;
    const int border = part->side[side].own, last = side == TC_ABOVE ? border + rows - 1 : border - rows + 1;
    const tile_rows tiles = side == TC_ABOVE ? tiles_of(part, border, last + 1) : tiles_of(part, last, border + 1);
    for (int tile = tiles.first * grid->tiles_x; tile < tiles.end * grid->tiles_x; tile++)
        for (int y = 0; y < TC_TILE; y++) {
            const size_t i = (size_t)tile * TC_TILE + (size_t)y;
            if (part->source[i] & part->flood.label[i]) column[tile % grid->tiles_x] = 1;
        }
}

static tilecut_status copy_rows(tc_part *part, const tc_strip_rows *rows, float *packed, bool out, int threads)
{
    if (!out) changed(part, rows->first / part->lines, (rows->first + rows->count - 1) / part->lines + 1);
    tc_rows_copy(part->grid, rows, packed, out, threads);
    return TILECUT_OK;
}

/* ---- The proof -------------------------------------------------------------------------------- */

static tilecut_status prove(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer)
{
    const tc_labels labels = {label_of(part)};
    const int first = part->cut->first * part->lines, end = first + part->cut->rows * part->lines;
    NEED(tc_prove_rows(part->grid, graph, &labels, first, end, threads, &answer->proof));
    tc_grid_release_pages(part->grid);
    answer->foreground = tc_labels_foreground(part->grid, &labels, first, end);
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    (void)tc_labels_mask(part->grid, &(tc_labels){label_of(part)}, threads, mask);
    return TILECUT_OK;
}

const tc_part_backend tc_part_backend_host = {
    build_part,     close_ground,  solve_on_host, unseal,        take_flows,  put_flows,
    show_residuals, set_residuals, search_part,   count_reached, get_reached, reach_from_sides,
    active,         copy_rows,     prove,         read_mask};
