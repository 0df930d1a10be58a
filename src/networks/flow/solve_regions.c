/* SPDX-License-Identifier: MIT
 *
 * solve_regions.c - the solver `regions`: push-relabel by several threads on networks with long paths, which are cut
 * into regions (net_regions.h). A thread takes a region that has excess and works on it alone, highest label first,
 * until no excess is left, or until it has done so much work that neighbours may be waiting for its flow. Then it takes
 * another region. Excess that leaves a region waits in a list of the neighbour. (Regions: Delong & Boykov 2008; highest
 * label: Cherkassky & Goldberg 1997.)
 *
 * No two threads touch the same node, so the result is as if the regions were worked on one after the other: labels are
 * valid at any time, and a thread waits only when no region is free. The region farthest from the sink is taken first,
 * as in push_high.c. Global relabeling is done by all threads together (net_relabel.h).
 *
 * A network that cannot be cut into enough regions is solved by push_high.c.
 */
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_relabel.h"
#include "net_solver.h"
#include "alloc_list.h"
#include "parallel.h"
#include "region_visit.h"
#include "status.h"

enum {
    WORK_A_SEARCH = 8, /* work between two searches, as a multiple of the number of nodes that reach the sink */
    LEAST_REACH = 8,   /* for WORK_A_SEARCH at least 1 / LEAST_REACH of all nodes count as reaching the sink */
    ROUNDS_AN_EXACT = 6 /* one search in this many makes all labels exact           */
};

typedef struct regions {
    tc_region_team crowd;
    tc_net_run *run;
    tc_frontier_buffers mail;
    int32_t *order; /* [nodes] those that reached the sink at first, nearest first */
    int32_t *queue; /* [tc_frontier_room(nodes)] scratch memory of a search            */
    int32_t *found; /* [nodes] scratch memory of a search                          */
    int32_t dead;   /* the label of nodes that do not reach the sink               */
    int32_t sure;   /* up to this label all labels were exact                      */
    tc_alloc_list held;
} regions;

static void push_together(void *context, tc_team *team, int worker)
{
    regions *const r = context;
    tc_region_team *const c = &r->crowd;
    tc_region_left left = {.index = -1};
    (void)team;
    (void)worker;
    for (int index; (index = tc_region_next(&c->turns, &left)) >= 0;) {
        left = tc_visit(c, index);
        left.over = left.over || tc_flag_raised(r->run->cancel);
    }
}

/* ---- exact labels ----------------------------------------------------------------------------- */

/* Makes labels exact above `keep`. No distance ever falls, and distances below the lowest label from which flow was
 * pushed have not risen. */
static void search_distances(regions *r, int32_t keep, bool exact)
{
    const tc_net_relabel search = {.net = r->crowd.net, .packed = r->crowd.packed, .label = r->crowd.label,
                                   .found = r->found, .queue = r->queue, .mail = &r->mail, .keep = keep,
                                   .exact = exact};
    r->sure = tc_net_relabel_all(&search);
    r->run->rounds++;
}

/* Sorts the nodes that reach the sink by label. Returns their number. */
static int32_t put_in_order(const regions *r)
{
    const int32_t *const label = r->crowd.label;
    int32_t *const begin = r->found, known = 0, deepest = 0;
    memset(begin, 0, (size_t)r->dead * sizeof *begin);
    for (int32_t v = 0; v < r->dead; v++) {
        if (label[v] == r->dead) continue;
        begin[label[v]]++;
        if (label[v] > deepest) deepest = label[v];
    }
    for (int32_t k = 0; k <= deepest; k++) {
        const int32_t count = begin[k];
        begin[k] = known;
        known += count;
    }
    for (int32_t v = 0; v < r->dead; v++)
        if (label[v] < r->dead) r->order[begin[label[v]]++] = v;
    return known;
}

/* Makes all labels exact from time to time, and whenever nothing was left to do, to find the nodes that cannot reach
 * the sink. */
static void search_again(regions *r)
{
    const tc_region_team *const c = &r->crowd;
    const bool exact = c->work <= c->most_work || r->run->rounds % ROUNDS_AN_EXACT == 0;
    const int32_t below = c->lowest - 1;
    if (c->lowest < r->dead || exact) search_distances(r, below < r->sure ? below : r->sure, exact);
}

/* Returns the lowest label among a region's nodes that have a label; with `active`, among those that also have
 * excess. */
static int32_t lowest(const regions *r, int32_t index, bool active)
{
    const tc_region_team *const c = &r->crowd;
    int32_t least = r->dead;
    for (int32_t k = c->cut.begin[index]; k < c->cut.begin[index + 1]; k++) {
        const int32_t v = r->order[k];
        if (c->label[v] < least && (!active || c->node[v].excess)) least = c->label[v];
    }
    return least;
}

/* Builds the stacks of a region. The lowest node with excess is always on a stack, so there is always something to
 * do. */
static void arrange(void *context, int index)
{
    regions *const r = context;
    tc_region_team *const c = &r->crowd;
    tc_visited *const at = &c->region[index];
    const int32_t least = lowest(r, index, true);
    int32_t active = 0, reach = 0;
    at->base = lowest(r, index, false);
    if (least < r->dead && least - at->base > TC_VISIT_LABELS / 2) at->base = least - TC_VISIT_LABELS / 2;
    at->top = at->arrived[0] = at->arrived[1] = -1;
    for (int k = 0; k < TC_VISIT_LABELS; k++) at->stack[k] = -1;
    for (int32_t k = c->cut.begin[index]; k < c->cut.begin[index + 1]; k++) {
        const int32_t v = r->order[k];
        c->node[v].current = c->node[v].first;
        if (c->label[v] == r->dead) continue;
        reach++;
        if (!c->node[v].excess) continue;
        active++;
        tc_visit_activate(c, at, v);
    }
    __atomic_fetch_add(&c->active, active, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->reach, reach, __ATOMIC_RELAXED);
    __atomic_fetch_or(&c->turns.work[index / 64], (uint64_t)(active > 0) << index % 64, __ATOMIC_RELAXED);
}

