/* SPDX-License-Identifier: MIT
 *
 * part_backend_cuda.c - a part's grid on a CUDA device (part.h). It is built, solved, searched and certified there;
 * only rows along borders are copied to the host.
 */
#include <string.h>

#include "cuda_parts.h"
#include "packed_rows.h"
#include "part.h"
#include "status.h"

static void borders_of(const tc_part *part, tc_cuda_border border[TC_SIDES])
{
    for (int s = 0; s < TC_SIDES; s++) {
        const tc_side *const side = &part->side[s];
        border[s] = (tc_cuda_border){.halo = side->exists ? side->halo : -1, .own = side->own, .kinds = part->kinds};
        for (int k = 0; k < part->kinds; k++) {
            const tc_side_link link = tc_side_link_of(part, s, k);
            border[s].direction[k] = link.direction, border[s].step[k] = link.right;
        }
    }
}

/* If rows go from device to device, points side.out and side.in to memory of the device. */
static void place_rows(tc_part *part)
{
    part->direct = part->cut->with->swap_there != NULL;
    for (int s = 0; part->direct && s < TC_SIDES; s++)
        tc_cuda_part_rows(part->on_device, s, &part->side[s].out, &part->side[s].in);
}

static tilecut_status build_part(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params)
{
    tc_cuda_border border[TC_SIDES];
    borders_of(part, border);
    NEED(tc_cuda_part_open(&part->on_device, graph, params->device, border));
    place_rows(part);
    return TILECUT_OK;
}

static void close_ground(tc_part *part)
{
    tc_cuda_part_close(part->on_device);
    part->on_device = NULL;
}

static tilecut_status solve_on_device(tc_part *part, const tc_solver **solver, bool again,
                                      const tc_solve_params *params, tc_solve_stats *stats)
{
    (void)solver, (void)again;
    stats->bytes = tc_cuda_part_bytes(part->on_device);
    return tc_cuda_part_solve(part->on_device, params);
}

static tilecut_status unseal(tc_part *part, int level)
{
    for (int s = 0; s < TC_SIDES; s++)
        if (part->side[s].exists) NEED(tc_cuda_part_unseal(part->on_device, s, part->side[s].level, level));
    return TILECUT_OK;
}

/* Defines a function of the table that does `work` on each side with a neighbour. */
#define ON_EACH_SIDE(name, work)                \
    static tilecut_status name(tc_part *part)   \
    {                                           \
        tilecut_status status = TILECUT_OK;     \
        for (int s = 0; s < TC_SIDES; s++)      \
            if (part->side[s].exists) TRY(work); \
    done:                                       \
        return status;                          \
    }

ON_EACH_SIDE(take_flows, tc_cuda_part_take_flows(part->on_device, s, part->side[s].out))
ON_EACH_SIDE(show_residuals, tc_cuda_part_show_residuals(part->on_device, s, part->side[s].out))
ON_EACH_SIDE(set_residuals, tc_cuda_part_set_residuals(part->on_device, s, part->side[s].in))
ON_EACH_SIDE(get_reached, tc_cuda_part_get_reached(part->on_device, s, part->side[s].reached))

static tilecut_status put_flows(tc_part *part, bool *any)
{
    *any = false;
    for (int s = 0; s < TC_SIDES; s++) {
        bool some = false;
        if (part->side[s].exists) NEED(tc_cuda_part_put_flows(part->on_device, s, part->side[s].in, &some));
        *any |= some;
    }
    return TILECUT_OK;
}

static tilecut_status search_part(tc_part *part, int threads)
{
    (void)threads;
    return tc_cuda_part_search(part->on_device);
}

static tilecut_status count_reached(tc_part *part, int64_t *all, int64_t *reached)
{
    return tc_cuda_part_count(part->on_device, all, reached);
}

static tilecut_status reach_from_sides(tc_part *part, const bool news[TC_SIDES], bool on)
{
    for (int s = 0; s < TC_SIDES; s++)
        if (news[s]) NEED(tc_cuda_part_add_reached(part->on_device, s, part->side[s].news));
    if (on && (news[TC_ABOVE] || news[TC_BELOW])) NEED(tc_cuda_part_flood(part->on_device));
    return TILECUT_OK;
}

/* Marks all columns, because the host does not know which have excess. So packed rows have all columns. */
static void active(const tc_part *part, int side, int rows, uint8_t *column)
{
    (void)side, (void)rows;
    memset(column, 1, ((size_t)part->width + TC_TILE - 1) / TC_TILE);
}

static tilecut_status copy_rows(tc_part *part, const tc_strip_rows *rows, float *packed, bool out, int threads)
{
    const size_t words = (size_t)rows->columns * tc_packed_words(part);
    (void)threads;
    return tc_cuda_part_copy(part->on_device, rows->first, rows->count, words, packed, out);
}

static tilecut_status prove(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer)
{
    const int first = part->cut->first * part->lines, end = first + part->cut->rows * part->lines;
    tc_cuda_answer sums = {0};
    (void)graph, (void)threads;
    NEED(tc_cuda_part_prove(part->on_device, first, end, &sums));
    answer->proof = (tc_proof){sums.flow, sums.cut, sums.violations};
    answer->foreground = sums.foreground;
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    (void)threads;
    return tc_cuda_part_mask(part->on_device, mask);
}

const tc_part_backend tc_part_backend_cuda = {
    build_part,     close_ground,  solve_on_device, unseal,        take_flows, put_flows,
    show_residuals, set_residuals, search_part,     count_reached, get_reached, reach_from_sides,
    active,         copy_rows,     prove,           read_mask};
