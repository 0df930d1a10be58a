/* SPDX-License-Identifier: MIT
 *
 * flow.c - see flow.h.
 *
 * A preflow is as good as a flow for the cut, and cheaper, so solvers leave excess where it is stuck. To make it
 * a flow, that excess has to return over links that brought it (Goldberg & Tarjan's second phase). This is a
 * maximum flow problem on the residual graph again: stuck pixels give, and pixels that got something from the
 * source take back at most that much. A solver of the table does it.
 */
#include "flow.h"

#include <stdlib.h>

#include "status.h"

/* One row of capacities as tilecut_graph_row() gives them. */
typedef struct row_buffer {
    int32_t *cells;
    tilecut_row row;
} row_buffer;

static bool row_init(row_buffer *buffer, int width)
{
    const size_t line = (size_t)width;
    buffer->cells = malloc(line * (2 + 2 * TILECUT_LINKS) * sizeof *buffer->cells);
    if (!buffer->cells) return false;
    buffer->row.source = buffer->cells;
    buffer->row.sink = buffer->cells + line;
    for (size_t k = 0; k < TILECUT_LINKS; k++) {
        buffer->row.to[k] = buffer->cells + line * (2 + k);
        buffer->row.from[k] = buffer->cells + line * (2 + TILECUT_LINKS + k);
    }
    return true;
}

/* Turns round what pixels want: stuck excess is to move, what the source gave is room. What the sink took is
 * known already and written. */
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

/* The direction in the grid of each forward link of the interface. */
static const int direction[TILECUT_LINKS] = {TC_RIGHT, TC_DOWN, TC_DOWN_RIGHT, TC_DOWN_LEFT};

/* False: something is still stuck, which cannot be. */
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
    row_buffer buffer;
    if (!row_init(&buffer, grid->width)) return tc_fail(TILECUT_ENOMEM, "no memory for a row of capacities");
    for (int y = 0; y < grid->height; y++) {
        tilecut_graph_row(graph, y, &buffer.row);
        turn_round(grid, y, &buffer.row, flow);
    }
    tc_grid_clear(grid);
    TRY(tc_solver_solve(tc_solver_find("bk"), grid, params, &stats)); /* takes 4 and 8 neighbours */
    for (int y = 0; y < grid->height; y++) {
        tilecut_graph_row(graph, y, &buffer.row);
        if (!write_row(grid, y, &buffer.row, flow)) {
            status = tc_fail(TILECUT_EUNPROVEN, "excess in row %d does not find back to the source", y);
            goto done;
        }
    }
done:
    free(buffer.cells);
    return status;
}
