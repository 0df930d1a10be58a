/* SPDX-License-Identifier: MIT
 *
 * certify.c - the proof that a labelling is a minimum cut: one pass that reads the original capacities again
 * and trusts nothing a solver wrote. See cut.h for what is checked.
 */
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "simd.h"
#include "status.h"

/* What one row of tiles adds up to. */
typedef struct strip_proof {
    int64_t flow, cut;
    int64_t violations;
} strip_proof;

typedef struct proof {
    const tc_grid *grid;
    const tc_labels *labels;
    strip_proof *strip; /* [tiles_y] */
} proof;

/* Flow out of each pixel over four of its links, and whether residuals are whole and not negative. */
TC_VECTOR_LOOP static int32_t net_flow(const tc_float4 *capacity, const tc_float4 *residual, int n, float *restrict net)
{
    int32_t violations = 0;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 4; d++) {
            const float r = residual[i].to[d];
            /* Out of range for the conversion is neither whole nor equal to what comes back. */
            violations += !((r >= 0) & (r < TC_EXACT_LIMIT));
            violations += (float)(int32_t)(r < TC_EXACT_LIMIT && r >= 0 ? r : 0.5f) != r;
        }
        net[i] += (capacity[i].to[0] - residual[i].to[0]) + (capacity[i].to[1] - residual[i].to[1]) +
                  (capacity[i].to[2] - residual[i].to[2]) + (capacity[i].to[3] - residual[i].to[3]);
    }
    return violations;
}

/* Both residuals of each of `n` links, from `here` in direction d (in its group of four) to `there`, add up
 * to the link's capacities. */
TC_VECTOR_LOOP static int32_t check_links(const tc_float4 *here, const tc_float4 *there, int d, const int32_t *to,
                           const int32_t *from, int n)
{
    int32_t violations = 0;
    for (int i = 0; i < n; i++)
        violations += here[i].to[d] + there[i].to[d ^ 1] != (float)(to[i] + from[i]);
    return violations;
}

/* Links that leave the image stay at 0. */
static int32_t check_rim(const tc_float4 *here, int d, int n)
{
    int32_t violations = 0;
    for (int i = 0; i < n; i++) violations += here[i].to[d] != 0;
    return violations;
}

/* Checks the forward links of kind k from pixels x0 .. x1-1 of a row: those that stay in the column of
 * tiles, the one that leaves it, and those that would leave the image forward or backward. */
static int32_t check_pairs(const tc_grid *grid, const tc_two_rows *rows, int x0, int x1, int k)
{
    static const int dx[TILECUT_LINKS] = {1, 0, 1, -1}, dy[TILECUT_LINKS] = {0, 1, 1, 1};
    const tc_float4 *nodes = k < TILECUT_DOWN_RIGHT ? grid->residual : grid->diagonal;
    const tc_float4 *here = nodes + tc_grid_at(grid, x0, rows->y);
    const int y = rows->y, n = x1 - x0, d = 2 * k % 4;
    const int from = dx[k] < 0, to = dx[k] > 0 ? n - 1 : n; /* links inside the column of tiles */
    const int edge = dx[k] > 0 ? n - 1 : 0;                 /* the one that leaves it */
    int32_t violations = 0;

    if (dy[k] && y == 0) violations += check_rim(here, d ^ 1, n);
    if (dx[k] > 0 && x0 == 0) violations += check_rim(here, d ^ 1, 1);
    if (dx[k] < 0 && x1 == grid->width) violations += check_rim(here + n - 1, d ^ 1, 1);
    if (y + dy[k] == grid->height) return violations + check_rim(here, d, n);

    const int32_t *forth = rows->here.to[k] + x0, *back = rows->here.from[k] + x0;
    const tc_float4 *there = nodes + tc_grid_at(grid, x0, y + dy[k]) + (from + dx[k]);
    violations += check_links(here + from, there, d, forth + from, back + from, to - from);
    if (dx[k] == 0) return violations;
    const int x = x0 + edge + dx[k];
    if (x < 0 || x >= grid->width) return violations + check_rim(here + edge, d, 1);
    there = nodes + tc_grid_at(grid, x, y + dy[k]);
    return violations + check_links(here + edge, there, d, forth + edge, back + edge, 1);
}

/* The value of the preflow at these pixels: what the source sent straight to the sink and what was absorbed;
 * and whether the excess of each is what its terminal and its links make it. */
static void add_nodes(const tc_row_view *row, const tc_node *node, const float *net, int x0, int x1,
                      strip_proof *s)
{
    for (int x = x0; x < x1; x++) {
        const int32_t source = row->source[x], sink = row->sink[x];
        const float excess = node[x - x0].excess;
        s->violations += excess != (float)(source - sink) - net[x - x0];
        const int64_t room = sink > source ? sink - source : 0;
        s->flow += (source < sink ? source : sink) + room - (excess < 0 ? -(int64_t)excess : 0);
    }
}

