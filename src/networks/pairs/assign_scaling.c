/* SPDX-License-Identifier: MIT
 *
 * assign_scaling.c - the cheapest assignment by scaling of costs (Goldberg & Kennedy, Math. Program. 71, 1995), for as
 * many columns as rows. Costs are multiplied by rows + 1. After each phase every row has a column that costs at most
 * eps more than its cheapest; eps falls from phase to phase until it is 1, and then the assignment is optimal.
 *
 * A row without a column takes its cheapest column from the row that has it, if any (the double push of the paper). It
 * lowers the column's price v by the difference to its second cheapest column, plus eps. A phase begins with the rows
 * that lost their columns because eps has become smaller, and their number only falls.
 *
 * Threads divide the rows of a phase, and bid at the same time without locks while many rows are open (scaling_bids.c).
 *
 * Edges are put aside at the end of a phase. An edge that costs more than the cheapest of its row by 2 rows eps is in
 * no later assignment (Goldberg & Tarjan 1990). Here an edge is put aside if it costs more by 64 eps, which does not
 * prove that. So at the end all edges are checked, and if one that was put aside would be cheaper, all of them are
 * brought back.
 */
#include <stdlib.h>

#include "parallel.h"
#include "scaling_bids.h"
#include "status.h"

enum { EPS_FACTOR = 8, FIXED = 64, ROWS_A_TURN = 16, EDGES_A_THREAD = 1 << 16 };

/* ---- all rows --------------------------------------------------------------------------------- */

/* A loop over all rows, by all threads. */
typedef struct row_work {
    tc_scaling *s;
    void (*row)(struct row_work *w, int32_t row);
    int64_t eps;      /* eps of the next phase               */
    bool fixes;
    int64_t *price;
    uint8_t *residue; /* [scale]                             */
} row_work;

static void some_rows(void *context, int turn)
{
    row_work *const w = context;
    const int32_t rows = w->s->graph->rows, low = turn * ROWS_A_TURN;
    const int32_t high = low + ROWS_A_TURN < rows ? low + ROWS_A_TURN : rows;
    for (int32_t r = low; r < high; r++) w->row(w, r);
}

static void all_rows(row_work *w, void (*row)(row_work *w, int32_t row))
{
    const int64_t edges = w->s->graph->first[w->s->graph->rows], most = 1 + edges / EDGES_A_THREAD;
    w->row = row;
    tc_parallel(w->s->threads < most ? w->s->threads : (int)most, (w->s->graph->rows + ROWS_A_TURN - 1) / ROWS_A_TURN,
                some_rows, w);
}

/* ---- between phases --------------------------------------------------------------------------- */

static void swap_edges(tc_bipartite *g, int32_t a, int32_t b)
{
    const int32_t column = g->column[a];
    const int64_t cost = g->cost[a];
    g->column[a] = g->column[b];
    g->cost[a] = g->cost[b];
    g->column[b] = column;
    g->cost[b] = cost;
}

/* Puts aside the edges of a row that cost more than `most`. */
static void fix(tc_scaling *s, int32_t row, int64_t most)
{
    const int32_t first = s->graph->first[row], before = s->kept[row];
    for (int32_t e = first; e < first + s->kept[row];) {
        if (tc_scaling_cost(s, e) <= most) e++;
        else swap_edges(s->graph, e, first + --s->kept[row]);
    }
    if (s->kept[row] < before) tc_scaling_remember(s, row); /* edges have moved */
}

/* Takes the column from a row if it costs too much for the smaller eps. */
static void set_row_free(row_work *w, int32_t row)
{
    tc_scaling *const s = w->s;
    const int32_t column = s->matching->column_of[row];
    const int64_t best = tc_scaling_look(s, row).best;
    if (s->own[row] - s->v[column] > best + w->eps) {
        s->matching->column_of[row] = s->matching->row_of[column] = -1;
        s->open[__atomic_fetch_add(&s->opens, 1, __ATOMIC_RELAXED)] = row;
    }
    if (w->fixes) fix(s, row, best + FIXED * s->eps);
}

static void set_free(tc_scaling *s, int64_t eps, bool fixes)
{
    row_work w = {.s = s, .eps = eps, .fixes = fixes};
    all_rows(&w, set_row_free);
    s->eps = eps;
}

static void bring_row_back(row_work *w, int32_t row)
{
    const tc_bipartite *g = w->s->graph;
    const int32_t all = g->first[row + 1] - g->first[row];
    if (w->s->kept[row] == all) return;
    w->s->kept[row] = all;
    tc_scaling_remember(w->s, row);
}

/* Brings back all edges that were put aside. Rows whose column then costs too much become open. Returns true if there
 * are such rows. */
static bool bring_back(tc_scaling *s)
{
    row_work w = {.s = s};
    all_rows(&w, bring_row_back);
    set_free(s, 1, false);
    return s->opens;
}

/* ---- exact prices ----------------------------------------------------------------------------- */

