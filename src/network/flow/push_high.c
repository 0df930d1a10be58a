/* SPDX-License-Identifier: MIT
 *
 * push_high.c - see push_high.h.
 *
 * A label is a lower bound for the distance to the target, in slots with residual capacity; `dead` means that the
 * target cannot be reached. Nodes of one label form a list. A gap is a label that no node has; no path downhill can
 * cross it, so all nodes above it are given up at once. For each label there is also a stack of the nodes with
 * excess. A search back from the target makes the labels exact again, each time after about as much work as ALPHA
 * searches take.
 */
#include "push_high.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_reach.h"
#include "owned.h"
#include "status.h"

/* What is touched together when a node gets or gives flow: half a cache line. Labels are read far more often, of all
 * neighbours, and have an array of their own. */
typedef struct node {
    int64_t excess;
    int32_t first, end;     /* its slots                                  */
    int32_t current;        /* the slot to examine next                   */
    int32_t below;          /* the next node on the stack of its label    */
    int32_t next, previous; /* in the list of its label; -1: none         */
} node;

typedef struct high {
    tc_net *net;
    node *node;       /* [nodes]                                  */
    int32_t *label;   /* [nodes]; dead: does not reach the target */
    int32_t *listed;  /* [nodes] first node of a label            */
    int32_t *active;  /* [nodes + 1] top of the stack of a label  */
    int32_t target, closed, dead;
    int32_t alive;    /* nodes that may have a label              */
    int32_t top;      /* the highest label with a node            */
    int32_t top_active;
    int64_t work;     /* since the labels were last exact         */
    tc_net_run *run;
    tc_owned held;
} high;

enum { ALPHA = 6, NODE_WORK = 12 };

static bool high_alloc(high *h, const int64_t *excess)
{
    const size_t nodes = (size_t)h->net->nodes, bytes = (nodes + 1) * sizeof(int32_t);
    h->node = tc_own(&h->held, tc_large_alloc(nodes * sizeof *h->node));
    h->label = tc_own(&h->held, tc_large_alloc(bytes));
    h->listed = tc_own(&h->held, tc_large_alloc(bytes));
    h->active = tc_own(&h->held, tc_large_alloc(bytes));
    h->run->bytes = 3 * bytes + nodes * (sizeof *h->node + sizeof *excess);
    if (h->held.lacks) return false;
    for (size_t v = 0; v < nodes; v++)
        h->node[v] = (node){.excess = excess[v], .first = h->net->first[v], .end = h->net->first[v + 1]};
    return true;
}

static void list(high *h, int32_t v, int32_t label)
{
    const int32_t first = h->listed[label];
    h->node[v].next = first;
    h->node[v].previous = -1;
    if (first >= 0) h->node[first].previous = v;
    h->listed[label] = v;
    if (label > h->top) h->top = label;
}

static void unlist(high *h, int32_t v, int32_t label)
{
    const int32_t next = h->node[v].next, previous = h->node[v].previous;
    if (previous >= 0) h->node[previous].next = next;
    else h->listed[label] = next;
    if (next >= 0) h->node[next].previous = previous;
}

static void activate(high *h, int32_t v, int32_t label)
{
    h->node[v].below = h->active[label];
    h->active[label] = v;
    if (label > h->top_active) h->top_active = label;
}

/* Makes labels exact, by all threads, until all nodes that had a label are found. Uses `active` as queue; arrange()
 * builds the stacks anew. */
static void label_all(high *h)
{
    const tc_net_reach reach = {.target = h->target, .closed = h->closed, .most = h->alive, .label = h->label,
                                .queue = h->active};
    h->alive = tc_net_find_reach(h->net, &reach, h->run->threads);
    h->run->rounds++;
}

/* Builds the lists and stacks for new labels. False: the caller wants a pause. */
static bool arrange(high *h)
{
    const tc_net *net = h->net;
    int32_t active = 0;
    h->listed[0] = h->active[0] = -1;
    h->top = h->top_active = 0;
    for (int32_t v = 0; v < net->nodes; v++) {
        const int32_t label = h->label[v];
        if (label == h->dead || v == h->target) continue;
        while (h->top < label) {
            h->top++;
            h->listed[h->top] = h->active[h->top] = -1;
        }
        h->node[v].current = h->node[v].first;
        list(h, v, label);
        if (!h->node[v].excess) continue;
        activate(h, v, label);
        active++;
    }
    h->work = 0;
    return !h->run->pause || !h->run->pause(h->run, active);
}

/* Gives up all nodes above an empty label. */
static void give_up_above(high *h, int32_t label)
{
    for (int32_t k = label + 1; k <= h->top; k++) {
        for (int32_t v = h->listed[k]; v >= 0; v = h->node[v].next) h->label[v] = h->dead;
        h->listed[k] = h->active[k] = -1;
    }
    h->top = label - 1;
    if (h->top_active > h->top) h->top_active = h->top;
}

