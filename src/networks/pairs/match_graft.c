/* SPDX-License-Identifier: MIT
 *
 * match_graft.c - enlarges a matching to the largest by breadth-first searches from all free nodes of a side at once.
 * Their trees are kept from phase to phase (Azad, Buluc & Pothen, IPDPS 2015, MS-BFS-Graft).
 *
 * Trees have no node in common. When a tree finds a free node of the other side it stops growing, and at the end of the
 * phase its path is turned. The other trees stay, and only nodes of turned trees are removed from their trees. Each of
 * these nodes is grafted onto a tree that stayed, if one of its neighbours is in such a tree. If far fewer nodes stayed
 * than were removed, all trees are dissolved instead, and grow anew from their roots. A level grows down, from its
 * nodes to nodes not yet reached, or up, from nodes not yet reached to the level, whichever reads less.
 *
 * Each step handles the items of a list, one by one and in any order, and all threads take part. While a list is short,
 * one thread works alone. Which pairs are found depends on the threads; their number and the cover do not.
 */
#include <stdlib.h>

#include "append_buffer.h"
#include "match_side.h"
#include "alloc_list.h"
#include "parallel.h"
#include "status.h"

/* The kinds of steps, with the list whose items they handle and the work on each item. "Others" are the nodes of the
 * other side. */
typedef enum kind {
    OVER,
    MATCH,  /* nodes 0 .. nodes - 1: takes a free neighbour, or becomes a root               */
    DOWN,   /* nodes of the list `front`: their neighbours that are in no tree join their trees */
    GATHER, /* all nodes of the other side: adds those that are in no tree to the list `loose` */
    UP,     /* nodes of `loose`: each joins the tree of a neighbour, if one of these trees still grows */
    TURN,   /* roots of trees: turns the path if the tree has found one; otherwise keeps the root */
    SORT,   /* nodes of `seen`: moves those whose tree has had its path turned to `loose`, in no tree */
    DROP    /* nodes of `seen`: removes each and its partner from its tree                    */
} kind;

/* The list of this step, and the list of the next step, to which all threads append. */
typedef struct list {
    int32_t *now, *next;
    int32_t count, ends; /* count: length of `now`; ends: length of `next`, atomic */
} list;

typedef struct forest {
    tc_side s;
    tc_matching *matching;
    int32_t *parent;            /* [others] the node's parent, -1: it is in no tree; atomic                    */
    int32_t *root;              /* [nodes] the root of its tree, -1: in no tree; atomic                        */
    int32_t *leaf;              /* [nodes] for a root: where its path ends, -1: not found yet; atomic          */
    list front, roots;          /* nodes of this side: the last level; free nodes that may find a partner      */
    list seen, loose;           /* nodes of the other side: those in trees; those in no tree that may join one */
    int32_t reachable;          /* nodes of the other side that have edges                                     */
    bool whole;                 /* true: `loose` contains all nodes of the other side that are in no tree      */
    kind step;
    int32_t items, taken;       /* items of the step; how many have been handed out, atomic */
    const tilecut_flag *cancel;
    tc_alloc_list held;
} forest;

/* The buffers with which a thread appends during a step. */
typedef struct step_buffers {
    forest *f;
    tc_append_buffer front, roots, seen, loose;
} step_buffers;

/* SHARE is the alpha of the paper. A level grows up if it has more than 1 / SHARE of the nodes that are not reached
 * yet. Nodes are grafted if more nodes have stayed than 1 / SHARE of those removed. One thread handles fewer than
 * ITEMS_ALONE items alone. */
enum { SHARE = 5, CHUNK = 64, ITEMS_ALONE = 1000 };

