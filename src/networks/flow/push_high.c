/* SPDX-License-Identifier: MIT
 *
 * push_high.c - see push_high.h.
 *
 * A label is a lower bound for the number of slots with room on a path to the target; `dead` means that the target
 * cannot be reached. A gap is a label that no node has. No path downhill crosses a gap, so all nodes above it are given
 * up at once. For each label there is a stack of the nodes that have excess. Global relabeling, a search back from the
 * target, makes labels exact again, each time after about WORK_A_SEARCH times the work of one search. While flow is
 * still far from the target, nodes nearer to it keep their labels, and the search begins where something has changed.
 *
 * The nodes with a given label are only needed when there is a gap. Exact lists would have to be updated with every
 * relabel, so only their number is kept exact. When the nodes are needed, they are found among those that have had this
 * label since the last search: a range of the search's queue, and a chain of the nodes lifted to it. Some of these may
 * have another label by then.
 */
#include "push_high.h"

#include <stdlib.h>

#include "large.h"
#include "net_reach.h"
#include "alloc_list.h"
#include "push_node.h"
#include "status.h"

/* A node that was lifted, and the entry of the node lifted to the same label before it; -1: none. */
typedef struct lifted {
    int32_t node, before;
} lifted;

typedef struct high {
    tc_net *net;
    tc_push_node *node; /* [nodes]                                */
    int32_t *label;   /* [nodes] `dead`: the node does not reach the target */
    int32_t *queue;   /* [nodes + 1] nodes in the order of the last search */
    int32_t *begin;   /* [nodes + 1] where each label begins in the queue, up to `deepest` + 1 */
    int32_t *count;   /* [nodes + 1] how many nodes have each label */
    int32_t *last;    /* [nodes + 1] the latest entry in `lifted` for each label */
    int32_t *active;  /* [nodes + 1] top of the stack of each label */
    lifted *lifted;   /* [most_lifts] the lifts since the labels were last exact */
    int32_t lifts, most_lifts;
    int32_t target, closed, dead;
    int32_t alive;    /* number of nodes that may still reach the target */
    int32_t deepest;  /* no label above this one has a range of the queue */
    int32_t top;      /* the highest label with a node            */
    int32_t top_active;
    int32_t lowest;   /* the lowest label from which flow was pushed since the labels were last exact */
    int64_t work;     /* work since the labels were last exact */
    int64_t most_work;
    tc_net_run *run;
    tc_alloc_list held;
} high;

enum { WORK_A_SEARCH = 9 };

static int32_t *own_labels(high *h)
{
    const size_t bytes = ((size_t)h->net->nodes + 1) * sizeof(int32_t);
    h->run->bytes += bytes;
    return tc_own(&h->held, tc_large_alloc(bytes));
}

static bool high_alloc(high *h, const int64_t *excess)
{
    const size_t nodes = (size_t)h->net->nodes, lifts = (size_t)h->most_lifts;
    h->run->bytes = nodes * (sizeof *h->node + sizeof *excess) + lifts * sizeof *h->lifted;
    h->node = tc_own(&h->held, tc_large_alloc(nodes * sizeof *h->node));
    h->lifted = tc_own(&h->held, tc_large_alloc(lifts * sizeof *h->lifted));
    h->label = own_labels(h);
    h->queue = own_labels(h);
    h->begin = own_labels(h);
    h->count = own_labels(h);
    h->last = own_labels(h);
    h->active = own_labels(h);
    if (h->held.lacks) return false;
    for (size_t v = 0; v < nodes; v++)
        h->node[v] = (tc_push_node){.excess = excess[v], .first = h->net->first[v], .end = h->net->first[v + 1]};
    return true;
}

static void activate(high *h, int32_t v, int32_t label)
{
    h->node[v].below = h->active[label];
    h->active[label] = v;
    if (label > h->top_active) h->top_active = label;
}

/* Makes labels exact, with all threads, until all nodes that had a label are found. No distance ever falls. Nodes below
 * the lowest label from which flow was pushed keep their labels, because their shortest paths have not changed. So the
 * search begins with the nodes of label `keep`. */
static void label_all(high *h, int32_t keep)
{
    tc_net_reach reach = {.target = h->target, .closed = h->closed, .most = h->alive, .label = h->label,
                          .queue = h->queue};
    if (keep) {
        reach.from = h->begin[keep];
        reach.known = h->begin[keep + 1];
        for (int32_t i = reach.known; i < h->alive; i++) h->label[h->queue[i]] = h->dead;
    }
    h->alive = tc_net_find_reach(h->net, &reach, h->run->threads);
    h->run->rounds++;
}

/* Prepares a label above the highest one in use. */
static void open_label(high *h, int32_t label)
{
    h->count[label] = 0;
    h->last[label] = h->active[label] = -1;
}

/* Counts nodes and builds the stacks for labels above `keep`; those of lower labels are correct. Returns false if the
 * caller wants a pause. */
static bool arrange(high *h, int32_t keep)
{
    const tc_net *net = h->net;
    int32_t active = 0;
    h->top = h->deepest = h->label[h->queue[h->alive - 1]];
    for (int32_t k = keep ? keep + 1 : 0; k <= h->top; k++) open_label(h, k);
    h->top_active = keep;
    for (int32_t v = 0; v < net->nodes; v++) {
        const int32_t label = h->label[v];
        if (label == h->dead || v == h->target) continue;
        active += h->node[v].excess != 0;
        if (label <= keep) continue;
        h->count[label]++;
        h->node[v].current = h->node[v].first;
        if (h->node[v].excess) activate(h, v, label);
    }
    if (!keep) h->begin[1] = 1; /* one node, the target, has label 0 */
    for (int32_t k = keep + 1; k <= h->top; k++) h->begin[k + 1] = h->begin[k] + h->count[k];
    h->work = h->lifts = 0;
    h->lowest = h->dead;
    return !h->run->pause || !h->run->pause(h->run, active);
}

