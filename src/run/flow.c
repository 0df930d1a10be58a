/* SPDX-License-Identifier: MIT
 *
 * flow.c - turns a maximum preflow into a flow.
 *
 * For a cut a preflow is as good as a flow, and cheaper, so solvers leave excess where it is stuck. To make a flow,
 * this excess has to return over the links over which it came (Goldberg & Tarjan's second phase). That is another
 * maximum flow problem on the residual graph: pixels with stuck excess are its sources, and pixels that got flow from
 * the source can take back at most that amount. A solver of the table solves it.
 */
#include "graph.h"
#include "solve.h"
#include "status.h"

/* Writes the flow to the sink of row y, and sets the excesses for returning the rest: stuck excess has to move, and a
 * pixel can take back as much as it got from the source. */
static void turn_round(tc_grid *grid, int y, const tilecut_row *row, const tilecut_flow *flow)
{
    for (int x = 0; x < grid->width; x++) {
        float *const excess = &grid->excess[tc_grid_at(grid, x, y)];
        const int32_t given = row->source[x] - row->sink[x], left = (int32_t)*excess;
        const int32_t straight = given > 0 ? row->sink[x] : row->source[x];
        flow->sink[(size_t)y * (size_t)grid->width + (size_t)x] =
            straight + (given < 0 ? (left < 0 ? left : 0) - given : 0);
        *excess = (float)((left > 0 ? left : 0) - (given > 0 ? given : 0));
    }
}

/* The grid's direction for each forward link of the interface. */
static const int direction[TILECUT_LINKS] = {TC_RIGHT, TC_DOWN, TC_DOWN_RIGHT, TC_DOWN_LEFT};

/* Writes a row of the flow. Returns false if some excess is still stuck, which must not happen. */
static bool write_row(const tc_grid *grid, int y, const tilecut_row *row, const tilecut_flow *flow)
{
    for (int x = 0; x < grid->width; x++) {
        const ptrdiff_t node = (ptrdiff_t)tc_grid_at(grid, x, y);
        const size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
        const int32_t straight = row->source[x] < row->sink[x] ? row->source[x] : row->sink[x];
        if (grid->excess[node] > 0) return false;
        flow->source[p] = straight - (int32_t)grid->excess[node];
        for (int k = 0; k < grid->connectivity / 2; k++)
            flow->to[k][p] = row->to[k][x] - (int32_t)*tc_residual(grid, node, direction[k]);
    }
    return true;
}

tilecut_status tc_flow_read(tc_grid *grid, const tilecut_graph *graph, const tc_solve_params *params,
                            const tilecut_flow *flow)
{
    tilecut_status status = TILECUT_OK;
    tc_solve_stats stats = {0};
    tilecut_row row;
    TRY(tc_row_init(&row, grid->width));
    for (int y = 0; y < grid->height; y++) {
        tc_graph_row(graph, y, &row);
        turn_round(grid, y, &row, flow);
    }
    tc_grid_clear(grid);
    TRY(tc_solver_solve(tc_solver_for(TC_FOR_ANY_NEIGHBOURS, grid), grid, params, &stats));
    for (int y = 0; y < grid->height; y++) {
        tc_graph_row(graph, y, &row);
        if (!write_row(grid, y, &row, flow)) {
            status = tc_fail(TILECUT_EUNPROVEN, "excess in row %d does not find back to the source", y);
            goto done;
        }
    }
done:
    tc_row_free(&row);
    return status;
}