/* Background word of the 32 pixels at (x, y); 0 outside. */
static uint32_t background(const proof *p, int x, int y)
{
    if (x < 0 || y < 0 || x >= p->grid->width || y >= p->grid->height) return 0;
    return p->labels->background[tc_grid_at(p->grid, x, y) / TC_TILE];
}

/* Cost of the links from the foreground pixels among x0..x1-1 to background, and of their terminal links. */
static int64_t cut_cost(const proof *p, const tc_two_rows *rows, int x0, int x1, const tc_float4 *straight,
                        const tc_float4 *slanted)
{
    const int y = rows->y, n = x1 - x0;
    uint64_t around[3]; /* the rows above, here and below; bit i + 1 is pixel x0 + i */
    uint32_t label, to[8];
    int64_t cost = 0;

    for (int i = 0; i < 3; i++)
        around[i] = (uint64_t)background(p, x0, y - 1 + i) << 1 |
                    background(p, x0 - TC_TILE, y - 1 + i) >> (TC_TILE - 1) |
                    (uint64_t)(background(p, x0 + TC_TILE, y - 1 + i) & 1) << (TC_TILE + 1);
    label = (uint32_t)(around[1] >> 1);
    to[TC_RIGHT] = (uint32_t)(around[1] >> 2), to[TC_LEFT] = (uint32_t)around[1];
    to[TC_DOWN] = (uint32_t)(around[2] >> 1), to[TC_UP] = (uint32_t)(around[0] >> 1);
    to[TC_DOWN_RIGHT] = (uint32_t)(around[2] >> 2), to[TC_UP_LEFT] = (uint32_t)around[0];
    to[TC_DOWN_LEFT] = (uint32_t)around[2], to[TC_UP_RIGHT] = (uint32_t)(around[0] >> 2);
    for (int i = 0; i < n; i++) cost += label >> i & 1 ? rows->here.source[x0 + i] : rows->here.sink[x0 + i];
    for (int d = 0; d < p->grid->connectivity; d++) {
        uint32_t severed = to[d] & ~label & (n == TC_TILE ? UINT32_MAX : (1u << n) - 1);
        for (; severed; severed &= severed - 1) {
            const int i = __builtin_ctz(severed);
            cost += (int64_t)(d < 4 ? straight[i].to[d] : slanted[i].to[d - 4]);
        }
    }
    return cost;
}

static void prove_row(void *context, const tc_two_rows *rows, int strip)
{
    const proof *self = context;
    const tc_grid *grid = self->grid;
    strip_proof *s = &self->strip[strip];
    tc_float4 straight[TC_TILE], slanted[TC_TILE];

    for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
        const int x1 = x0 + TC_TILE < grid->width ? x0 + TC_TILE : grid->width;
        const size_t p = tc_grid_at(grid, x0, rows->y);
        float net[TC_TILE] = {0};
        tc_grid_straight(grid, rows, x0, x1, straight);
        s->violations += net_flow(straight, grid->residual + p, x1 - x0, net);
        if (grid->diagonal) {
            tc_grid_slanted(grid, rows, x0, x1, slanted);
            s->violations += net_flow(slanted, grid->diagonal + p, x1 - x0, net);
        }
        for (int k = 0; k < grid->connectivity / 2; k++)
            s->violations += check_pairs(grid, rows, x0, x1, k);
        add_nodes(&rows->here, grid->node + p, net, x0, x1, s);
        s->cut += cut_cost(self, rows, x0, x1, straight, slanted);
    }
}

tilecut_status tc_certify(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels,
                          int threads, int64_t *flow, int64_t *cut)
{
    tilecut_status status = TILECUT_OK;
    proof p = {grid, labels, NULL};
    int64_t violations = 0;

    *flow = *cut = 0;
    p.strip = calloc((size_t)grid->tiles_y, sizeof *p.strip);
    if (!p.strip) return tc_fail(TILECUT_ENOMEM, "no memory to certify the cut");
    TRY(tc_graph_stream(graph, threads, TC_TILE, prove_row, &p));
    for (int ty = 0; ty < grid->tiles_y; ty++) {
        *flow += p.strip[ty].flow;
        *cut += p.strip[ty].cut;
        violations += p.strip[ty].violations;
    }
    if (violations)
        status = tc_fail(TILECUT_EUNPROVEN, "the flow is not feasible at %lld places", (long long)violations);
    else if (*flow != *cut)
        status = tc_fail(TILECUT_EUNPROVEN, "the flow is %lld but the cut costs %lld", (long long)*flow,
                         (long long)*cut);
done:
    free(p.strip);
    return status;
}