/* Returns false if no node with excess reaches the sink. */
static bool arrange_all(regions *r)
{
    tc_region_team *const c = &r->crowd;
    c->node[c->net->sink].excess = 0; /* the sink never passes its excess on */
    c->active = c->reach = 0;
    c->work = 0;
    c->lowest = r->dead;
    c->turns.over = false;
    for (int k = 0; k < TC_TURN_WORDS; k++) c->turns.work[k] = 0;
    tc_parallel(c->threads, c->cut.count, arrange, r);
    const int32_t least = r->dead / LEAST_REACH;
    c->most_work = (int64_t)WORK_A_SEARCH * (c->reach > least ? c->reach : least);
    return c->active;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Starts by saturating every slot of the source. */
static void flood(const tc_region_team *c)
{
    tc_net *const net = c->net;
    for (int32_t i = net->first[net->source]; i < net->first[net->source + 1]; i++) {
        const tc_slot *const slot = &net->slot[i];
        if (!slot->room) continue;
        c->node[slot->head].excess += slot->room;
        tc_packed_arcs_push(net, c->packed, i, slot->room);
    }
}

enum { CHUNK = 1 << 13 };

static void begin_nodes(void *context, int i)
{
    const tc_region_team *const c = context;
    const tc_net *const net = c->net;
    const int32_t end = net->nodes - i * CHUNK < CHUNK ? net->nodes : (i + 1) * CHUNK;
    for (int32_t v = i * CHUNK; v < end; v++) {
        c->node[v] = (tc_push_node){.first = net->first[v], .end = net->first[v + 1]};
        c->label[v] = v != net->sink;
    }
    tc_packed_arcs_fill(net, c->packed, net->first[i * CHUNK], net->first[end]);
}

static void *own(regions *r, size_t count, size_t size)
{
    r->run->bytes += count * size;
    return tc_own(&r->held, tc_large_alloc(count * size));
}

static bool begin_regions(regions *r)
{
    tc_region_team *const c = &r->crowd;
    const size_t nodes = (size_t)c->net->nodes;
    c->label = own(r, nodes, sizeof *c->label);
    c->node = own(r, nodes, sizeof *c->node);
    c->packed = own(r, (size_t)c->net->first[nodes], sizeof *c->packed);
    r->order = own(r, nodes, sizeof *r->order);
    r->found = own(r, nodes, sizeof *r->found);
    r->queue = own(r, tc_frontier_room(c->net->nodes), sizeof *r->queue);
    if (r->held.lacks || !tc_frontier_init(&r->mail, c->threads)) return false;
    tc_parallel(c->threads, (c->net->nodes - 1) / CHUNK + 1, begin_nodes, c);
    search_distances(r, 0, true);
    c->cut = (tc_net_regions){.net = c->net, .label = c->label, .order = r->order, .known = put_in_order(r)};
    r->run->bytes += nodes * sizeof *c->cut.of;
    return tc_net_regions_cut(&c->cut, c->threads);
}

/* True if several threads have enough to do. If the caller can use another solver instead, true only if regions are
 * likely to be faster. */
static bool fits(const regions *r)
{
    enum { LEAST_REGIONS = 4, LEAST_LIKELY = 64, NODES_A_REGION = 2000 };
    const tc_net_regions *const cut = &r->crowd.cut;
    const bool likely = cut->count >= LEAST_LIKELY && cut->known / cut->count >= NODES_A_REGION;
    return r->run->patience ? likely : cut->count >= LEAST_REGIONS;
}

static bool solve_by_regions(regions *r)
{
    tc_region_team *const c = &r->crowd;
    c->region = own(r, (size_t)c->cut.count, sizeof *c->region);
    if (r->held.lacks) return false;
    tc_region_turns_init(&c->turns, c->cut.count);
    flood(c);
    while (arrange_all(r) && !tc_flag_raised(r->run->cancel)) {
        tc_parallel_team(c->threads, push_together, r);
        search_again(r);
    }
    tc_region_turns_free(&c->turns);
    r->run->pushes = c->pushes;
    r->run->relabels = c->lifts;
    return true;
}

/* Passes the labels to the caller if all are exact. They are the first piece of memory held. */
static void hand_over(regions *r)
{
    if (!r->run->wants_label || r->sure < r->dead) return;
    r->run->label = r->crowd.label;
    r->held.piece[0] = NULL;
}

tilecut_status tc_net_solve_regions(tc_net *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    const int processors = tc_processors();
    regions r = {.run = run, .dead = net->nodes};
    r.crowd.net = net;
    r.crowd.threads = run->threads < processors ? run->threads : processors;
    run->bytes = 0;
    const bool small = net->nodes < TC_PACKED_MOST_NODES, begun = small && begin_regions(&r), cut = begun && fits(&r);
    if ((small && !begun) || (cut && !solve_by_regions(&r)))
        status = tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)net->nodes);
    else if (cut && tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while pushing");
    if (cut && status == TILECUT_OK) hand_over(&r);
    tc_frontier_free(&r.mail);
    tc_net_regions_free(&r.crowd.cut);
    tc_alloc_list_free(&r.held);
    if (status != TILECUT_OK || cut) return status;
    run->unfinished = run->patience != 0;
    return run->unfinished ? TILECUT_OK : tc_net_solve_highest(net, run);
}
