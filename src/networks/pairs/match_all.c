/* SPDX-License-Identifier: MIT
 *
 * match_all.c - enlarges a matching to the largest (Pothen & Fan, ACM TOMS 16, 1990). In each phase every free node of
 * one side starts one depth-first search, and each node of the other side is visited at most once. A node first looks
 * ahead for a free partner. It never looks at the same edge twice for this, because a matched node never becomes free.
 * In every second phase nodes go through their edges backwards, so that a search that took a long detour does not
 * repeat it (Duff, Kaya & Ucar, ACM TOMS 38, 2011).
 *
 * Searches start from the side that has fewer free nodes with edges. If a search fails, and no tree of a successful
 * search has stopped it, it has visited everything that its root can ever reach: its tree is dead, and no later search
 * enters it. So nodes that cannot be matched cost the size of the graph only once, not once per phase.
 *
 * Threads search from different roots at the same time (Azad, Halappanavar, Rajamanickam, Boman, Khan & Pothen 2012). A
 * node belongs to the search that first writes its number there, so trees have no node in common, and each search turns
 * its own path. Searches may stop each other; after a phase in which all were stopped, one thread continues alone.
 */
#include <stdlib.h>

#include "match_side.h"
#include "alloc_list.h"
#include "parallel.h"
#include "status.h"

typedef struct search {
    tc_side s;
    tc_matching *matching;
    int32_t *ahead;   /* [nodes] the edge at which the look-ahead continues       */
    int32_t *edge;    /* [nodes] how many edges of the node this search has used  */
    int32_t *below;   /* [nodes] the node before it on the path; -1: it is the root */
    int32_t *visitor; /* [others] the last search that visited it, or DEAD; atomic */
    int32_t *seen;    /* [others] the node that the same search visited before it */
    int32_t *open;    /* [nodes] free nodes that may still find a partner         */
    int32_t opens, phase_id; /* opens: length of `open`; phase_id: number of the phase's first search */
    bool backwards;
    tc_alloc_list held;
} search;

/* One search of a phase. */
typedef struct tree {
    search *s;
    int32_t id, seen; /* seen: the node visited last */
    bool stopped;     /* true: the search has met a tree of this phase that may not be dead */
} tree;

enum { DEAD = INT32_MAX, CLOSED = -1 };

static bool search_alloc(search *s)
{
    const size_t nodes = (size_t)s->s.nodes, others = (size_t)s->s.others;
    s->ahead = tc_own(&s->held, malloc(nodes * sizeof *s->ahead));
    s->edge = tc_own(&s->held, malloc(nodes * sizeof *s->edge));
    s->below = tc_own(&s->held, malloc(nodes * sizeof *s->below));
    s->open = tc_own(&s->held, malloc(nodes * sizeof *s->open));
    s->visitor = tc_own(&s->held, calloc(others, sizeof *s->visitor));
    s->seen = tc_own(&s->held, malloc(others * sizeof *s->seen));
    return !s->held.lacks;
}

