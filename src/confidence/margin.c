/* SPDX-License-Identifier: MIT
 *
 * margin.c - see confidence.h: makes the cuts. For each cell, binary search finds the first of the nested cuts in which
 * the cell is foreground; all cells are searched at the same time. A round cuts one graph, in which each cell has the
 * favour at the middle of its own range. If two cells have different ranges, one is foreground in every cut in which
 * the other may change, so the link between them becomes a terminal link of each. Four rounds give the same as nine
 * cuts of the whole graph.
 */
#include <stdlib.h>
#include <string.h>

#include "confidence.h"
#include "solve.h"
#include "status.h"

const double tc_margin_steps[MARGIN_STEPS] = {0.5, 2, 5, 10};

typedef struct ranges {
    tc_cells *cells;
    tilecut_graph graph; /* the graph of this round                                                           */
    int32_t *links;      /* its links: [connectivity][cells]                                                  */
    uint8_t *low, *high; /* [cells] the first cut in which a cell is foreground has a number from `low` to `high` */
    uint8_t *mask;
} ranges;

static double favour_of(int cut)
{
    const int step = cut - MARGIN_STEPS;
    return step == 0 ? 0 : step < 0 ? -tc_margin_steps[-step - 1] : tc_margin_steps[step - 1];
}

/* Removes the links of kind k between cells of different ranges, and adds them to `favour` as terminal links. */
static void open_links(const ranges *r, int k, int32_t *favour)
{
    const tilecut_graph *const whole = &r->cells->graph;
    const tc_link_steps s = tc_link_step(whole->connectivity, k);
    const size_t cells = tc_cells_count(r->cells);
    const size_t apart = (size_t)(s.x + whole->width * (s.y + (ptrdiff_t)whole->height * s.z));
    int32_t *const to = r->links + 2 * (size_t)k * cells, *const from = to + cells;
    memcpy(to, whole->arrays.to[k], cells * sizeof *to);
    memcpy(from, whole->arrays.from[k], cells * sizeof *from);
    for (size_t c = 0; c + apart < cells; c++) {
        const size_t next = c + apart;
        if (r->low[c] == r->low[next]) continue;
        const int32_t by = r->low[c] < r->low[next] ? -to[c] : from[c];
        favour[c] += by, favour[next] -= by;
        to[c] = from[c] = 0;
    }
}

/* Makes the graph of this round. Returns false if all cells are settled. */
static bool make_graph(ranges *r)
{
    tc_cells *const cells = r->cells;
    const size_t count = tc_cells_count(cells);
    int32_t *const favour = cells->source, shift[MARGIN_CUTS];
    bool open = false;
    for (int cut = 0; cut < MARGIN_CUTS; cut++) shift[cut] = (int32_t)(favour_of(cut) * cells->nat);
    for (size_t c = 0; c < count; c++) {
        favour[c] = cells->favour[c];
        if (r->low[c] == r->high[c]) continue;
        open = true;
        if (!cells->fixed[c]) favour[c] += shift[(r->low[c] + r->high[c]) / 2];
    }
    for (int k = 0; k < cells->graph.connectivity / 2 && open; k++) open_links(r, k, favour);
    for (size_t c = 0; c < count && open; c++) {
        const int32_t by = r->low[c] == r->high[c] ? 0 : favour[c];
        cells->source[c] = by > 0 ? by : 0, cells->sink[c] = by < 0 ? -by : 0;
    }
    return open;
}

static void halve(const ranges *r)
{
    for (size_t c = 0; c < tc_cells_count(r->cells); c++) {
        const int middle = (r->low[c] + r->high[c]) / 2;
        if (r->low[c] == r->high[c]) continue;
        if (r->mask[c]) r->high[c] = (uint8_t)middle;
        else r->low[c] = (uint8_t)(middle + 1);
    }
}

tilecut_status tc_margin_count(tc_cells *cells, const tc_setup *setup, uint8_t *count)
{
    const size_t all = tc_cells_count(cells);
    tilecut_status status = TILECUT_OK;
    tc_setup how = *setup;
    ranges r = {.cells = cells, .graph = cells->graph, .low = count};

    r.links = malloc((size_t)cells->graph.connectivity * all * sizeof *r.links);
    r.high = malloc(2 * all);
    if (!r.links || !r.high) TRY(tc_fail(TILECUT_ENOMEM, "no memory for how firm %zu cells are", all));
    r.mask = r.high + all;
    for (int k = 0; k < cells->graph.connectivity / 2; k++) {
        r.graph.arrays.to[k] = r.links + 2 * (size_t)k * all;
        r.graph.arrays.from[k] = r.links + (2 * (size_t)k + 1) * all;
    }
    how.solver = NULL, how.comm = NULL; /* this process cuts such a small graph alone */
    how.draft = true;                   /* the mask has been proved; these cuts only measure how sure it is */
    memset(r.low, 0, all);
    memset(r.high, MARGIN_CUTS, all);
    while (make_graph(&r)) {
        tilecut_report report = {0};
        TRY(tc_solve(&r.graph, &how, NULL, r.mask, NULL, &report));
        halve(&r);
    }
    for (size_t c = 0; c < all; c++) count[c] = (uint8_t)(MARGIN_CUTS - count[c]);
done:
    free(r.high);
    free(r.links);
    return status;
}
