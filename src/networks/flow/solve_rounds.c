/* SPDX-License-Identifier: MIT
 *
 * solve_rounds.c - the solver `rounds`: push-relabel in rounds that all threads do together (Goldberg & Tarjan 1988;
 * Baumstark, Blelloch & Shun, ESA 2015). In a round every node with excess pushes downhill. A node that still has
 * excess is lifted, according to the labels from before the round. Then the flow that arrived is added to the excess of
 * each node.
 *
 * There are no locks. Only the higher end of an arc pushes along it, labels are only read while threads push, and
 * arriving flow is summed atomically in a second array. So labels and flows do not depend on the number of threads or
 * their order. Global relabelling is a search back from the sink by all threads, after as much work as in push_high.c.
 * While few nodes have excess, one thread works alone and the others sleep.
 */
#include <stdlib.h>

#include "append_buffer.h"
#include "net_layout.h"
#include "net_solver.h"
#include "alloc_list.h"
#include "parallel.h"
#include "status.h"

typedef struct rounds {
    layout *net;
    int64_t *excess, *added; /* [nodes] added: flow that arrived in this round, atomic       */
    int32_t *label, *lifted; /* [nodes] lifted: the label after this round                   */
    uint8_t *queued;         /* [nodes] 1 if the node is in the next list, atomic            */
    int32_t *list[2];        /* [nodes] nodes with excess: in this round, and in the next    */
    int32_t count[2];        /* number of nodes on each list; the second count is atomic     */
    int32_t begin, end;      /* the search's last level, in list[1]                          */
    int32_t dead;
    int64_t work;            /* work since labels were last exact; atomic */
    bool alone, over, exact; /* decisions of worker 0: it works alone; the solve is over; labels are made exact */
    tc_net_run *run;
    tc_alloc_list held;
} rounds;

/* One thread finishes a round of fewer than NODES_ALONE nodes before several threads could reach a barrier. Labels are
 * made exact after work of WORK_A_SEARCH times the number of nodes; lifting a node counts as NODE_WORK. */
enum { NODES_ALONE = 1000, WORK_A_SEARCH = 12, NODE_WORK = 12 };

/* Returns a worker's buffer for nodes that it appends to list[1]. */
static tc_append_buffer open_buffer(rounds *r)
{
    return (tc_append_buffer){.list = r->list[1], .ends = &r->count[1]};
}

static void queue(rounds *r, tc_append_buffer *h, int32_t v)
{
    if (!__atomic_exchange_n(&r->queued[v], 1, __ATOMIC_RELAXED)) tc_append_node(h, v);
}

/* A worker's share of `count` items. */
typedef struct share {
    int32_t low, high;
} share;

static share share_of(int32_t count, int worker, int workers)
{
    return (share){(int32_t)((int64_t)count * worker / workers), (int32_t)((int64_t)count * (worker + 1) / workers)};
}

/* ---- a round ---------------------------------------------------------------------------------- */

static void push_out(rounds *r, tc_append_buffer *h, int32_t v)
{
    const layout *net = r->net;
    const int32_t below = r->label[v] - 1;
    int64_t left = r->excess[v];
    for (int side = 0; side < SIDES; side++)
        for (int32_t i = slots_begin(net, v, side), end = slots_end(net, v, side); i < end && left; i++) {
            const int32_t u = slot_head(net, i, side);
            if (r->label[u] != below) continue;
            const int64_t room = *slot_room(net, i, side), amount = left < room ? left : room;
            if (!amount) continue;
            layout_push(net, i, side, amount);
            left -= amount;
            __atomic_fetch_add(&r->added[u], amount, __ATOMIC_RELAXED);
            if (u != net->sink) queue(r, h, u);
        }
    r->excess[v] = left;
    if (left) queue(r, h, v);
}

/* Returns the least label that lets v push, according to the labels from before the round. */
static int32_t lift(const rounds *r, int32_t v)
{
    const layout *net = r->net;
    int32_t least = r->dead;
    for (int side = 0; side < SIDES; side++)
        for (int32_t i = slots_begin(net, v, side), end = slots_end(net, v, side); i < end; i++) {
            const int32_t label = r->label[slot_head(net, i, side)];
            if (label < least && *slot_room(net, i, side)) least = label;
        }
    return least >= r->dead - 1 ? r->dead : least + 1;
}

