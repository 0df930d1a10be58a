/* SPDX-License-Identifier: MIT
 *
 * volume_wide.c - volumes with 26 neighbours: the grid built from capacities, the canonical cut, and the proof of
 * cut.h, all voxel by voxel. A link has the same capacity in both directions.
 */
#include <stdlib.h>

#include "parallel.h"
#include "status.h"
#include "volume.h"

/* What threads share: each takes slices. */
typedef struct walk {
    const tc_volume *volume;
    tc_grid *grid;
    const tc_labels *labels;
    int first;       /* slice to prove */
    tc_proof *slice; /* [count]        */
} walk;

static size_t number_of(const tilecut_volume_arrays *a, int x, int y, int z)
{
    return ((size_t)z * (size_t)a->height + (size_t)y) * (size_t)a->width + (size_t)x;
}

static bool inside(const tilecut_volume_arrays *a, int x, int y, int z)
{
    return x >= 0 && x < a->width && y >= 0 && y < a->height && z >= 0 && z < a->depth;
}

/* The capacity of the link of voxel (x, y, z) in direction d; -1: there is none. */
static int32_t capacity_of(const tc_volume *v, int x, int y, int z, int d)
{
    const tc_wide_step step = tc_wide_steps[d >> 1];
    const int way = d & 1 ? -1 : 1, nx = x + way * step.x, ny = y + way * step.y, nz = z + way * step.z;
    if (!inside(&v->arrays, nx, ny, nz)) return -1;
    return v->to[d >> 1][d & 1 ? number_of(&v->arrays, nx, ny, nz) : number_of(&v->arrays, x, y, z)];
}

tilecut_status tc_wide_check_slices(const tc_volume *v, int first, int end, int before)
{
    const tilecut_volume_arrays *const a = &v->arrays;
    for (int z = first; z < end; z++)
        for (int y = 0; y < a->height; y++)
            for (int x = 0; x < a->width; x++) {
                const size_t i = number_of(a, x, y, z);
                int64_t load = llabs((int64_t)a->source[i] - a->sink[i]);
                for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) {
                    const int32_t capacity = capacity_of(v, x, y, z, d);
                    load += capacity > 0 ? 2 * (int64_t)capacity : 0;
                }
                NEED(tc_volume_check_load(a, i, (int[3]){x, y, before + z}, load));
            }
    return TILECUT_OK;
}

tilecut_status tc_wide_check(const tc_volume *v)
{
    const tilecut_volume_arrays *const a = &v->arrays;
    NEED(tc_volume_check_size(a->width, a->height, a->depth));
    return tc_wide_check_slices(v, 0, a->depth, 0);
}

/* ---- Building --------------------------------------------------------------------------------- */

static void build_slice(void *context, int z)
{
    const walk *const w = context;
    const tilecut_volume_arrays *const a = &w->volume->arrays;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const size_t i = number_of(a, x, y, z), p = tc_volume_at(w->grid, x, y, z);
            w->grid->excess[p] = (float)(a->source[i] - a->sink[i]);
            for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) {
                const int32_t capacity = capacity_of(w->volume, x, y, z, d);
                if (capacity > 0) *tc_wide_residual(w->grid, (ptrdiff_t)p, d) = (float)capacity;
            }
        }
}

void tc_wide_build(tc_grid *grid, const tc_volume *volume, int threads)
{
    walk w = {.volume = volume, .grid = grid};
    tc_parallel(threads, volume->arrays.depth, build_slice, &w);
}

/* ---- The canonical cut ------------------------------------------------------------------------ */

tilecut_status tc_wide_flood_open(tc_wide_flood *flood, const tc_grid *grid)
{
    *flood = (tc_wide_flood){.grid = grid,
                             .labels = {calloc(grid->nodes / TC_TILE, sizeof *flood->labels.background)}};
    flood->stack = tc_stored_take(&flood->room, grid->nodes * sizeof *flood->stack, grid->stored);
    if (flood->stack && flood->labels.background) return TILECUT_OK;
    tc_wide_flood_close(flood);
    return tc_fail(TILECUT_ENOMEM, "no memory for labels of %zu nodes", grid->nodes);
}

void tc_wide_flood_close(tc_wide_flood *flood)
{
    tc_stored_free(&flood->room);
    tc_labels_free(&flood->labels);
    *flood = (tc_wide_flood){0};
}

void tc_wide_flood_add(tc_wide_flood *flood, size_t p)
{
    uint32_t *const word = &flood->labels.background[p / TC_TILE], bit = 1u << p % TC_TILE;
    if (*word & bit) return;
    *word |= bit;
    flood->stack[flood->waiting++] = (int32_t)p;
}

static bool has(const tc_wide_flood *flood, int32_t p)
{
    return p >= 0 && (size_t)p < flood->grid->nodes && tc_is_background(&flood->labels, (size_t)p);
}

/* Each node waits once at most, so the stack has room for all. Labels are few and near, so they are asked first. */
void tc_wide_flood_on(tc_wide_flood *flood)
{
    const tc_grid *const grid = flood->grid;
    const tc_steps steps = tc_steps_of(grid);
    while (flood->waiting) {
        const int32_t p = flood->stack[--flood->waiting];
        for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) {
            const int32_t q = tc_wide_neighbour(&steps, p, d);
            if (!has(flood, q) && *tc_wide_residual(grid, q, d ^ 1) > 0) tc_wide_flood_add(flood, (size_t)q);
        }
    }
}

