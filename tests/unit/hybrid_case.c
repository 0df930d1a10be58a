/* SPDX-License-Identifier: MIT */
#include "hybrid_case.h"

#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "cut.h"

static const tilecut_graph *graph_of(const hybrid_case *c)
{
    return c->graph ? c->graph : &c->of_volume;
}

bool hybrid_case_init(hybrid_case *c, const tilecut_graph *graph, const tilecut_volume_arrays *volume)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    *c = (hybrid_case){.graph = graph};
    if (volume && tc_graph_of_volume(&c->of_volume, volume) != TILECUT_OK) return false;
    c->pixels = tc_graph_pixels(graph_of(c));
    c->mask = malloc(c->pixels);
    if (!c->mask) return false;
    params.solver = "bk";
    const tilecut_status status = graph ? tilecut_graph_solve(graph, &params, c->mask, &report)
                                        : tilecut_volume_solve(volume, &params, c->mask, &report);
    c->flow = report.flow;
    return status == TILECUT_OK;
}

void hybrid_case_free(hybrid_case *c)
{
    free(c->mask);
    memset(c, 0, sizeof *c);
}

bool hybrid_case_grid(const hybrid_case *c, tc_grid *grid)
{
    const tilecut_graph *const g = graph_of(c);
    return tc_grid_init_lattice(grid, g->width, g->height, g->depth, g->connectivity, 0) == TILECUT_OK &&
           tc_grid_build(grid, g, 1) == TILECUT_OK;
}

const char *hybrid_case_wrong(const hybrid_case *c, tc_grid *grid)
{
    uint8_t *const mask = malloc(c->pixels);
    tc_labels labels = {0};
    int64_t flow = 0, cut = 0;
    const char *wrong = "no memory";
    if (!mask || tc_cut(grid, 1, &labels) != TILECUT_OK) goto done;
    const tilecut_status proven = tc_certify(grid, graph_of(c), &labels, 1, &flow, &cut);
    tc_labels_mask(grid, &labels, 1, mask);
    wrong = proven != TILECUT_OK              ? tilecut_error_detail()
            : flow != c->flow                 ? "another flow"
            : memcmp(mask, c->mask, c->pixels) ? "another mask"
                                              : NULL;
done:
    tc_labels_free(&labels);
    free(mask);
    return wrong;
}

int tile_over(const tc_grid *grid, size_t p, int d)
{
    static const int step_x[8] = {1, -1, 0, 0, 1, -1, -1, 1}, step_y[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    static const int way[3][3] = {{TC_UP_LEFT, TC_UP, TC_UP_RIGHT}, {TC_LEFT, -1, TC_RIGHT},
                                  /* the directions that lead to a tile below or to the right */
                                  {TC_DOWN_LEFT, TC_DOWN, TC_DOWN_RIGHT}};
    if (grid->slice_rows && d >= 4) return d;
    const int x = (int)(p % TC_TILE) + step_x[d], y = (int)(p / TC_TILE % TC_TILE) + step_y[d];
    return way[1 + (y >= TC_TILE) - (y < 0)][1 + (x >= TC_TILE) - (x < 0)];
}

ptrdiff_t node_over(const tc_grid *grid, size_t p, int d)
{
    const ptrdiff_t slice = (ptrdiff_t)grid->tiles_x * grid->slice_rows * TC_TILE_NODES, at = (ptrdiff_t)p;
    const ptrdiff_t q = slice && d >= 4 ? at + (d == TC_BEHIND ? slice : -slice)
                                        : tc_neighbour8(grid->tiles_x, at, d);
    return q < 0 || (size_t)q >= grid->nodes ? -1 : q;
}
