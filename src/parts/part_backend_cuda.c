/* SPDX-License-Identifier: MIT
 *
 * part_backend_cuda.c - a part's grid on a CUDA device (part.h). It is built, solved, searched and certified there;
 * only rows along borders are copied to the host. The grid of a graph from arrays is built on the host, copied to the
 * device, and copied back to be certified. All data of a volume stay on the device.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "cuda_parts.h"
#include "cuda_volume.h"
#include "packed_rows.h"
#include "part.h"
#include "status.h"
#include "volume.h"

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

/* Brings the capacities of a volume to the device; those of an energy are written down for it. */
static tilecut_status take_volume(tc_part *part, const tilecut_graph *g, const tc_solve_params *params)
{
    const tc_capacities *const c = &g->arrays;
    const size_t voxels = tc_graph_pixels(g);
    tilecut_volume_arrays a = {.width = g->width, .height = g->height, .depth = g->depth, .source = c->source,
                               .sink = c->sink, .to = {c->to[0], c->to[1], c->to[2]},
                               .from = {c->from[0], c->from[1], c->from[2]}};
    tilecut_status status = TILECUT_OK;
    tc_cuda_volume_origin origin;
    int32_t *memory = NULL;
    if (!c->source) {
        memory = malloc((2 + TILECUT_VOLUME_LINKS) * voxels * sizeof *memory);
        if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for the capacities of %zu voxels", voxels);
        TRY(tc_volume_write(g, params->threads, memory));
        a.source = memory, a.sink = memory + voxels;
        for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) a.to[k] = a.from[k] = memory + (2 + k) * voxels;
    }
    status = tc_cuda_volume_take(&part->learnt, &a, true, params->device, &origin);
done:
    free(memory);
    return status;
}

static tilecut_status build_part(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params)
{
    tc_cuda_border border[TC_SIDES];
    borders_of(part, border);
    if (part->volume) {
        if (!part->learnt) NEED(take_volume(part, graph, params));
        NEED(tc_cuda_part_open_volume(&part->on_device, &part->learnt, border));
        place_rows(part);
        return TILECUT_OK;
    }
    if (part->grid) NEED(tc_grid_build(part->grid, graph, params->threads));
    NEED(tc_cuda_part_open(&part->on_device, part->grid ? NULL : &graph->energy, part->grid, params->device, border));
    place_rows(part);
    return TILECUT_OK;
}

static void close_ground(tc_part *part)
{
    tc_flood_close(&part->flood); /* of prove_here() */
    tc_cuda_part_close(part->on_device);
    part->on_device = NULL;
    part->grid = NULL;
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
ON_EACH_SIDE(tell, tc_cuda_part_tell(part->on_device, s, part->side[s].reached))

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
        if (news[s]) NEED(tc_cuda_part_reach(part->on_device, s, part->side[s].news));
    if (on && (news[TC_ABOVE] || news[TC_BELOW])) NEED(tc_cuda_part_flood(part->on_device));
    return TILECUT_OK;
}

/* Marks all columns, because the host does not know where excess lies. So packed rows have all columns. */
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

/* Certifies a graph from arrays, whose capacities are on the host. */
static tilecut_status prove_here(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer)
{
    tc_grid *const grid = part->grid;
    uint32_t *const label = part->flood.label = malloc(grid->nodes / TC_TILE * sizeof *label);
    if (!label) return tc_fail(TILECUT_ENOMEM, "no memory for labels of a part of %d columns", part->width);
    NEED(tc_cuda_part_fetch(part->on_device, grid, label));
    return tc_part_backend_host.prove(part, graph, threads, answer);
}

static tilecut_status prove(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer)
{
    const int first = part->cut->first;
    tc_cuda_answer device_answer = {0};
    if (part->grid) return prove_here(part, graph, threads, answer);
    NEED(tc_cuda_part_prove(part->on_device, first, first + part->cut->rows, &device_answer));
    answer->proof = (tc_proof){device_answer.flow, device_answer.cut, device_answer.violations};
    answer->foreground = device_answer.foreground;
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    if (!part->grid) return tc_cuda_part_mask(part->on_device, mask);
    return tc_part_backend_host.mask(part, threads, mask);
}

const tc_part_backend tc_part_backend_cuda = {
    build_part,     close_ground,  solve_on_device, unseal,        take_flows, put_flows,
    show_residuals, set_residuals, search_part,     count_reached, tell,       reach_from_sides,
    active,         copy_rows,     prove,           read_mask};