/* Of the nodes in a row of a tile, which begins at p, those all of whose neighbours are labelled: bit rows of the nine
 * rows around, and of the nodes beside. There is nothing to go on to from them. */
static uint32_t enclosed(const tc_wide_flood *flood, size_t p)
{
    const tc_grid *const grid = flood->grid;
    const int rows = grid->slice_rows * TC_TILE, depth = grid->tiles_y / grid->slice_rows;
    int x, y;
    tc_position(grid->tiles_x, p, &x, &y);
    const int z = y / rows, n = grid->width - x;
    uint32_t all = UINT32_MAX;
    y %= rows;
    for (int i = 0; i < 9; i++) {
        const int beside = y + i % 3 - 1, slice = z + i / 3 - 1;
        if (beside >= 0 && beside < grid->height && slice >= 0 && slice < depth)
            all &= flood->labels.background[tc_volume_at(grid, x, beside, slice) / TC_TILE];
    }
    if (n < TC_TILE) all |= UINT32_MAX << n;
    return all & (all << 1 | (x == 0)) & (all >> 1 | (uint32_t)(n <= TC_TILE) << (TC_TILE - 1));
}

/* Sinks are many, and most of them lie among others. */
void tc_wide_flood_sinks(tc_wide_flood *flood)
{
    const tc_grid *const grid = flood->grid;
    uint32_t *const label = flood->labels.background;
    for (size_t p = 0; p < grid->nodes; p += TC_TILE) {
        uint32_t sinks = 0;
        for (int k = 0; k < TC_TILE; k++) sinks |= (uint32_t)(grid->excess[p + (size_t)k] < 0) << k;
        label[p / TC_TILE] = sinks;
    }
    for (size_t p = 0; p < grid->nodes; p += TC_TILE) {
        if (!label[p / TC_TILE]) continue;
        for (uint32_t rest = label[p / TC_TILE] & ~enclosed(flood, p); rest; rest &= rest - 1)
            flood->stack[flood->waiting++] = (int32_t)p + __builtin_ctz(rest);
    }
    tc_wide_flood_on(flood);
}

tilecut_status tc_wide_cut(const tc_grid *grid, tc_labels *labels)
{
    tc_wide_flood flood;
    NEED(tc_wide_flood_open(&flood, grid));
    tc_wide_flood_sinks(&flood);
    *labels = flood.labels;
    flood.labels = (tc_labels){0};
    tc_wide_flood_close(&flood);
    return TILECUT_OK;
}

/* ---- The proof -------------------------------------------------------------------------------- */

/* Checks the links of a voxel: both residuals of each are whole, not negative, and add up to both capacities. Returns
 * the flow that leaves over them. Each link is paid by the end that is foreground. */
static int64_t check_links(const walk *w, tc_proof *f, int x, int y, int z)
{
    const tc_steps steps = tc_steps_of(w->grid);
    const size_t p = tc_volume_at(w->grid, x, y, z);
    const bool here = tc_is_background(w->labels, p);
    int64_t leaves = 0;
    for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) {
        const int32_t capacity = capacity_of(w->volume, x, y, z, d);
        const float left = *tc_wide_residual(w->grid, (ptrdiff_t)p, d);
        if (capacity < 0) {
            f->violations += left != 0;
            continue;
        }
        const int32_t q = tc_wide_neighbour(&steps, (int32_t)p, d);
        const float home = *tc_wide_residual(w->grid, q, d ^ 1);
        const bool whole = tc_is_capacity(left) && tc_is_capacity(home);
        const bool exact = whole && left + home == (float)(2 * (int64_t)capacity);
        f->violations += !exact;
        f->cut += !here && tc_is_background(w->labels, (size_t)q) ? capacity : 0;
        if (exact) leaves += capacity - (int64_t)left;
    }
    return leaves;
}

static void check_slice(void *context, int number)
{
    const walk *const w = context;
    const tilecut_volume_arrays *const a = &w->volume->arrays;
    const int z = w->first + number;
    tc_proof f = {0};
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const size_t i = number_of(a, x, y, z), p = tc_volume_at(w->grid, x, y, z);
            const int64_t excess = (int64_t)a->source[i] - a->sink[i] - check_links(w, &f, x, y, z);
            f.violations += w->grid->excess[p] != (float)excess;
            f.flow += a->sink[i] + (excess < 0 ? excess : 0);
            f.cut += tc_is_background(w->labels, p) ? a->source[i] : a->sink[i];
        }
    w->slice[number] = f;
}

tilecut_status tc_wide_prove_slices(tc_grid *grid, const tc_volume *volume, const tc_labels *labels, int first,
                                    int end, int threads, tc_proof *sums)
{
    const int count = end - first;
    walk w = {volume, grid, labels, first, calloc((size_t)count, sizeof *w.slice)};
    if (!w.slice) return tc_fail(TILECUT_ENOMEM, "no memory for the proofs of %d slices", count);
    tc_parallel(threads, count, check_slice, &w);
    *sums = tc_proof_sum(w.slice, count);
    free(w.slice);
    return TILECUT_OK;
}

tilecut_status tc_wide_certify(tc_grid *grid, const tc_volume *volume, const tc_labels *labels, int threads,
                               int64_t *flow, int64_t *cut)
{
    tc_proof sums;
    NEED(tc_wide_prove_slices(grid, volume, labels, 0, volume->arrays.depth, threads, &sums));
    *flow = sums.flow, *cut = sums.cut;
    return tc_proof_judge(&sums);
}
