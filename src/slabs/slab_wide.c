/* SPDX-License-Identifier: MIT
 *
 * slab_wide.c - the backend (part.h) of a slab whose voxels have 26 neighbours: its grid in host memory or in a file,
 * with links in grid->wide. Nine links lead from a voxel over a border, and kind k is link kinds[k] of wide.h: forward
 * to the slab behind, and the way back to the one before. The solver is bk.
 */
#include <stdlib.h>
#include <string.h>

#include "neighbourhoods.h"
#include "slab.h"
#include "status.h"

static const int kinds[TC_WIDE_KINDS] = {2, 5, 6, 7, 8, 9, 10, 11, 12}; /* those with z = 1 */

/* Voxel i of slice z. */
static size_t node_at(const tc_part *part, int i, int z)
{
    return tc_volume_at(part->grid, i % part->grid->width, i / part->grid->width, z);
}

/* ---- Links over a border ---------------------------------------------------------------------- */

/* A link from an own voxel into the halo. */
typedef struct crossing {
    tc_side *side;
    int own, halo;    /* both ends: numbers in their slices            */
    int out, in;     /* its places in side->out and side->in          */
    size_t at;       /* node of the own voxel                         */
    float *to, *fro; /* residuals into the halo, and out of it         */
    float *sink;     /* the excess of the halo's voxel                 */
} crossing;

typedef void crosser(tc_part *part, const crossing *link, void *context);

static void cross_row(tc_part *part, int s, int k, int y, crosser *visit, void *context)
{
    const tc_grid *const grid = part->grid;
    const tc_steps steps = tc_steps_of(grid);
    tc_side *const side = &part->side[s];
    const int d = 2 * kinds[k] + (s == TC_ABOVE), way = s == TC_ABOVE ? -1 : 1, width = grid->width;
    const int dx = way * tc_wide_steps[kinds[k]].x, dy = way * tc_wide_steps[kinds[k]].y;
    const int end = width - (dx > 0);

    if (y + dy < 0 || y + dy >= grid->height) return;
    for (int x = dx < 0; x < end; x++) {
        const int own = y * width + x, halo = own + dy * width + dx;
        const size_t p = tc_volume_at(grid, x, y, side->own);
        const int32_t q = tc_wide_neighbour(&steps, (int32_t)p, d);
        const crossing link = {side, own, halo, k * part->width + own, k * part->width + halo, p,
                               tc_wide_residual(grid, (ptrdiff_t)p, d), tc_wide_residual(grid, q, d ^ 1),
                               grid->excess + q};
        visit(part, &link, context);
    }
}

/* All links over the borders of a part. */
static void cross_all(tc_part *part, crosser *visit, void *context)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int k = 0; part->side[s].there && k < TC_WIDE_KINDS; k++)
            for (int y = 0; y < part->grid->height; y++) cross_row(part, s, k, y, visit, context);
}

/* Closes the halo: no excess, and no links out of it. */
static void seal(tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].there && i < part->width; i++) {
            const size_t p = node_at(part, i, part->side[s].halo);
            part->grid->excess[p] = 0;
            memset(tc_wide_residual(part->grid, (ptrdiff_t)p, 0), 0, TC_WIDE_DIRECTIONS * sizeof *part->grid->wide);
        }
}

static void give_room(tc_part *part, const crossing *link, void *level)
{
    (void)part;
    if (link->side->level[link->halo] == *(int *)level) *link->sink -= *link->to;
}

static tilecut_status unseal(tc_part *part, int level)
{
    cross_all(part, give_room, &level);
    return TILECUT_OK;
}

/* A link out of the halo had no residual before the solve, so what it has now is what went the other way. */
static void take_link(tc_part *part, const crossing *link, void *none)
{
    (void)part;
    (void)none;
    link->side->out[link->out] = (int32_t)*link->fro;
}

static tilecut_status take_flows(tc_part *part)
{
    cross_all(part, take_link, NULL);
    seal(part);
    return TILECUT_OK;
}

static void put_link(tc_part *part, const crossing *link, void *any)
{
    const int32_t come = link->side->in[link->in];
    if (come == 0) return;
    *link->to += (float)come;
    part->grid->excess[link->at] += (float)come;
    *(bool *)any = true;
}

static tilecut_status put_flows(tc_part *part, bool *any)
{
    *any = false;
    cross_all(part, put_link, any);
    return TILECUT_OK;
}

static void show_link(tc_part *part, const crossing *link, void *none)
{
    (void)part;
    (void)none;
    link->side->out[link->out] = (int32_t)*link->to;
}

static tilecut_status show_residuals(tc_part *part)
{
    cross_all(part, show_link, NULL);
    return TILECUT_OK;
}

