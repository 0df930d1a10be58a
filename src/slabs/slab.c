/* SPDX-License-Identifier: MIT
 *
 * slab.c - see slab.h.
 */
#include "slab.h"

#include "parallel.h"
#include "status.h"

/* Before each meeting: even what lies along the borders, which is a whole slice, is too much to keep. */
static void rest(const void *idle)
{
    const tc_slab *const slab = idle;
    tc_grid_rest(slab->part.grid);
    tc_stored_rest(&slab->volume->stored);
    tc_stored_rest(&slab->flood.room);
    tc_stored_rest(&slab->part.flood.room);
}

/* ---- The backend: what differs from an image's ------------------------------------------------- */

static tilecut_status build(tc_part *part, const tilecut_graph *none, const tc_solve_params *params)
{
    const tc_volume *const volume = tc_slab_of(part)->volume;
    (void)none;
    tc_volume_build(part->grid, &volume->arrays, params->threads);
    tc_stored_rest(&volume->stored); /* a solver does not read it */
    return tc_part_backend_begin(part);
}

int64_t tc_slab_foreground(const tc_part *part, const tc_labels *labels)
{
    const tc_grid *const grid = part->grid;
    const int end = part->cut->first + part->cut->rows;
    int64_t foreground = 0;
    for (int z = part->cut->first; z < end; z++)
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x += TC_TILE) {
                const int n = grid->width - x;
                const uint32_t inside = n < TC_TILE ? (1u << n) - 1 : UINT32_MAX;
                foreground += __builtin_popcount(~labels->background[tc_volume_at(grid, x, y, z) / TC_TILE] & inside);
            }
    return foreground;
}

static tilecut_status prove(tc_part *part, const tilecut_graph *none, int threads, tc_part_answer *answer)
{
    const tc_labels labels = {part->flood.label};
    const int first = part->cut->first;
    (void)none;
    NEED(tc_volume_prove_slices(part->grid, &tc_slab_of(part)->volume->arrays, &labels, first, first + part->cut->rows,
                                threads, &answer->proof));
    answer->foreground = tc_slab_foreground(part, &labels);
    return TILECUT_OK;
}

static tilecut_status read_mask(tc_part *part, int threads, uint8_t *mask)
{
    (void)tc_volume_mask(part->grid, &tc_slab_of(part)->volume->arrays, &(tc_labels){part->flood.label}, threads, mask);
    return TILECUT_OK;
}

/* ---- The whole -------------------------------------------------------------------------------- */

/* Of 26 neighbours the solver is bk. */
static void choose_ground(tc_slab *slab, const tc_solver **solver)
{
    if (slab->volume->links == TC_WIDE_LINKS) {
        slab->backend = tc_part_backend_wide;
        *solver = tc_solver_find("bk");
        return;
    }
    slab->backend = tc_part_backend_host;
    slab->backend.build = build, slab->backend.prove = prove, slab->backend.mask = read_mask;
}

tilecut_status tc_slab_solve(tc_slab *slab, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                             tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &slab->volume->arrays;
    const tc_solve_params how = {.threads = setup->threads, .device = setup->device, .cancel = setup->cancel};
    const int neighbours = 2 * slab->volume->links;
    tc_part *const part = &slab->part;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    if (tc_volume_stays_there(solver)) return tc_slab_solve_there(slab, setup, solver, mask, report);
    choose_ground(slab, &solver);
    NEED(tc_part_open(part, &part->comm, &slab->backend, a->width * a->height, neighbours));
    part->lines = a->height;
    NEED(tc_grid_init_slab(&slab->grid, a->width, a->height, a->depth, neighbours, part->comm.store));
    part->grid = &slab->grid;
    if (part->comm.store) part->comm.rest = rest, part->comm.idle = slab;
    NEED(slab->backend.build(part, NULL, &how));
    report->graph_ms = tc_lap_ms(&clock);
    NEED(tc_part_solve(part, &solver, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    NEED(tc_part_conclude(part, NULL, how.threads, mask, report));
    report->certify_ms = tc_lap_ms(&clock);
    report->certified = 1;
    tc_volume_describe(&slab->grid, slab->volume, solver, &how, &stats, report);
    return TILECUT_OK;
}

void tc_slab_close(tc_slab *slab)
{
    slab->part.comm.rest = NULL;
    tc_part_close(&slab->part);
    tc_slab_drop_there(slab);
    tc_grid_free(&slab->grid);
}
