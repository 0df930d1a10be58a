/* SPDX-License-Identifier: MIT
 *
 * graft_kernel.cuh - finds the largest matching with breadth-first trees that grow from all free nodes of one side and
 * are kept from phase to phase (Azad, Buluc & Pothen, IPDPS 2015). It takes the same steps and makes the same choices
 * as src/networks/pairs/match_graft.c, on the device. One kernel does all steps, with a barrier over all blocks after
 * each.
 *
 * Trees have no node in common, because a node of the other side is claimed by an atomic exchange. So there are no
 * locks, and each augmenting path is turned by one thread. Several lanes share a node and take one edge each.
 */
#pragma once

#include "steps.cuh"

/* The kinds of steps; match_graft.c says what each one does with the items of its list. */
enum graft_step { GRAFT_OVER, GRAFT_MATCH, GRAFT_DOWN, GRAFT_GATHER, GRAFT_UP, GRAFT_TURN, GRAFT_SORT, GRAFT_DROP };
enum { GRAFT_FRONT, GRAFT_ROOTS, GRAFT_SEEN, GRAFT_LOOSE, GRAFT_LISTS };
enum { GRAFT_ALPHA = 5 };

/* The next step and its lists. It is the same in all blocks, and is kept in device memory between launches. */
typedef struct graft_plan {
    int step, items;
    int count[GRAFT_LISTS]; /* lengths of the lists                      */
    int half[GRAFT_LISTS];  /* which half of its memory each list is in  */
    int whole;              /* `loose` contains all nodes of the other side that are in no tree */
    long long steps;
} graft_plan;

typedef struct graft_state {
    step_counts launch;
    graft_plan plan;
} graft_state;

typedef struct graft_work {
    int nodes, others, reachable;              /* nodes: of the side that searches; others: of the other side;
                                                  reachable: others with edges */
    const int *first, *other;                  /* edges of the side that searches                    */
    const int *other_first, *other_node;       /* the same edges, ordered by the nodes of the other side */
    int *partner, *partner_of_other;           /* -1: the node is free                               */
    int *parent;                               /* [others] the node's parent in its tree; -1: in no tree */
    int *root, *leaf;                          /* [nodes] the root of the node's tree; and, for a root, the leaf where
                                                  its path ends */
    int *list[GRAFT_LISTS];                    /* two halves each, of [nodes] or [others]            */
    graft_state *state;
} graft_work;

static __device__ inline int *graft_now(const graft_work &w, const graft_plan &p, int list)
{
    const size_t length = (size_t)(list == GRAFT_FRONT || list == GRAFT_ROOTS ? w.nodes : w.others);
    return w.list[list] + (p.half[list] ? length : 0);
}

static __device__ inline int *graft_next(const graft_work &w, const graft_plan &p, int list)
{
    const size_t length = (size_t)(list == GRAFT_FRONT || list == GRAFT_ROOTS ? w.nodes : w.others);
    return w.list[list] + (p.half[list] ? 0 : length);
}

/* Appends to the list's successor. The exception is the list `seen`: unless it is being sorted, it grows in place. */
static __device__ inline void graft_pick(const graft_work &w, const graft_plan &p, const steps &s, int list,
                                         bool wanted, int v)
{
    int *to = graft_next(w, p, list);
    if (list == GRAFT_SEEN && p.step != GRAFT_SORT) to = graft_now(w, p, list) + p.count[list];
    append(to, step_count(&w.state->launch, s, list), wanted, v);
}

/* A tree grows until it has found a path. */
static __device__ inline bool graft_grows(const graft_work &w, int root)
{
    return root >= 0 && __ldcg(w.leaf + root) < 0;
}

/* The first lane for which `good` holds, among the LANES that share a node; -1 if there is none. */
template <int LANES> static __device__ inline int graft_first_lane(bool good)
{
    const unsigned from = threadIdx.x & 31 & ~(LANES - 1u), all = LANES == 32 ? WARP : (1u << LANES % 32) - 1;
    const unsigned who = __ballot_sync(WARP, good) >> from & all;
    return who ? (int)from + __ffs((int)who) - 1 : -1;
}

