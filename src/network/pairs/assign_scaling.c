/* SPDX-License-Identifier: MIT
 *
 * assign_scaling.c - the cheapest assignment by scaling of costs (Goldberg & Kennedy, Math. Program. 71, 1995), for as
 * many columns as rows. Costs are multiplied by rows + 1. In each phase every row is to have a column that is at most
 * eps dearer to it than its cheapest; eps falls from phase to phase until it is 1, and then the assignment is optimal.
 *
 * A row without a column takes its cheapest one from the row that has it, and lowers the column's price v by as much as
 * the second cheapest is dearer, and eps (their double push). A phase begins with the rows that the smaller eps has set
 * free, and their number only falls.
 *
 * v never rises, so what an edge costs at these prices never falls. Each row remembers its cheapest edges, and how much
 * the others cost. While two of the remembered are cheaper than that, the others need not be read.
 *
 * Arcs are fixed at the end of a phase: an edge dearer than the cheapest of its row by 2 rows eps is in no assignment
 * to come (Goldberg & Tarjan 1990). Here 64 eps are enough to put it aside; at the end all edges are looked at, and if
 * one of those would be cheaper, they all come back.
 */
#include <stdlib.h>

#include "bipartite.h"
#include "status.h"

enum { REMEMBERED = 8, ALPHA = 8, FIXED = 64, PATIENCE = 1 << 12 };

typedef struct scaling {
    tc_bipartite *graph;  /* edges of a row change places                                     */
    tc_matching *matching;
    int64_t *v;           /* [columns] prices, as costs times `scale`                          */
    int64_t *beyond;      /* [rows] edges that the row does not remember cost this or more     */
    int32_t *memory;      /* [rows][REMEMBERED] edges                                          */
    int32_t *remembers;   /* [rows] how many                                                   */
    int32_t *kept;        /* [rows] its first edges, that are not put aside                    */
    int32_t *open;        /* [rows] a stack of rows without a column                           */
    int32_t opens;
    int64_t scale, eps;
} scaling;

static int64_t cost_of(const scaling *s, int32_t e)
{
    return s->graph->cost[e] * s->scale - s->v[s->graph->column[e]];
}

/* ---- a phase ---------------------------------------------------------------------------------- */

/* Finds the cheapest edges of a row, in order. */
static void remember(scaling *s, int32_t row)
{
    int64_t least[REMEMBERED + 1];
    int32_t edge[REMEMBERED + 1], count = 0;
    const int32_t first = s->graph->first[row];
    s->beyond[row] = INT64_MAX;
    for (int32_t e = first; e < first + s->kept[row]; e++) {
        const int64_t cost = cost_of(s, e);
        if (count == REMEMBERED && cost >= least[REMEMBERED - 1]) {
            if (cost < s->beyond[row]) s->beyond[row] = cost;
            continue;
        }
        int32_t at = count;
        for (; at && least[at - 1] > cost; at--) {
            least[at] = least[at - 1];
            edge[at] = edge[at - 1];
        }
        least[at] = cost;
        edge[at] = e;
        if (count < REMEMBERED) count++;
        else s->beyond[row] = least[REMEMBERED];
    }
    for (int32_t k = 0; k < count; k++) s->memory[(size_t)row * REMEMBERED + (size_t)k] = edge[k];
    s->remembers[row] = count;
}

/* The two cheapest edges of a row. */
typedef struct offers {
    int64_t best, second;
    int32_t edge;
} offers;

static offers recall(const scaling *s, int32_t row)
{
    offers o = {INT64_MAX, INT64_MAX, -1};
    const int32_t *const memory = s->memory + (size_t)row * REMEMBERED;
    for (int32_t k = 0; k < s->remembers[row]; k++) {
        const int64_t cost = cost_of(s, memory[k]);
        if (cost < o.best) {
            o.second = o.best;
            o.best = cost;
            o.edge = memory[k];
        } else if (cost < o.second) {
            o.second = cost;
        }
    }
    return o;
}