static void set_link(tc_part *part, const crossing *link, void *none)
{
    (void)part;
    (void)none;
    *link->fro = (float)link->side->in[link->in];
}

static tilecut_status set_residuals(tc_part *part)
{
    cross_all(part, set_link, NULL);
    return TILECUT_OK;
}

/* ---- The grid --------------------------------------------------------------------------------- */

static tilecut_status build(tc_part *part, const tilecut_graph *none, const tc_solve_params *params)
{
    tc_slab *const slab = tc_slab_of(part);
    (void)none;
    part->source = malloc(part->grid->nodes / TC_TILE * sizeof *part->source);
    if (!part->source) return tc_fail(TILECUT_ENOMEM, "no memory for the sources of a part of %d columns", part->width);
    NEED(tc_wide_flood_open(&slab->flood, part->grid));
    tc_wide_build(part->grid, slab->volume, params->threads);
    seal(part);
    tc_grid_rest(part->grid);
    tc_stored_rest(&slab->volume->stored); /* bk does not read it */
    return TILECUT_OK;
}

static void close_ground(tc_part *part)
{
    tc_wide_flood_close(&tc_slab_of(part)->flood);
    free(part->source);
    part->source = NULL;
    part->grid = NULL;
}

static tilecut_status solve(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats)
{
    tc_solve_params how = *params;
    (void)solver;
    if (again) how.reached = tc_slab_of(part)->flood.labels.background;
    if (again) tc_grid_clear(part->grid);
    NEED(tc_bk_solve_wide(part->grid, &how, stats));
    tc_grid_rest(part->grid);
    return TILECUT_OK;
}

/* ---- The search ------------------------------------------------------------------------------- */

static tilecut_status search(tc_part *part, int threads)
{
    tc_wide_flood *const flood = &tc_slab_of(part)->flood;
    const tc_grid *const grid = part->grid;
    const size_t words = grid->nodes / TC_TILE;
    (void)threads;
    memset(part->source, 0, words * sizeof *part->source);
    for (size_t p = 0; p < grid->nodes; p++)
        if (grid->excess[p] > 0) part->source[p / TC_TILE] |= 1u << p % TC_TILE;
    tc_wide_flood_sinks(flood);
    tc_grid_rest(part->grid);
    return TILECUT_OK;
}

static tilecut_status count(tc_part *part, int64_t *all, int64_t *reached)
{
    const uint32_t *const label = tc_slab_of(part)->flood.labels.background;
    const size_t words = part->grid->nodes / TC_TILE;
    *all = *reached = 0;
    for (size_t i = 0; i < words; i++) {
        *all += __builtin_popcount(part->source[i]);
        *reached += __builtin_popcount(part->source[i] & label[i]);
    }
    return TILECUT_OK;
}

static tilecut_status tell(tc_part *part)
{
    const tc_labels *const labels = &tc_slab_of(part)->flood.labels;
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].there && i < part->width; i++)
            part->side[s].told[i] = tc_is_background(labels, node_at(part, i, part->side[s].own));
    return TILECUT_OK;
}

static tilecut_status reach(tc_part *part, const bool news[TC_SIDES], bool on)
{
    tc_wide_flood *const flood = &tc_slab_of(part)->flood;
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; news[s] && i < part->width; i++)
            if (part->side[s].news[i]) tc_wide_flood_add(flood, node_at(part, i, part->side[s].halo));
    if (on) tc_wide_flood_on(flood);
    flood->waiting = 0;
    return TILECUT_OK;
}

/* ---- The proof -------------------------------------------------------------------------------- */

static tilecut_status prove(tc_part *part, const tilecut_graph *none, int threads, tc_part_answer *answer)
{
    const tc_slab *const slab = tc_slab_of(part);
    const int first = part->cut->first, end = first + part->cut->rows;
    (void)none;
    NEED(tc_wide_prove_slices(part->grid, slab->volume, &slab->flood.labels, first, end, threads, &answer->proof));
    tc_grid_rest(part->grid);
    answer->foreground = tc_slab_foreground(part, &slab->flood.labels);
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    const tc_slab *const slab = tc_slab_of(part);
    (void)tc_volume_mask(part->grid, &slab->volume->arrays, &slab->flood.labels, threads, mask);
    return TILECUT_OK;
}

const tc_part_backend tc_part_backend_wide = {
    .build = build,
    .close = close_ground,
    .solve = solve,
    .unseal = unseal,
    .take_flows = take_flows,
    .put_flows = put_flows,
    .show_residuals = show_residuals,
    .set_residuals = set_residuals,
    .search = search,
    .count = count,
    .tell = tell,
    .reach = reach,
    .prove = prove,
    .mask = read_mask,
};