/* ---- One item, by all lanes of a warp together; -1: these lanes have none ---------------------- */

/* Matches node u with a free neighbour; if there is none, u becomes the root of a tree. */
template <int LANES>
static __device__ inline void graft_match_or_root(const graft_work &w, const graft_plan &p, const steps &s, int u)
{
    const int lane = (int)(threadIdx.x & 31), seat = lane & (LANES - 1);
    const int begin = u < 0 ? 0 : w.first[u], end = u < 0 ? 0 : w.first[u + 1];
    int taken = -1;
    for (int base = begin; __any_sync(WARP, base < end && taken < 0); base += LANES) {
        const int i = base + seat;
        const int other = i < end && taken < 0 ? w.other[i] : -1;
        bool free = other >= 0 && __ldcg(w.partner_of_other + other) < 0;
        while (__any_sync(WARP, free)) {
            const int first = graft_first_lane<LANES>(free);
            bool mine = false;
            if (free && first == lane) {
                mine = atomicCAS(w.partner_of_other + other, -1, u) == -1;
                free = false;
            }
            const int got = graft_first_lane<LANES>(mine);
            const int which = __shfl_sync(WARP, other, got < 0 ? lane : got);
            if (got >= 0) taken = which, free = false;
        }
    }
    const bool root = seat == 0 && u >= 0 && taken < 0 && begin < end;
    if (seat == 0 && u >= 0 && taken >= 0) __stcg(w.partner + u, taken);
    if (root) __stcg(w.root + u, u);
    graft_pick(w, p, s, GRAFT_ROOTS, root, u);
    graft_pick(w, p, s, GRAFT_FRONT, root, u);
}

/* Adds `other`, a child of a node in the tree of `root`, and its partner to that tree, in lanes where `joins` is
 * true. */
static __device__ inline void graft_join(const graft_work &w, const graft_plan &p, const steps &s, bool joins,
                                         int other, int root)
{
    const int next = joins ? __ldcg(w.partner_of_other + other) : -1;
    if (joins && next < 0) __stcg(w.leaf + root, other);
    if (next >= 0) __stcg(w.root + next, root);
    graft_pick(w, p, s, GRAFT_SEEN, joins, other);
    graft_pick(w, p, s, GRAFT_FRONT, next >= 0, next);
}

template <int LANES>
static __device__ inline void graft_down(const graft_work &w, const graft_plan &p, const steps &s, int u)
{
    const int root = u < 0 ? -1 : __ldcg(w.root + u), end = u < 0 ? 0 : w.first[u + 1];
    int i = u < 0 ? 0 : w.first[u] + (int)(threadIdx.x & (LANES - 1));
    for (bool on = true; __any_sync(WARP, on && i < end); i += LANES) {
        on = on && i < end && graft_grows(w, root);
        const int other = on ? w.other[i] : 0;
        const bool joins = on && __ldcg(w.parent + other) < 0 && atomicCAS(w.parent + other, -1, u) == -1;
        graft_join(w, p, s, joins, other, root);
    }
}

template <int LANES>
static __device__ inline void graft_up(const graft_work &w, const graft_plan &p, const steps &s, int other)
{
    const int lane = (int)(threadIdx.x & 31), seat = lane & (LANES - 1);
    const int begin = other < 0 ? 0 : w.other_first[other], end = other < 0 ? 0 : w.other_first[other + 1];
    int node = -1, root = -1;
    for (int base = begin; __any_sync(WARP, base < end && node < 0); base += LANES) {
        const int i = base + seat;
        const int mine = i < end && node < 0 ? w.other_node[i] : -1, its = mine < 0 ? -1 : __ldcg(w.root + mine);
        const int first = graft_first_lane<LANES>(graft_grows(w, its)), from = first < 0 ? lane : first;
        const int found = __shfl_sync(WARP, mine, from), tree = __shfl_sync(WARP, its, from);
        if (first >= 0) node = found, root = tree;
    }
    const bool leads = seat == 0 && other >= 0, joins = leads && node >= 0;
    if (joins) __stcg(w.parent + other, node);
    graft_join(w, p, s, joins, other, root);
    graft_pick(w, p, s, GRAFT_LOOSE, leads && node < 0, other);
}

