/* SPDX-License-Identifier: MIT
 *
 * push_front.c - see push_front.h, and front_round.c for one round.
 *
 * Highest label first does the least work, but takes one node at a time. Rounds of all nodes with excess, those of
 * solve_rounds.c, do up to eight times the work. Between them lie rounds of the one or two hundred nodes with the
 * highest labels: nearly the work of highest label first, and enough to do for several threads. All labels from `low`
 * on are in the round; `low` falls when a round gets small.
 *
 * A phase begins with exact labels. Then one team goes from round to round and meets twice in each. What a round does
 * does not depend on who does what in it, and what is decided between rounds depends on sums alone; so flows are the
 * same for any number of threads. Gaps are looked for now and then. Who is above one is left where it is until labels
 * are exact again, as are nodes that got above it later and may not be dead.
 */
#include "push_front.h"

#include <stdlib.h>

#include "front.h"
#include "large.h"
#include "net_reach.h"
#include "status.h"

enum { ALPHA = 6, MANY = 4, LEAST = 32 };

/* ---- A phase ---------------------------------------------------------------------------------- */

static void begin_node(tc_front *f, int32_t v)
{
    f->node[v] = (tc_front_node){.excess = f->excess[v], .first = f->net->first[v], .end = f->net->first[v + 1]};
}

/* Puts all nodes with excess on stacks. */
static void begin_phase(tc_front_worker *w)
{
    tc_front *const f = w->front;
    const tc_front_part part = tc_front_share(w, f->net->nodes);
    for (int32_t v = part.low; v < part.high; v++) {
        const int32_t label = (int32_t)f->state[v];
        if (!f->begun) begin_node(f, v);
        tc_front_node *const at = &f->node[v];
        const bool any = tc_front_count_excess(at);
        at->current = at->first;
        f->state[v] = (uint32_t)label << TC_FRONT_LABEL;
        if (label == f->dead || v == f->target) continue;
        w->bin[label].nodes++;
        if (any) tc_front_place(w, v, label);
    }
}

/* ---- Between two rounds: all do and decide the same ------------------------------------------- */

