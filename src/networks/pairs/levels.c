/* SPDX-License-Identifier: MIT
 *
 * levels.c - see levels.h. Down: every node of a level follows the arcs that leave it. Up: every node that is not
 * reached yet checks the arcs that enter it, until one of them comes from the level; this is less work while levels are
 * large (Beamer, Asanovic & Patterson 2012, also for when `both` switches). Levels do not depend on the number of
 * threads.
 */
#include "levels.h"

#include <stdlib.h>
#include <string.h>

#include "append_buffer.h"
#include "parallel.h"
#include "status.h"

typedef struct search {
    const tc_bipartite *graph;
    int32_t *level;       /* [nodes] atomic                        */
    int32_t *queue;       /* [nodes] the nodes reached, in the order of levels */
    int32_t begin, end;   /* the last level in the queue           */
    int32_t ends, depth;  /* ends: atomic                          */
    int64_t edges, left;  /* number of edges that leave the last level (atomic); number of edges of nodes not reached */
    tc_search_method method;
    const tilecut_flag *cancel;
    bool up, over;
    tc_search_report *report;
} search;

enum { MORE_EDGES = 14, MORE_NODES = 24 };

/* The nodes of the next level that a thread has found, and the number of edges that leave them. */
typedef struct finds {
    search *s;
    tc_append_buffer nodes;
    int64_t edges;
} finds;

static void pick(finds *h, int32_t v)
{
    tc_append_node(&h->nodes, v);
    h->edges += h->s->graph->first[v + 1] - h->s->graph->first[v];
}

static void go_down(finds *h, int32_t v)
{
    const tc_bipartite *g = h->s->graph;
    for (int32_t e = g->first[v]; e < g->first[v + 1]; e++) {
        int32_t *const level = &h->s->level[g->column[e]], unseen = -1;
        if (__atomic_load_n(level, __ATOMIC_RELAXED) >= 0) continue;
        if (__atomic_compare_exchange_n(level, &unseen, h->s->depth + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            pick(h, g->column[e]);
    }
}

static void go_up(finds *h, int32_t v)
{
    const tc_bipartite *g = h->s->graph;
    if (__atomic_load_n(&h->s->level[v], __ATOMIC_RELAXED) >= 0) return;
    for (int32_t e = g->edge_first[v]; e < g->edge_first[v + 1]; e++) {
        if (__atomic_load_n(&h->s->level[g->edge_row[e]], __ATOMIC_RELAXED) != h->s->depth) continue;
        __atomic_store_n(&h->s->level[v], h->s->depth + 1, __ATOMIC_RELAXED);
        pick(h, v);
        return;
    }
}

static void take_level(search *s, int worker, int workers)
{
    finds h = {.s = s, .nodes = {.list = s->queue, .ends = &s->ends}};
    const int64_t count = s->up ? s->graph->rows : s->end - s->begin;
    const int32_t low = (int32_t)(count * worker / workers), high = (int32_t)(count * (worker + 1) / workers);
    for (int32_t k = low; k < high; k++) {
        if (s->up) go_up(&h, k);
        else go_down(&h, s->queue[s->begin + k]);
    }
    tc_append_flush(&h.nodes);
    __atomic_fetch_add(&s->edges, h.edges, __ATOMIC_RELAXED);
}

/* Worker 0 decides whether the search continues, and in which direction. */
static void next_level(search *s)
{
    *(s->up ? &s->report->ups : &s->report->downs) += 1;
    s->begin = s->end;
    s->end = s->ends;
    s->left -= s->edges;
    s->over = s->begin == s->end || tc_flag_raised(s->cancel);
    if (s->begin < s->end) s->depth++;
    if (s->method == TC_SEARCH_BOTH)
        s->up = s->up ? s->end - s->begin > s->graph->rows / MORE_NODES : s->edges > s->left / MORE_EDGES;
    s->edges = 0;
}

static void run(void *context, tc_team *team, int worker)
{
    search *const s = context;
    const int workers = tc_team_size(team);
    for (bool over = false; !over;) {
        take_level(s, worker, workers);
        tc_team_barrier(team);
        if (!worker) next_level(s);
        tc_team_barrier(team);
        over = s->over;
    }
}

/* Searches down by one thread, which needs no barriers, and no atomic writes. */
static void run_alone(search *s)
{
    enum { AHEAD = 8 };
    const int32_t *const first = s->graph->first, *const column = s->graph->column;
    int32_t *const level = s->level, *const queue = s->queue;
    int32_t end = 1, depth = 0;
    for (int32_t k = 0, begin = 0; k < end; k++) {
        if (k == begin) { /* the first node of a level */
            if (tc_flag_raised(s->cancel)) break;
            begin = end;
            depth++;
        }
        if (k + AHEAD < end) __builtin_prefetch(&first[queue[k + AHEAD]]);
        const int32_t last = first[queue[k] + 1];
        for (int32_t e = first[queue[k]]; e < last; e++) {
            const int32_t v = column[e];
            if (level[v] >= 0) continue;
            level[v] = depth;
            queue[end++] = v;
        }
    }
    s->ends = end;
    s->depth = depth - 1;
    s->report->downs = depth;
}

tilecut_status tc_levels(const tc_bipartite *graph, int32_t from, tc_search_method method, int threads,
                         const tilecut_flag *cancel, int32_t *level, tc_search_report *report)
{
    const size_t nodes = (size_t)graph->rows;
    enum { ARCS_A_THREAD = 1 << 15 };
    const int32_t arcs = graph->first[graph->rows];
    *report = (tc_search_report){0};
    search s = {.graph = graph, .level = level, .queue = malloc(nodes * sizeof *s.queue), .end = 1, .ends = 1,
                .left = arcs, .method = method, .cancel = cancel, .up = method == TC_SEARCH_UP, .report = report};
    if (!s.queue) return tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)nodes);
    memset(level, 255, nodes * sizeof *level);
    level[from] = 0;
    s.queue[0] = from;
    const int workers = tc_threads_for(threads, arcs, ARCS_A_THREAD);
    if (workers == 1 && method == TC_SEARCH_DOWN) run_alone(&s);
    else tc_parallel_team(workers, run, &s);
    report->reached = s.ends;
    report->deepest = s.depth;
    free(s.queue);
    return tc_flag_raised(cancel) ? tc_fail(TILECUT_ECANCELLED, "cancelled between two levels") : TILECUT_OK;
}