/* Adds `other` to the tree, if it is in no tree of this phase. */
static bool claim(const tree *t, int32_t other)
{
    int32_t *const visitor = &t->s->visitor[other], before = __atomic_load_n(visitor, __ATOMIC_RELAXED);
    return before < t->s->phase_id &&
           __atomic_compare_exchange_n(visitor, &before, t->id, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Returns a free partner of `node`; -1 if it has none and will never have one. */
static int32_t look_ahead(const tree *t, int32_t node)
{
    search *const s = t->s;
    const int32_t end = s->s.first[node + 1];
    while (s->ahead[node] < end) {
        const int32_t other = s->s.other[s->ahead[node]++];
        if (__atomic_load_n(&s->s.partner_of_other[other], __ATOMIC_RELAXED) < 0 && claim(t, other)) return other;
    }
    return -1;
}

/* Returns the next partner of `node` that was not visited in this phase; -1 if there is none. */
static int32_t next_other(tree *t, int32_t node)
{
    search *const s = t->s;
    const int32_t low = s->s.first[node], count = s->s.first[node + 1] - low;
    while (s->edge[node] < count) {
        const int32_t at = s->edge[node]++;
        const int32_t other = s->s.other[s->backwards ? low + count - 1 - at : low + at];
        if (claim(t, other)) return other;
        const int32_t visitor = __atomic_load_n(&s->visitor[other], __ATOMIC_RELAXED);
        if (visitor != t->id && visitor != DEAD) t->stopped = true;
    }
    return -1;
}

/* Each node on the path gives its partner to the node before it; the last node gets `other`, which was free. */
static void turn(const search *s, int32_t node, int32_t other)
{
    for (; node >= 0; node = s->below[node]) {
        const int32_t before = s->s.partner[node];
        s->s.partner[node] = other;
        __atomic_store_n(&s->s.partner_of_other[other], node, __ATOMIC_RELAXED);
        other = before;
    }
    __atomic_fetch_add(&s->matching->pairs, 1, __ATOMIC_RELAXED);
}

static bool augment(tree *t, int32_t root)
{
    search *const s = t->s;
    int32_t at = root;
    s->below[root] = -1;
    s->edge[root] = 0;
    while (at >= 0) {
        const int32_t found = look_ahead(t, at);
        if (found >= 0) {
            turn(s, at, found);
            return true;
        }
        const int32_t other = next_other(t, at);
        if (other < 0) {
            at = s->below[at];
            continue;
        }
        s->seen[other] = t->seen;
        t->seen = other;
        const int32_t next = s->s.partner_of_other[other];
        s->edge[next] = 0;
        s->below[next] = at;
        at = next;
    }
    return false;
}

enum { ROOTS_A_TURN = 64 };

/* Searches from some of the open nodes; closes those that need no more search. */
static void search_some(void *context, int turn_number)
{
    search *const s = context;
    const int32_t begin = turn_number * ROOTS_A_TURN;
    const int32_t end = begin + ROOTS_A_TURN < s->opens ? begin + ROOTS_A_TURN : s->opens;
    for (int32_t i = begin; i < end; i++) {
        tree t = {.s = s, .id = s->phase_id + i, .seen = -1};
        const bool found = augment(&t, s->open[i]);
        if (!found && t.stopped) continue;
        s->open[i] = CLOSED;
        for (int32_t other = t.seen; other >= 0 && !found; other = s->seen[other])
            __atomic_store_n(&s->visitor[other], DEAD, __ATOMIC_RELAXED);
    }
}

/* Makes one search from each open node. Returns false if nothing was found and no tree died. */
static bool run_phase(search *s, int threads)
{
    int32_t left = 0;
    const int32_t before = s->opens;
    tc_parallel(threads, (s->opens + ROOTS_A_TURN - 1) / ROOTS_A_TURN, search_some, s);
    for (int32_t i = 0; i < before; i++)
        if (s->open[i] != CLOSED) s->open[left++] = s->open[i];
    s->phase_id += before;
    s->opens = left;
    s->backwards = !s->backwards;
    return left < before;
}

/* Restarts the numbering of searches before it overflows. */
static void renumber(search *s)
{
    for (int32_t v = 0; v < s->s.others; v++)
        if (s->visitor[v] != DEAD) s->visitor[v] = 0;
    s->phase_id = 1;
}

/* Returns how many threads have enough to do. */
static int useful(const search *s, int threads)
{
    const int turns = 1 + s->opens / ROOTS_A_TURN / 2, least = tc_match_useful(&s->s, threads);
    return turns < least ? turns : least;
}

tilecut_status tc_match_all(const tc_bipartite *graph, tc_matching *matching, int threads, const tilecut_flag *cancel)
{
    tilecut_status status = TILECUT_OK;
    search s = {.s = tc_match_side(graph, matching), .matching = matching, .phase_id = 1};
    bool alone = false;
    if (!search_alloc(&s)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)s.s.nodes);
    for (int32_t v = 0; status == TILECUT_OK && v < s.s.nodes; v++) {
        s.ahead[v] = s.s.first[v];
        if (s.s.partner[v] < 0 && s.s.first[v + 1] > s.s.first[v]) s.open[s.opens++] = v;
    }
    while (status == TILECUT_OK && s.opens) {
        if (s.phase_id >= DEAD - 1 - s.opens) renumber(&s);
        alone = !run_phase(&s, alone ? 1 : useful(&s, threads));
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two phases");
    }
    tc_alloc_list_free(&s.held);
    return status;
}
