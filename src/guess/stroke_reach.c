/* SPDX-License-Identifier: MIT */
#include "stroke_reach.h"

#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "energy_math.h"
#include "status.h"
#include "stroke_leak.h"
#include "stroke_window.h"

/* Computes distances in the window to all pixels of one of two roles. */
static void measure_distances(const tc_stroke_window *in, const double *spacing, uint8_t role, uint8_t or,
                              uint16_t *distance)
{
    const tc_block *const w = &in->window;
    const size_t pixels = tc_block_pixels(w);
    for (size_t p = 0; p < pixels; p++) distance[p] = in->role[p] == role || in->role[p] == or ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer_space(distance, w->width, w->height, w->depth, spacing);
}

static int deepest(const tc_stroke_window *in, const uint16_t *distance)
{
    const size_t pixels = tc_block_pixels(&in->window);
    int depth = 0;
    for (size_t p = 0; p < pixels; p++)
        if (in->role[p] == TC_ROLE_STROKE && distance[p] > depth) depth = distance[p];
    return depth;
}

/* True if the stroke is a line (stroke_leak.h). In space nothing counts as one. `map` is memory for distances. */
static bool is_line(const tc_stroke_window *in, uint16_t *map)
{
    const tc_block *const w = &in->window;
    int64_t count = 0;
    int widest = 0;
    if (w->depth > 1) return false;
    for (size_t p = 0; p < tc_block_pixels(w); p++) map[p] = tc_role_is_painted(in->role[p]) ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer(map, w->width, w->height);
    for (size_t p = 0; p < tc_block_pixels(w); p++) {
        if (!tc_role_is_painted(in->role[p])) continue;
        widest = map[p] > widest ? map[p] : widest;
        count++;
    }
    return tc_is_line(count, widest);
}

/* Fixes the free pixels beyond the limit. */
static void hold_beyond(const tc_stroke_reach *reach, bool line, tc_stroke_window *in)
{
    const int limit = line ? reach->near : reach->far;
    for (size_t p = 0; p < tc_block_pixels(&in->window); p++)
        if (in->role[p] == TC_ROLE_FREE && reach->distance[p] > limit) in->role[p] = TC_ROLE_OTHER;
}

tilecut_status tc_stroke_reach_init(tc_stroke_reach *reach, tc_stroke_window *in, const tilecut_graph *graph,
                                    bool limited)
{
    const size_t pixels = tc_block_pixels(&in->window);
    const tc_energy *const energy = &graph->energy;
    const double one[3] = {1, 1, 1}, *const spacing = energy->slice_rows ? energy->spacing : one;
    *reach = (tc_stroke_reach){.distance = NULL};
    if (!graph->from_image || !energy->color_bits) return TILECUT_OK;
    reach->distance = malloc(pixels * sizeof *reach->distance);
    if (!reach->distance) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    measure_distances(in, spacing, TC_ROLE_SAME, TC_ROLE_STROKE_SAME, reach->distance);
    reach->depth = deepest(in, reach->distance);
    if (reach->depth == TC_CHAMFER_NOWHERE) {
        tc_stroke_reach_free(reach);
        return TILECUT_OK;
    }
    reach->near = (limited ? TC_LIMIT_NEAR : TC_REACH_NEAR) * reach->depth;
    reach->far = (limited ? TC_LIMIT_FAR : TC_REACH_FAR) * reach->depth;
    const bool line = limited && is_line(in, reach->distance);
    measure_distances(in, spacing, TC_ROLE_STROKE, TC_ROLE_STROKE, reach->distance);
    if (limited) hold_beyond(reach, line, in);
    reach->most = tc_capacity_within(TC_REACH_NATS, energy->data_weight / energy->quantum);
    return TILECUT_OK;
}

void tc_stroke_reach_free(tc_stroke_reach *reach)
{
    free(reach->distance);
    memset(reach, 0, sizeof *reach);
}