static void give_up(high *h, int32_t v, int32_t label)
{
    if (h->label[v] == label) h->label[v] = h->dead;
}

/* Gives up all nodes above an empty label. No node is visited twice before the next search. */
static void give_up_above(high *h, int32_t label)
{
    const int32_t first = label + 1, end = h->deepest + 1;
    for (int32_t k = first; k < end; k++)
        for (int32_t i = h->begin[k]; i < h->begin[k + 1]; i++) give_up(h, h->queue[i], k);
    for (int32_t k = first; k <= h->top; k++)
        for (int32_t i = h->last[k]; i >= 0; i = h->lifted[i].before) give_up(h, h->lifted[i].node, k);
    h->top = label - 1;
    if (h->deepest > label) h->deepest = label;
    if (h->top_active > h->top) h->top_active = h->top;
}

/* Returns the lowest label with which v can push. */
static int32_t relabelled(high *h, int32_t v)
{
    tc_push_node *const at = &h->node[v];
    h->work += TC_PUSH_LIFT_WORK + at->end - at->first;
    h->run->relabels++;
    return tc_push_lift(h->net, h->label, at);
}

/* Lifts v. Returns false if v cannot reach the target and is given up. */
static bool lift(high *h, int32_t v)
{
    const int32_t old = h->label[v];
    if (old < h->lowest) h->lowest = old;
    if (!--h->count[old]) {
        h->label[v] = h->dead;
        give_up_above(h, old);
        return false;
    }
    const int32_t label = h->label[v] = relabelled(h, v);
    if (label == h->dead) return false;
    while (h->top < label) open_label(h, ++h->top);
    h->count[label]++;
    h->lifted[h->lifts] = (lifted){v, h->last[label]};
    h->last[label] = h->lifts++;
    return true;
}

/* True if u has a slot that leads downhill; that slot becomes the current one. */
static bool leads_on(const high *h, int32_t u)
{
    return tc_push_leads_to(h->net, h->label, &h->node[u], h->label[u] - 1);
}

/* True if u may receive flow. If u has no slot downhill, the flow would come back, so u is lifted first. That is done
 * only if u has no excess yet, because then it is on no stack. */
static bool takes(high *h, int32_t u)
{
    if (h->node[u].excess || u == h->target || h->lifts == h->most_lifts || leads_on(h, u)) return true;
    (void)lift(h, u);
    return false;
}

/* Pushes over slots that lead downhill. Returns true if the excess is gone; false if no such slot is left, or if v was
 * given up because lifting a node below it left a gap. */
static bool push_out(high *h, int32_t v)
{
    tc_net *net = h->net;
    tc_push_node *const at = &h->node[v];
    const int32_t end = at->end, label = h->label[v];
    int64_t left = at->excess;
    if (label < h->lowest) h->lowest = label;
    for (int32_t i = at->current; i < end; i++) {
        tc_slot *slot = &net->slot[i];
        const int32_t u = slot->head;
        if (!slot->room || h->label[u] != label - 1 || !takes(h, u)) continue;
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

/* Discharges v until it has no excess or is given up, or labels have to be made exact. */
static void discharge(high *h, int32_t v)
{
    while (!push_out(h, v) && h->label[v] != h->dead) {
        if (h->lifts < h->most_lifts) {
            if (!lift(h, v)) return;
            continue;
        }
        activate(h, v, h->label[v]);
        return;
    }
}

/* Returns the active node with the highest label; -1 if there is none. */
static int32_t next_active(high *h)
{
    for (; h->top_active > 0; h->top_active--) {
        const int32_t v = h->active[h->top_active];
        if (v < 0) continue;
        h->active[h->top_active] = h->node[v].below;
        tc_push_fetch_below(h->net, h->node, v);
        return v;
    }
    return -1;
}

tilecut_status tc_push_high(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run)
{
    enum { LOOK = 1 << 12 }; /* number of nodes between two checks of the cancel flag */
    tilecut_status status = TILECUT_OK;
    high h = {.net = net, .target = target, .closed = closed, .dead = net->nodes, .run = run};
    h.most_work = WORK_A_SEARCH * (int64_t)net->nodes + net->first[net->nodes] / 2;
    const int64_t lifts = h.most_work / TC_PUSH_LIFT_WORK + 1;
    h.most_lifts = lifts < net->nodes ? (int32_t)lifts : net->nodes;
    if (!high_alloc(&h, excess)) {
        tc_alloc_list_free(&h.held);
        return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", (int)net->nodes);
    }
    h.alive = net->nodes - 1;
    label_all(&h, 0);
    bool more = arrange(&h, 0);
    for (int64_t turn = 0; more; turn++) {
        const int32_t v = next_active(&h);
        if (v < 0) break;
        discharge(&h, v);
        if (turn % LOOK == 0 && tc_flag_raised(run->cancel)) {
            status = tc_fail(TILECUT_ECANCELLED, "cancelled while pushing");
            break;
        }
        if (h.work <= h.most_work && h.lifts < h.most_lifts) continue;
        const int32_t keep = h.lowest - 1;
        label_all(&h, keep);
        more = arrange(&h, keep);
    }
    for (int32_t v = 0; v < net->nodes; v++) excess[v] = h.node[v].excess;
    tc_alloc_list_free(&h.held);
    return status;
}
