/* SPDX-License-Identifier: MIT
 *
 * trees.c - two search trees (Boykov & Kolmogorov, PAMI 2004) on a grid of 4 neighbours, with everything that growth
 * and adoption need in one word per node.
 *
 * It is meant for images with few terminals, where a tree crosses most pixels once and they never carry flow. The
 * cost is then in looking at neighbours, not in pushing. So 8 bits of a node say which of its links are open outwards
 * and inwards, and capacities are read along paths only. The bits change when a link fills up or opens. At the start,
 * only nodes that border on something other than their own tree are active. A node keeps the first parent that it
 * finds, and orphans are adopted in the order in which they came.
 *
 * bk.c is the plain version. All state is in the grid: in a node, `mark` holds bits, tree, parent and distance,
 * `height` says when that distance was last known to be right, and `link` is the list of active nodes.
 */
#include <stdlib.h>

#include "owned.h"
#include "solver.h"
#include "status.h"

/* mark = distance << 14 | listed << 13 | tree << 11 | parent << 8 | open inwards << 4 | open outwards.
 * Distances saturate: they only guide the choice of a parent. */
enum { IN_SHIFT = 4, PARENT_SHIFT = 8, TREE_SHIFT = 11, DISTANCE_SHIFT = 14 };
enum { FREE = 0, SOURCE = 1, SINK = 2 };
enum { ROOT = 4, ORPHAN = 5, NO_PARENT = 7 }; /* else a direction */
#define PARENT_BITS (7u << PARENT_SHIFT)
#define TREE_BITS (3u << TREE_SHIFT)
#define LISTED (1u << 13)
#define BELOW_DISTANCE ((1u << DISTANCE_SHIFT) - 1)
#define MAX_DISTANCE ((1 << 18) - 1)
#define FAR INT32_MAX

typedef struct trees {
    tc_node *node;
    float *excess;
    tc_float4 *residual;
    int tiles_x;
    int32_t nodes, time;
    int32_t first, last; /* list of active nodes through `link`; -1 when empty */
    int32_t *orphan;     /* the queue is orphan[taken .. orphans - 1] */
    size_t orphans, taken, room;
} trees;

static inline int32_t neighbour(const trees *s, int32_t p, int d)
{
    return (int32_t)tc_neighbour(s->tiles_x, p, d);
}

static inline uint32_t tree_of(uint32_t mark)
{
    return mark >> TREE_SHIFT & 3;
}

static inline int parent_of(uint32_t mark)
{
    return (int)(mark >> PARENT_SHIFT & 7);
}

static inline int32_t distance_of(const trees *s, int32_t p)
{
    return (int32_t)(s->node[p].mark_u >> DISTANCE_SHIFT);
}

static inline void set_distance(trees *s, int32_t p, int32_t distance)
{
    if (distance > MAX_DISTANCE) distance = MAX_DISTANCE;
    s->node[p].mark_u = (s->node[p].mark_u & BELOW_DISTANCE) | (uint32_t)distance << DISTANCE_SHIFT;
}

static inline void set_parent(trees *s, int32_t p, uint32_t tree, int parent)
{
    s->node[p].mark_u = (s->node[p].mark_u & ~(PARENT_BITS | TREE_BITS)) | tree << TREE_SHIFT |
                        (uint32_t)parent << PARENT_SHIFT;
}

/* The open links along which `tree` can grow from a node, or (toward_root) by which the node can be attached to a
 * parent. */
static inline uint32_t links(uint32_t mark, uint32_t tree, bool toward_root)
{
    return ((tree == SOURCE) != toward_root ? mark : mark >> IN_SHIFT) & 15;
}

static inline void activate(trees *s, int32_t p)
{
    if (s->node[p].mark_u & LISTED) return;
    s->node[p].mark_u |= LISTED;
    s->node[p].link = -1;
    if (s->first < 0) s->first = p;
    else s->node[s->last].link = p;
    s->last = p;
}

static tilecut_status make_orphan(trees *s, int32_t p)
{
    int32_t *const list = tc_with_room(s->orphan, s->orphans, &s->room, sizeof *list);
    if (!list) return tc_fail(TILECUT_ENOMEM, "no memory for more than %zu orphans", s->orphans);
    s->orphan = list;
    s->orphan[s->orphans++] = p;
    set_parent(s, p, tree_of(s->node[p].mark_u), ORPHAN);
    return TILECUT_OK;
}

