/* SPDX-License-Identifier: MIT
 *
 * part_border.c - what parts do at the borders between them: closing links, opening them for a while, and carrying flow
 * and residuals across.
 */
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "status.h"

/* The same kinds above and below are opposite directions. */
const int tc_side_direction[TC_SIDES][TC_KINDS] = {{TC_UP, TC_UP_LEFT, TC_UP_RIGHT},
                                                   {TC_DOWN, TC_DOWN_RIGHT, TC_DOWN_LEFT}};
const int tc_side_step[TC_SIDES][TC_KINDS] = {{0, -1, 1}, {0, 1, -1}};

/* ---- Memory ----------------------------------------------------------------------------------- */

/* Takes the next `count` words. */
static int32_t *next(int32_t **memory, size_t count)
{
    int32_t *const words = *memory;
    *memory += count;
    return words;
}

static void lay_out(tc_part *part, int s, int32_t **memory)
{
    tc_side *const side = &part->side[s];
    const size_t width = (size_t)part->grid->width, bytes = (width + 3) / 4, kinds = (size_t)part->kinds;
    const int first = part->cut->first, end = first + part->cut->rows;
    side->there = s == TC_ABOVE ? tc_has_above(part->cut) : tc_has_below(part->cut);
    side->rim = s == TC_ABOVE ? first - 1 : end;
    side->own = s == TC_ABOVE ? first : end - 1;
    side->level = next(memory, width);
    side->out = next(memory, kinds * width);
    side->in = next(memory, kinds * width);
    side->told = (uint8_t *)next(memory, bytes);
    side->news = (uint8_t *)next(memory, bytes);
}

tilecut_status tc_part_open(tc_part *part, tc_whole *cut, tc_grid *grid)
{
    const size_t width = (size_t)grid->width, tiles = grid->nodes / TC_TILE_NODES;
    int32_t *memory;
    part->cut = cut;
    part->grid = grid;
    part->kinds = grid->diagonal ? TC_KINDS : 1;
    part->memory = calloc(TC_SIDES * ((2 * (size_t)part->kinds + 1) * width + 2 * ((width + 3) / 4)), sizeof *memory);
    part->source = malloc(tiles * TC_TILE * sizeof *part->source);
    if (!part->memory || !part->source) {
        tc_part_close(part);
        return tc_fail(TILECUT_ENOMEM, "no memory for the borders of a part of %d columns", grid->width);
    }
    memory = part->memory;
    for (int s = 0; s < TC_SIDES; s++) lay_out(part, s, &memory);
    return TILECUT_OK;
}

void tc_part_close(tc_part *part)
{
    tc_flood_close(&part->flood);
    free(part->memory);
    free(part->source);
    free(part->active);
    part->memory = NULL;
    part->source = NULL;
    part->active = NULL;
    part->room = 0;
    part->grid = NULL;
}

/* ---- The rim ---------------------------------------------------------------------------------- */

static ptrdiff_t node_at(const tc_part *part, int x, int y)
{
    return (ptrdiff_t)tc_grid_at(part->grid, x, y);
}

static bool in_row(const tc_part *part, int x)
{
    return x >= 0 && x < part->grid->width;
}

static void seal_pixel(const tc_part *part, ptrdiff_t p)
{
    part->grid->excess[p] = 0;
    for (int d = 0; d < part->grid->connectivity; d++) *tc_residual(part->grid, p, d) = 0;
}

void tc_part_seal(const tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        for (int x = 0; part->side[s].there && x < part->grid->width; x++)
            seal_pixel(part, node_at(part, x, part->side[s].rim));
}

/* The capacity of all links from own pixels to pixel x of the rim. */
static float carried_to(const tc_part *part, int s, int x)
{
    float sum = 0;
    for (int k = 0; k < part->kinds; k++) {
        const int from = x - tc_side_step[s][k];
        if (!in_row(part, from)) continue;
        sum += *tc_residual(part->grid, node_at(part, from, part->side[s].own), tc_side_direction[s][k]);
    }
    return sum;
}

void tc_part_unseal(const tc_part *part, int level)
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        for (int x = 0; side->there && x < part->grid->width; x++)
            if (side->level[x] == level) part->grid->excess[node_at(part, x, side->rim)] = 0 - carried_to(part, s, x);
    }
}

/* Links out of the rim had no residuals before the solve, so what they have now is what went the other way. */
static void take_side(const tc_part *part, int s)
{
    const tc_side *const side = &part->side[s];
    const int width = part->grid->width;
    memset(side->out, 0, (size_t)part->kinds * (size_t)width * sizeof *side->out);
    for (int x = 0; x < width; x++) {
        const ptrdiff_t p = node_at(part, x, side->rim);
        for (int k = 0; k < part->kinds; k++) {
            const int from = x - tc_side_step[s][k];
            if (!in_row(part, from)) continue;
            side->out[k * width + from] = (int32_t)*tc_residual(part->grid, p, tc_side_direction[s][k] ^ 1);
        }
        seal_pixel(part, p);
    }
}

void tc_part_take_flows(const tc_part *part)
{
    for (int s = 0; s < TC_SIDES; s++)
        if (part->side[s].there) take_side(part, s);
}

/* ---- Across ----------------------------------------------------------------------------------- */

/* Adds what has come over the links of kind k of a side. Returns whether that is anything. */
static bool put_flows(const tc_part *part, int s, int k)
{
    const tc_side *const side = &part->side[s];
    const int32_t *const in = side->in + k * part->grid->width;
    bool any = false;
    for (int x = 0; x < part->grid->width; x++) {
        if (in[x] == 0) continue;
        const ptrdiff_t p = node_at(part, x - tc_side_step[s][k], side->own);
        *tc_residual(part->grid, p, tc_side_direction[s][k]) += (float)in[x];
        part->grid->excess[p] += (float)in[x];
        any = true;
    }
    return any;
}

static tilecut_status swap_out(tc_part *part)
{
    const tc_side *const above = &part->side[TC_ABOVE], *const below = &part->side[TC_BELOW];
    return tc_whole_swap(part->cut, above->out, below->out, above->in, below->in,
                          (size_t)part->kinds * (size_t)part->grid->width * sizeof *above->out);
}

tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived)
{
    tilecut_status status = TILECUT_OK;
    *arrived = false;
    TRY(swap_out(part));
    for (int s = 0; s < TC_SIDES; s++)
        for (int k = 0; part->side[s].there && k < part->kinds; k++) *arrived |= put_flows(part, s, k);
done:
    return status;
}

tilecut_status tc_part_swap_residuals(tc_part *part)
{
    const int width = part->grid->width;
    tilecut_status status = TILECUT_OK;
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].there && i < part->kinds * width; i++)
            part->side[s].out[i] = (int32_t)*tc_residual(part->grid, node_at(part, i % width, part->side[s].own),
                                                         tc_side_direction[s][i / width]);
    TRY(swap_out(part));
    for (int s = 0; s < TC_SIDES; s++)
        for (int i = 0; part->side[s].there && i < part->kinds * width; i++)
            *tc_residual(part->grid, node_at(part, i % width, part->side[s].rim), tc_side_direction[1 - s][i / width]) =
                (float)part->side[s].in[i];
done:
    return status;
}
