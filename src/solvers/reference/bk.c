/* SPDX-License-Identifier: MIT
 *
 * bk.c - two search trees, after Boykov & Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow
 * Algorithms for Energy Minimization in Vision" (PAMI 2004). The other solvers are judged by this one.
 *
 * The source tree grows from nodes of positive excess along residual links, the sink tree from nodes of negative excess
 * against them. Where the trees touch (growth), the path is saturated (augmentation). A node whose link to its parent
 * has become saturated then gets a new parent in its tree, or becomes free (adoption). Both trees are kept from one
 * path to the next.
 *
 * As in the authors' own later implementation, `mark` of a node records when its distance to the root was last known to
 * be right. So a candidate for a parent need not be traced to the root each time. Of several candidates, the one with
 * the smallest distance is taken.
 *
 * This file is compiled twice: with TC_BK_WIDE it is for volumes with 26 neighbours (bk_wide.c).
 *
 * All state is in the grid. The three words of a node hold the mark, the distance with the parent, and the link of
 * the list of active nodes.
 */
#include <math.h>
#include <stdlib.h>

#include "alloc_list.h"
#include "neighbourhoods.h"
#include "solver.h"
#include "status.h"
#include "steps.h"

#ifdef TC_BK_WIDE
#include "wide.h"
#define STEPS tc_wide_steps
#define STEPS_OF tc_wide_steps_of
#else
#define STEPS tc_steps
#define STEPS_OF tc_steps_of
#endif

/* A node's parent: a direction 0..25, or one of these. */
enum { ROOT = 26, ORPHAN = 27, NO_PARENT = 31 };

/* tree_word = distance << 7 | tree << 5 | parent. Distances saturate: they only guide the search. */
enum { FREE = 0, SOURCE = 1, SINK = 2, PARENT_BITS = 31, TREE_SHIFT = 5, DISTANCE_SHIFT = 7 };
#define MAX_DISTANCE ((1 << 24) - 1)

typedef struct bk {
    tc_grid *grid;
    tc_node *node;
    int directions;
    STEPS steps;
    int32_t time;
    int32_t first, last;          /* the list of active nodes through `link`, as p + 1; the last one links to itself */
    int32_t *orphan;             /* a stack */
    size_t orphans, room;
    const uint32_t *reached;     /* bit rows, or NULL */
} bk;

static inline uint32_t tree_of(const tc_node *n)
{
    return (uint32_t)n->height >> TREE_SHIFT & 3;
}

static inline uint32_t parent_of(const tc_node *n)
{
    return (uint32_t)n->height & PARENT_BITS;
}

static inline int32_t distance_of(const tc_node *n)
{
    return n->height >> DISTANCE_SHIFT;
}

static inline void set_node(tc_node *n, uint32_t tree, uint32_t parent, int32_t distance)
{
    if (distance > MAX_DISTANCE) distance = MAX_DISTANCE;
    n->height = (int32_t)((uint32_t)distance << DISTANCE_SHIFT | tree << TREE_SHIFT | parent);
}

static inline void set_parent(tc_node *n, uint32_t parent)
{
    n->height = (int32_t)(((uint32_t)n->height & ~(uint32_t)PARENT_BITS) | parent);
}

#ifdef TC_BK_WIDE
static inline int32_t neighbour(const bk *s, int32_t p, int d)
{
    return tc_wide_neighbour(&s->steps, p, d);
}

static inline float *residual(const bk *s, int32_t p, int d)
{
    return tc_wide_residual(s->grid, p, d);
}

/* True if this is a solve among nodes from which a search has reached a sink. Then the sink tree consists of its roots
 * alone and does not grow: excess is rare, and the many sinks wait for it. */
static inline bool waits(const bk *s)
{
    return s->reached != NULL;
}

/* True if excess that is at node p, or comes to it, may reach a sink. */
static inline bool matters(const bk *s, int32_t p)
{
    return !s->reached || s->reached[p / TC_TILE] >> p % TC_TILE & 1;
}
#else
static inline int32_t neighbour(const bk *s, int32_t p, int d)
{
    if (d < 4) return tc_step(&s->steps, p, d);
    if (s->steps.slice) return d == TC_BEHIND ? p + s->steps.slice : p - s->steps.slice;
    p = tc_step(&s->steps, p, d == TC_DOWN_RIGHT || d == TC_DOWN_LEFT ? TC_DOWN : TC_UP);
    return tc_step(&s->steps, p, d == TC_DOWN_RIGHT || d == TC_UP_RIGHT ? TC_RIGHT : TC_LEFT);
}

static inline float *residual(const bk *s, int32_t p, int d)
{
    return d < 4 ? &s->grid->residual[p].to[d] : &s->grid->diagonal[p].to[d - 4];
}

static inline bool waits(const bk *s)
{
    (void)s;
    return false;
}

static inline bool matters(const bk *s, int32_t p)
{
    (void)s;
    (void)p;
    return true;
}
#endif