static int32_t load_node(const int32_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static void store(int32_t *to, int32_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/* ---- one item --------------------------------------------------------------------------------- */

/* Matches `node` with a free neighbour, if there is one; else `node` becomes the root of a tree. */
static void match_or_root(step_buffers *h, int32_t node)
{
    forest *const f = h->f;
    for (int32_t e = f->s.first[node]; e < f->s.first[node + 1] && f->s.partner[node] < 0; e++) {
        int32_t none = -1;
        const int32_t other = f->s.other[e];
        if (load_node(&f->s.partner_of_other[other]) < 0 &&
            __atomic_compare_exchange_n(&f->s.partner_of_other[other], &none, node, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            f->s.partner[node] = other;
            __atomic_fetch_add(&f->matching->pairs, 1, __ATOMIC_RELAXED);
        }
    }
    if (f->s.partner[node] >= 0 || f->s.first[node] == f->s.first[node + 1]) return;
    store(&f->root[node], node);
    tc_append_node(&h->roots, node);
    tc_append_node(&h->front, node);
}

/* A tree grows until it has found a path. */
static bool grows(const forest *f, int32_t root)
{
    return root >= 0 && load_node(&f->leaf[root]) < 0;
}

/* Adds `other`, a child of a node in the tree of `root`, and its partner to that tree. */
static void join_tree(step_buffers *h, int32_t other, int32_t root)
{
    forest *const f = h->f;
    const int32_t next = f->s.partner_of_other[other];
    tc_append_node(&h->seen, other);
    if (next < 0) {
        store(&f->leaf[root], other);
        return;
    }
    store(&f->root[next], root);
    tc_append_node(&h->front, next);
}

static void go_down(step_buffers *h, int32_t node)
{
    forest *const f = h->f;
    const int32_t root = load_node(&f->root[node]);
    for (int32_t e = f->s.first[node]; e < f->s.first[node + 1] && grows(f, root); e++) {
        int32_t none = -1;
        const int32_t other = f->s.other[e];
        if (load_node(&f->parent[other]) < 0 &&
            __atomic_compare_exchange_n(&f->parent[other], &none, node, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            join_tree(h, other, root);
    }
}

static void gather(step_buffers *h, int32_t other)
{
    const forest *const f = h->f;
    if (f->parent[other] < 0 && f->s.other_first[other] < f->s.other_first[other + 1]) tc_append_node(&h->loose, other);
}

static void go_up(step_buffers *h, int32_t other)
{
    forest *const f = h->f;
    for (int32_t e = f->s.other_first[other]; e < f->s.other_first[other + 1]; e++) {
        const int32_t node = f->s.other_node[e], root = load_node(&f->root[node]);
        if (!grows(f, root)) continue;
        f->parent[other] = node;
        join_tree(h, other, root);
        return;
    }
    tc_append_node(&h->loose, other);
}

/* Each node on the path gives its partner to the node before it; the last node gets the leaf. */
static void turn(step_buffers *h, int32_t root)
{
    forest *const f = h->f;
    int32_t other = f->leaf[root];
    if (other < 0) {
        tc_append_node(&h->roots, root);
        return;
    }
    while (other >= 0) {
        const int32_t node = f->parent[other], before = f->s.partner[node];
        f->s.partner[node] = other;
        f->s.partner_of_other[other] = node;
        other = before;
    }
    __atomic_fetch_add(&f->matching->pairs, 1, __ATOMIC_RELAXED);
}

static void sort(step_buffers *h, int32_t other)
{
    forest *const f = h->f;
    if (grows(f, f->root[f->parent[other]])) {
        tc_append_node(&h->seen, other);
        return;
    }
    f->parent[other] = -1;
    tc_append_node(&h->loose, other);
}

static void drop(step_buffers *h, int32_t other)
{
    forest *const f = h->f;
    f->parent[other] = -1;
    f->root[f->s.partner_of_other[other]] = -1;
}

/* ---- the steps -------------------------------------------------------------------------------- */

static void swap_lists(list *l)
{
    int32_t *const before = l->now;
    l->now = l->next;
    l->next = before;
    l->count = l->ends;
    l->ends = 0;
}

static void set(forest *f, kind step, int32_t items)
{
    f->step = step;
    f->items = items;
    f->taken = 0;
}

/* Starts the next level, or ends the phase. */
static void grow_level(forest *f)
{
    const bool up = f->front.count > (f->reachable - f->seen.count) / SHARE;
    if (!f->front.count) set(f, TURN, f->roots.count);
    else if (!up) set(f, DOWN, f->front.count);
    else if (f->whole) set(f, UP, f->loose.count);
    else set(f, GATHER, f->s.others);
}

static void after_level(forest *f)
{
    swap_lists(&f->front);
    f->seen.count = f->seen.ends; /* the list grows in place */
    grow_level(f);
}

/* Grafts loose nodes if enough nodes have stayed in trees, according to SHARE; else dissolves all trees. */
static void graft_or_drop(forest *f)
{
    swap_lists(&f->seen);
    swap_lists(&f->loose);
    f->seen.ends = f->seen.count;
    f->whole = false;
    if (f->seen.count + f->roots.count > f->loose.count / SHARE) set(f, UP, f->loose.count);
    else set(f, DROP, f->seen.count);
}

/* Chooses the next step. One thread does this, after all items of a step are done. */
static void next_step(forest *f)
{
    const int32_t roots = f->roots.count;
    switch (f->step) {
    case MATCH:
        swap_lists(&f->roots);
        after_level(f);
        break;
    case DOWN:
        f->whole = false;
        after_level(f);
        break;
    case GATHER:
        swap_lists(&f->loose);
        f->whole = true;
        set(f, UP, f->loose.count);
        break;
    case UP:
        swap_lists(&f->loose);
        after_level(f);
        break;
    case TURN:
        swap_lists(&f->roots);
        if (f->roots.count == roots || !f->roots.count) set(f, OVER, 0);
        else set(f, SORT, f->seen.count);
        f->seen.ends = 0;
        break;
    case SORT:
        graft_or_drop(f);
        break;
    default:
        f->seen.count = f->seen.ends = 0;
        for (int32_t i = 0; i < f->roots.count; i++) f->front.next[i] = f->roots.now[i];
        f->front.ends = f->roots.count;
        after_level(f);
    }
    if (tc_flag_raised(f->cancel)) set(f, OVER, 0);
}

static void take_one(step_buffers *h, int32_t i)
{
    const forest *const f = h->f;
    switch (f->step) {
    case MATCH: match_or_root(h, i); break;
    case DOWN: go_down(h, f->front.now[i]); break;
    case GATHER: gather(h, i); break;
    case UP: go_up(h, f->loose.now[i]); break;
    case TURN: turn(h, f->roots.now[i]); break;
    case SORT: sort(h, f->seen.now[i]); break;
    default: drop(h, f->seen.now[i]);
    }
}

static void take_all(forest *f)
{
    step_buffers h = {.f = f, .front = {.list = f->front.next, .ends = &f->front.ends},
                      .roots = {.list = f->roots.next, .ends = &f->roots.ends},
                      .seen = {.list = f->step == SORT ? f->seen.next : f->seen.now, .ends = &f->seen.ends},
                      .loose = {.list = f->loose.next, .ends = &f->loose.ends}};
    for (int32_t low; (low = __atomic_fetch_add(&f->taken, CHUNK, __ATOMIC_RELAXED)) < f->items;) {
        const int32_t high = low + CHUNK < f->items ? low + CHUNK : f->items;
        for (int32_t i = low; i < high; i++) take_one(&h, i);
    }
    tc_append_flush(&h.front);
    tc_append_flush(&h.roots);
    tc_append_flush(&h.seen);
    tc_append_flush(&h.loose);
}

static void graft_worker(void *context, tc_team *team, int worker)
{
    forest *const f = context;
    while (f->step != OVER) {
        take_all(f);
        tc_team_barrier(team);
        if (!worker) next_step(f);
        while (!worker && f->step != OVER && f->items < ITEMS_ALONE) { /* alone */
            take_all(f);
            next_step(f);
        }
        tc_team_barrier(team);
    }
}

/* ---- all -------------------------------------------------------------------------------------- */

static void list_alloc(forest *f, list *l, size_t most)
{
    l->now = tc_own(&f->held, malloc(most * sizeof *l->now));
    l->next = tc_own(&f->held, malloc(most * sizeof *l->next));
}

static bool forest_alloc(forest *f)
{
    const size_t nodes = (size_t)f->s.nodes, others = (size_t)f->s.others;
    f->parent = tc_own(&f->held, malloc(others * sizeof *f->parent));
    f->root = tc_own(&f->held, malloc(nodes * sizeof *f->root));
    f->leaf = tc_own(&f->held, malloc(nodes * sizeof *f->leaf));
    list_alloc(f, &f->front, nodes);
    list_alloc(f, &f->roots, nodes);
    list_alloc(f, &f->seen, others);
    list_alloc(f, &f->loose, others);
    return !f->held.lacks;
}

static void plant(forest *f)
{
    for (int32_t v = 0; v < f->s.nodes; v++) f->root[v] = f->leaf[v] = -1;
    for (int32_t v = 0; v < f->s.others; v++) {
        f->parent[v] = -1;
        f->reachable += f->s.other_first[v] < f->s.other_first[v + 1];
    }
    set(f, MATCH, f->s.nodes);
}

tilecut_status tc_match_graft(const tc_bipartite *graph, tc_matching *matching, int threads, const tilecut_flag *cancel)
{
    tilecut_status status = TILECUT_OK;
    forest f = {.s = tc_match_side(graph, matching), .matching = matching, .cancel = cancel};
    if (forest_alloc(&f)) {
        plant(&f);
        tc_parallel_team(tc_match_useful(&f.s, threads), graft_worker, &f);
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two levels");
    } else {
        status = tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)f.s.nodes);
    }
    tc_alloc_list_free(&f.held);
    return status;
}
