/* SPDX-License-Identifier: MIT
 *
 * certify.c - proves that a labelling is a minimum cut. One pass reads the original capacities again and relies on
 * nothing that a solver computed. cut.h describes the checks.
 */
#include <stdlib.h>

#include "build_grid.h"
#include "cut.h"
#include "simd.h"
#include "status.h"

typedef struct proof {
    const tc_grid *grid;
    const tc_labels *labels;
    int first, end; /* rows to check, counted through all slices */
    tc_proof *row;  /* [tiles_y] the sums over each row of tiles */
} proof;

/* Counts the pixels, among `n`, whose excess does not follow from their terminals and links. Also adds up their part of
 * the flow's value: the capacity of their links to the sink minus the residual capacity of these links. */
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

/* Returns the labels of the 32 pixels that begin at (x, y, z) as bits: 1 for background, 0 outside the image. */
static uint32_t background(const proof *p, int x, int y, int z)
{
    if (x < 0 || x >= p->grid->width) return 0;
    return p->labels->background[tc_volume_at(p->grid, x, y, z) / TC_TILE];
}

/* The cost of the terminal links of `n` pixels: source links of background pixels, sink links of foreground pixels. */
TC_VECTOR_LOOP static int64_t terminal_cost(const int32_t *restrict source, const int32_t *restrict sink,
                                            uint32_t label, int n)
{
    int64_t cost = 0;
    for (int i = 0; i < n; i++) cost += label >> i & 1 ? source[i] : sink[i];
    return cost;
}

/* Returns the cost of the cut links of kind k that lead forward from n pixels of a row, beginning at column x0,
 * whichever way they are cut. `label` holds the labels of these pixels. */
static int64_t links_cost(const proof *p, const tc_row_view *row, int k, int x0, int n, uint32_t label)
{
    const tc_link_steps step = tc_link_step(p->grid->connectivity, k);
    const tc_span linked = tc_linked(x0, n, step.x, p->grid->width);
    const int y = row->y + step.y, z = row->z + step.z;
    int64_t cost = 0;
    if (!row->to[k]) return 0;
    uint32_t there = background(p, x0, y, z);
    if (step.x > 0) there = there >> 1 | background(p, x0 + TC_TILE, y, z) << (TC_TILE - 1);
    if (step.x < 0) there = there << 1 | background(p, x0 - TC_TILE, y, z) >> (TC_TILE - 1);
    const uint32_t valid = (linked.end == TC_TILE ? UINT32_MAX : (1u << linked.end) - 1) & ~(uint32_t)linked.first;
    for (uint32_t cut = there & ~label & valid; cut; cut &= cut - 1) cost += row->to[k][x0 + __builtin_ctz(cut)];
    for (uint32_t cut = label & ~there & valid; cut; cut &= cut - 1) cost += row->from[k][x0 + __builtin_ctz(cut)];
    return cost;
}

/* Returns the cost of the cut at n pixels, beginning at column x0: that of links that begin there, and that of terminal
 * links. */
static int64_t cut_cost(const proof *p, const tc_row_view *row, int x0, int n)
{
    const uint32_t label = background(p, x0, row->y, row->z);
    int64_t cost = terminal_cost(row->source + x0, row->sink + x0, label, n);
    for (int k = 0; k < p->grid->connectivity / 2; k++) cost += links_cost(p, row, k, x0, n, label);
    return cost;
}

static void prove_row(void *context, const tc_row_view *row, int tile_row)
{
    const proof *self = context;
    const tc_grid *grid = self->grid;
    tc_proof *s = &self->row[tile_row];
    const int number = row->z * grid->height + row->y;
    int32_t net[TC_TILE];

    if (number < self->first || number >= self->end) return;
    for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
        const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
        s->violations += tc_check_residuals(grid, row, x0, net);
        s->violations += check_nodes(row->source + x0, row->sink + x0, net,
                                     grid->excess + tc_volume_at(grid, x0, row->y, row->z), n, &s->flow);
        s->cut += cut_cost(self, row, x0, n);
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
    for (int i = 0; i < grid->tiles_y; i++) {
        sums->flow += p.row[i].flow;
        sums->cut += p.row[i].cut;
        sums->violations += p.row[i].violations;
    }
done:
    free(p.row);
    return status;
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
    NEED(tc_prove_rows(grid, graph, labels, 0, grid->height * grid->depth, threads, &sums));
    *flow = sums.flow;
    *cut = sums.cut;
    return tc_proof_judge(&sums);
}