/* Notes in `entered` what an arc from a node of level `deep` - 1 to `head` enters. Returns 1 if it leads too deep, or
 * to a node that is not reached, else 0. */
static inline int check_arc(const int32_t *restrict level, uint8_t *restrict entered, int32_t deep, int32_t head)
{
    const int32_t there = level[head];
    entered[head] |= there == deep;
    return (uint32_t)there > (uint32_t)deep;
}

/* Calls check_arc() for every arc from a reached node. Returns false if one of them is wrong. */
static bool check_arcs(const tilecut_network_edges *arrays, const int32_t *level, uint8_t *entered)
{
    const int32_t *const first = arrays->row ? NULL : arrays->first, *const column = arrays->column;
    const bool by_rows = first && column;
    int wrong = 0;
    int32_t at = 0;
    for (int64_t v = 0; v < arrays->rows && by_rows; v++) {
        const int32_t deep = level[v] + 1, end = first[v + 1];
        if (!deep) continue;
        for (int32_t e = first[v]; e < end; e++) wrong |= check_arc(level, entered, deep, column[e]);
    }
    for (int64_t e = 0; e < arrays->edges && !by_rows; e++) {
        const int32_t tail = tc_edge_row(arrays, e, &at);
        if (level[tail] >= 0) wrong |= check_arc(level, entered, level[tail] + 1, tc_edge_column(arrays, e));
    }
    return !wrong;
}

tilecut_status tc_levels_prove(const tilecut_network_edges *arrays, int32_t from, const int32_t *level)
{
    uint8_t *entered = calloc((size_t)arrays->rows, 1);
    if (!entered) return tc_fail(TILECUT_ENOMEM, "no memory for the certificate");
    entered[from] = 1;
    bool sound = check_arcs(arrays, level, entered) && level[from] == 0;
    for (int64_t v = 0; v < arrays->rows; v++)
        if ((level[v] >= 0) != entered[v] || (!level[v] && v != from)) sound = false;
    free(entered);
    return sound ? TILECUT_OK : tc_fail(TILECUT_EUNPROVEN, "the levels are not distances");
}
