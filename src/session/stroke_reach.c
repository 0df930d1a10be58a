/* SPDX-License-Identifier: MIT */
#include "stroke_reach.h"

#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "energy_math.h"
#include "status.h"

/* Distances in the window to all pixels of one of two roles. */
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

tilecut_status tc_stroke_reach_init(tc_stroke_reach *reach, tc_stroke_window *in, const tc_stroke_task *task)
{
    const size_t pixels = tc_block_pixels(&in->window);
    const tc_energy *const energy = &task->graph->energy;
    const double one[3] = {1, 1, 1}, *const spacing = energy->slice_rows ? energy->spacing : one;
    *reach = (tc_stroke_reach){.distance = NULL};
    if (!task->graph->from_image || !energy->color_bits) return TILECUT_OK;
    reach->distance = malloc(pixels * sizeof *reach->distance);
    if (!reach->distance) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    measure_distances(in, spacing, TC_ROLE_SAME, TC_ROLE_STROKE_SAME, reach->distance);
    reach->depth = deepest(in, reach->distance); /* TC_CHAMFER_NOWHERE: no distance is far */
    measure_distances(in, spacing, TC_ROLE_STROKE, TC_ROLE_STROKE, reach->distance);
    reach->most = tc_capacity_within(TC_REACH_NATS, energy->data_weight / energy->quantum);
    for (size_t p = 0; p < pixels; p++)
        if (in->role[p] == TC_ROLE_FREE && reach->distance[p] > task->within) in->role[p] = TC_ROLE_OTHER;
    return TILECUT_OK;
}

static bool adds_much(const tc_stroke_task *task, const tc_stroke_change *change)
{
    const size_t pixels = tc_graph_pixels(task->graph);
    size_t object = 0;
    if (task->graph->depth > 1 || task->stroke->label != TILECUT_FOREGROUND) return false;
    for (size_t p = 0; p < pixels; p++) object += task->mask[p] != 0;
    return object && (double)change->pixels > TC_REACH_ADDS * (double)object;
}

tilecut_status tc_stroke_reach_limit(tc_stroke_task *task, const tc_stroke_change *change)
{
    const tc_block *const w = &change->window;
    const size_t pixels = tc_block_pixels(w);
    const tilecut_stroke *const s = task->stroke;
    int depth = 0;
    if (!adds_much(task, change)) return TILECUT_OK;
    uint16_t *const map = malloc(pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) map[p] = change->changed[p] ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer(map, w->width, w->height);
    for (int y = s->y; y < s->y + s->height; y++)
        for (int x = s->x; x < s->x + s->width; x++) {
            const int d = map[tc_block_at(w, x, y, 0)];
            if (d > depth && tc_stroke_paints(s, x, y)) depth = d;
        }
    task->within = (int)(TC_REACH_AROUND * depth);
    free(map);
    return TILECUT_OK;
}

void tc_stroke_reach_free(tc_stroke_reach *reach)
{
    free(reach->distance);
    memset(reach, 0, sizeof *reach);
}
