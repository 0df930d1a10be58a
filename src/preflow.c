/* SPDX-License-Identifier: MIT
 *
 * preflow.c - see preflow.h. A row of a tile at a time, in whole numbers, in arrays by direction: loops over 32
 * pixels of which nothing depends on the one before.
 */
#include "preflow.h"

#include <string.h>

#include "simd.h"

/* Four directions of the pixels of a tile's row. Forward ones are even, their opposites odd. */
typedef struct links {
    int from[4], to[4];           /* the pixels from[d] <= i < to[d] have such a link; the others stay at 0      */
    int32_t capacity[4][TC_TILE]; /* out of the pixel                                                      */
    int32_t pair[4][TC_TILE];     /* of forward links: that of both directions together                    */
    int32_t residual[4][TC_TILE]; /* out of the pixel, once it has been checked to be whole                */
    float back[4][TC_TILE];       /* of forward links: the residual of the other end, which is checked there */
} links;

/* Residuals as whole numbers, and how many are none. */
TC_VECTOR_LOOP static int32_t read_whole(const tc_float4 *restrict residual, int32_t (*restrict whole)[4])
{
    int32_t violations = 0;
    for (int i = 0; i < TC_TILE; i++) {
        for (int d = 0; d < 4; d++) {
            const float r = residual[i].to[d];
            /* What is out of range, or not a number, becomes 0, and differs from that. */
            whole[i][d] = (int32_t)(((r >= 0) & (r < TC_EXACT_LIMIT)) ? r : 0.0f);
            violations += (float)whole[i][d] != r;
        }
    }
    return violations;
}

/* Sorts residuals by direction, and adds the flow that they mean. */
TC_VECTOR_LOOP static void sort_residuals(const int32_t (*restrict whole)[4], links *restrict l, int32_t *restrict net)
{
    for (int i = 0; i < TC_TILE; i++) {
        const int32_t right = whole[i][0], left = whole[i][1], down = whole[i][2], up = whole[i][3];
        l->residual[0][i] = right, l->residual[1][i] = left, l->residual[2][i] = down, l->residual[3][i] = up;
        net[i] += l->capacity[0][i] - right + l->capacity[1][i] - left + l->capacity[2][i] - down +
                  l->capacity[3][i] - up;
    }
}

TC_VECTOR_LOOP static int32_t check_pairs(const links *l, int d)
{
    int32_t violations = 0;
    for (int i = 0; i < TC_TILE; i++)
        violations += (float)l->residual[d][i] + l->back[d][i] != (float)l->pair[d][i];
    return violations;
}

static int32_t check_none(const links *l, int d)
{
    int32_t violations = 0;
    for (int i = 0; i < l->from[d]; i++) violations += l->residual[d][i] != 0;
    for (int i = l->to[d]; i < TC_TILE; i++) violations += l->residual[d][i] != 0;
    return violations;
}

TC_VECTOR_LOOP static void sum_pairs(const int32_t *restrict to, const int32_t *restrict from, int n,
                                     int32_t *restrict pair)
{
    for (int i = 0; i < n; i++) pair[i] = to[i] + from[i];
}

TC_VECTOR_LOOP static void read_back(const tc_float4 *there, int d, int n, float *restrict back)
{
    for (int i = 0; i < n; i++) back[i] = there[i].to[d];
}

/* Forward links of kind k, to the pixels dx, dy away. */
static void fill_forward(const tc_grid *grid, const tc_two_rows *rows, int x0, int k, int dx, int dy, links *l)
{
    const tc_float4 *nodes = k < TILECUT_DOWN_RIGHT ? grid->residual : grid->diagonal;
    const int d = 2 * k % 4, from = l->from[d], n = l->to[d] - from;
    if (n <= 0) return;
    const int x = x0 + from, there = x + dx, y = rows->y + dy;
    const int column = TC_TILE - there % TC_TILE, inside = column < n ? column : n; /* all but one, or all */

    memcpy(l->capacity[d] + from, rows->here.to[k] + x, (size_t)n * sizeof(int32_t));
    sum_pairs(rows->here.to[k] + x, rows->here.from[k] + x, n, l->pair[d] + from);
    read_back(nodes + tc_grid_at(grid, there, y), d ^ 1, inside, l->back[d] + from);
    if (inside < n)
        read_back(nodes + tc_grid_at(grid, there + inside, y), d ^ 1, n - inside, l->back[d] + from + inside);
}

/* The links opposite to those of kind k, from the pixels that are dx, dy away from these. */
static void fill_backward(const tc_two_rows *rows, int x0, int k, int dx, int dy, links *l)
{
    const int d = (2 * k % 4) ^ 1, from = l->from[d], n = l->to[d] - from;
    const tc_row_view *row = dy ? &rows->above : &rows->here;
    if (n > 0) memcpy(l->capacity[d] + from, row->from[k] + (x0 + from - dx), (size_t)n * sizeof(int32_t));
}

/* Which of the n pixels from (x0, y) on have a neighbour dx, dy away. */
static void find_links(const tc_grid *grid, int x0, int n, int y, int dx, int dy, int *from, int *to)
{
    const bool row = y + dy >= 0 && y + dy < grid->height;
    *from = x0 + dx < 0 ? 1 : 0;
    *to = !row ? 0 : x0 + n + dx > grid->width ? n - 1 : n;
}

int32_t tc_preflow_net(const tc_grid *grid, const tc_two_rows *rows, int x0, int32_t net[TC_TILE])
{
    static const int dx[TILECUT_LINKS] = {1, 0, 1, -1}, dy[TILECUT_LINKS] = {0, 1, 1, 1};
    const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
    int32_t violations = 0;

    memset(net, 0, TC_TILE * sizeof *net);
    for (int first = 0; first < grid->connectivity / 2; first += 2) {
        const tc_float4 *nodes = first == 0 ? grid->residual : grid->diagonal;
        int32_t whole[TC_TILE][4];
        links l = {0};
        for (int k = first; k < first + 2; k++) {
            const int d = 2 * k % 4;
            find_links(grid, x0, n, rows->y, dx[k], dy[k], &l.from[d], &l.to[d]);
            find_links(grid, x0, n, rows->y, -dx[k], -dy[k], &l.from[d ^ 1], &l.to[d ^ 1]);
            fill_forward(grid, rows, x0, k, dx[k], dy[k], &l);
            fill_backward(rows, x0, k, dx[k], dy[k], &l);
        }
        violations += read_whole(nodes + tc_grid_at(grid, x0, rows->y), whole);
        sort_residuals((const int32_t(*)[4])whole, &l, net);
        for (int d = 0; d < 4; d++) violations += d % 2 ? check_none(&l, d) : check_pairs(&l, d);
    }
    return violations;
}
