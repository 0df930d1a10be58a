/* SPDX-License-Identifier: MIT */
#include "hybrid_part.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

size_t tc_hybrid_tile_bytes(const tc_grid *grid)
{
    const size_t numbers = 4 + (size_t)tc_packed_more(grid->connectivity) + 1;
    return TC_TILE_NODES * numbers * sizeof(float);
}

/* Finds column, row and slice of a tile. */
static void tile_place(const tc_grid *grid, int tile, int at[3])
{
    const int rows = grid->slice_rows ? grid->slice_rows : grid->tiles_y, row = tile / grid->tiles_x;
    at[0] = tile % grid->tiles_x;
    at[1] = row % rows;
    at[2] = row / rows;
}

static tc_hybrid_box box_around(const tc_grid *grid, const int32_t *tile, int count)
{
    tc_hybrid_box box = {0};
    int last[3];
    tile_place(grid, tile[0], box.first);
    tile_place(grid, tile[0], last);
    for (int i = 1; i < count; i++) {
        int at[3];
        tile_place(grid, tile[i], at);
        for (int k = 0; k < 3; k++) {
            if (at[k] < box.first[k]) box.first[k] = at[k];
            if (at[k] > last[k]) last[k] = at[k];
        }
    }
    for (int k = 0; k < 3; k++) box.size[k] = last[k] + 1 - box.first[k];
    return box;
}

tilecut_status tc_hybrid_part_init(tc_hybrid_part *part, const tc_grid *whole, const int32_t *tile, int count)
{
    const size_t nodes = (size_t)count * TC_TILE_NODES, more = (size_t)tc_packed_more(whole->connectivity);
    const tc_hybrid_box box = box_around(whole, tile, count);
    const int width = box.size[0] * TC_TILE, height = box.size[1] * TC_TILE;
    *part = (tc_hybrid_part){.whole = whole, .tile = tile, .count = count, .box = box};
    part->packed.residual = malloc(nodes * sizeof *part->packed.residual);
    part->packed.more = more ? malloc(nodes * more * sizeof *part->packed.more) : NULL;
    part->packed.excess = malloc(nodes * sizeof *part->packed.excess);
    if (!part->packed.residual || !part->packed.excess || (more && !part->packed.more))
        return tc_fail(TILECUT_ENOMEM, "no memory for %d tiles", count);
    return tc_grid_init_lattice(&part->grid, width, height, box.size[2], whole->connectivity, 0);
}

void tc_hybrid_part_free(tc_hybrid_part *part)
{
    tc_grid_free(&part->grid);
    free(part->packed.residual);
    free(part->packed.more);
    free(part->packed.excess);
}

/* Returns the node at which the i-th tile begins in the part's grid. */
static size_t begin_of(const tc_hybrid_part *part, int i)
{
    const tc_hybrid_box *const box = &part->box;
    int at[3];
    tile_place(part->whole, part->tile[i], at);
    for (int k = 0; k < 3; k++) at[k] -= box->first[k];
    return (size_t)((at[2] * box->size[1] + at[1]) * box->size[0] + at[0]) * TC_TILE_NODES;
}

static void move(void *in_grid, void *packed, size_t bytes, bool pack)
{
    memcpy(pack ? packed : in_grid, pack ? in_grid : packed, bytes);
}

/* Copies all tiles between grid and packed arrays. The grid of a volume has space for two more links of each node,
 * which are not used. */
static void move_tiles(tc_hybrid_part *part, bool pack)
{
    const tc_grid *const grid = &part->grid;
    const size_t more = (size_t)tc_packed_more(grid->connectivity);
    for (int i = 0; i < part->count; i++) {
        const size_t at = (size_t)i * TC_TILE_NODES, in = begin_of(part, i);
        move(grid->residual + in, part->packed.residual + at, TC_TILE_NODES * sizeof *grid->residual, pack);
        move(grid->excess + in, part->packed.excess + at, TC_TILE_NODES * sizeof *grid->excess, pack);
        for (size_t p = 0; more && p < TC_TILE_NODES; p++)
            move(grid->diagonal[in + p].to, part->packed.more + (at + p) * more, more * sizeof(float), pack);
    }
}

void tc_hybrid_part_unpack(tc_hybrid_part *part) { move_tiles(part, false); }
void tc_hybrid_part_pack(tc_hybrid_part *part) { move_tiles(part, true); }