/* True if flow can pass between p and its neighbour in direction d along `tree`: away from the root in the source tree,
 * towards it in the sink tree. `out` says that p is the end nearer to the root. */
static inline bool carries(const bk *s, int32_t p, int d, uint32_t tree, bool out)
{
    if ((tree == SOURCE) == out) return *residual(s, p, d) > 0;
    return *residual(s, neighbour(s, p, d), d ^ 1) > 0;
}

/* ---- Active nodes and orphans ----------------------------------------------------------------- */

static inline void activate(bk *s, int32_t p)
{
    tc_node *n = &s->node[p];
    if (n->link) return;
    if (s->last) s->node[s->last - 1].link = p + 1;
    else s->first = p + 1;
    s->last = p + 1;
    n->link = p + 1;
}

/* Finds the next active node that is still in a tree; returns false if there is none. */
static bool next_active(bk *s, int32_t *p)
{
    while (s->first) {
        *p = s->first - 1;
        tc_node *n = &s->node[*p];
        if (n->link == s->first) s->first = s->last = 0;
        else s->first = n->link;
        n->link = 0;
        if (tree_of(n) != FREE) return true;
    }
    return false;
}

static tilecut_status add_orphan(bk *s, int32_t p)
{
    int32_t *const list = tc_list_grow(s->orphan, s->orphans, &s->room, sizeof *list);
    if (!list) return tc_fail(TILECUT_ENOMEM, "no memory for more than %zu orphans", s->orphans);
    s->orphan = list;
    set_parent(&s->node[p], ORPHAN);
    s->orphan[s->orphans++] = p;
    return TILECUT_OK;
}

/* ---- Growth ----------------------------------------------------------------------------------- */

/* Adds the free neighbours of node p to its tree. Returns true if p touches the other tree: the path then leaves the
 * source tree at *from in direction *over. */
static inline bool grow_tree(bk *s, int32_t p, uint32_t tree, int32_t *from, int *over)
{
    const tc_node *n = &s->node[p];
    const int32_t distance = distance_of(n) + 1;
    for (int d = 0; d < s->directions; d++) {
        if (!carries(s, p, d, tree, true)) continue;
        const int32_t q = neighbour(s, p, d);
        tc_node *m = &s->node[q];
        const uint32_t other = tree_of(m);
        if (other == FREE) {
            if (!matters(s, q)) continue;
            set_node(m, tree, (uint32_t)(d ^ 1), distance);
            m->mark = n->mark;
            activate(s, q);
        } else if (other != tree) {
            *from = tree == SOURCE ? p : q;
            *over = tree == SOURCE ? d : d ^ 1;
            return true;
        } else if (m->mark <= n->mark && distance_of(m) > distance) {
            set_node(m, tree, (uint32_t)(d ^ 1), distance); /* a nearer parent shortens later paths */
            m->mark = n->mark;
        }
    }
    return false;
}

/* ---- Augmentation ----------------------------------------------------------------------------- */

/* Returns the residual capacity between p and its parent, in the direction of flow. */
static inline float *to_parent(const bk *s, int32_t p, uint32_t tree)
{
    const int d = (int)parent_of(&s->node[p]);
    return tree == SOURCE ? residual(s, neighbour(s, p, d), d ^ 1) : residual(s, p, d);
}

/* Returns the most flow, up to `most`, that can pass between p and the root of its tree. */
static float bottleneck(const bk *s, int32_t p, uint32_t tree, float most)
{
    while (parent_of(&s->node[p]) != ROOT) {
        const float room = *to_parent(s, p, tree);
        if (room < most) most = room;
        p = neighbour(s, p, (int)parent_of(&s->node[p]));
    }
    const float room = fabsf(s->grid->excess[p]);
    return room < most ? room : most;
}

/* Moves `flow` between p and its root. A node whose link to its parent becomes saturated is an orphan. */
static tilecut_status push(bk *s, int32_t p, uint32_t tree, float flow)
{
    while (parent_of(&s->node[p]) != ROOT) {
        const int d = (int)parent_of(&s->node[p]);
        const int32_t q = neighbour(s, p, d);
        float *forward = tree == SOURCE ? residual(s, q, d ^ 1) : residual(s, p, d);
        float *back = tree == SOURCE ? residual(s, p, d) : residual(s, q, d ^ 1);
        *back += flow;
        *forward -= flow;
        if (!(*forward > 0)) NEED(add_orphan(s, p));
        p = q;
    }
    s->grid->excess[p] += tree == SOURCE ? -flow : flow;
    if (s->grid->excess[p] == 0) NEED(add_orphan(s, p));
    return TILECUT_OK;
}

static tilecut_status augment(bk *s, int32_t from, int over)
{
    const int32_t to = neighbour(s, from, over);
    float *middle = residual(s, from, over);
    const float flow = bottleneck(s, to, SINK, bottleneck(s, from, SOURCE, *middle));

    *middle -= flow;
    *residual(s, to, over ^ 1) += flow;
    NEED(push(s, from, SOURCE, flow));
    return push(s, to, SINK, flow);
}