static offers look(scaling *s, int32_t row)
{
    const offers o = recall(s, row);
    if (o.second <= s->beyond[row]) return o;
    remember(s, row);
    return recall(s, row);
}

/* Gives the row its cheapest column; the row that had it is open instead. */
static void take(scaling *s, int32_t row)
{
    const offers o = look(s, row);
    const int32_t column = s->graph->column[o.edge], outbid = s->matching->row_of[column];
    const int64_t gap = o.second == INT64_MAX ? 0 : o.second - o.best;
    s->v[column] -= gap + s->eps;
    s->matching->column_of[row] = column;
    s->matching->row_of[column] = row;
    if (outbid < 0) return;
    s->matching->column_of[outbid] = -1;
    s->open[s->opens++] = outbid;
}

/* Prices fall by about rows eps in a phase. False: one has fallen out of all proportion, and might not fit. */
static bool refine(scaling *s, const tilecut_flag *cancel)
{
    for (int64_t turns = 1; s->opens; turns++) {
        const int32_t row = s->open[--s->opens];
        take(s, row);
        if (s->v[s->matching->column_of[row]] < -(INT64_C(1) << 61)) return false;
        if (turns % PATIENCE == 0 && tc_flag_raised(cancel)) return true;
    }
    return true;
}

/* ---- between phases --------------------------------------------------------------------------- */

/* The cheapest edge of a row to its column. */
static int64_t own_cost(const scaling *s, int32_t row)
{
    const int32_t first = s->graph->first[row];
    int64_t least = INT64_MAX;
    for (int32_t e = first; e < s->graph->first[row + 1]; e++)
        if (s->graph->column[e] == s->matching->column_of[row] && cost_of(s, e) < least) least = cost_of(s, e);
    return least;
}

static void swap_edges(tc_bipartite *g, int32_t a, int32_t b)
{
    const int32_t column = g->column[a];
    const int64_t cost = g->cost[a];
    g->column[a] = g->column[b];
    g->cost[a] = g->cost[b];
    g->column[b] = column;
    g->cost[b] = cost;
}

/* Puts edges aside that cost more than `most`. */
static void fix(scaling *s, int32_t row, int64_t most)
{
    const int32_t first = s->graph->first[row], before = s->kept[row];
    for (int32_t e = first; e < first + s->kept[row];) {
        if (cost_of(s, e) <= most) e++;
        else swap_edges(s->graph, e, first + --s->kept[row]);
    }
    if (s->kept[row] < before) remember(s, row); /* edges have moved */
}

/* Sets the rows free whose column is too dear for the smaller eps. */
static void set_free(scaling *s, int64_t eps, bool fixes)
{
    for (int32_t r = 0; r < s->graph->rows; r++) {
        const int32_t column = s->matching->column_of[r];
        const int64_t best = look(s, r).best, own = own_cost(s, r);
        if (own > best + eps) {
            s->matching->column_of[r] = s->matching->row_of[column] = -1;
            s->open[s->opens++] = r;
        }
        if (fixes) fix(s, r, best + FIXED * s->eps);
    }
    s->eps = eps;
}