static void push_all(rounds *r, share s)
{
    tc_append_buffer h = open_buffer(r);
    for (int32_t k = s.low; k < s.high; k++)
        if (r->label[r->list[0][k]] < r->dead) push_out(r, &h, r->list[0][k]);
    tc_append_flush(&h);
}

static void lift_all(rounds *r, share s)
{
    int64_t work = 0;
    for (int32_t k = s.low; k < s.high; k++) {
        const int32_t v = r->list[0][k];
        r->lifted[v] = r->label[v];
        if (!r->excess[v] || r->label[v] == r->dead) continue;
        r->lifted[v] = lift(r, v);
        work += NODE_WORK + layout_degree(r->net, v);
    }
    __atomic_fetch_add(&r->work, work, __ATOMIC_RELAXED);
}

static void count_all(rounds *r, share now, share next)
{
    for (int32_t k = now.low; k < now.high; k++) r->label[r->list[0][k]] = r->lifted[r->list[0][k]];
    for (int32_t k = next.low; k < next.high; k++) {
        const int32_t v = r->list[1][k];
        r->excess[v] += r->added[v];
        r->added[v] = 0;
        r->queued[v] = 0;
    }
}

static void swap_lists(rounds *r)
{
    int32_t *const before = r->list[0];
    r->list[0] = r->list[1];
    r->list[1] = before;
    r->count[0] = r->count[1];
    r->count[1] = 0;
    r->run->rounds++;
}

/* ---- exact labels ----------------------------------------------------------------------------- */

