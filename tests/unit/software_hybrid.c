/* SPDX-License-Identifier: MIT
 *
 * software_hybrid.c - see software_hybrid.h. It follows links node by node, for all neighbourhoods.
 */
#include "software_hybrid.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid.h"
#include "hybrid_case.h"

static void find_levels(software *s)
{
    int32_t found = 0;
    for (size_t p = 0; p < s->grid.nodes; p++) {
        s->level[p] = s->grid.excess[p] < 0 ? 0 : -1;
        if (!s->level[p]) s->queue[found++] = (int32_t)p;
    }
    for (int32_t i = 0; i < found; i++)
        for (int d = 0; d < s->grid.connectivity; d++) {
            const ptrdiff_t p = s->queue[i], q = node_over(&s->grid, (size_t)p, d);
            if (q < 0 || s->level[q] >= 0) continue;
            if (!(*tc_residual(&s->grid, q, d ^ 1) > 0)) continue;
            s->level[q] = s->level[p] + 1;
            s->queue[found++] = (int32_t)q;
        }
}

static void copy_grid(tc_grid *to, const tc_grid *from)
{
    memcpy(to->residual, from->residual, from->nodes * sizeof *from->residual);
    memcpy(to->excess, from->excess, from->nodes * sizeof *from->excess);
    if (from->diagonal) memcpy(to->diagonal, from->diagonal, from->nodes * sizeof *from->diagonal);
}

static tilecut_status soft_upload(void *self, const tc_grid *grid)
{
    software *const s = self;
    s->uploads++;
    ck_assert(!grid->by_rows);
    const tilecut_status status = grid->slice_rows
                                      ? tc_grid_init_volume(&s->grid, grid->width, grid->height,
                                                            grid->tiles_y / grid->slice_rows, 6)
                                      : tc_grid_init(&s->grid, grid->width, grid->height, grid->connectivity);
    ck_assert_int_eq(status, TILECUT_OK);
    copy_grid(&s->grid, grid);
    s->level = calloc(grid->nodes, sizeof *s->level);
    s->queue = calloc(grid->nodes, sizeof *s->queue);
    return TILECUT_OK;
}

/* Pushes flow downhill, one link at a time. Levels are made exact before each slice of work. */
static tilecut_status soft_work(void *self, int slice, int *rounds, bool *done)
{
    software *const s = self;
    int left = s->pushes;
    ck_assert_int_ge(slice, tc_costs_default(4).slice);
    s->sliced += slice;
    find_levels(s);
    *rounds = s->endless ? (int)s->sliced : ++s->rounds;
    *done = true;
    for (size_t p = 0; p < s->grid.nodes; p++) {
        float *const excess = &s->grid.excess[p];
        if (!(*excess > 0) || s->level[p] < 0) continue;
        *done = false;
        for (int d = 0; d < s->grid.connectivity && left > 0 && *excess > 0; d++) {
            float *const link = tc_residual(&s->grid, (ptrdiff_t)p, d);
            if (!(*link > 0)) continue;
            const ptrdiff_t q = node_over(&s->grid, p, d);
            if (s->level[q] != s->level[p] - 1) continue;
            const float flow = *excess < *link ? *excess : *link;
            *excess -= flow;
            *link -= flow;
            s->grid.excess[q] += flow;
            *tc_residual(&s->grid, q, d ^ 1) += flow;
            left--;
        }
    }
    return TILECUT_OK;
}

static bool reaches(const software *s, ptrdiff_t p)
{
    return s->level[p] >= 0 && s->level[p] <= s->depth;
}

static tilecut_status soft_inspect(void *self, uint32_t *words)
{
    software *const s = self;
    find_levels(s);
    memset(words, 0, s->grid.nodes / TC_TILE_NODES * sizeof *words);
    for (size_t p = 0; p < s->grid.nodes; p++) {
        uint32_t *const word = &words[p / TC_TILE_NODES];
        if (!reaches(s, (ptrdiff_t)p)) continue;
        *word += s->grid.excess[p] > 0;
        for (int d = 0; d < s->grid.connectivity; d++) {
            const int over = tile_over(&s->grid, p, d);
            if (over < 0 || !(*tc_residual(&s->grid, (ptrdiff_t)p, d) > 0)) continue;
            if (reaches(s, node_over(&s->grid, p, d))) *word |= 1u << (TC_TILE_CROSSES + over);
        }
    }
    return TILECUT_OK;
}

/* Copies a tile into the packed tiles as number i, or back. */
static void carry(tc_grid *grid, int tile, const tc_packed_tiles *packed, int i, bool back)
{
    const size_t there = (size_t)tile * TC_TILE_NODES, here = (size_t)i * TC_TILE_NODES;
    const size_t more = (size_t)tc_packed_more(grid->connectivity);
    for (size_t k = 0; k < TC_TILE_NODES; k++) {
        tc_float4 *const links = &grid->residual[there + k];
        float *const excess = &grid->excess[there + k];
        if (back) *links = packed->residual[here + k], *excess = packed->excess[here + k];
        else packed->residual[here + k] = *links, packed->excess[here + k] = *excess;
        for (size_t d = 0; d < more; d++) {
            float *const link = &grid->diagonal[there + k].to[d], *const of = &packed->more[(here + k) * more + d];
            if (back) *link = *of;
            else *of = *link;
        }
    }
}

static tilecut_status soft_gather(void *self, const int32_t *tile, int count, const tc_packed_tiles *to)
{
    software *const s = self;
    s->gathers++;
    if (s->fails) return TILECUT_EDEVICE;
    for (int i = 0; i < count; i++) {
        ck_assert_msg(i == 0 || tile[i] > tile[i - 1], "tiles in order");
        carry(&s->grid, tile[i], to, i, false);
    }
    s->travelled += (int64_t)count * TC_TILE_NODES * (20 + 4 * tc_packed_more(s->grid.connectivity));
    return TILECUT_OK;
}

static tilecut_status soft_scatter(void *self, const int32_t *tile, int count, const tc_packed_tiles *from)
{
    software *const s = self;
    for (int i = 0; i < count; i++) carry(&s->grid, tile[i], from, i, true);
    s->travelled += (int64_t)count * TC_TILE_NODES * (20 + 4 * tc_packed_more(s->grid.connectivity));
    return TILECUT_OK;
}

static tilecut_status soft_download(void *self, tc_grid *grid)
{
    const software *const s = self;
    copy_grid(grid, &s->grid);
    return TILECUT_OK;
}

void soft_free(software *s)
{
    tc_grid_free(&s->grid);
    free(s->level);
    free(s->queue);
    *s = (software){0};
}

const tc_hybrid_device soft_device = {soft_upload,  soft_work,    soft_inspect, soft_gather,
                                             soft_scatter, soft_download, false};
