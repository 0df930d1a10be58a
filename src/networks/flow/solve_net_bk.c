/* SPDX-License-Identifier: MIT
 *
 * solve_net_bk.c - the solver `bk` (Boykov & Kolmogorov, PAMI 2004; timestamps and distances as in section 3.2.3). One
 * search tree grows from the source and one from the sink, over slots with residual capacity. When they touch, flow is
 * pushed along the path. A node that loses its parent gets another one, or becomes free. This is fast where paths are
 * short.
 *
 * Terminal arcs are first removed from the graph: terminal[v] > 0 is the residual capacity from the source to v, and
 * terminal[v] < 0 means residual capacity from v to the sink. Flow from source to sink through a single node is pushed
 * at once. At the end the terminal arcs are written back.
 */
#include <stdlib.h>
#include <string.h>

#include "net_solver.h"
#include "alloc_list.h"
#include "status.h"

enum { FREE = 0, FROM_SOURCE = 1, TO_SINK = 2, APART = 3 };     /* tree[] */
enum { NO_PARENT = -1, TERMINAL = -2, ORPHAN = -3 };            /* values of parent[] that are not slots */

typedef struct forest {
    tc_net *net;
    int64_t *terminal;  /* [nodes]                                                    */
    int32_t *parent;    /* [nodes] slot to the parent, or one of the values above     */
    int32_t *distance;  /* [nodes] distance to the root, as known at the time `mark`  */
    int32_t *mark;      /* [nodes] the augmentation after which `distance` was right  */
    int32_t *next;      /* [nodes] next node in the queue of active nodes; the last one points to itself; -1: not in the
                           queue */
    int32_t *orphan;    /* [nodes] a ring buffer of the nodes that lost their parent  */
    uint8_t *tree;      /* [nodes]                                                    */
    int32_t first, last, orphans, first_orphan, time;
    int64_t looks;      /* number of slots read so far */
    tc_net_run *run;
    tc_alloc_list held;
} forest;

static bool forest_alloc(forest *f)
{
    const size_t nodes = (size_t)f->net->nodes, bytes = nodes * sizeof(int32_t);
    f->terminal = tc_own(&f->held, calloc(nodes, sizeof *f->terminal));
    f->parent = tc_own(&f->held, malloc(bytes));
    f->distance = tc_own(&f->held, calloc(nodes, sizeof *f->distance));
    f->mark = tc_own(&f->held, calloc(nodes, sizeof *f->mark));
    f->next = tc_own(&f->held, malloc(bytes));
    f->orphan = tc_own(&f->held, malloc(bytes));
    f->tree = tc_own(&f->held, calloc(nodes, 1));
    f->run->bytes = 5 * bytes + nodes * (sizeof *f->terminal + sizeof *f->tree);
    return !f->held.lacks;
}

static void activate(forest *f, int32_t v)
{
    if (f->next[v] >= 0) return;
    if (f->last >= 0) f->next[f->last] = v;
    else f->first = v;
    f->next[v] = v;
    f->last = v;
}

static int32_t take_active(forest *f)
{
    const int32_t v = f->first;
    if (v < 0) return -1;
    if (f->next[v] == v) f->first = f->last = -1;
    else f->first = f->next[v];
    f->next[v] = -1;
    return v;
}

static void make_orphan(forest *f, int32_t v)
{
    const int32_t at = f->first_orphan + f->orphans++, nodes = f->net->nodes;
    f->parent[v] = ORPHAN;
    f->orphan[at < nodes ? at : at - nodes] = v;
}

/* Residual capacity in the direction of the flow: outwards in the source's tree, inwards in the sink's tree. */
static int64_t room_out(const forest *f, int32_t v, const tc_slot *slot)
{
    return f->tree[v] == FROM_SOURCE ? slot->room : f->net->slot[slot->mate].room;
}

static int64_t room_in(const forest *f, int32_t v, const tc_slot *slot)
{
    return f->tree[v] == FROM_SOURCE ? f->net->slot[slot->mate].room : slot->room;
}

/* ---- terminals -------------------------------------------------------------------------------- */

