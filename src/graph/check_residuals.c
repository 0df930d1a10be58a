/* SPDX-License-Identifier: MIT
 *
 * check_residuals.c - see check_residuals.h. Works on one row of a tile at a time, one direction after the other:
 * loops over 32 pixels without dependencies between them.
 */
#include "check_residuals.h"

#include <string.h>

#include "simd.h"

/* The pixels first .. end - 1 of a row of a tile, which have a link in a certain direction. */
typedef struct span {
    int first, end;
} span;

/* The residuals and capacities of a row of a tile in four directions. own_*: copies, if the row is not whole or links
 * lie by node. */
typedef struct links {
    const float *residual[4];
    const int32_t *capacity[4]; /* [TC_TILE] each, 0 where there is no link */
    float own_residual[4][TC_TILE];
    int32_t own_capacity[4][TC_TILE];
} links;

/* Adds to `net` the flow that follows from residuals and capacities. Returns how many residuals are negative or not
 * whole. One that is out of range, or not a number, is taken as 0, which then differs from it. */
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

/* How many of n links do not satisfy: residual + residual of the other end = sum of the two capacities. */
TC_VECTOR_LOOP static int32_t check_pairs(const float *restrict residual, const float *restrict back,
                                          const int32_t *restrict to, const int32_t *restrict from, int n)
{
    int32_t violations = 0;
    for (int i = 0; i < n; i++) violations += residual[i] + back[i] != (float)(to[i] + from[i]);
    return violations;
}

/* How many residuals are not zero where there is no link. */
static int32_t check_none(const float *residual, span s)
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

TC_VECTOR_LOOP static void read_nodes(const tc_float4 *restrict node, int d, int n, float *restrict row)
{
    for (int i = 0; i < n; i++) row[i] = node[i].to[d];
}

/* The pixels, among the n from (x0, y) on, whose neighbour at (dx, dy) from them is in the image. */
static span find_links(const tc_grid *grid, int x0, int n, int y, int dx, int dy)
{
    const bool row = y + dy >= 0 && y + dy < grid->height;
    return (span){x0 + dx < 0 ? 1 : 0, !row ? 0 : x0 + n + dx > grid->width ? n - 1 : n};
}

/* Reads the residuals of a row of a tile from node p on, in directions first .. first + 3. */
static void read_residuals(const tc_grid *grid, int first, size_t p, links *l)
{
    if (!grid->by_rows) sort_nodes((first ? grid->diagonal : grid->residual) + p, l->own_residual);
    for (int d = 0; d < 4; d++)
        l->residual[d] = grid->by_rows ? tc_residual(grid, (ptrdiff_t)p, first + d) : l->own_residual[d];
}

/* Reads the capacities in direction d; `row` is valid for the pixels in s. */
static void read_capacities(const int32_t *row, span s, int d, links *l)
{
    l->capacity[d] = row;
    if (s.first == 0 && s.end == TC_TILE) return;
    memset(l->own_capacity[d], 0, sizeof l->own_capacity[d]);
    for (int i = s.first; i < s.end; i++) l->own_capacity[d][i] = row[i];
    l->capacity[d] = l->own_capacity[d];
}

/* The residuals of the opposite ends of links of kind k, for n pixels from (x, y) on. These ends are (dx, dy) away,
 * all in one tile. Returns a pointer into `l`, into the grid, or to `own`. */
static const float *read_back(const tc_grid *grid, const links *l, int k, int x, int y, int dx, int dy, int n,
                              float own[TC_TILE])
{
    const int d = (2 * k) ^ 1, there = x + dx;
    const size_t p = tc_grid_at(grid, there, y + dy);
    if (dy == 0 && there / TC_TILE == x / TC_TILE) return l->residual[d & 3] + there % TC_TILE;
    if (grid->by_rows) return tc_residual(grid, (ptrdiff_t)p, d);
    read_nodes((d < 4 ? grid->residual : grid->diagonal) + p, d & 3, n, own);
    return own;
}

/* Checks the forward links of kind k of n pixels from (x, rows->y) on, all to the same tile, (dx, dy) away. */
static int32_t check_span(const tc_grid *grid, const tc_two_rows *rows, const links *l, int k, int x, int dx, int dy,
                          int n)
{
    float own[TC_TILE];
    const float *const back = read_back(grid, l, k, x, rows->y, dx, dy, n, own);
    return check_pairs(l->residual[2 * k % 4] + x % TC_TILE, back, rows->here.to[k] + x, rows->here.from[k] + x, n);
}

/* Reads the links of kind k, which lead to the pixels (dx, dy) away, and the opposite links of the same pixels.
 * Checks the former; of the latter only capacities are read. Returns the violations, including residuals where there
 * is no link. */
static int32_t read_kind(const tc_grid *grid, const tc_two_rows *rows, int x0, int n, int k, int dx, int dy, links *l)
{
    const int d = 2 * k % 4;
    const span to = find_links(grid, x0, n, rows->y, dx, dy), from = find_links(grid, x0, n, rows->y, -dx, -dy);
    const int32_t *const behind = (dy ? rows->above : rows->here).from[k];
    const int there = x0 + to.first + dx, rest = TC_TILE - there % TC_TILE; /* up to the edge of that tile */
    const int edge = to.first + rest < to.end ? to.first + rest : to.end;
    int32_t violations = check_none(l->residual[d], to) + check_none(l->residual[d ^ 1], from);

    read_capacities(rows->here.to[k] + x0, to, d, l);
    read_capacities(behind ? behind + x0 - dx : NULL, from, d ^ 1, l);
    if (edge > to.first) violations += check_span(grid, rows, l, k, x0 + to.first, dx, dy, edge - to.first);
    if (to.end > edge) violations += check_span(grid, rows, l, k, x0 + edge, dx, dy, to.end - edge);
    return violations;
}

int32_t tc_check_residuals(const tc_grid *grid, const tc_two_rows *rows, int x0, int32_t net[TC_TILE])
{
    static const int dx[TILECUT_LINKS] = {1, 0, 1, -1}, dy[TILECUT_LINKS] = {0, 1, 1, 1};
    const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
    int32_t violations = 0;

    memset(net, 0, TC_TILE * sizeof *net);
    for (int first = 0; first < grid->connectivity / 2; first += 2) {
        links l;
        read_residuals(grid, 2 * first, tc_grid_at(grid, x0, rows->y), &l);
        for (int k = first; k < first + 2; k++) violations += read_kind(grid, rows, x0, n, k, dx[k], dy[k], &l);
        for (int d = 0; d < 4; d++) violations += add_flow(l.residual[d], l.capacity[d], net);
    }
    return violations;
}