static __device__ inline void graft_gather(const graft_work &w, const graft_plan &p, const steps &s, int other)
{
    const bool loose = other >= 0 && __ldcg(w.parent + other) < 0 && w.other_first[other] < w.other_first[other + 1];
    graft_pick(w, p, s, GRAFT_LOOSE, loose, other);
}

/* Each node on the path gives its partner to the node before it; the last node gets the leaf. */
static __device__ inline void graft_turn(const graft_work &w, const graft_plan &p, const steps &s, int root)
{
    int other = root < 0 ? -1 : __ldcg(w.leaf + root);
    graft_pick(w, p, s, GRAFT_ROOTS, root >= 0 && other < 0, root);
    while (other >= 0) {
        const int node = __ldcg(w.parent + other), before = __ldcg(w.partner + node);
        __stcg(w.partner + node, other);
        __stcg(w.partner_of_other + other, node);
        other = before;
    }
}

static __device__ inline void graft_sort(const graft_work &w, const graft_plan &p, const steps &s, int other)
{
    const bool stays = other >= 0 && graft_grows(w, __ldcg(w.root + __ldcg(w.parent + other)));
    if (other >= 0 && !stays) __stcg(w.parent + other, -1);
    graft_pick(w, p, s, GRAFT_SEEN, stays, other);
    graft_pick(w, p, s, GRAFT_LOOSE, other >= 0 && !stays, other);
}

/* Dissolves all trees except for their roots. The first items are the roots, which become the front; the other items
 * are those of `seen`. */
static __device__ inline void graft_drop(const graft_work &w, const graft_plan &p, const steps &s, int k)
{
    const int roots = p.count[GRAFT_ROOTS];
    const int root = k >= 0 && k < roots ? __ldcg(graft_now(w, p, GRAFT_ROOTS) + k) : -1;
    const int other = k >= roots ? __ldcg(graft_now(w, p, GRAFT_SEEN) + k - roots) : -1;
    graft_pick(w, p, s, GRAFT_FRONT, root >= 0, root);
    if (other < 0) return;
    __stcg(w.parent + other, -1);
    const int node = __ldcg(w.partner_of_other + other);
    if (node >= 0) __stcg(w.root + node, -1);
}

/* ---- The steps -------------------------------------------------------------------------------- */

template <int LANES>
static __device__ inline void graft_take(const graft_work &w, const graft_plan &p, const steps &s)
{
    const int *const front = graft_now(w, p, GRAFT_FRONT), *const loose = graft_now(w, p, GRAFT_LOOSE);
    const int *const roots = graft_now(w, p, GRAFT_ROOTS), *const seen = graft_now(w, p, GRAFT_SEEN);
    switch (p.step) {
    case GRAFT_MATCH: for_each_shared<LANES>(p.items, [&](int k) { graft_match_or_root<LANES>(w, p, s, k); }); break;
    case GRAFT_DOWN: share_out<LANES>(front, p.items, [&](int u) { graft_down<LANES>(w, p, s, u); }); break;
    case GRAFT_GATHER: for_each(p.items, [&](int k) { graft_gather(w, p, s, k); }); break;
    case GRAFT_UP: share_out<LANES>(loose, p.items, [&](int v) { graft_up<LANES>(w, p, s, v); }); break;
    case GRAFT_TURN: share_out<1>(roots, p.items, [&](int u) { graft_turn(w, p, s, u); }); break;
    case GRAFT_SORT: share_out<1>(seen, p.items, [&](int v) { graft_sort(w, p, s, v); }); break;
    default: for_each(p.items, [&](int k) { graft_drop(w, p, s, k); });
    }
}

