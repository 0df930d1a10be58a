/* SPDX-License-Identifier: MIT
 *
 * volume_door.c - the functions of tilecut_volume.h, except those of sessions and films. See door.h.
 */
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "iterate.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

tilecut_status tilecut_volume_segment(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                      uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    const tc_solver *solver;
    tc_volume made = {0};

    TRY(tc_enter_volume(&v, volume, params, mask, true, report));
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, v.voxels.width, v.voxels.height, &solver));
    if (tc_volume_refines(&v.setup)) {
        TRY(tc_prior_open(&v.prior, &v.setup, v.image.width, v.image.height));
        TRY(tc_volume_refine(&v.voxels, seeds, &v.setup, v.mask.to, &v.result));
        goto done;
    }
    v.setup.learns_there = tc_learns_on_device;
    TRY(tc_volume_open_window(&made, &v.voxels, seeds, &v.setup));
    TRY(tc_volume_cut(&made, NULL, v.mask.to, &v.result));
    TRY(tc_volume_follow_strokes(&made, &v.voxels, seeds, &v.setup, NULL, v.mask.to, &v.result));
done:
    tc_volume_close(&made);
    return tc_leave(&v, status);
}

tilecut_status tilecut_volume_check(const tilecut_volume_arrays *from)
{
    tilecut_graph graph;
    NEED(tc_graph_of_volume(&graph, from));
    return tc_graph_check(&graph, 0, graph.height * graph.depth, 0, 1);
}

static void fill(int32_t *to, size_t count, int32_t value)
{
    for (size_t i = 0; i < count; i++) to[i] = value;
}

/* Copies numbers of the window to the window's place in the whole volume. */
static void place(const tc_volume *v, const int32_t *from, int32_t *to)
{
    const tc_block *const w = &v->window;
    for (int z = 0; z < w->depth; z++)
        for (int y = 0; y < w->height; y++, from += w->width)
            memcpy(to + tc_block_at(&v->whole, w->x, w->y + y, w->z + z), from, (size_t)w->width * sizeof *to);
}

tilecut_status tilecut_volume_capacities(const tilecut_volume *volume, const uint8_t *seeds,
                                         const tilecut_params *params, int32_t *source, int32_t *sink,
                                         int32_t *links, double *quantum)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    int32_t *memory = NULL;
    tilecut_volume voxels;
    tc_volume made = {0};

    if (!volume || !source || !sink || !links)
        return tc_fail(TILECUT_EINVAL, "volume, source, sink and links must be given");
    TRY(tc_volume_read(&voxels, volume));
    TRY(tc_enter(&v, params, 0, 0, NULL, false, NULL));
    if (v.setup.connectivity == 26)
        TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; capacities are those of 6 neighbours"));
    TRY(tc_volume_learn(&made, &voxels, seeds, &v.setup));
    const size_t count = tc_graph_pixels(made.graph), all = tc_block_pixels(&made.whole);
    memory = malloc(5 * count * sizeof *memory);
    if (!memory) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the capacities of %zu voxels", count));
    TRY(tc_volume_write(made.graph, v.setup.threads, memory));
    fill(source, all, 0);
    fill(sink, all, made.graph->energy.seed_capacity); /* all voxels outside of a window are background */
    fill(links, 3 * all, 0);
    place(&made, memory, source);
    place(&made, memory + count, sink);
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) place(&made, memory + (2 + k) * count, links + k * all);
    if (quantum) *quantum = made.graph->energy.quantum;
done:
    free(memory);
    tc_volume_close(&made);
    return tc_leave(&v, status);
}

tilecut_status tilecut_volume_solve(const tilecut_volume_arrays *from, const tilecut_params *params, uint8_t *mask,
                                    tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    tilecut_graph graph;

    TRY(tc_graph_of_volume(&graph, from));
    TRY(tc_enter(&v, params, graph.width, graph.height * graph.depth, mask, true, report));
    graph.unchecked = true;
    TRY(tc_solve(&graph, &v.setup, NULL, v.mask.to, NULL, &v.result));
done:
    return tc_leave(&v, status);
}