static int64_t modulo(int64_t x, int64_t scale)
{
    const int64_t rest = x % scale;
    return rest < 0 ? rest + scale : rest;
}

static void mark_residue(row_work *w, int32_t row)
{
    __atomic_store_n(&w->residue[modulo(tc_scaling_look(w->s, row).best, w->s->scale)], 1, __ATOMIC_RELAXED);
}

static void price_row(row_work *w, int32_t row)
{
    const tc_bipartite *g = w->s->graph;
    int64_t least = INT64_MAX;
    for (int32_t e = g->first[row]; e < g->first[row + 1]; e++) {
        const int64_t cost = g->cost[e] - w->price[g->rows + g->column[e]];
        if (cost < least) least = cost;
    }
    w->price[row] = least;
}

/* Makes exact prices from prices for costs times rows + 1, which are off by at most 1: shifts them and rounds them
 * down. After the shift no row's price is a multiple of rows + 1; such a shift exists because there are more remainders
 * than rows. The price of a row is then that of its cheapest edge. */
static bool round_prices(tc_scaling *s, int64_t *price)
{
    row_work w = {.s = s, .price = price, .residue = calloc((size_t)s->scale, 1)};
    int64_t shift = 0;
    if (!w.residue) return false;
    all_rows(&w, mark_residue);
    while (w.residue[shift]) shift++;
    free(w.residue);
    for (int32_t c = 0; c < s->graph->columns; c++) {
        const int64_t exact = s->v[c] + shift;
        price[s->graph->rows + c] = (exact - modulo(exact, s->scale)) / s->scale;
    }
    all_rows(&w, price_row);
    return true;
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool scaling_alloc(tc_scaling *s)
{
    const size_t rows = (size_t)s->graph->rows;
    s->v = tc_own(&s->held, malloc((size_t)s->graph->columns * sizeof *s->v));
    s->beyond = tc_own(&s->held, malloc(rows * sizeof *s->beyond));
    s->own = tc_own(&s->held, malloc(rows * sizeof *s->own));
    s->memory = tc_own(&s->held, malloc(rows * TC_REMEMBERED * sizeof *s->memory));
    s->remembers = tc_own(&s->held, calloc(rows, sizeof *s->remembers));
    s->kept = tc_own(&s->held, malloc(rows * sizeof *s->kept));
    s->open = tc_own(&s->held, malloc(rows * sizeof *s->open));
    s->next = tc_own(&s->held, malloc(rows * sizeof *s->next));
    s->left = tc_own(&s->held, malloc(rows * sizeof *s->left));
    return !s->held.lacks;
}

static void lower_columns(row_work *w, int32_t row)
{
    const tc_bipartite *g = w->s->graph;
    for (int32_t e = g->first[row]; e < g->first[row + 1]; e++)
        tc_scaling_lower(w->s, g->column[e], g->cost[e] * w->s->scale);
}

static void begin_row(row_work *w, int32_t row)
{
    w->s->kept[row] = w->s->graph->first[row + 1] - w->s->graph->first[row];
    tc_scaling_remember(w->s, row);
    w->s->open[w->s->graph->rows - 1 - row] = row;
}

/* Sets the price of each column to the cost of its cheapest edge, and opens all rows. */
static void begin_prices(tc_scaling *s, int64_t span)
{
    row_work w = {.s = s};
    for (int32_t c = 0; c < s->graph->columns; c++) s->v[c] = INT64_MAX;
    all_rows(&w, lower_columns);
    all_rows(&w, begin_row);
    s->opens = s->graph->rows;
    s->eps = span * s->scale / EPS_FACTOR > 1 ? span * s->scale / EPS_FACTOR : 1;
}

tilecut_status tc_assign_scaling(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                                 int threads, const tilecut_flag *cancel, bool *held)
{
    tc_scaling s = {.graph = graph, .matching = matching, .scale = (int64_t)graph->rows + 1, .threads = threads,
                    .cancel = cancel};
    int64_t span = 0;
    tilecut_status status = tc_scaling_applies(graph, matching, threads, cancel, &span);
    *held = span;
    *first_pairs = 0;
    if (status != TILECUT_OK || !span) return status;
    if (!scaling_alloc(&s)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d rows", (int)graph->rows);
    if (status == TILECUT_OK) begin_prices(&s, span);
    for (bool more = true; status == TILECUT_OK && *held && more;) {
        *held = tc_scaling_refine(&s);
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two rows");
        else if (!*held || s.eps == 1) more = *held && bring_back(&s);
        else set_free(&s, s.eps > EPS_FACTOR ? s.eps / EPS_FACTOR : 1, true);
    }
    if (status == TILECUT_OK && *held && !round_prices(&s, price))
        status = tc_fail(TILECUT_ENOMEM, "no memory for the prices");
    if (*held) matching->pairs = graph->rows;
    else tc_matching_clear(matching, graph);
    graph->full = false;
    tc_alloc_list_free(&s.held);
    return status;
}
