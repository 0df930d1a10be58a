/* SPDX-License-Identifier: MIT
 *
 * check_residuals.c - tc_check_residuals() of build_grid.h. It works on one row of a tile at a time and on one
 * direction after the other, in loops over 32 pixels that do not depend on each other.
 */
#include <string.h>

#include "build_grid.h"
#include "simd.h"
#include "wide.h"

/* The residuals and capacities of a row of a tile in four directions. own_* hold copies if the row is incomplete or
 * links lie by node. */
typedef struct links {
    const float *residual[4];
    const int32_t *capacity[4]; /* [TC_TILE] each, 0 where there is no link */
    float own_residual[4][TC_TILE];
    int32_t own_capacity[4][TC_TILE];
} links;

/* Adds to `net` the flow that follows from residuals and capacities. Returns the number of residuals that are negative
 * or not whole. A residual that is out of range or not a number is replaced by 0; the comparison with the original then
 * counts it. */
TC_VECTOR_LOOP static int32_t add_flow(const float *restrict residual, const int32_t *restrict capacity,
                                       int32_t *restrict net)
{
    int32_t violations = 0;
    for (int i = 0; i < TC_TILE; i++) {
        const float r = residual[i];
        const int32_t whole = (int32_t)(((r >= 0) & (r < TC_EXACT_LIMIT)) ? r : 0.0f);
        violations += (float)whole != r;
        net[i] += capacity[i] - whole;
    }
    return violations;
}

/* Returns how many of n links violate: residual + residual of the other end = sum of the two capacities. */
TC_VECTOR_LOOP static int32_t check_pairs(const float *restrict residual, const float *restrict back,
                                          const int32_t *restrict to, const int32_t *restrict from, int n)
{
    int32_t violations = 0;
    for (int i = 0; i < n; i++) violations += residual[i] + back[i] != (float)(to[i] + from[i]);
    return violations;
}

/* Returns how many residuals are not zero where there is no link. */
static int32_t check_none(const float *residual, tc_span s)
{
    int32_t violations = 0;
    for (int i = 0; i < s.first; i++) violations += residual[i] != 0;
    for (int i = s.end; i < TC_TILE; i++) violations += residual[i] != 0;
    return violations;
}

TC_VECTOR_LOOP static void sort_nodes(const tc_float4 *restrict node, float (*restrict row)[TC_TILE])
{
    for (int i = 0; i < TC_TILE; i++)
        for (int d = 0; d < 4; d++) row[d][i] = node[i].to[d];
}

/* Reads the residuals in direction d of n nodes, beginning with node p, of a grid whose links lie by node. */
TC_VECTOR_LOOP static void read_nodes(const tc_grid *grid, size_t p, int d, int n, float *restrict row)
{
    const ptrdiff_t at = (ptrdiff_t)p;
    const float *const first = grid->wide ? tc_wide_residual(grid, at, d) : tc_residual(grid, at, d);
    const ptrdiff_t stride = grid->wide ? TC_WIDE_DIRECTIONS : 4;
    for (int i = 0; i < n; i++) row[i] = first[i * stride];
}

/* Reads the residuals of a row of a tile that begins at node p, in `count` directions, beginning with `first`. */
static void read_residuals(const tc_grid *grid, int first, int count, size_t p, links *l)
{
    if (!grid->by_rows && !grid->wide) sort_nodes((first ? grid->diagonal : grid->residual) + p, l->own_residual);
    for (int d = 0; d < count; d++) {
        if (grid->wide) read_nodes(grid, p, first + d, TC_TILE, l->own_residual[d]);
        l->residual[d] = grid->by_rows ? tc_residual(grid, (ptrdiff_t)p, first + d) : l->own_residual[d];
    }
}

/* Reads the capacities in direction d; `row` is valid for the pixels in s. */
static void read_capacities(const int32_t *row, tc_span s, int d, links *l)
{
    l->capacity[d] = row;
    if (s.first == 0 && s.end == TC_TILE) return;
    memset(l->own_capacity[d], 0, sizeof l->own_capacity[d]);
    for (int i = s.first; i < s.end; i++) l->own_capacity[d][i] = row[i];
    l->capacity[d] = l->own_capacity[d];
}

/* Checks the forward links of kind k of n pixels of a row, beginning at column x, which all lead to the same tile. */
static int32_t check_span(const tc_grid *grid, const tc_row_view *row, const links *l, int k, int x, int n)
{
    const tc_link_steps step = tc_link_step(grid->connectivity, k);
    const int d = 2 * k + 1, there = x + step.x;
    const size_t p = tc_volume_at(grid, there, row->y + step.y, row->z + step.z);
    const bool same_row = step.y == 0 && step.z == 0 && there / TC_TILE == x / TC_TILE;
    float own[TC_TILE];
    const float *back = own; /* the residuals at the other ends of the links */
    if (same_row) back = l->residual[d & 3] + there % TC_TILE;
    else if (grid->by_rows) back = tc_residual(grid, (ptrdiff_t)p, d);
    else read_nodes(grid, p, d, n, own);
    return check_pairs(l->residual[2 * k & 3] + x % TC_TILE, back, row->to[k] + x, row->from[k] + x, n);
}

/* Reads the links of kind k, and the opposite links of the same pixels. Checks the former; of the opposite links only
 * the capacities are read. Returns the number of violations, including nonzero residuals where there is no link. */
static int32_t read_kind(const tc_grid *grid, const tc_row_view *row, int x0, int n, int k, links *l)
{
    const int d = 2 * k & 3, dx = tc_link_step(grid->connectivity, k).x;
    const tc_span to = row->to[k] ? tc_linked(x0, n, dx, grid->width) : (tc_span){0, 0};
    const tc_span from = row->back[k] ? tc_linked(x0, n, -dx, grid->width) : (tc_span){0, 0};
    /* the pixels up to the edge of the neighbouring tile */
    const int there = x0 + to.first + dx, rest = TC_TILE - there % TC_TILE;
    const int edge = to.first + rest < to.end ? to.first + rest : to.end;
    int32_t violations = check_none(l->residual[d], to) + check_none(l->residual[d ^ 1], from);

    read_capacities(row->to[k] ? row->to[k] + x0 : NULL, to, d, l);
    read_capacities(row->back[k] ? row->back[k] + x0 - dx : NULL, from, d ^ 1, l);
    if (!row->to[k]) return violations;
    if (edge > to.first) violations += check_span(grid, row, l, k, x0 + to.first, edge - to.first);
    if (to.end > edge) violations += check_span(grid, row, l, k, x0 + edge, to.end - edge);
    return violations;
}

int32_t tc_check_residuals(const tc_grid *grid, const tc_row_view *row, int x0, int32_t net[TC_TILE])
{
    const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
    int32_t violations = 0;

    memset(net, 0, TC_TILE * sizeof *net);
    for (int first = 0; first < grid->connectivity; first += 4) {
        const int count = grid->connectivity - first < 4 ? grid->connectivity - first : 4;
        links l;
        read_residuals(grid, first, count, tc_volume_at(grid, x0, row->y, row->z), &l);
        for (int k = first / 2; 2 * k < first + count; k++) violations += read_kind(grid, row, x0, n, k, &l);
        for (int d = 0; d < count; d++) violations += add_flow(l.residual[d], l.capacity[d], net);
    }
    return violations;
}