/* ---- Adoption --------------------------------------------------------------------------------- */

/* Returns the distance from p to its root, or MAX_DISTANCE + 1 if it no longer has a root. Marks the nodes on the way,
 * so that the next orphan need not walk it again. */
static int32_t distance_to_root(bk *s, int32_t p)
{
    int32_t steps = 0, distance;
    int32_t q = p;
    for (;; steps++) {
        const tc_node *n = &s->node[q];
        const uint32_t parent = parent_of(n);
        if (n->mark == s->time) {
            distance = steps + distance_of(n);
            break;
        }
        if (parent == ORPHAN || parent == NO_PARENT) return MAX_DISTANCE + 1;
        if (parent == ROOT) {
            s->node[q].mark = s->time;
            set_node(&s->node[q], tree_of(n), ROOT, 1);
            distance = steps + 1;
            break;
        }
        q = neighbour(s, q, (int)parent);
    }
    if (distance > MAX_DISTANCE) distance = MAX_DISTANCE;
    int32_t left = distance;
    for (q = p; s->node[q].mark != s->time; left--) {
        tc_node *n = &s->node[q];
        n->mark = s->time;
        set_node(n, tree_of(n), parent_of(n), left > 1 ? left : 1);
        q = neighbour(s, q, (int)parent_of(n));
    }
    return distance;
}

static inline tilecut_status adopt(bk *s, int32_t p, uint32_t tree)
{
    int32_t best = MAX_DISTANCE + 1;
    uint32_t parent = NO_PARENT;

    for (int d = 0; d < s->directions; d++) {
        if (!carries(s, p, d, tree, false)) continue;
        const int32_t q = neighbour(s, p, d);
        if (tree_of(&s->node[q]) != tree) continue;
        const int32_t distance = distance_to_root(s, q);
        if (distance < best) {
            best = distance;
            parent = (uint32_t)d;
        }
    }
    if (parent != NO_PARENT) {
        set_node(&s->node[p], tree, parent, best + 1);
        s->node[p].mark = s->time;
        return TILECUT_OK;
    }
    for (int d = 0; d < s->directions; d++) { /* p becomes free, and its children become orphans */
        const int32_t q = neighbour(s, p, d);
        const bool grows = tree == SOURCE || !waits(s);
        if (grows && carries(s, p, d, tree, false) && tree_of(&s->node[q]) == tree) activate(s, q);
        if (tree_of(&s->node[q]) == tree && parent_of(&s->node[q]) == (uint32_t)(d ^ 1)) NEED(add_orphan(s, q));
    }
    set_node(&s->node[p], FREE, NO_PARENT, 0);
    return TILECUT_OK;
}

static tilecut_status adopt_all(bk *s)
{
    while (s->orphans) {
        const int32_t p = s->orphan[--s->orphans];
        if (tree_of(&s->node[p]) == SOURCE) NEED(adopt(s, p, SOURCE));
        else NEED(adopt(s, p, SINK));
    }
    return TILECUT_OK;
}

/* ---- The solver ------------------------------------------------------------------------------- */

/* Starts both trees. The words of all other nodes are zero, which means free, so nodes that no tree reaches take no
 * memory. */
static void plant(bk *s)
{
    for (int32_t p = 0; p < (int32_t)s->grid->nodes; p++) {
        const float excess = s->grid->excess[p];
        if (excess == 0 || !matters(s, p)) continue;
        set_node(&s->node[p], excess > 0 ? SOURCE : SINK, ROOT, 1);
        if (excess > 0 || !waits(s)) activate(s, p);
    }
}

static tilecut_status run(bk *s, const tc_solve_params *params)
{
    int32_t p = 0, from = 0;
    int over = 0;

    while (next_active(s, &p)) {
        /* grows from p until nothing more is found */
        for (;;) {
            const uint32_t tree = tree_of(&s->node[p]);
            if (tree == FREE) break;
            if (!(tree == SOURCE ? grow_tree(s, p, SOURCE, &from, &over) : grow_tree(s, p, SINK, &from, &over))) break;
            s->time++;
            NEED(augment(s, from, over));
            NEED(adopt_all(s));
            if ((s->time & 1023) == 0 && tc_cancelled(params))
                return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
        }
    }
    return TILECUT_OK;
}

#ifdef TC_BK_WIDE
tilecut_status tc_bk_solve_wide(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
#else
tilecut_status tc_bk_solve(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
#endif
{
    bk s = {.grid = grid, .node = grid->node, .directions = grid->connectivity, .steps = STEPS_OF(grid),
            .reached = params->reached};
    tilecut_status status;

    plant(&s);
    status = run(&s, params);
    stats->bytes = grid->nodes * sizeof *grid->node + s.room * sizeof *s.orphan;
    free(s.orphan);
    return status;
}
