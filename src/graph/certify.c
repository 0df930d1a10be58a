/* SPDX-License-Identifier: MIT
 *
 * certify.c - proves that a labelling is a minimum cut. One pass reads the original capacities again and relies on
 * nothing that a solver computed. cut.h says what is checked.
 */
#include <stdlib.h>

#include "cut.h"
#include "check_residuals.h"
#include "simd.h"
#include "status.h"

typedef struct proof {
    const tc_grid *grid;
    const tc_labels *labels;
    int first, end; /* rows to look at             */
    tc_proof *row;  /* [tiles_y] the sums over one */
} proof;

/* Counts the pixels, among `n`, whose excess does not follow from their terminals and links. Adds their part of the
 * flow's value: capacity of the links to the sink minus the room left on them. */
TC_VECTOR_LOOP static int32_t check_nodes(const int32_t *restrict source, const int32_t *restrict sink,
                                          const int32_t *restrict net, const float *restrict excess, int n,
                                          int64_t *flow)
{
    int32_t violations = 0;
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        const int32_t should = source[i] - sink[i] - net[i];
        violations += excess[i] != (float)should;
        sum += sink[i] + (should < 0 ? should : 0);
    }
    *flow += sum;
    return violations;
}

/* The labels of the 32 pixels from (x, y) on as bits, 1 for background; 0 outside the image. */
static uint32_t background(const proof *p, int x, int y)
{
    if (x < 0 || y < 0 || x >= p->grid->width || y >= p->grid->height) return 0;
    return p->labels->background[tc_grid_at(p->grid, x, y) / TC_TILE];
}

/* The cost of the terminal links of `n` pixels: source links of background pixels, sink links of foreground pixels. */
TC_VECTOR_LOOP static int64_t terminal_cost(const int32_t *restrict source, const int32_t *restrict sink,
                                            uint32_t label, int n)
{
    int64_t cost = 0;
    for (int i = 0; i < n; i++) cost += label >> i & 1 ? source[i] : sink[i];
    return cost;
}

/* The original capacity of the link out of pixel x of a row in direction d, which must lead to a pixel of the image. */
static int32_t capacity(const tc_two_rows *rows, int x, int d)
{
    const int k = d / 2;
    switch (d) {
    case TC_LEFT: return rows->here.from[k][x - 1];
    case TC_UP: return rows->above.from[k][x];
    case TC_UP_LEFT: return rows->above.from[k][x - 1];
    case TC_UP_RIGHT: return rows->above.from[k][x + 1];
    default: return rows->here.to[k][x];
    }
}

/* The cost of the cut at n pixels from x0 on: links from foreground to background pixels, and terminal links. */
static int64_t cut_cost(const proof *p, const tc_two_rows *rows, int x0, int n)
{
    const int y = rows->y;
    uint64_t around[3]; /* labels of the rows above, here and below; bit i + 1 is pixel x0 + i */
    uint32_t to[8];

    for (int i = 0; i < 3; i++)
        around[i] = (uint64_t)background(p, x0, y - 1 + i) << 1 |
                    background(p, x0 - TC_TILE, y - 1 + i) >> (TC_TILE - 1) |
                    (uint64_t)(background(p, x0 + TC_TILE, y - 1 + i) & 1) << (TC_TILE + 1);
    const uint32_t label = (uint32_t)(around[1] >> 1);
    to[TC_RIGHT] = (uint32_t)(around[1] >> 2), to[TC_LEFT] = (uint32_t)around[1];
    to[TC_DOWN] = (uint32_t)(around[2] >> 1), to[TC_UP] = (uint32_t)(around[0] >> 1);
    to[TC_DOWN_RIGHT] = (uint32_t)(around[2] >> 2), to[TC_UP_LEFT] = (uint32_t)around[0];
    to[TC_DOWN_LEFT] = (uint32_t)around[2], to[TC_UP_RIGHT] = (uint32_t)(around[0] >> 2);
    int64_t cost = terminal_cost(rows->here.source + x0, rows->here.sink + x0, label, n);
    for (int d = 0; d < p->grid->connectivity; d++) {
        uint32_t severed = to[d] & ~label & (n == TC_TILE ? UINT32_MAX : (1u << n) - 1);
        for (; severed; severed &= severed - 1) cost += capacity(rows, x0 + __builtin_ctz(severed), d);
    }
    return cost;
}

static void prove_row(void *context, const tc_two_rows *rows, int tile_row)
{
    const proof *self = context;
    const tc_grid *grid = self->grid;
    tc_proof *s = &self->row[tile_row];
    int32_t net[TC_TILE];

    if (rows->y < self->first || rows->y >= self->end) return;
    for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
        const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
        s->violations += tc_check_residuals(grid, rows, x0, net);
        s->violations += check_nodes(rows->here.source + x0, rows->here.sink + x0, net,
                                     grid->excess + tc_grid_at(grid, x0, rows->y), n, &s->flow);
        s->cut += cut_cost(self, rows, x0, n);
    }
}

tilecut_status tc_prove_rows(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels, int first,
                             int end, int threads, tc_proof *sums)
{
    tilecut_status status = TILECUT_OK;
    proof p = {grid, labels, first, end, NULL};

    *sums = (tc_proof){0};
    p.row = calloc((size_t)grid->tiles_y, sizeof *p.row);
    if (!p.row) return tc_fail(TILECUT_ENOMEM, "no memory to certify the cut");
    TRY(tc_graph_stream(graph, threads, prove_row, &p));
    *sums = tc_proof_sum(p.row, grid->tiles_y);
done:
    free(p.row);
    return status;
}

tc_proof tc_proof_sum(const tc_proof *some, int count)
{
    tc_proof all = {0};
    for (int i = 0; i < count; i++) {
        all.flow += some[i].flow;
        all.cut += some[i].cut;
        all.violations += some[i].violations;
    }
    return all;
}

tilecut_status tc_proof_judge(const tc_proof *p)
{
    if (p->violations)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is not feasible at %lld places", (long long)p->violations);
    if (p->flow != p->cut)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is %lld but the cut costs %lld", (long long)p->flow,
                       (long long)p->cut);
    return TILECUT_OK;
}

tilecut_status tc_certify(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels,
                          int threads, int64_t *flow, int64_t *cut)
{
    tc_proof sums;

    *flow = *cut = 0;
    NEED(tc_prove_rows(grid, graph, labels, 0, grid->height, threads, &sums));
    *flow = sums.flow;
    *cut = sums.cut;
    return tc_proof_judge(&sums);
}