static void take_out(forest *f)
{
    tc_net *net = f->net;
    for (int32_t i = net->first[net->source]; i < net->first[net->source + 1]; i++) {
        tc_slot *slot = &net->slot[i];
        if (slot->head == net->sink) tc_net_push(net, slot, slot->room);
        else f->terminal[slot->head] += slot->room;
    }
    for (int32_t i = net->first[net->sink]; i < net->first[net->sink + 1]; i++) {
        const tc_slot *slot = &net->slot[i];
        if (slot->head != net->source) f->terminal[slot->head] -= net->slot[slot->mate].room;
    }
}

/* Writes the flow back to terminal arcs. Several arcs between a node and a terminal are filled in their order. */
static void write_back(forest *f)
{
    tc_net *net = f->net;
    for (int32_t i = net->first[net->source]; i < net->first[net->source + 1]; i++) {
        tc_slot *slot = &net->slot[i];
        int64_t *left = &f->terminal[slot->head];
        const int64_t stays = *left <= 0 ? 0 : *left < slot->room ? *left : slot->room;
        if (slot->head == net->sink) continue;
        *left -= stays;
        tc_net_push(net, slot, slot->room - stays);
    }
    for (int32_t i = net->first[net->sink]; i < net->first[net->sink + 1]; i++) {
        tc_slot *slot = &net->slot[net->slot[i].mate];
        int64_t *left = &f->terminal[net->slot[i].head];
        const int64_t stays = *left >= 0 ? 0 : -*left < slot->room ? -*left : slot->room;
        if (net->slot[i].head == net->source) continue;
        *left += stays;
        tc_net_push(net, slot, slot->room - stays);
    }
}

static void plant(forest *f)
{
    for (int32_t v = 0; v < f->net->nodes; v++) {
        f->parent[v] = NO_PARENT;
        f->next[v] = -1;
    }
    f->first = f->last = -1;
    f->tree[f->net->source] = f->tree[f->net->sink] = APART;
    for (int32_t v = 0; v < f->net->nodes; v++) {
        if (!f->terminal[v] || f->tree[v] == APART) continue;
        f->tree[v] = f->terminal[v] > 0 ? FROM_SOURCE : TO_SINK;
        f->parent[v] = TERMINAL;
        f->distance[v] = 1;
        activate(f, v);
    }
}

/* ---- growing ---------------------------------------------------------------------------------- */

/* Grows the tree at v. Returns the slot, in the direction of the flow, where v touches the other tree; -1 if it does
 * not. */
static int32_t grow_tree(forest *f, int32_t v)
{
    const tc_net *net = f->net;
    f->looks += net->first[v + 1] - net->first[v];
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        const tc_slot *slot = &net->slot[i];
        const int32_t u = slot->head;
        if (f->tree[u] == APART || !room_out(f, v, slot)) continue;
        if (f->tree[u] == FREE) {
            f->tree[u] = f->tree[v];
            activate(f, u);
        } else if (f->tree[u] != f->tree[v]) {
            return f->tree[v] == FROM_SOURCE ? i : slot->mate;
        } else if (f->mark[u] > f->mark[v] || f->distance[u] <= f->distance[v]) {
            continue;
        }
        f->parent[u] = slot->mate; /* this path to the root is shorter */
        f->mark[u] = f->mark[v];
        f->distance[u] = f->distance[v] + 1;
    }
    return -1;
}

/* ---- augmenting ------------------------------------------------------------------------------- */

/* Returns the least residual capacity on the path from v to its root, in the direction of the flow; at most `most`. */
static int64_t narrowest(const forest *f, int32_t v, int64_t most)
{
    while (f->parent[v] != TERMINAL) {
        const tc_slot *slot = &f->net->slot[f->parent[v]];
        const int64_t room = room_in(f, v, slot);
        if (room < most) most = room;
        v = slot->head;
    }
    const int64_t room = f->terminal[v] < 0 ? -f->terminal[v] : f->terminal[v];
    return room < most ? room : most;
}

static void push_along(forest *f, int32_t v, int64_t amount)
{
    const bool source = f->tree[v] == FROM_SOURCE;
    while (f->parent[v] != TERMINAL) {
        tc_slot *slot = &f->net->slot[f->parent[v]];
        const int32_t up = slot->head;
        tc_net_push(f->net, source ? &f->net->slot[slot->mate] : slot, amount);
        if (!room_in(f, v, slot)) make_orphan(f, v);
        v = up;
    }
    f->terminal[v] += source ? -amount : amount;
    if (!f->terminal[v]) make_orphan(f, v);
}