/* Looks for the least label that no node has, each worker in its part of the labels. */
static void find_gap(tc_front_worker *w, tc_team *team)
{
    tc_front *const f = w->front;
    const int32_t labels = w->roof <= f->longest ? w->roof : f->longest + 1;
    const tc_front_part part = tc_front_share(w, labels);
    int32_t label = part.low > 1 ? part.low : 1;
    for (; label < part.high; label++) {
        int32_t nodes = 0;
        for (int k = 0; k < w->workers; k++) nodes += f->bin[(size_t)k * (size_t)f->bins + (size_t)label].nodes;
        if (!nodes) break;
    }
    int32_t roof = w->roof;
    while (label < part.high && label < roof &&
           !__atomic_compare_exchange_n(&f->roof, &roof, label, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    tc_team_meet(team);
    w->roof = f->roof;
    w->unseen = 0;
}

/* Puts the next round's nodes back on stacks. */
static void scatter(tc_front_worker *w, tc_team *team)
{
    tc_front *const f = w->front;
    const int32_t *const list = f->list[(w->turn + 1) & 1];
    const tc_front_part part = tc_front_share(w, w->now);
    w->low = f->bins;
    for (int32_t k = part.low; k < part.high; k++) tc_front_place(w, list[k], tc_front_label(f, list[k]));
    tc_team_meet(team);
    w->now = 0;
}

static int32_t waiting(const tc_front_worker *w, int32_t label)
{
    const tc_front *const f = w->front;
    int32_t nodes = 0;
    for (int k = 0; k < w->workers; k++) nodes += f->bin[(size_t)k * (size_t)f->bins + (size_t)label].waiting;
    return nodes;
}

/* Lets `low` fall until the next round has enough nodes, and takes them from the worker's own stacks. */
static void refill(tc_front_worker *w, tc_team *team)
{
    tc_front *const f = w->front;
    int32_t nodes = w->now, label = w->low <= w->roof ? w->low : w->roof + 1;
    w->before = label;
    w->ends = &f->extra[w->turn & 1];
    w->base = w->now;
    while (label > 1 && nodes < f->few) nodes += waiting(w, --label);
    w->low = w->taken = label;
    for (int32_t k = w->before - 1; k >= label; k--) {
        for (int32_t v = w->bin[k].top - 1, next; v >= 0; v = next) {
            next = f->node[v].below - 1;
            (void)tc_front_count_excess(&f->node[v]);
            tc_front_place(w, v, k);
        }
        w->bin[k].top = 0;
    }
    tc_front_put_down(w);
    tc_team_meet(team);
    w->now += (int32_t)f->extra[w->turn & 1];
}

/* Once in a while: whether it is time to leave off, because rounds are small or slow. */
static bool does_not_pay(tc_front_worker *w)
{
    const int32_t look = w->front->look;
    if (!look || w->turn % look) return false;
    const bool small = w->turn && w->seen < (int64_t)look * LEAST;
    w->seen = 0;
    return small || w->front->slow;
}

/* In the first phase the first worker takes some rounds alone while the others wait, to learn what a node then costs.
 * What a round does is the same. */
static bool is_trial(const tc_front_worker *w)
{
    const int32_t look = w->front->look, turns = look / 8;
    return turns && !w->front->begun && w->turn > look - turns && w->turn <= look;
}

/* The first worker looks at the clock. Rounds cost more work than highest label first, and where others use the
 * processors, those who meet wait for the one that does not run; so together must be clearly faster than alone. */
static void watch(tc_front_worker *w)
{
    enum { TOGETHER = 8, ALONE = 5 };
    tc_front *const f = w->front;
    const bool trial = is_trial(w), looks = f->look && w->turn % f->look == 0;
    w->timed += w->now;
    if (w->worker || w->workers == 1 || !(looks || (!f->begun && w->turn == f->look - f->look / 8))) return;
    const double node_ns = tc_lap_ms(&w->since) * 1e6 / (double)(w->timed ? w->timed : 1);
    w->timed = 0;
    *(trial ? &f->alone_ns : &f->together_ns) = node_ns;
    f->slow = f->alone_ns > 0 && TOGETHER * f->together_ns > ALONE * f->alone_ns;
}

/* Prepares the next round. False: the phase is over. */
static bool next_round(tc_front_worker *w, tc_team *team)
{
    const tc_front *const f = w->front;
    const uint64_t sum = f->sum[(w->turn + 1) % 3];
    const int64_t most_work = ALPHA * (int64_t)f->net->nodes + f->net->first[f->net->nodes] / 2;
    w->work += (int64_t)(sum >> 32);
    w->now = (int32_t)(uint32_t)sum;
    if (f->cancelled || w->work > most_work) return false;
    w->leaves = does_not_pay(w);
    if (w->leaves) return false;
    if (w->unseen > f->few + f->longest) find_gap(w, team);
    if (w->now > MANY * f->few) scatter(w, team);
    if (w->now < f->few / 2 + 1) refill(w, team);
    w->turn++;
    w->unseen += w->now;
    w->seen += w->now;
    w->empty = !w->now;
    return !w->empty;
}

/* What nobody else looks at while nodes are discharged is made ready for later. */
static void tidy(tc_front_worker *w)
{
    for (; w->taken < w->before; w->taken++) w->bin[w->taken].waiting = 0;
    if (w->worker) return;
    w->front->sum[(w->turn + 2) % 3] = 0;
    w->front->extra[w->turn & 1] = 0;
}

static void take_rounds(tc_front_worker *w, tc_team *team)
{
    tc_front *const f = w->front;
    while (next_round(w, team)) {
        tidy(w);
        w->part = is_trial(w) ? (w->worker ? (tc_front_part){0, 0} : (tc_front_part){0, w->now})
                              : tc_front_share(w, w->now);
        tc_front_discharge(w);
        tc_team_meet(team);
        tc_front_settle(w);
        if (!w->worker && tc_flag_raised(f->run->cancel)) f->cancelled = true;
        watch(w);
        tc_team_meet(team);
    }
}

static void work(void *context, tc_team *team, int worker)
{
    tc_front *const f = context;
    tc_front_worker w = {.front = f, .worker = worker, .workers = tc_team_size(team), .low = f->bins, .roof = f->roof,
                         .bin = f->bin + (size_t)worker * (size_t)f->bins};
    if (f->look && 2 * w.workers < f->run->threads) {
        if (!worker) f->left = true;
        return;
    }
    begin_phase(&w);
    w.since = tc_now_ms();
    tc_team_meet(team);
    take_rounds(&w, team);
    __atomic_fetch_add(&f->pushes, w.pushes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f->relabels, w.relabels, __ATOMIC_RELAXED);
    if (worker) return;
    f->begun = true;
    f->rounds += w.turn;
    f->left = w.leaves;
    f->finished = w.empty && !f->parked; /* who is parked may find a way when labels are exact */
}

/* ---- All -------------------------------------------------------------------------------------- */

static bool front_alloc(tc_front *f, tc_net_run *run)
{
    const size_t nodes = (size_t)f->net->nodes, bytes = (nodes + 1) * sizeof(int32_t);
    f->node = tc_own(&f->held, tc_large_alloc(nodes * sizeof *f->node));
    f->state = tc_own(&f->held, tc_large_alloc(bytes));
    for (int k = 0; k < 2; k++) f->list[k] = tc_own(&f->held, tc_large_alloc(bytes));
    f->lifted = tc_own(&f->held, tc_large_alloc(bytes));
    run->bytes = 4 * bytes + nodes * (sizeof *f->node + sizeof *f->excess);
    return !f->held.lacks;
}

static void label_all(tc_front *f)
{
    const tc_net_reach reach = {.target = f->target, .closed = f->closed, .most = f->alive,
                                .label = (int32_t *)f->state, .queue = f->list[0]};
    f->alive = tc_net_find_reach(f->net, &reach, f->run->threads);
    f->longest = (int32_t)f->state[f->list[0][f->alive - 1]];
}

/* Makes labels exact, and pushes until they should be made so again, or nothing is left to push. */
static tilecut_status take_phase(tc_front *f)
{
    enum { SHARE = 64, SPARE = 1 << 10 }; /* nodes and slots a label at least; labels besides twice the highest one */
    label_all(f);
    if (f->look && (f->net->nodes + (int64_t)f->net->first[f->net->nodes]) / SHARE < f->longest) {
        f->left = true;
        return TILECUT_OK;
    }
    const int64_t bins = 2 * (int64_t)f->longest + SPARE;
    f->bins = bins < f->dead ? (int32_t)bins : f->dead;
    f->roof = f->bins - 1;
    f->bin = calloc((size_t)f->run->threads * (size_t)f->bins, sizeof *f->bin);
    if (!f->bin) return tc_fail(TILECUT_ENOMEM, "no memory for %d labels", (int)f->bins);
    f->sum[0] = f->sum[1] = f->sum[2] = f->extra[0] = f->extra[1] = 0;
    f->parked = false;
    tc_parallel_team(f->run->threads, work, f);
    free(f->bin);
    return f->cancelled ? tc_fail(TILECUT_ECANCELLED, "cancelled between two rounds") : TILECUT_OK;
}

tilecut_status tc_push_front(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run,
                             tc_front_ways ways, bool *left)
{
    tilecut_status status = TILECUT_OK;
    tc_front f = {.net = net, .run = run, .target = target, .closed = closed, .dead = net->nodes, .few = ways.few,
                  .look = ways.look, .excess = excess, .alive = net->nodes - 1};
    *left = false;
    if (!front_alloc(&f, run)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)net->nodes);
    while (status == TILECUT_OK && !f.finished && !f.left) status = take_phase(&f);
    if (f.left && f.begun)
        for (int32_t v = 0; v < net->nodes; v++) excess[v] = f.node[v].excess + f.node[v].added;
    *left = f.left;
    run->pushes += f.pushes;
    run->relabels += f.relabels;
    run->rounds += f.rounds;
    tc_owned_free(&f.held);
    return status;
}
