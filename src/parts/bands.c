/* SPDX-License-Identifier: MIT */
#include "bands.h"

#include <stdlib.h>

#include "runs.h"
#include "status.h"

/* How many rows of tiles, or slices, a band has beyond the last one with reached excess. The number doubles with each
 * wave, at most LAST_WAVE times. */
enum { BEYOND = 2, BEYOND_SLICES = 4, LAST_WAVE = 16 };

/* Returns the rows of tiles per row of a band: 1, or in a volume those of a slice. */
static int rows_of_tiles(const tc_part *part)
{
    return part->volume ? part->grid->slice_rows : 1;
}

/* True if the last search has reached excess in that row of tiles, or slice. */
static bool has_reached(const tc_part *part, int row)
{
    const size_t words = (size_t)rows_of_tiles(part) * (size_t)part->grid->tiles_x * TC_TILE;
    const size_t first = (size_t)row * words;
    for (size_t i = first; i < first + words; i++)
        if (part->source[i] & part->flood.label[i]) return true;
    return false;
}

/* Returns the depth of the band at border s. The part has `tiles` rows of tiles, of which `rows` are nearer to this
 * border than to the other. */
static int depth_of(const tc_part *part, int s, int rows, int tiles)
{
    const int waves = part->waves < LAST_WAVE ? part->waves : LAST_WAVE;
    const int last = tiles - 1;
    int depth = rows;
    while (depth > 0 && !has_reached(part, s == TC_ABOVE ? depth - 1 : last - depth + 1)) depth--;
    return depth + ((part->volume ? BEYOND_SLICES : BEYOND) << waves);
}

int tc_bands_find(const tc_part *part, tc_band band[TC_SIDES])
{
    const int tiles = part->grid->tiles_y / rows_of_tiles(part);
    const bool both = part->side[TC_ABOVE].exists && part->side[TC_BELOW].exists;
    const int half = both ? tiles / 2 : tiles, rest = both ? tiles - half : tiles;
    const int above = part->side[TC_ABOVE].exists ? depth_of(part, TC_ABOVE, half, tiles) : 0;
    const int below = part->side[TC_BELOW].exists ? depth_of(part, TC_BELOW, rest, tiles) : 0;
    int count = 0;
    if (above + below >= tiles) {
        band[0] = (tc_band){0, tiles};
        return 1;
    }
    if (above) band[count++] = (tc_band){0, above};
    if (below) band[count++] = (tc_band){tiles - below, tiles};
    return count;
}

/* The links from a row of pixels, or slice, to the next one up or down, where only one of the two is in the band. */
typedef struct edge {
    int y, side;  /* the row where they start, and the side to which they lead */
    float *saved; /* [kinds][width] the residuals that these links get back when the band is solved */
} edge;

enum { MOST_EDGES = 4 };

/* Lists the links over the band's inner edges, in both directions. They must be closed, because a solver takes the
 * nodes beyond for guards, which have no links. Returns their number. */
static int edges_of(const tc_part *part, tc_band band, edge edges[MOST_EDGES])
{
    const int rows = part->volume ? 1 : TC_TILE, from = band.first * rows, to = band.end * rows;
    int count = 0;
    if (band.first > 0) {
        edges[count++] = (edge){from, TC_ABOVE, NULL};
        edges[count++] = (edge){from - 1, TC_BELOW, NULL};
    }
    if (band.end * rows_of_tiles(part) < part->grid->tiles_y) {
        edges[count++] = (edge){to - 1, TC_BELOW, NULL};
        edges[count++] = (edge){to, TC_ABOVE, NULL};
    }
    return count;
}

/* Closes the links of kind k of a run over the band's inner edge, or opens them again. */
static void turn_run(const tc_part *part, const edge *e, int k, tc_run run, bool shut)
{
    float *const link = tc_residual(part->grid, run.p, tc_side_link_of(part, e->side, k).direction);
    float *const saved = e->saved + (ptrdiff_t)k * part->width + run.x;
    for (int i = 0, step = tc_run_step(part->grid); i < run.count; i++) {
        if (shut) saved[i] = link[i * step];
        link[i * step] = shut ? 0 : saved[i];
    }
}

static void turn(const tc_part *part, const edge *e, bool shut)
{
    for (int k = 0; k < part->kinds; k++)
        for (int i = 0; i < tc_runs(part); i++) turn_run(part, e, k, tc_run_of(part, e->y, i), shut);
}

/* Returns the band as a grid in the same memory. The nodes around it are not zero, as guards are, but no link connects
 * them with the band. */
static tc_grid view_of(const tc_part *part, tc_band band)
{
    const int first = band.first * rows_of_tiles(part), end = band.end * rows_of_tiles(part);
    const size_t at = (size_t)first * (size_t)part->grid->tiles_x * TC_TILE_NODES;
    tc_grid view = *part->grid;
    view.tiles_y = end - first;
    view.nodes = (size_t)view.tiles_y * (size_t)view.tiles_x * TC_TILE_NODES;
    if (!part->volume) view.height = (end == part->grid->tiles_y ? view.height : end * TC_TILE) - first * TC_TILE;
    view.residual += at;
    view.diagonal = view.diagonal ? view.diagonal + at : NULL;
    view.excess += at;
    view.node += at;
    return view;
}

tilecut_status tc_band_solve(const tc_part *part, tc_band band, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    tc_grid view = view_of(part, band);
    const size_t links = (size_t)part->kinds * (size_t)part->width;
    float *const saved = malloc(MOST_EDGES * links * sizeof *saved);
    edge edges[MOST_EDGES];
    const int count = edges_of(part, band, edges);
    if (!saved) return tc_fail(TILECUT_ENOMEM, "no memory for the edges of a band of %d columns", part->width);
    for (int i = 0; i < count; i++) edges[i].saved = saved + (size_t)i * links;
    for (int i = 0; i < count; i++) turn(part, &edges[i], true);
    /* clears the whole grid, because a solver may also read nodes beside the band, as it reads guards */
    tc_grid_clear(part->grid);
    const tilecut_status status = tc_solver_solve(solver, &view, params, stats);
    tc_grid_arrange(&view, part->grid->by_rows, params->threads); /* a solver may leave links in either layout */
    for (int i = 0; i < count; i++) turn(part, &edges[i], false);
    free(saved);
    return status;
}