static void search_from(rounds *r, tc_append_buffer *h, int32_t v, int side)
{
    const layout *net = r->net;
    const int32_t next = r->label[v] + 1;
    for (int32_t i = slots_begin(net, v, side), end = slots_end(net, v, side); i < end; i++) {
        const int32_t u = slot_head(net, i, side);
        int32_t unseen = r->dead;
        if (__atomic_load_n(&r->label[u], __ATOMIC_RELAXED) != unseen || u == net->source || !*mate_room(net, i, side))
            continue;
        if (__atomic_compare_exchange_n(&r->label[u], &unseen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            tc_append_node(h, u);
    }
}

static void search_level(rounds *r, share s)
{
    tc_append_buffer h = open_buffer(r);
    for (int32_t k = s.low; k < s.high; k++)
        for (int side = 0; side < SIDES; side++) search_from(r, &h, r->list[1][r->begin + k], side);
    tc_append_flush(&h);
}

static void begin_search(rounds *r)
{
    r->label[r->net->sink] = 0;
    r->list[1][0] = r->net->sink;
    r->begin = 0;
    r->end = r->count[1] = 1;
}

static void next_level(rounds *r)
{
    r->begin = r->end;
    r->end = r->count[1];
}

static void gather_active(rounds *r, share s)
{
    tc_append_buffer h = open_buffer(r);
    for (int32_t v = s.low; v < s.high; v++)
        if (r->excess[v] && r->label[v] < r->dead && v != r->net->sink) tc_append_node(&h, v);
    tc_append_flush(&h);
}

/* Makes labels exact. All workers call it. */
static void label_all(rounds *r, tc_team *team, int worker)
{
    const int workers = tc_team_size(team);
    const share nodes = share_of(r->net->nodes, worker, workers);
    for (int32_t v = nodes.low; v < nodes.high; v++) r->label[v] = r->dead;
    tc_team_barrier(team);
    if (!worker) begin_search(r);
    tc_team_barrier(team);
    while (r->begin < r->end) {
        search_level(r, share_of(r->end - r->begin, worker, workers));
        tc_team_barrier(team);
        if (!worker) next_level(r);
        tc_team_barrier(team);
    }
    if (!worker) r->count[1] = 0;
    tc_team_barrier(team);
    gather_active(r, nodes);
    tc_team_barrier(team);
    if (!worker) {
        swap_lists(r);
        r->work = 0;
    }
}

/* ---- all -------------------------------------------------------------------------------------- */

static void decide(rounds *r)
{
    const int64_t most_work = WORK_A_SEARCH * (int64_t)r->net->nodes + layout_slots(r->net) / 2;
    r->alone = r->count[0] < NODES_ALONE;
    r->exact = r->work > most_work;
    r->over = !r->count[0] || tc_flag_raised(r->run->cancel);
}

/* Worker 0 does rounds alone as long as few nodes have excess. */
static void go_alone(rounds *r)
{
    do {
        push_all(r, (share){0, r->count[0]});
        lift_all(r, (share){0, r->count[0]});
        count_all(r, (share){0, r->count[0]}, (share){0, r->count[1]});
        swap_lists(r);
        decide(r);
    } while (r->alone && !r->exact && !r->over);
}

static void go_together(rounds *r, tc_team *team, int worker)
{
    const int workers = tc_team_size(team);
    const share now = share_of(r->count[0], worker, workers);
    push_all(r, now);
    tc_team_barrier(team);
    lift_all(r, now);
    tc_team_barrier(team);
    count_all(r, now, share_of(r->count[1], worker, workers));
    tc_team_barrier(team);
    if (!worker) {
        swap_lists(r);
        decide(r);
    }
}

static void rounds_worker(void *context, tc_team *team, int worker)
{
    rounds *r = context;
    label_all(r, team, worker);
    if (!worker) decide(r);
    tc_team_barrier(team);
    while (!r->over) {
        const bool exact = r->exact, alone = r->alone;
        tc_team_barrier(team); /* afterwards all workers have read the decisions */
        if (exact) label_all(r, team, worker);
        else if (!alone) go_together(r, team, worker);
        else if (!worker) go_alone(r);
        if (exact && !worker) decide(r);
        tc_team_barrier(team);
    }
}

static bool rounds_alloc(rounds *r)
{
    const size_t nodes = (size_t)r->net->nodes;
    r->excess = tc_own(&r->held, calloc(nodes, sizeof *r->excess));
    r->added = tc_own(&r->held, calloc(nodes, sizeof *r->added));
    r->label = tc_own(&r->held, malloc(nodes * sizeof *r->label));
    r->lifted = tc_own(&r->held, malloc(nodes * sizeof *r->lifted));
    r->queued = tc_own(&r->held, calloc(nodes, 1));
    for (int k = 0; k < 2; k++) r->list[k] = tc_own(&r->held, malloc(nodes * sizeof *r->list[k]));
    r->run->bytes = nodes * (2 * sizeof *r->excess + 4 * sizeof *r->label + sizeof *r->queued);
    return !r->held.lacks;
}

/* Starts by saturating every slot of the source. */
static void flood(rounds *r)
{
    layout *const net = r->net;
    for (int32_t i = slots_begin(net, net->source, 0); i < slots_end(net, net->source, 0); i++) {
        const int64_t room = *slot_room(net, i, 0);
        r->excess[slot_head(net, i, 0)] += room;
        layout_push(net, i, 0, room);
    }
    r->excess[net->sink] = 0;
}

static tilecut_status solve_in_rounds(layout *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    rounds r = {.net = net, .run = run, .dead = net->nodes};
    if (rounds_alloc(&r)) {
        flood(&r);
        tc_parallel_team(run->threads, rounds_worker, &r);
        if (tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two rounds");
    } else {
        status = tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", (int)net->nodes);
    }
    tc_alloc_list_free(&r.held);
    return status;
}

#ifdef TC_LAYOUT_RCSR

tilecut_status tc_net_solve_rounds_rcsr(tc_net *net, tc_net_run *run)
{
    tc_rcsr rows;
    tilecut_status status = tc_rcsr_init(&rows, net, run->threads);
    if (status != TILECUT_OK) return status;
    status = solve_in_rounds(&rows, run);
    run->bytes += tc_rcsr_bytes(&rows);
    if (status == TILECUT_OK) tc_rcsr_hand_back(&rows, net, run->threads);
    tc_rcsr_free(&rows);
    return status;
}

#else

tilecut_status tc_net_solve_rounds(tc_net *net, tc_net_run *run)
{
    return solve_in_rounds(net, run);
}

#endif