/* ---- Augmentation ----------------------------------------------------------------------------- */

/* Moves flow from p to its neighbour q in direction d. True if that fills the link. */
static inline bool push(trees *s, int32_t p, int32_t q, int d, float flow)
{
    float *const there = &s->residual[p].to[d], *const back = &s->residual[q].to[d ^ 1];
    if (*back == 0) {
        s->node[q].mark_u |= 1u << (d ^ 1);
        s->node[p].mark_u |= 1u << (IN_SHIFT + d);
    }
    *back += flow;
    *there -= flow;
    if (*there != 0) return false;
    s->node[p].mark_u &= ~(1u << d);
    s->node[q].mark_u &= ~(1u << (IN_SHIFT + (d ^ 1)));
    return true;
}

/* The least capacity on the way between p and its root, and at the root itself; at most `room`. */
static inline float room_to_root(const trees *s, int32_t p, bool source, float room)
{
    for (int d; (d = parent_of(s->node[p].mark_u)) != ROOT;) {
        const int32_t q = neighbour(s, p, d);
        const float here = source ? s->residual[q].to[d ^ 1] : s->residual[p].to[d];
        if (here < room) room = here;
        p = q;
    }
    const float at_root = source ? s->excess[p] : -s->excess[p];
    return at_root < room ? at_root : room;
}

/* Moves `flow` along the way between p and its root, in the direction of the tree. */
static tilecut_status push_to_root(trees *s, int32_t p, bool source, float flow)
{
    for (int d; (d = parent_of(s->node[p].mark_u)) != ROOT;) {
        const int32_t q = neighbour(s, p, d);
        if (source ? push(s, q, p, d ^ 1, flow) : push(s, p, q, d, flow)) NEED(make_orphan(s, p));
        p = q;
    }
    s->excess[p] += source ? -flow : flow;
    if (s->excess[p] == 0) NEED(make_orphan(s, p));
    return TILECUT_OK;
}

/* Saturates the path over the link in direction d from p, in the source tree, to q in the sink tree. */
static tilecut_status augment(trees *s, int32_t p, int d)
{
    const int32_t q = neighbour(s, p, d);
    float flow = room_to_root(s, p, true, s->residual[p].to[d]);
    flow = room_to_root(s, q, false, flow);
    (void)push(s, p, q, d, flow);
    NEED(push_to_root(s, p, true, flow));
    return push_to_root(s, q, false, flow);
}

/* ---- Adoption --------------------------------------------------------------------------------- */

/* The distance of q to its root; FAR if the way ends at an orphan. Stores distances in the nodes on the way. */
static int32_t distance_to_root(trees *s, int32_t q)
{
    int32_t distance = 0, p = q;
    for (;;) {
        if (s->node[p].height == s->time) {
            distance += distance_of(s, p);
            break;
        }
        const int d = parent_of(s->node[p].mark_u);
        distance++;
        if (d == ROOT) break;
        if (d > ROOT) return FAR;
        p = neighbour(s, p, d);
    }
    const int32_t found = distance;
    while (s->node[q].height != s->time) {
        const int d = parent_of(s->node[q].mark_u);
        s->node[q].height = s->time;
        set_distance(s, q, distance--);
        if (d == ROOT) break;
        q = neighbour(s, q, d);
    }
    return found;
}

static tilecut_status adopt(trees *s, int32_t p)
{
    const uint32_t mark = s->node[p].mark_u, tree = tree_of(mark), up = links(mark, tree, true);
    int32_t best = FAR;
    int parent = NO_PARENT;

    for (uint32_t rest = up; rest; rest &= rest - 1) {
        const int d = __builtin_ctz(rest);
        const int32_t q = neighbour(s, p, d);
        if (tree_of(s->node[q].mark_u) != tree) continue;
        const int32_t distance = distance_to_root(s, q);
        if (distance < best) best = distance, parent = d;
    }
    if (parent != NO_PARENT) {
        set_parent(s, p, tree, parent);
        set_distance(s, p, best + 1);
        s->node[p].height = s->time;
        return TILECUT_OK;
    }
    for (uint32_t rest = (mark | mark >> IN_SHIFT) & 15; rest; rest &= rest - 1) { /* p becomes free: visit its links */
        const int d = __builtin_ctz(rest);
        const int32_t q = neighbour(s, p, d);
        if (tree_of(s->node[q].mark_u) != tree) continue;
        if (up >> d & 1) activate(s, q);
        if (parent_of(s->node[q].mark_u) == (d ^ 1)) NEED(make_orphan(s, q));
    }
    set_parent(s, p, FREE, NO_PARENT);
    return TILECUT_OK;
}