/* Brings back all edges, if there is one that is cheaper than those of its row. True: there are rows to do again. */
static bool bring_back(scaling *s)
{
    for (int32_t r = 0; r < s->graph->rows; r++) {
        const int32_t all = s->graph->first[r + 1] - s->graph->first[r];
        if (s->kept[r] == all) continue;
        s->kept[r] = all;
        remember(s, r);
    }
    set_free(s, 1, false);
    return s->opens;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Exact prices from those of costs times rows + 1, which are off by 1 at most: rounded down, after a shift by which no
 * row's price is a multiple of rows + 1 - there are more residues than rows. A row then has the price of its cheapest
 * edge. */
static bool round_prices(scaling *s, int64_t *price)
{
    const int32_t rows = s->graph->rows;
    uint8_t *const taken = calloc((size_t)s->scale, 1);
    int64_t shift = 0;
    if (!taken) return false;
    for (int32_t r = 0; r < rows; r++) {
        const int64_t rest = look(s, r).best % s->scale;
        taken[rest < 0 ? rest + s->scale : rest] = 1;
    }
    while (taken[shift]) shift++;
    free(taken);
    for (int32_t c = 0; c < s->graph->columns; c++) {
        const int64_t exact = s->v[c] + shift, rest = exact % s->scale;
        price[rows + c] = (exact - (rest < 0 ? rest + s->scale : rest)) / s->scale;
    }
    for (int32_t r = 0; r < rows; r++) {
        price[r] = INT64_MAX;
        for (int32_t e = s->graph->first[r]; e < s->graph->first[r + 1]; e++) {
            const int64_t cost = s->graph->cost[e] - price[rows + s->graph->column[e]];
            if (cost < price[r]) price[r] = cost;
        }
    }
    return true;
}

static bool scaling_alloc(scaling *s)
{
    const size_t rows = (size_t)s->graph->rows;
    s->v = malloc((size_t)s->graph->columns * sizeof *s->v);
    s->beyond = malloc(rows * sizeof *s->beyond);
    s->memory = malloc(rows * REMEMBERED * sizeof *s->memory);
    s->remembers = calloc(rows, sizeof *s->remembers);
    s->kept = malloc(rows * sizeof *s->kept);
    s->open = malloc(rows * sizeof *s->open);
    return s->v && s->beyond && s->memory && s->remembers && s->kept && s->open;
}

static void scaling_free(scaling *s)
{
    free(s->v);
    free(s->beyond);
    free(s->memory);
    free(s->remembers);
    free(s->kept);
    free(s->open);
}

/* Columns begin at the cost of their cheapest edge, with all rows open. */
static void begin(scaling *s, int64_t span)
{
    const tc_bipartite *g = s->graph;
    for (int32_t c = 0; c < g->columns; c++) s->v[c] = INT64_MAX;
    for (int32_t e = 0; e < g->first[g->rows]; e++)
        if (g->cost[e] < s->v[g->column[e]]) s->v[g->column[e]] = g->cost[e];
    for (int32_t c = 0; c < g->columns; c++) s->v[c] *= s->scale;
    for (int32_t r = g->rows - 1; r >= 0; r--) {
        s->kept[r] = g->first[r + 1] - g->first[r];
        remember(s, r);
        s->open[s->opens++] = r;
    }
    s->eps = span * s->scale / ALPHA > 1 ? span * s->scale / ALPHA : 1;
}

tilecut_status tc_assign_scaling(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                                 int threads, const tilecut_flag *cancel, bool *held)
{
    scaling s = {.graph = graph, .matching = matching, .scale = (int64_t)graph->rows + 1};
    tilecut_status status = tc_scaling_applies(graph, matching, threads, cancel, held);
    if (status != TILECUT_OK || !*held) return status;
    *first_pairs = 0;
    if (!scaling_alloc(&s)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d rows", (int)graph->rows);
    if (status == TILECUT_OK) begin(&s, tc_scaling_span(graph));
    for (bool more = true; status == TILECUT_OK && *held && more;) {
        *held = refine(&s, cancel);
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two rows");
        else if (!*held || s.eps == 1) more = *held && bring_back(&s);
        else set_free(&s, s.eps > ALPHA ? s.eps / ALPHA : 1, true);
    }
    if (status == TILECUT_OK && *held && !round_prices(&s, price))
        status = tc_fail(TILECUT_ENOMEM, "no memory for the prices");
    if (*held) matching->pairs = graph->rows;
    else tc_matching_clear(matching, graph);
    graph->full = false;
    scaling_free(&s);
    return status;
}
