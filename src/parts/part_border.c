/* SPDX-License-Identifier: MIT
 *
 * part_border.c - opens and closes a part, and exchanges flows and residuals over the borders between parts.
 */
#include <stdlib.h>

#include "part.h"
#include "status.h"

tc_side_link tc_side_link_of(const tc_part *part, int side, int kind)
{
    static const tc_side_link flat[TC_SIDES][TC_KINDS] = {
        {{TC_UP, 0, 0}, {TC_UP_LEFT, -1, 0}, {TC_UP_RIGHT, 1, 0}},
        {{TC_DOWN, 0, 0}, {TC_DOWN_RIGHT, 1, 0}, {TC_DOWN_LEFT, -1, 0}}};
    static const int wide[TC_WIDE_KINDS] = {2, 5, 6, 7, 8, 9, 10, 11, 12}; /* kinds with step z = 1 (wide.h) */
    if (part->kinds == TC_WIDE_KINDS) {
        const tc_link_steps step = tc_link_step(26, wide[kind]);
        return side == TC_BELOW ? (tc_side_link){2 * wide[kind], step.x, step.y}
                                : (tc_side_link){2 * wide[kind] + 1, -step.x, -step.y};
    }
    return part->volume ? (tc_side_link){side == TC_ABOVE ? TC_BEFORE : TC_BEHIND, 0, 0} : flat[side][kind];
}

/* ---- Memory ----------------------------------------------------------------------------------- */

/* Returns the next `count` words of the memory and moves past them. */
static int32_t *next(int32_t **memory, size_t count)
{
    int32_t *const words = *memory;
    *memory += count;
    return words;
}

static void lay_out_border(tc_part *part, int s, int32_t **memory)
{
    tc_side *const side = &part->side[s];
    const size_t width = (size_t)part->width, bytes = (width + 3) / 4, kinds = (size_t)part->kinds;
    const int first = part->cut->first, end = first + part->cut->rows;
    side->exists = s == TC_ABOVE ? tc_has_above(part->cut) : tc_has_below(part->cut);
    side->halo = s == TC_ABOVE ? first - 1 : end;
    side->own = s == TC_ABOVE ? first : end - 1;
    side->level = next(memory, width);
    side->out = next(memory, kinds * width);
    side->in = next(memory, kinds * width);
    side->reached = (uint8_t *)next(memory, bytes);
    side->news = (uint8_t *)next(memory, bytes);
}

tilecut_status tc_part_open(tc_part *part, tc_comm *cut, const tc_part_backend *backend, const tilecut_graph *graph)
{
    const int connectivity = graph->connectivity;
    part->volume = tc_graph_is_volume(graph);
    part->lines = part->volume ? graph->height : 1;
    const int width = graph->width * part->lines;
    const size_t columns = (size_t)width;
    int32_t *memory;
    part->cut = cut;
    part->backend = backend;
    part->width = width;
    part->kinds = connectivity == 26 ? TC_WIDE_KINDS : connectivity == 8 ? TC_KINDS : 1;
    part->memory = calloc(TC_SIDES * ((2 * (size_t)part->kinds + 1) * columns + 2 * ((columns + 3) / 4)),
                          sizeof *memory);
    if (!part->memory) return tc_fail(TILECUT_ENOMEM, "no memory for the borders of a part of %d columns", width);
    memory = part->memory;
    for (int s = 0; s < TC_SIDES; s++) lay_out_border(part, s, &memory);
    return TILECUT_OK;
}

void tc_part_close(tc_part *part)
{
    if (part->backend) part->backend->close(part);
    free(part->memory);
    free(part->active);
    part->comm.rest = NULL;
    part->backend = NULL;
    part->memory = NULL;
    part->active = NULL;
    part->room = 0;
    part->direct = false;
}

/* ---- Across ----------------------------------------------------------------------------------- */

static tilecut_status swap_out(tc_part *part)
{
    const tc_side *const above = &part->side[TC_ABOVE], *const below = &part->side[TC_BELOW];
    const size_t bytes = (size_t)part->kinds * (size_t)part->width * sizeof *above->out;
    return (part->direct ? tc_comm_exchange_halo_device : tc_comm_exchange_halo)(
        part->cut, above->out, below->out, above->in, below->in, bytes);
}

tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived)
{
    *arrived = false;
    NEED(swap_out(part));
    return part->backend->put_flows(part, arrived);
}

tilecut_status tc_part_swap_residuals(tc_part *part)
{
    NEED(part->backend->show_residuals(part));
    NEED(swap_out(part));
    return part->backend->set_residuals(part);
}
