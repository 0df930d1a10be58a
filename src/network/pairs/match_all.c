/* SPDX-License-Identifier: MIT
 *
 * match_all.c - enlarges a matching to the largest (Pothen & Fan, ACM TOMS 16, 1990). In each phase every free node of
 * one side starts one depth-first search, and each node of the other side is visited at most once. A node first looks
 * ahead for a free partner. It never looks at the same edge twice for this, because a matched node never becomes free.
 * In every second phase nodes go through their edges backwards, so that a search that went astray does not do so again
 * (Duff, Kaya & Ucar, ACM TOMS 38, 2011).
 *
 * Searches start from the side that has fewer free nodes with edges. A search that fails, and was stopped by no tree
 * of a search that found something, has seen all that its root can ever reach: its tree is dead, and no later search
 * enters it. So nodes that cannot be matched cost the size of the graph once, and not once a phase.
 */
#include <stdlib.h>

#include "bipartite.h"
#include "status.h"

/* The side that searches: its edges, and the partners of both sides. */
typedef struct side {
    int32_t nodes, others;
    const int32_t *first, *other; /* edges of a node: other[first[v] .. first[v + 1] - 1] */
    int32_t *partner;             /* [nodes]  */
    int32_t *partner_of_other;    /* [others] */
} side;

typedef struct search {
    side s;
    tc_matching *matching;
    int32_t *ahead;   /* [nodes] the edge at which the look-ahead continues       */
    int32_t *edge;    /* [nodes] edges that this search has done                  */
    int32_t *visitor; /* [others] the last search that visited it, or DEAD        */
    int32_t *path;    /* [nodes] nodes on the path                                */
    int32_t *seen;    /* [others] visited by the search that runs                 */
    int32_t *open;    /* [nodes] free nodes that may still find a partner         */
    int32_t id, phase_id; /* of the search that runs, and of the phase's first    */
    int32_t seen_count;
    bool backwards;
    bool stopped;     /* the search met a tree of this phase that may not be dead */
} search;

enum { DEAD = INT32_MAX };

static bool search_alloc(search *s)
{
    const size_t nodes = (size_t)s->s.nodes, others = (size_t)s->s.others;
    s->ahead = malloc(nodes * sizeof *s->ahead);
    s->edge = malloc(nodes * sizeof *s->edge);
    s->path = malloc(nodes * sizeof *s->path);
    s->open = malloc(nodes * sizeof *s->open);
    s->visitor = calloc(others, sizeof *s->visitor);
    s->seen = malloc(others * sizeof *s->seen);
    return s->ahead && s->edge && s->path && s->open && s->visitor && s->seen;
}

static void search_free(search *s)
{
    free(s->ahead);
    free(s->edge);
    free(s->path);
    free(s->open);
    free(s->visitor);
    free(s->seen);
}

/* A free partner of that node; -1: there is none, and there will be none. */
static int32_t look_ahead(search *s, int32_t node)
{
    const int32_t end = s->s.first[node + 1];
    while (s->ahead[node] < end) {
        const int32_t other = s->s.other[s->ahead[node]++];
        if (s->s.partner_of_other[other] < 0) return other;
    }
    return -1;
}

/* The next partner of that node that was not visited in this phase; -1: none. */
static int32_t next_other(search *s, int32_t node)
{
    const int32_t low = s->s.first[node], count = s->s.first[node + 1] - low;
    while (s->edge[node] < count) {
        const int32_t at = s->edge[node]++;
        const int32_t other = s->s.other[s->backwards ? low + count - 1 - at : low + at];
        const int32_t visitor = s->visitor[other];
        if (visitor < s->phase_id) return other;
        if (visitor != s->id && visitor != DEAD) s->stopped = true;
    }
    return -1;
}

/* Each node on the path gives its partner to the node before it; the last one gets the free one. */
static void turn(search *s, int32_t length, int32_t other)
{
    for (int32_t k = length - 1; k >= 0; k--) {
        const int32_t node = s->path[k], before = s->s.partner[node];
        s->s.partner[node] = other;
        s->s.partner_of_other[other] = node;
        other = before;
    }
    s->matching->pairs++;
}

static bool augment(search *s, int32_t root)
{
    int32_t length = 0;
    s->seen_count = 0;
    s->stopped = false;
    s->path[length++] = root;
    s->edge[root] = 0;
    while (length) {
        const int32_t at = s->path[length - 1], found = look_ahead(s, at);
        if (found >= 0) {
            s->visitor[found] = s->id;
            turn(s, length, found);
            return true;
        }
        const int32_t other = next_other(s, at);
        if (other < 0) {
            length--;
            continue;
        }
        s->visitor[other] = s->id;
        s->seen[s->seen_count++] = other;
        const int32_t next = s->s.partner_of_other[other];
        s->edge[next] = 0;
        s->path[length++] = next;
    }
    return false;
}

/* One search from each open node; keeps those open that may find a partner later. */
static int32_t run_phase(search *s, int32_t open)
{
    int32_t left = 0;
    for (int32_t i = 0; i < open; i++) {
        const int32_t root = s->open[i];
        s->id++;
        if (augment(s, root)) continue;
        if (s->stopped) s->open[left++] = root;
        for (int32_t k = 0; k < s->seen_count && !s->stopped; k++) s->visitor[s->seen[k]] = DEAD;
    }
    return left;
}

/* Free nodes that have edges. */
static int32_t count_open(const int32_t *first, const int32_t *partner, int32_t nodes)
{
    int32_t open = 0;
    for (int32_t v = 0; v < nodes; v++) open += partner[v] < 0 && first[v + 1] > first[v];
    return open;
}

static side choose_side(const tc_bipartite *graph, tc_matching *matching)
{
    const side rows = {graph->rows, graph->columns, graph->first, graph->column, matching->column_of, matching->row_of};
    const side columns = {graph->columns, graph->rows, graph->edge_first, graph->edge_row, matching->row_of,
                          matching->column_of};
    return count_open(rows.first, rows.partner, rows.nodes) <= count_open(columns.first, columns.partner, columns.nodes)
               ? rows : columns;
}

/* Numbers of searches begin again before they run out. */
static void renumber(search *s)
{
    for (int32_t v = 0; v < s->s.others; v++)
        if (s->visitor[v] != DEAD) s->visitor[v] = 0;
    s->id = 0;
}

tilecut_status tc_match_all(const tc_bipartite *graph, tc_matching *matching, const tilecut_flag *cancel)
{
    tilecut_status status = TILECUT_OK;
    search s = {.s = choose_side(graph, matching), .matching = matching};
    int32_t open = 0;
    if (!search_alloc(&s)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)s.s.nodes);
    for (int32_t v = 0; status == TILECUT_OK && v < s.s.nodes; v++) {
        s.ahead[v] = s.s.first[v];
        if (s.s.partner[v] < 0 && s.s.first[v + 1] > s.s.first[v]) s.open[open++] = v;
    }
    while (status == TILECUT_OK && open) {
        if (s.id >= DEAD - 1 - open) renumber(&s);
        s.phase_id = s.id + 1;
        open = run_phase(&s, open);
        s.backwards = !s.backwards;
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two phases");
    }
    search_free(&s);
    return status;
}