static tilecut_status adopt_all(trees *s)
{
    while (s->taken < s->orphans) NEED(adopt(s, s->orphan[s->taken++]));
    s->taken = s->orphans = 0;
    return TILECUT_OK;
}

/* ---- Growth ----------------------------------------------------------------------------------- */

/* Grows the tree of p from p until nothing more is found there, or p has left its tree. */
static tilecut_status grow(trees *s, int32_t p)
{
    const uint32_t tree = tree_of(s->node[p].mark_u);
    bool again = tree != FREE;
    while (again) {
        again = false;
        if (tree_of(s->node[p].mark_u) != tree) break;
        for (uint32_t rest = links(s->node[p].mark_u, tree, false); rest; rest &= rest - 1) {
            const int d = __builtin_ctz(rest);
            const int32_t q = neighbour(s, p, d);
            const uint32_t other = tree_of(s->node[q].mark_u);
            if (other == tree) continue;
            if (other == FREE) {
                set_parent(s, q, tree, d ^ 1);
                set_distance(s, q, distance_of(s, p) + 1);
                s->node[q].height = s->node[p].height;
                activate(s, q);
                continue;
            }
            s->time++;
            NEED(tree == SOURCE ? augment(s, p, d) : augment(s, q, d ^ 1));
            NEED(adopt_all(s));
            again = true;
            break;
        }
    }
    return TILECUT_OK;
}

/* ---- The solver ------------------------------------------------------------------------------- */

/* Sets the bits, makes every node with excess a tree of its own, and lists the active nodes. */
static void plant(trees *s)
{
    for (int32_t p = 0; p < s->nodes; p++) {
        const float *to = s->residual[p].to;
        const float excess = s->excess[p];
        const uint32_t tree = excess > 0 ? SOURCE : excess < 0 ? SINK : FREE;
        s->node[p].height = 0;
        s->node[p].mark_u = (uint32_t)(to[0] > 0) | (uint32_t)(to[1] > 0) << 1 | (uint32_t)(to[2] > 0) << 2 |
                            (uint32_t)(to[3] > 0) << 3 | tree << TREE_SHIFT |
                            (uint32_t)(tree ? ROOT : NO_PARENT) << PARENT_SHIFT | 1u << DISTANCE_SHIFT;
    }
    for (int32_t p = 0; p < s->nodes; p++) {
        uint32_t in = 0;
        for (int d = 0; d < 4; d++) in |= (s->node[neighbour(s, p, d)].mark_u >> (d ^ 1) & 1) << d;
        s->node[p].mark_u |= in << IN_SHIFT;
    }
    for (int32_t p = 0; p < s->nodes; p++) {
        const uint32_t mark = s->node[p].mark_u, tree = tree_of(mark);
        if (tree == FREE) continue;
        for (uint32_t rest = links(mark, tree, false); rest; rest &= rest - 1)
            if (tree_of(s->node[neighbour(s, p, __builtin_ctz(rest))].mark_u) != tree) {
                activate(s, p);
                break;
            }
    }
}

tilecut_status tc_solver_trees(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    trees s = {.node = grid->node, .excess = grid->excess, .residual = grid->residual, .tiles_x = grid->tiles_x,
               .nodes = (int32_t)grid->nodes, .first = -1, .last = -1};

    plant(&s);
    for (unsigned turn = 0; s.first >= 0; turn++) {
        const int32_t p = s.first;
        s.first = s.node[p].link;
        s.node[p].mark_u &= ~LISTED;
        TRY(grow(&s, p));
        if ((turn & 1023) == 0 && tc_cancelled(params)) TRY(tc_fail(TILECUT_ECANCELLED, "cancelled while solving"));
    }
done:
    stats->bytes = grid->nodes * sizeof *grid->node + s.room * sizeof *s.orphan;
    free(s.orphan);
    return status;
}
