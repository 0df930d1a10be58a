/* SPDX-License-Identifier: MIT
 *
 * graph_shape.c - grids in memory, and their rows for writers; see graph_file.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_file.h"

graph_step graph_step_of(int connectivity, int k)
{
    static const graph_step plane[TILECUT_LINKS] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const graph_step space[TILECUT_VOLUME_LINKS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return connectivity == 6 ? space[k] : plane[k];
}

void graph_shape_text(const graph_shape *s, char out[GRAPH_SHAPE_TEXT])
{
    const int used = snprintf(out, GRAPH_SHAPE_TEXT, "%lldx%lld", (long long)s->width, (long long)s->height);
    if (s->connectivity == 6) snprintf(out + used, GRAPH_SHAPE_TEXT - (size_t)used, "x%lld", (long long)s->depth);
}

/* Bytes per pixel besides the capacities: for terminals while the file is read, later for the grid and the solver. */
enum { BESIDE_4 = 40, BESIDE_8 = 56 };

static int check_shape(const char *name, const graph_shape *s, failure *why)
{
    const int64_t sides[3] = {s->width, s->height, s->depth};
    char size[GRAPH_SHAPE_TEXT];
    bool fits = true;
    graph_shape_text(s, size);
    for (int k = 0; k < 3; k++) fits = fits && sides[k] >= 1 && sides[k] <= TILECUT_MAX_SIDE;
    if (!fits) return fail(why, EXIT_INPUT, "%s: a grid of %s; sides must be 1 to %d", name, size, TILECUT_MAX_SIDE);
    if (s->connectivity == 6 && s->width * s->height >= (INT64_C(1) << 30) / s->depth)
        return fail(why, EXIT_INPUT, "%s: a grid of %s; in space there may be fewer than 2^30 voxels", name, size);
    return EXIT_DONE;
}

int saved_graph_init(saved_graph *graph, const char *name, const graph_shape *shape, bool symmetric, failure *why)
{
    const uint64_t most = graph->max_bytes;
    graph_any *const any = graph->any;
    char size[GRAPH_SHAPE_TEXT];
    *graph = (saved_graph){.max_bytes = most, .any = any};
    if (check_shape(name, shape, why)) return why->status;
    graph_shape_text(shape, size);
    const size_t pixels = (size_t)(shape->width * shape->height * shape->depth);
    const int links = shape->connectivity / 2;
    const size_t planes = 2 + (size_t)links * (symmetric ? 1 : 2);
    const uint64_t need = (uint64_t)pixels * (planes * sizeof(int32_t) +
                                              (shape->connectivity == 4 ? BESIDE_4 : BESIDE_8));
    if (most && need > most)
        return fail(why, EXIT_RESOURCES, "%s: cutting a graph of %s takes about %.0f MB of memory, but only %.0f MB "
                    "may be used", name, size, (double)need / 1e6, (double)most / 1e6);
    int32_t *cells = calloc(pixels * planes, sizeof *cells);
    if (!cells)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for a graph of %s (%zu MB)", name, size,
                    pixels * planes * sizeof *cells >> 20);
    *graph = (saved_graph){.width = (int)shape->width, .height = (int)shape->height, .depth = (int)shape->depth,
                           .connectivity = shape->connectivity, .quantum = 1, .cells = cells, .max_bytes = most,
                           .any = any, .arrays = {.width = (int)shape->width, .height = (int)shape->height,
                                                  .source = cells, .sink = cells + pixels}};
    for (int k = 0; k < links; k++) {
        graph->arrays.to[k] = cells + pixels * (size_t)(2 + k);
        if (!symmetric) graph->arrays.from[k] = cells + pixels * (size_t)(2 + links + k);
    }
    return EXIT_DONE;
}

void saved_graph_free(saved_graph *graph)
{
    free(graph->cells);
    *graph = (saved_graph){0};
}

tilecut_volume_arrays saved_graph_volume(const saved_graph *graph)
{
    const tilecut_arrays *const a = &graph->arrays;
    return (tilecut_volume_arrays){.width = graph->width, .height = graph->height, .depth = graph->depth,
                                   .source = a->source, .sink = a->sink, .to = {a->to[0], a->to[1], a->to[2]},
                                   .from = {a->from[0], a->from[1], a->from[2]}};
}

int32_t *saved_graph_to(const saved_graph *graph, int k, size_t p)
{
    return graph->cells + (graph->arrays.to[k] - graph->cells) + p;
}

int32_t *saved_graph_from(const saved_graph *graph, int k, size_t p)
{
    if (!graph->arrays.from[k]) return saved_graph_to(graph, k, p);
    return graph->cells + (graph->arrays.from[k] - graph->cells) + p;
}

int64_t saved_graph_node(const saved_graph *graph, size_t p)
{
    const int64_t low = graph->source_id < graph->sink_id ? graph->source_id : graph->sink_id;
    const int64_t high = graph->source_id < graph->sink_id ? graph->sink_id : graph->source_id;
    int64_t id = (int64_t)p;
    if (!low) return id;
    id += 1;
    id += id >= low;
    return id + (id >= high);
}

bool graph_source_has(const graph_source *source, int x, int r, int k)
{
    const graph_step step = graph_step_of(source->connectivity, k);
    return x + step.x >= 0 && x + step.x < source->width && r % source->height + step.y < source->height &&
           r / source->height + step.z < source->depth;
}

static void volume_row(const graph_source *source, int r)
{
    const tilecut_volume_arrays *const v = source->volume;
    const tilecut_row *const row = &source->row;
    const size_t width = (size_t)source->width, first = (size_t)r * width;
    memcpy(row->source, v->source + first, width * sizeof *row->source);
    memcpy(row->sink, v->sink + first, width * sizeof *row->sink);
    for (int k = 0; k < TILECUT_VOLUME_LINKS; k++)
        for (size_t x = 0; x < width; x++) {
            const bool there = graph_source_has(source, (int)x, r, k);
            row->to[k][x] = there ? v->to[k][first + x] : 0;
            row->from[k][x] = there ? (v->from[k] ? v->from[k] : v->to[k])[first + x] : 0;
        }
}

void graph_source_row(const graph_source *source, int r)
{
    tilecut_row row = source->row;
    if (source->volume) volume_row(source, r);
    else tilecut_graph_row(source->graph, r, &row);
}
