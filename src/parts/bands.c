/* SPDX-License-Identifier: MIT
 *
 * bands.c - see bands.h.
 */
#include "bands.h"

#include <stdlib.h>

#include "status.h"

/* Rows of tiles beyond the last one with reached excess, in the first wave; twice as many in each one after it. */
enum { BEYOND = 2, LAST_WAVE = 16 };

/* Whether the last search has reached excess in that row of tiles. */
static bool has_reached(const tc_part *part, int row)
{
    const size_t words = (size_t)part->grid->tiles_x * TC_TILE, first = (size_t)row * words;
    for (size_t i = first; i < first + words; i++)
        if (part->source[i] & part->flood.label[i]) return true;
    return false;
}

/* How many rows of tiles from the border on the band has, where the part has `rows` nearer to this border than to the
 * other. */
static int depth_of(const tc_part *part, int s, int rows)
{
    const int waves = part->waves < LAST_WAVE ? part->waves : LAST_WAVE;
    const int last = part->grid->tiles_y - 1;
    int depth = rows;
    while (depth > 0 && !has_reached(part, s == TC_ABOVE ? depth - 1 : last - depth + 1)) depth--;
    return depth + (BEYOND << waves);
}

int tc_bands_find(const tc_part *part, tc_band band[TC_SIDES])
{
    const int tiles = part->grid->tiles_y;
    const bool both = part->side[TC_ABOVE].there && part->side[TC_BELOW].there;
    const int above = part->side[TC_ABOVE].there ? depth_of(part, TC_ABOVE, both ? tiles / 2 : tiles) : 0;
    const int below = part->side[TC_BELOW].there ? depth_of(part, TC_BELOW, both ? tiles - tiles / 2 : tiles) : 0;
    int count = 0;
    if (above + below >= tiles) {
        band[0] = (tc_band){0, tiles};
        return 1;
    }
    if (above) band[count++] = (tc_band){0, above};
    if (below) band[count++] = (tc_band){tiles - below, tiles};
    return count;
}

/* The links from one row of pixels into the next one up or down, where only one of the two is the band's. */
typedef struct edge {
    int y, side;  /* the row that they come from, and the side that they lead to */
    float *saved; /* [kinds][width] */
} edge;

enum { MOST_EDGES = 4 };

/* Links over the inner edges, in both directions: what a solver takes for guards has neither. Returns how many. */
static int edges_of(const tc_part *part, tc_band band, edge edges[MOST_EDGES])
{
    const int from = band.first * TC_TILE, to = band.end * TC_TILE;
    int count = 0;
    if (band.first > 0) {
        edges[count++] = (edge){from, TC_ABOVE, NULL};
        edges[count++] = (edge){from - 1, TC_BELOW, NULL};
    }
    if (band.end < part->grid->tiles_y) {
        edges[count++] = (edge){to - 1, TC_BELOW, NULL};
        edges[count++] = (edge){to, TC_ABOVE, NULL};
    }
    return count;
}

static float *link_over(const tc_part *part, const edge *e, int k, int x)
{
    return tc_residual(part->grid, (ptrdiff_t)tc_grid_at(part->grid, x, e->y), tc_side_direction[e->side][k]);
}

static void shut(const tc_part *part, const edge *e)
{
    for (int i = 0; i < part->kinds * part->width; i++) {
        float *const link = link_over(part, e, i / part->width, i % part->width);
        e->saved[i] = *link;
        *link = 0;
    }
}

static void open_again(const tc_part *part, const edge *e)
{
    for (int i = 0; i < part->kinds * part->width; i++)
        *link_over(part, e, i / part->width, i % part->width) = e->saved[i];
}

/* The band as a grid of its own, in the same memory. What lies around it is not zero, as guards are, but no link leads
 * there, or from there. */
static tc_grid view_of(const tc_grid *grid, tc_band band)
{
    const size_t at = (size_t)band.first * (size_t)grid->tiles_x * TC_TILE_NODES;
    const int from = band.first * TC_TILE, to = band.end == grid->tiles_y ? grid->height : band.end * TC_TILE;
    return (tc_grid){
        .width = grid->width,
        .height = to - from,
        .connectivity = grid->connectivity,
        .tiles_x = grid->tiles_x,
        .tiles_y = band.end - band.first,
        .nodes = (size_t)(band.end - band.first) * (size_t)grid->tiles_x * TC_TILE_NODES,
        .by_rows = grid->by_rows,
        .residual = grid->residual + at,
        .diagonal = grid->diagonal ? grid->diagonal + at : NULL,
        .excess = grid->excess + at,
        .node = grid->node + at,
    };
}

tilecut_status tc_band_solve(const tc_part *part, tc_band band, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    tc_grid view = view_of(part->grid, band);
    const size_t links = (size_t)part->kinds * (size_t)part->width;
    float *const saved = malloc(MOST_EDGES * links * sizeof *saved);
    edge edges[MOST_EDGES];
    const int count = edges_of(part, band, edges);
    if (!saved) return tc_fail(TILECUT_ENOMEM, "no memory for the edges of a band of %d columns", part->width);
    for (int i = 0; i < count; i++) edges[i].saved = saved + (size_t)i * links;
    for (int i = 0; i < count; i++) shut(part, &edges[i]);
    tc_grid_clear(part->grid); /* nodes beside the band, too: a solver may look at them, as at guards */
    const tilecut_status status = tc_solver_solve(solver, &view, params, stats);
    tc_grid_arrange(&view, part->grid->by_rows, params->threads); /* as a solver may leave its links either way */
    for (int i = 0; i < count; i++) open_again(part, &edges[i]);
    free(saved);
    return status;
}
