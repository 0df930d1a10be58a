/* SPDX-License-Identifier: MIT */
#include "wide_scene.h"

#include <stdlib.h>

#include "random_graph.h"
#include "solve.h"
#include "part_enter.h"
#include "tilecut_network.h"

#include <check.h> /* must come last: check.h defines a macro named fail */

enum { PLANES = 2 + WIDE_SCENE_LINKS };

size_t wide_scene_voxels(const wide_scene *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

void wide_scene_draw(wide_scene *s, uint64_t seed, int width, int height, int depth)
{
    uint64_t state = seed;
    *s = (wide_scene){.width = width, .height = height, .depth = depth};
    const size_t n = wide_scene_voxels(s);
    const int rare = 1 + random_below(&state, 20), shut = 1 + random_below(&state, 6);
    const int most = 1 + random_below(&state, 20);
    const bool apart = random_below(&state, 2) == 0; /* if true, sources are only in front and sinks only behind */
    s->memory = malloc(PLANES * n * sizeof *s->memory);
    for (size_t i = 0; i < PLANES * n; i++) {
        const bool terminal = i < 2 * n, front = i % n < n / 3;
        s->memory[i] = random_below(&state, terminal ? rare : shut) ? 0
                                                                    : random_below(&state, (terminal ? 20 : 1) * most);
        if (terminal && apart && (i < n) != front) s->memory[i] = 0;
    }
    s->source = s->memory, s->sink = s->memory + n;
    for (size_t k = 0; k < WIDE_SCENE_LINKS; k++) s->link[k] = s->memory + (2 + k) * n;
}

void wide_scene_free(wide_scene *s)
{
    free(s->memory);
}

int64_t wide_scene_end(const wide_scene *s, size_t i, int k)
{
    const tc_link_steps step = tc_link_step(26, k);
    const int64_t w = s->width, h = s->height, x = (int64_t)i % w + step.x, y = (int64_t)i / w % h + step.y;
    const int64_t z = (int64_t)i / w / h + step.z;
    return x < 0 || x >= w || y < 0 || y >= h || z >= s->depth ? -1 : (z * h + y) * w + x;
}

/* ---- Answers of others ------------------------------------------------------------------------ */

static int64_t cost_of(const wide_scene *s, unsigned foreground)
{
    const size_t voxels = wide_scene_voxels(s);
    int64_t cost = 0;
    for (size_t i = 0; i < voxels; i++) {
        cost += foreground >> i & 1 ? s->sink[i] : s->source[i];
        for (int k = 0; k < WIDE_SCENE_LINKS; k++) {
            const int64_t j = wide_scene_end(s, i, k);
            if (j >= 0 && (foreground >> i & 1) != (foreground >> j & 1)) cost += s->link[k][i];
        }
    }
    return cost;
}

int64_t wide_scene_try_all(const wide_scene *s, unsigned *best)
{
    int64_t least = INT64_MAX;
    for (unsigned f = 0; f < 1u << wide_scene_voxels(s); f++) {
        const int64_t cost = cost_of(s, f);
        if (cost < least) *best = f, least = cost;
        else if (cost == least) *best |= f;
    }
    return least;
}

int64_t wide_scene_by_network(const wide_scene *s, uint8_t *side)
{
    const int64_t voxels = (int64_t)wide_scene_voxels(s);
    const size_t most = (size_t)voxels * (2 + 2 * WIDE_SCENE_LINKS);
    int32_t *const tail = malloc(most * sizeof *tail), *const head = malloc(most * sizeof *head);
    int64_t *const capacity = malloc(most * sizeof *capacity), arcs = 0;
    const int32_t source = (int32_t)voxels, sink = source + 1;
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    for (int32_t i = 0; i < source; i++) {
        tail[arcs] = source, head[arcs] = i, capacity[arcs++] = s->source[i];
        tail[arcs] = i, head[arcs] = sink, capacity[arcs++] = s->sink[i];
        for (int k = 0; k < WIDE_SCENE_LINKS; k++) {
            const int64_t j = wide_scene_end(s, (size_t)i, k);
            if (j < 0) continue;
            tail[arcs] = i, head[arcs] = (int32_t)j, capacity[arcs++] = s->link[k][i];
            tail[arcs] = (int32_t)j, head[arcs] = i, capacity[arcs++] = s->link[k][i];
        }
    }
    const tilecut_network_arcs all = {.nodes = voxels + 2, .arcs = arcs, .tail = tail, .head = head,
                                      .capacity = capacity, .sources = &source, .source_count = 1, .sinks = &sink,
                                      .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&network, &all), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, side, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    free(tail);
    free(head);
    free(capacity);
    return report.flow;
}

/* ---- Cuts ------------------------------------------------------------------------------------- */

static tilecut_graph graph_of(const wide_scene *s, int depth, int32_t *const plane[PLANES])
{
    tilecut_graph g = {.width = s->width, .height = s->height, .depth = depth, .connectivity = 26,
                       .arrays = {.source = plane[0], .sink = plane[1]}};
    for (int k = 0; k < TC_LINKS; k++) g.arrays.to[k] = g.arrays.from[k] = plane[2 + k];
    return g;
}

/* Lists all arrays in their order in memory. */
static void planes_of(const wide_scene *s, int32_t *plane[PLANES])
{
    plane[0] = s->source, plane[1] = s->sink;
    for (int k = 0; k < WIDE_SCENE_LINKS; k++) plane[2 + k] = s->link[k];
}

tilecut_graph wide_scene_graph(const wide_scene *s)
{
    int32_t *plane[PLANES];
    planes_of(s, plane);
    return graph_of(s, s->depth, plane);
}

tilecut_status wide_scene_cut(const wide_scene *s, int threads, uint8_t *mask, tilecut_report *report)
{
    const tc_setup setup = {.threads = threads};
    const tilecut_graph g = wide_scene_graph(s);
    const tilecut_status status = tc_graph_check(&g, 0, g.height * g.depth, 0, threads);
    return status == TILECUT_OK ? tc_solve(&g, &setup, NULL, mask, NULL, report) : status;
}

/* Cuts one part as the library does after it has checked the arguments. */
static void cut_slab(piece *p)
{
    const wide_scene *const s = p->of;
    int32_t *plane[PLANES];
    planes_of(s, plane);
    for (int i = 0; i < PLANES; i++) plane[i] = piece_rows(p, plane[i], p->row * sizeof **plane);
    const tilecut_graph g = graph_of(s, p->rows, plane);
    tc_part part = {0};
    const tc_setup setup = {.threads = 1 + p->number % 2, .comm = &part.comm};
    p->status = tc_part_enter(&part, &p->part);
    const int first = part.comm.first * s->height, end = first + part.comm.rows * s->height;
    if (p->status == TILECUT_OK) p->status = tc_graph_check(&g, first, end, part.comm.above, 1);
    if (p->status == TILECUT_OK) p->status = tc_solve(&g, &setup, NULL, p->mask, NULL, &p->report);
    p->status = tc_part_leave(&part, &p->more, p->status);
    for (int i = 0; i < PLANES; i++) free(plane[i]);
}

void wide_scene_cut_in_parts(const wide_scene *s, int parts, piece pieces[MOST_PIECES], uint8_t *mask)
{
    const size_t slice = (size_t)s->width * (size_t)s->height;
    pieces_cut(pieces, parts, s->depth, slice, cut_slab, s, mask, false);
}
