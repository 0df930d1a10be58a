/* SPDX-License-Identifier: MIT
 *
 * cells.c - see cells.h. Links between pixels of the same cell are left out, because a cell is never cut. Capacities
 * are added up in 64 bits. At the end the sums are divided by the number of pixels of a whole cell, or by twice that
 * number or more if they would be too large.
 */
#include "cells.h"

#include <stdlib.h>

#include "status.h"

typedef struct adding {
    const tilecut_graph *from;
    tc_cells *cells;
    int64_t *favour, *link; /* [cells] sums of source - sink; [connectivity][cells] sums of links, by direction */
} adding;

static int cells_along(int side, int factor) { return (side + factor - 1) / factor; }

/* Returns the direction of a step over the given numbers of cells; -1 if the step stays in its cell. */
static int direction(int connectivity, int x, int y, int z)
{
    for (int k = 0; k < connectivity / 2; k++) {
        const tc_link_steps s = tc_link_step(connectivity, k);
        if (s.x == x && s.y == y && s.z == z) return 2 * k;
        if (s.x == -x && s.y == -y && s.z == -z) return 2 * k + 1;
    }
    return -1;
}

/* Adds a link between two cells that are no neighbours in the smaller graph: it is added to each link of the path
 * between them, along x, then y, then z. A cut between the two cells then cuts at least one of these links. */
static void add_way(const adding *a, size_t cell, const int step[3], int32_t to, int32_t from)
{
    const tilecut_graph *const g = &a->cells->graph;
    const size_t cells = tc_cells_count(a->cells);
    const ptrdiff_t apart[3] = {1, g->width, (ptrdiff_t)g->width * g->height};
    for (int axis = 0; axis < 3; axis++) {
        if (!step[axis]) continue;
        const int way = direction(g->connectivity, axis == 0 ? step[0] : 0, axis == 1 ? step[1] : 0,
                                  axis == 2 ? step[2] : 0);
        a->link[(size_t)way * cells + cell] += to;
        cell = (size_t)((ptrdiff_t)cell + step[axis] * apart[axis]);
        a->link[(size_t)(way ^ 1) * cells + cell] += from;
    }
}

/* Adds the links of kind k that begin in a row of pixels. */
static void add_links(const adding *a, const tc_row_view *row, int k, size_t first)
{
    const tilecut_graph *const g = &a->cells->graph;
    const int n = g->connectivity, f = a->cells->factor;
    const tc_link_steps s = tc_link_step(a->from->connectivity, k);
    const tc_span linked = tc_linked(0, a->from->width, s.x, a->from->width);
    const size_t cells = tc_cells_count(a->cells);
    const int y = (row->y + s.y) / f - row->y / f, z = (row->z + s.z) / f - row->z / f;
    const int ways[3] = {direction(n, -1, y, z), direction(n, 0, y, z), direction(n, 1, y, z)};
    const ptrdiff_t w = g->width, h = g->height, apart = w * (y + h * z);
    for (int x = linked.first; x < linked.end; x++) {
        const int from = x / f, along = (x + s.x) / f - from, way = ways[1 + along];
        const size_t cell = first + (size_t)from, other = (size_t)((ptrdiff_t)cell + along + apart);
        if (way < 0 && (along || y || z)) add_way(a, cell, (const int[3]){along, y, z}, row->to[k][x], row->from[k][x]);
        if (way < 0) continue;
        a->link[(size_t)way * cells + cell] += row->to[k][x];
        a->link[(size_t)(way ^ 1) * cells + other] += row->from[k][x];
    }
}

/* Along the axes, the area of a surface is measured in city blocks: on average over all directions that is 3/2 of its
 * true area. */
static void even_out(const adding *a, size_t links)
{
    for (size_t i = 0; i < links; i++) a->link[i] = a->link[i] * 2 / 3;
}

static void add_row(void *context, const tc_row_view *row, int tile_row)
{
    const adding *const a = context;
    const tilecut_graph *const from = a->from;
    const int y = row->z * from->height + row->y;
    const size_t first = tc_cell_of(a->cells, from->height, 0, y);
    (void)tile_row;
    for (int x = 0; x < from->width; x++)
        a->favour[first + (size_t)(x / a->cells->factor)] += (int64_t)row->source[x] - row->sink[x];
    for (int k = 0; k < from->connectivity / 2; k++)
        if (row->to[k]) add_links(a, row, k, first);
}