/* Returns the lowest label with which v can push, or `dead`, and makes the first slot for that push the current one.
 * Which slots have room, and where they lead, cannot be foretold by the processor, so the loop does not branch. */
static int32_t relabelled(high *h, int32_t v)
{
    enum { HALF = 32 };
    const tc_net *net = h->net;
    node *const at = &h->node[v];
    int64_t least = (int64_t)h->dead << HALF | at->current; /* a label, and a slot with it */
    for (int32_t i = at->first; i < at->end; i++) {
        const int64_t full = -(int64_t)(net->slot[i].room == 0) & INT64_MAX;
        const int64_t one = ((int64_t)h->label[net->slot[i].head] << HALF | i) | full;
        least = one < least ? one : least;
    }
    const int32_t label = (int32_t)(least >> HALF);
    at->current = (int32_t)least;
    h->work += NODE_WORK + at->end - at->first;
    h->run->relabels++;
    return label >= h->dead - 1 ? h->dead : label + 1;
}

/* Pushes over slots that lead downhill. True: the excess is gone; false: no such slot is left. */
static bool push_out(high *h, int32_t v)
{
    tc_net *net = h->net;
    node *const at = &h->node[v];
    const int32_t end = at->end, label = h->label[v];
    int64_t left = at->excess;
    for (int32_t i = at->current; i < end; i++) {
        tc_slot *slot = &net->slot[i];
        const int32_t u = slot->head;
        if (!slot->room || h->label[u] != label - 1) continue;
        const int64_t amount = left < slot->room ? left : slot->room;
        tc_net_push(net, slot, amount);
        if (!h->node[u].excess && u != h->target) activate(h, u, label - 1);
        h->node[u].excess += amount;
        left -= amount;
        h->run->pushes++;
        if (left) continue;
        at->current = i;
        break;
    }
    at->excess = left;
    return !left;
}

/* Discharges v until it has no excess or is given up. */
static void discharge(high *h, int32_t v)
{
    while (!push_out(h, v)) {
        const int32_t old = h->label[v];
        unlist(h, v, old);
        if (h->listed[old] < 0) {
            h->label[v] = h->dead;
            give_up_above(h, old);
            return;
        }
        const int32_t label = h->label[v] = relabelled(h, v);
        if (label == h->dead) return;
        /* Labels up to the new one may be in use for the first time. */
        for (; h->top < label; h->top++) h->listed[h->top + 1] = h->active[h->top + 1] = -1;
        list(h, v, label);
    }
}

/* Nodes on a stack are next in turn, and mostly far away in memory; so are the ends of their slots. What the three
 * below v need is fetched early, for each the part that the node itself has told by now. */
static void fetch_below(const high *h, int32_t v)
{
    enum { SLOTS = 3 };
    const tc_slot *const slots = h->net->slot;
    const int32_t next = h->node[v].below;
    if (next < 0) return;
    const int32_t begin = h->node[next].current, end = h->node[next].end;
    for (int32_t i = begin; i < end && i < begin + SLOTS; i++) {
        __builtin_prefetch(&h->node[slots[i].head]);
        __builtin_prefetch(&slots[slots[i].mate]);
    }
    const int32_t far = h->node[next].below;
    if (far < 0) return;
    __builtin_prefetch(&slots[h->node[far].current]);
    if (h->node[far].below >= 0) __builtin_prefetch(&h->node[h->node[far].below]);
}

/* The active node with the highest label; -1: none. */
static int32_t next_active(high *h)
{
    for (; h->top_active > 0; h->top_active--) {
        const int32_t v = h->active[h->top_active];
        if (v < 0) continue;
        h->active[h->top_active] = h->node[v].below;
        fetch_below(h, v);
        return v;
    }
    return -1;
}

tilecut_status tc_push_high(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run)
{
    enum { LOOK = 1 << 12 }; /* nodes between two checks of the cancel flag */
    tilecut_status status = TILECUT_OK;
    high h = {.net = net, .target = target, .closed = closed, .dead = net->nodes, .run = run};
    const int64_t most_work = ALPHA * (int64_t)net->nodes + net->first[net->nodes] / 2;
    if (!high_alloc(&h, excess)) {
        tc_owned_free(&h.held);
        return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", (int)net->nodes);
    }
    h.alive = net->nodes - 1;
    label_all(&h);
    bool more = arrange(&h);
    for (int64_t turn = 0; more; turn++) {
        const int32_t v = next_active(&h);
        if (v < 0) break;
        discharge(&h, v);
        if (turn % LOOK == 0 && tc_flag_raised(run->cancel)) {
            status = tc_fail(TILECUT_ECANCELLED, "cancelled while pushing");
            break;
        }
        if (h.work <= most_work) continue;
        label_all(&h);
        more = arrange(&h);
    }
    for (int32_t v = 0; v < net->nodes; v++) excess[v] = h.node[v].excess;
    tc_owned_free(&h.held);
    return status;
}
