/* SPDX-License-Identifier: MIT
 *
 * part_search.c - the search for levels, over all parts: each floods its own rows from what is reached so far, then the
 * parts tell each other which pixels along their borders were reached, and so on.
 */
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "parallel.h"
#include "status.h"
#include "tile_board.h"

/* The word of labels with pixel (x, y). */
static uint32_t *label_word(const tc_part *part, int x, int y)
{
    return &part->flood.label[tc_grid_at(part->grid, x, y) / TC_TILE];
}

/* Finds the pixels with excess in a row of tiles. */
static void scan_sources(void *context, int ty, int worker)
{
    const tc_part *const part = context;
    uint32_t sinks[TC_TILE];
    (void)worker;
    for (int tile = ty * part->grid->tiles_x; tile < (ty + 1) * part->grid->tiles_x; tile++)
        tc_board_kernels_get()->scan_excess(part->grid->excess + (size_t)tile * TC_TILE_NODES, sinks,
                                            part->source + (size_t)tile * TC_TILE);
}

/* The pixels with excess: *all, and *reached of them. */
static void count_sources(const tc_part *part, int64_t *all, int64_t *reached)
{
    const size_t words = part->grid->nodes / TC_TILE;
    *all = *reached = 0;
    for (size_t i = 0; i < words; i++) {
        if (!part->source[i]) continue;
        *all += __builtin_popcount(part->source[i]);
        *reached += __builtin_popcount(part->source[i] & part->flood.label[i]);
    }
}

static tilecut_status note_active(tc_part *part, int level, bool active)
{
    if (level == part->room) {
        const int room = part->room ? 2 * part->room : 64;
        uint8_t *const more = realloc(part->active, (size_t)room);
        if (!more) return tc_fail(TILECUT_ENOMEM, "no memory for %d levels of parts", room);
        part->active = more;
        part->room = room;
    }
    part->active[level] = active;
    return TILECUT_OK;
}

/* Takes in which pixels of the rim were reached at `level`. Returns whether any was reached for the first time. */
static bool note_rim(tc_part *part, tc_side *side, int level)
{
    bool news = false;
    for (int x = 0; side->there && x < part->grid->width; x++) {
        if (!side->news[x] || side->level[x] != TC_UNREACHED) continue;
        side->level[x] = level;
        *label_word(part, x, side->rim) |= 1u << (x % TC_TILE);
        news = true;
    }
    return news;
}

/* Tells the neighbours which own pixels along the borders are reached. news: by side, whether they had any to tell. */
static tilecut_status tell(tc_part *part, int level, bool news[TC_SIDES])
{
    tc_side *const above = &part->side[TC_ABOVE], *const below = &part->side[TC_BELOW];
    tilecut_status status = TILECUT_OK;
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; x < part->grid->width; x++)
            part->side[s].told[x] = *label_word(part, x, part->side[s].own) >> (x % TC_TILE) & 1;
    TRY(tc_whole_swap(part->cut, above->told, below->told, above->news, below->news,
                       (size_t)part->grid->width));
    for (int s = 0; s < TC_SIDES; s++) news[s] = note_rim(part, &part->side[s], level);
done:
    return status;
}

/* One level. *more: whether to search on. `before`: sources reached at lower levels, here and in all parts. */
static tilecut_status search_level(tc_part *part, int level, int64_t before[2], bool *more)
{
    tilecut_status status = TILECUT_OK;
    int64_t all, reached;
    bool news[TC_SIDES];

    count_sources(part, &all, &reached);
    TRY(note_active(part, level, reached > before[0]));
    before[0] = reached;
    TRY(tell(part, level, news));
    int64_t sums[3] = {all, reached, news[TC_ABOVE] || news[TC_BELOW]};
    TRY(tc_whole_sum(part->cut, sums, 3));
    if (sums[1] > before[1]) part->highest = level;
    before[1] = sums[1];
    *more = sums[2] > 0 && (sums[1] < sums[0] || sums[0] == 0);
    for (int s = 0; s < TC_SIDES; s++)
        if (*more && news[s]) tc_flood_rows(&part->flood, part->side[s].rim);
done:
    return status;
}

tilecut_status tc_part_search(tc_part *part, int threads)
{
    tilecut_status status = TILECUT_OK;
    int64_t before[2] = {0, 0};
    bool more = true;

    tc_flood_close(&part->flood);
    TRY(tc_flood_open(&part->flood, part->grid, threads));
    tc_parallel(threads, part->grid->tiles_y, scan_sources, part);
    tc_grid_rest(part->grid);
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; x < part->grid->width; x++) part->side[s].level[x] = TC_UNREACHED;
    part->highest = -1;
    for (int level = 0; more; level++) TRY(search_level(part, level, before, &more));
done:
    return status;
}
