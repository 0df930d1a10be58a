/* SPDX-License-Identifier: MIT
 *
 * part_search.c - the search for levels over all parts, level by level: each part floods its own rows from the pixels
 * reached so far, then neighbours exchange which pixels along their borders are reached.
 */
#include <stdlib.h>

#include "alloc_list.h"
#include "part.h"
#include "status.h"

static tilecut_status note_active(tc_part *part, int level, bool active)
{
    uint8_t *const list = tc_list_grow(part->active, (size_t)level, &part->room, sizeof *list);
    if (!list) return tc_fail(TILECUT_ENOMEM, "no memory for more than %d levels of parts", level);
    part->active = list;
    part->active[level] = active;
    return TILECUT_OK;
}

/* On entry side->news has the pixels of the halo that the neighbour has reached. Keeps only those that were not reached
 * before, and sets their level. Returns true if there are any. */
static bool note_border(tc_side *side, int width, int level)
{
    bool news = false;
    for (int x = 0; side->exists && x < width; x++) {
        side->news[x] = side->news[x] && side->level[x] == TC_UNREACHED;
        if (!side->news[x]) continue;
        side->level[x] = level;
        news = true;
    }
    return news;
}

/* Exchanges with the neighbours which pixels along the borders are reached. news[s] is true if there are new ones at
 * side s. */
static tilecut_status exchange_reached(tc_part *part, int level, bool news[TC_SIDES])
{
    tc_side *const above = &part->side[TC_ABOVE], *const below = &part->side[TC_BELOW];
    NEED(part->backend->get_reached(part));
    NEED(tc_comm_exchange_halo(part->cut, above->reached, below->reached, above->news, below->news,
                               (size_t)part->width));
    for (int s = 0; s < TC_SIDES; s++) news[s] = note_border(&part->side[s], part->width, level);
    return TILECUT_OK;
}

/* The state of a search. sources: own pixels with excess; reached: how many of them are reached. */
typedef struct progress {
    int64_t sources, reached, reached_in_all;
    bool news[TC_SIDES]; /* by side: pixels of the halo were reached in the last level */
    bool more;           /* true: continue with the next level */
} progress;

/* Searches one level. Excess is counted only at level 0, or if new pixels were reached over a border. */
static tilecut_status search_level(tc_part *part, int level, progress *p)
{
    const int64_t before = p->reached;

    if (level == 0 || p->news[TC_ABOVE] || p->news[TC_BELOW])
        NEED(part->backend->count(part, &p->sources, &p->reached));
    NEED(note_active(part, level, p->reached > before));
    NEED(exchange_reached(part, level, p->news));
    int64_t sums[3] = {p->sources, p->reached, p->news[TC_ABOVE] || p->news[TC_BELOW]};
    NEED(tc_comm_allreduce(part->cut, sums, 3));
    if (sums[1] > p->reached_in_all) part->highest = level;
    p->reached_in_all = sums[1];
    p->more = sums[2] > 0 && (sums[1] < sums[0] || sums[0] == 0);
    return part->backend->reach(part, p->news, p->more);
}

tilecut_status tc_part_search(tc_part *part, int threads)
{
    progress p = {.more = true};

    NEED(part->backend->search(part, threads));
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; x < part->width; x++) part->side[s].level[x] = TC_UNREACHED;
    part->highest = -1;
    for (int level = 0; p.more; level++) NEED(search_level(part, level, &p));
    return TILECUT_OK;
}