static void find_fixed(const adding *a)
{
    const tilecut_graph *const from = a->from;
    if (!from->from_image || from->energy.soft_seeds || !from->energy.seeds) return;
    for (int y = 0; y < from->height * from->depth; y++) {
        const uint8_t *const seeds = from->energy.seeds + (size_t)y * (size_t)from->width;
        for (int x = 0; x < from->width; x++)
            if (seeds[x]) a->cells->fixed[tc_cell_of(a->cells, from->height, x, y)] = seeds[x];
    }
}

static int64_t size_of(int64_t v) { return v < 0 ? -v : v; }

/* Returns the divisor of the sums, chosen so that the capacities of a cell together stay below half of the range that
 * is exact. The other half is for favouring a class. */
static int64_t divisor(const adding *a, int64_t by)
{
    const size_t cells = tc_cells_count(a->cells);
    int64_t most = 0;
    for (size_t c = 0; c < cells; c++) {
        int64_t all = size_of(a->favour[c]);
        for (int way = 0; way < a->cells->graph.connectivity; way++) all += a->link[(size_t)way * cells + c];
        most = all > most ? all : most;
    }
    while (most / by >= 1 << 22) by *= 2;
    return by;
}

/* Returns the capacity of one unit of the model. A graph from arrays has no unit, so its strongest link is assumed to
 * have the default lambda. */
static double unit_of(const adding *a)
{
    enum { LAMBDA = 50 };
    if (a->from->from_image) return 1 / a->from->energy.quantum;
    const tc_capacities *const from = &a->from->arrays;
    int32_t most = 0;
    for (size_t p = 0; p < tc_graph_pixels(a->from); p++) most = from->to[0][p] > most ? from->to[0][p] : most;
    return most / (double)LAMBDA;
}

static void store(const adding *a, int64_t by)
{
    tc_cells *const c = a->cells;
    const size_t cells = tc_cells_count(c), row = (size_t)c->graph.connectivity;
    int32_t *next = c->favour + cells;
    c->source = next, c->sink = next + cells, next += 2 * cells;
    for (size_t i = 0; i < cells; i++) c->favour[i] = (int32_t)(a->favour[i] / by);
    for (size_t way = 0; way < row; way++, next += cells) {
        /* the graph stores both capacities of a link at the cell where the link begins; the sums store the one of the
         * way back at the cell where it ends */
        const tc_link_steps s = tc_link_step((int)row, (int)way / 2);
        const ptrdiff_t to = s.x + c->graph.width * (s.y + (ptrdiff_t)c->graph.height * s.z);
        const int64_t *const from = a->link + way * cells;
        for (size_t i = 0; i < cells; i++) {
            const size_t at = way % 2 ? i + (size_t)to : i;
            next[i] = at < cells ? (int32_t)(from[at] / by) : 0;
        }
        if (way % 2) c->graph.arrays.from[way / 2] = next;
        else c->graph.arrays.to[way / 2] = next;
    }
    c->graph.arrays.source = c->source, c->graph.arrays.sink = c->sink;
}

tilecut_status tc_cells_init(tc_cells *c, const tilecut_graph *graph, double most)
{
    adding a = {.from = graph, .cells = c};
    tilecut_status status = TILECUT_OK;
    int f = 1;
    *c = (tc_cells){.factor = 1};
    while ((int64_t)cells_along(graph->width, f) * cells_along(graph->height, f) * cells_along(graph->depth, f) >
           CELLS_MOST)
        f++;
    c->factor = f;
    c->graph = (tilecut_graph){.width = cells_along(graph->width, f), .height = cells_along(graph->height, f),
                               .depth = cells_along(graph->depth, f),
                               .connectivity = graph->connectivity == 26 ? 6 : graph->connectivity};
    const size_t cells = tc_cells_count(c), ways = (size_t)c->graph.connectivity;
    a.favour = calloc((1 + ways) * cells, sizeof *a.favour);
    c->memory = malloc((3 + ways) * cells * sizeof(int32_t));
    c->fixed = calloc(cells, 1);
    if (!a.favour || !c->memory || !c->fixed) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a smaller graph"));
    c->favour = c->memory;
    a.link = a.favour + cells;
    TRY(tc_graph_stream(graph, 1, add_row, &a));
    if (graph->connectivity == 26) even_out(&a, ways * cells);
    find_fixed(&a);
    const int64_t whole = (int64_t)f * f * (graph->depth > 1 ? f : 1), by = divisor(&a, whole);
    c->nat = unit_of(&a) * (double)whole / (double)by;
    if (c->nat * most > 1 << 22) c->nat = (1 << 22) / most;
    store(&a, by);
done:
    free(a.favour);
    return status;
}

void tc_cells_free(tc_cells *c)
{
    free(c->memory);
    free(c->fixed);
    *c = (tc_cells){0};
}