static __device__ inline void graft_set(graft_plan &p, int step, int items)
{
    p.step = step;
    p.items = items;
}

/* Replaces a list by its successor. */
static __device__ inline void graft_swap(const graft_work &w, graft_plan &p, const steps &s, int list)
{
    p.half[list] ^= 1;
    p.count[list] = step_found(&w.state->launch, s, list);
}

/* After a level: starts the next level, or ends the phase. */
static __device__ inline void graft_grow(const graft_work &w, graft_plan &p, const steps &s)
{
    graft_swap(w, p, s, GRAFT_FRONT);
    p.count[GRAFT_SEEN] += step_found(&w.state->launch, s, GRAFT_SEEN);
    const bool up = p.count[GRAFT_FRONT] > (w.reachable - p.count[GRAFT_SEEN]) / GRAFT_ALPHA;
    if (!p.count[GRAFT_FRONT]) graft_set(p, GRAFT_TURN, p.count[GRAFT_ROOTS]);
    else if (!up) graft_set(p, GRAFT_DOWN, p.count[GRAFT_FRONT]);
    else if (p.whole) graft_set(p, GRAFT_UP, p.count[GRAFT_LOOSE]);
    else graft_set(p, GRAFT_GATHER, w.others);
}

/* After sorting: grafts loose nodes if enough nodes have stayed in trees; else dissolves all trees. */
static __device__ inline void graft_or_drop(const graft_work &w, graft_plan &p, const steps &s)
{
    graft_swap(w, p, s, GRAFT_SEEN);
    graft_swap(w, p, s, GRAFT_LOOSE);
    p.whole = 0;
    const int stayed = p.count[GRAFT_SEEN] + p.count[GRAFT_ROOTS];
    if (stayed > p.count[GRAFT_LOOSE] / GRAFT_ALPHA) graft_set(p, GRAFT_UP, p.count[GRAFT_LOOSE]);
    else graft_set(p, GRAFT_DROP, stayed);
}

/* Chooses the next step, after all items of a step are done. Every thread does this, with the same result. */
static __device__ inline void graft_next_step(const graft_work &w, graft_plan &p, const steps &s)
{
    const int roots = p.count[GRAFT_ROOTS];
    switch (p.step) {
    case GRAFT_GATHER:
        graft_swap(w, p, s, GRAFT_LOOSE);
        p.whole = 1;
        graft_set(p, GRAFT_UP, p.count[GRAFT_LOOSE]);
        break;
    case GRAFT_TURN:
        graft_swap(w, p, s, GRAFT_ROOTS);
        if (p.count[GRAFT_ROOTS] == roots || !p.count[GRAFT_ROOTS]) graft_set(p, GRAFT_OVER, 0);
        else graft_set(p, GRAFT_SORT, p.count[GRAFT_SEEN]);
        break;
    case GRAFT_SORT:
        graft_or_drop(w, p, s);
        break;
    default:
        if (p.step == GRAFT_MATCH) graft_swap(w, p, s, GRAFT_ROOTS);
        if (p.step == GRAFT_UP) graft_swap(w, p, s, GRAFT_LOOSE);
        if (p.step == GRAFT_DOWN) p.whole = 0;
        if (p.step == GRAFT_DROP) p.count[GRAFT_SEEN] = 0;
        graft_grow(w, p, s);
    }
}

/* Does at most `slice` steps. */
template <int LANES> static __global__ void __launch_bounds__(STEP_BLOCK, 4) graft_kernel(graft_work w, int slice)
{
    graft_plan p = w.state->plan;
    steps s = {0, 0};
    for (int k = 0; k < slice && p.step != GRAFT_OVER; k++) {
        graft_take<LANES>(w, p, s);
        step_over(&w.state->launch, s);
        graft_next_step(w, p, s);
        p.steps++;
    }
    if (first_thread()) w.state->plan = p;
}
