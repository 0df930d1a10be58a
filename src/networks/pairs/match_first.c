/* SPDX-License-Identifier: MIT
 *
 * match_first.c - a first matching (Karp & Sipser, FOCS 1981). A node with one free partner left is matched with it,
 * which is always right. If there is no such node, a row is matched with the partner that has the fewest edges left,
 * which may be wrong.
 */
#include <stdlib.h>

#include "bipartite.h"
#include "status.h"

/* Rows are nodes 0 .. rows - 1; columns are the nodes after them. */
typedef struct start {
    const tc_bipartite *graph;
    tc_matching *matching;
    int32_t *left;   /* [nodes] number of edges to free partners; parallel edges count separately */
    int32_t *single; /* [nodes] a stack of the nodes with one edge to a free partner                       */
    int32_t singles;
} start;

static const int32_t *edges_of(const start *s, int32_t node, int32_t *count)
{
    const tc_bipartite *g = s->graph;
    if (node < g->rows) {
        *count = g->first[node + 1] - g->first[node];
        return g->column + g->first[node];
    }
    const int32_t column = node - g->rows;
    *count = g->edge_first[column + 1] - g->edge_first[column];
    return g->edge_row + g->edge_first[column];
}

static bool is_free(const start *s, int32_t node)
{
    return node < s->graph->rows ? s->matching->column_of[node] < 0 : s->matching->row_of[node - s->graph->rows] < 0;
}

/* Called when `node` is matched: each of its free partners loses an edge. */
static void leave_node(start *s, int32_t node)
{
    int32_t count;
    const int32_t *partner = edges_of(s, node, &count), other = node < s->graph->rows ? s->graph->rows : 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t u = partner[i] + other;
        if (--s->left[u] == 1 && is_free(s, u)) s->single[s->singles++] = u;
    }
}

static void match_pair(start *s, int32_t row, int32_t column)
{
    s->matching->column_of[row] = column;
    s->matching->row_of[column] = row;
    s->matching->pairs++;
    leave_node(s, row);
    leave_node(s, s->graph->rows + column);
}

/* Returns the free partner of `node` with the fewest edges left; -1 if there is none. */
static int32_t choose(const start *s, int32_t node)
{
    int32_t count, best = -1;
    const int32_t *partner = edges_of(s, node, &count), other = node < s->graph->rows ? s->graph->rows : 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t u = partner[i] + other;
        if (is_free(s, u) && (best < 0 || s->left[u] < s->left[best])) best = u;
    }
    return best;
}

static void match_node(start *s, int32_t node)
{
    const int32_t partner = is_free(s, node) ? choose(s, node) : -1;
    if (partner < 0) return;
    if (node < s->graph->rows) match_pair(s, node, partner - s->graph->rows);
    else match_pair(s, partner, node - s->graph->rows);
}

static void match_singles(start *s)
{
    while (s->singles) match_node(s, s->single[--s->singles]);
}

tilecut_status tc_match_first(const tc_bipartite *graph, tc_matching *matching)
{
    start s = {.graph = graph, .matching = matching};
    const int32_t nodes = graph->rows + graph->columns;
    s.left = malloc((size_t)nodes * sizeof *s.left);
    s.single = malloc((size_t)nodes * sizeof *s.single);
    if (!s.left || !s.single) {
        free(s.left);
        free(s.single);
        return tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)nodes);
    }
    for (int32_t v = 0; v < nodes; v++) {
        edges_of(&s, v, &s.left[v]);
        if (s.left[v] == 1) s.single[s.singles++] = v;
    }
    match_singles(&s);
    for (int32_t r = 0; r < graph->rows; r++) {
        match_node(&s, r);
        match_singles(&s);
    }
    free(s.left);
    free(s.single);
    return TILECUT_OK;
}