static void augment(forest *f, int32_t bridge)
{
    tc_slot *slot = &f->net->slot[bridge];
    const int32_t from = f->net->slot[slot->mate].head, to = slot->head;
    const int64_t amount = narrowest(f, to, narrowest(f, from, slot->room));
    tc_net_push(f->net, slot, amount);
    push_along(f, from, amount);
    push_along(f, to, amount);
    f->run->pushes++;
}

/* ---- adopting --------------------------------------------------------------------------------- */

/* Returns the distance of v from its root; -1 if its path does not end at a root. Marks the nodes on the path. */
static int32_t rooted(forest *f, int32_t v)
{
    const int32_t start = v;
    int32_t steps = 0, all;
    for (;; steps++) {
        if (f->mark[v] == f->time) {
            all = steps + f->distance[v];
            break;
        }
        if (f->parent[v] == TERMINAL) {
            f->mark[v] = f->time;
            f->distance[v] = 1;
            all = steps + 1;
            break;
        }
        if (f->parent[v] < 0) return -1;
        v = f->net->slot[f->parent[v]].head;
    }
    f->looks += steps;
    v = start;
    for (int32_t at = all; f->mark[v] != f->time; at--) {
        f->mark[v] = f->time;
        f->distance[v] = at;
        v = f->net->slot[f->parent[v]].head;
    }
    return all;
}

/* Frees the orphan: its children become orphans, and neighbours that could grow into it become active. */
static void free_orphan(forest *f, int32_t v)
{
    const tc_net *net = f->net;
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        const tc_slot *slot = &net->slot[i];
        const int32_t u = slot->head;
        if (f->tree[u] != f->tree[v]) continue;
        if (room_in(f, v, slot)) activate(f, u);
        if (f->parent[u] >= 0 && net->slot[f->parent[u]].head == v) make_orphan(f, u);
    }
    f->tree[v] = FREE;
    f->parent[v] = NO_PARENT;
}

static void adopt(forest *f, int32_t v)
{
    const tc_net *net = f->net;
    int32_t best = -1, least = INT32_MAX;
    f->looks += net->first[v + 1] - net->first[v];
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        const tc_slot *slot = &net->slot[i];
        if (f->tree[slot->head] != f->tree[v] || !room_in(f, v, slot)) continue;
        const int32_t distance = rooted(f, slot->head);
        if (distance < 0 || distance >= least) continue;
        best = i;
        least = distance;
    }
    f->run->relabels++;
    if (best < 0) {
        free_orphan(f, v);
        return;
    }
    f->parent[v] = best;
    f->mark[v] = f->time;
    f->distance[v] = least + 1;
}

static void adopt_all(forest *f)
{
    while (f->orphans) {
        const int32_t v = f->orphan[f->first_orphan];
        f->first_orphan = f->first_orphan + 1 < f->net->nodes ? f->first_orphan + 1 : 0;
        f->orphans--;
        adopt(f, v);
    }
}

static tilecut_status run(forest *f)
{
    enum { LOOK = 1 << 10 }; /* number of nodes between two checks of the cancel flag */
    const int64_t most = f->run->patience ? f->run->patience : INT64_MAX;
    int64_t turn = 0;
    for (int32_t v; (v = take_active(f)) >= 0; turn++) {
        if (turn % LOOK == 0 && tc_flag_raised(f->run->cancel))
            return tc_fail(TILECUT_ECANCELLED, "cancelled while trees grow");
        for (int32_t bridge; f->tree[v] != FREE && (bridge = grow_tree(f, v)) >= 0;) {
            if (f->time == INT32_MAX) { /* timestamps start again */
                memset(f->mark, 0, (size_t)f->net->nodes * sizeof *f->mark);
                f->time = 0;
            }
            f->time++;
            augment(f, bridge);
            adopt_all(f);
            if (f->looks > most) {
                f->run->unfinished = true;
                return TILECUT_OK;
            }
        }
    }
    return TILECUT_OK;
}

tilecut_status tc_net_solve_bk(tc_net *net, tc_net_run *report)
{
    tilecut_status status = TILECUT_ENOMEM;
    forest f = {.net = net, .run = report};
    if (forest_alloc(&f)) {
        take_out(&f);
        plant(&f);
        status = run(&f);
        write_back(&f);
    } else {
        tc_fail(status, "no memory for the trees of %d nodes", (int)net->nodes);
    }
    tc_alloc_list_free(&f.held);
    return status;
}
