/* SPDX-License-Identifier: MIT
 *
 * region_visit.c - see region_visit.h. This is the method of push_high.c within a region: highest label first, and a
 * node that could not pass flow on is lifted before it receives any. It does not look for gaps; instead, nodes that are
 * lifted far above all others of their region are set aside until the next global relabeling.
 */
#include "region_visit.h"

enum {
    STEPS_A_NODE = 4,   /* a thread stays in a region for this many pushes and lifts per node */
    WORK_A_LOOK = 1 << 15 /* the work after which a thread reports it to the others */
};

/* A thread in a region. */
typedef struct visit {
    tc_region_team *c;
    tc_visited *at;
    int32_t index, lowest;
    bool sent[2]; /* flow went to the region nearer to the sink, and to the one farther away */
    int64_t pushes, lifts, work;
    int64_t report; /* work that has been reported to the others */
} visit;

/* True if a node's label has no stack in a region: either it is set aside, or it has no path to the sink left. In a
 * small network the label for `no path` may be as low as labels that have a stack. */
static bool is_aside(const tc_region_team *c, const tc_visited *at, int32_t v)
{
    return c->label[v] - at->base >= TC_VISIT_LABELS || c->label[v] >= c->net->nodes;
}

void tc_visit_activate(const tc_region_team *c, tc_visited *at, int32_t v)
{
    const int32_t above = c->label[v] - at->base, k = above > 0 ? above : 0;
    if (is_aside(c, at, v)) return;
    c->node[v].below = at->stack[k];
    at->stack[k] = v;
    if (k > at->top) at->top = k;
}

static void lift(visit *s, int32_t v)
{
    tc_region_team *const c = s->c;
    tc_push_node *const at = &c->node[v];
    c->label[v] = tc_push_lift(c->net, c->label, at);
    s->work += TC_PUSH_LIFT_WORK + at->end - at->first;
    s->lifts++;
}

/* True if u may receive flow. If u has no slot downhill, the flow would come back, so u is lifted first. That is done
 * only if u has no excess yet, because then it is on no stack. */
static bool takes(visit *s, int32_t u)
{
    tc_region_team *const c = s->c;
    tc_push_node *const at = &c->node[u];
    const int32_t label = c->label[u];
    if (at->excess || u == c->net->sink || tc_push_leads_to(c->net, c->label, at, label - 1)) return true;
    if (label < s->lowest) s->lowest = label;
    lift(s, u);
    return false;
}

/* Lists a node that has just got its first excess: on its stack, or in the list of the neighbouring region to which it
 * belongs. */
static void list(visit *s, int32_t u)
{
    tc_region_team *const c = s->c;
    const int32_t index = c->cut.of[u];
    if (u == c->net->sink) return;
    if (index == s->index) {
        tc_visit_activate(c, s->at, u);
        return;
    }
    int32_t *const first = &c->region[index].arrived[index < s->index];
    s->sent[index > s->index] = true;
    c->node[u].below = *first;
    *first = u;
}

/* Pushes over slots that lead downhill. Returns true if the excess is gone. */
static bool push_out(visit *s, int32_t v)
{
    tc_region_team *const c = s->c;
    tc_push_node *const at = &c->node[v];
    const int32_t end = at->end, below = c->label[v] - 1;
    int64_t left = at->excess;
    for (int32_t i = at->current; i < end; i++) {
        const tc_slot *const slot = &c->net->slot[i];
        const int32_t u = slot->head;
        if (!slot->room || c->label[u] != below || !takes(s, u)) continue;
        const int64_t amount = left < slot->room ? left : slot->room;
        tc_packed_arcs_push(c->net, c->packed, i, amount);
        if (!c->node[u].excess) list(s, u);
        c->node[u].excess += amount;
        left -= amount;
        s->pushes++;
        if (left) continue;
        at->current = i;
        break;
    }
    at->excess = left;
    return !left;
}

static void discharge(visit *s, int32_t v)
{
    while (!push_out(s, v)) {
        lift(s, v);
        if (is_aside(s->c, s->at, v)) return;
    }
}

/* Adds the work of this thread to the total, and returns true if the total is enough for the next search. While other
 * threads wait, work counts up to four times: it then takes longer, but a search, which all threads share, does not. */
static bool report_visit(visit *s)
{
    enum { MOST_TIMES = 4 };
    tc_region_team *const c = s->c;
    const int busy = __atomic_load_n(&c->turns.busy, __ATOMIC_RELAXED), each = busy ? c->threads / busy : 1;
    const int64_t work = (s->work - s->report) * (each < 1 ? 1 : each < MOST_TIMES ? each : MOST_TIMES);
    s->report = s->work;
    return __atomic_add_fetch(&c->work, work, __ATOMIC_RELAXED) > c->most_work;
}

static void take_in(const visit *s)
{
    for (int side = 0; side < 2; side++) {
        for (int32_t v = s->at->arrived[side], next; v >= 0; v = next) {
            next = s->c->node[v].below;
            tc_visit_activate(s->c, s->at, v);
        }
        s->at->arrived[side] = -1;
    }
}

static void stay(visit *s)
{
    tc_region_team *const c = s->c;
    tc_visited *const at = s->at;
    const int32_t *const begin = c->cut.begin;
    const int64_t most = STEPS_A_NODE * ((int64_t)begin[s->index + 1] - begin[s->index]);
    take_in(s);
    while (at->top >= 0 && s->pushes + s->lifts < most) {
        if (s->work - s->report > WORK_A_LOOK && report_visit(s)) break;
        const int32_t v = at->stack[at->top];
        if (v < 0) {
            at->top--;
            continue;
        }
        at->stack[at->top] = c->node[v].below;
        if (c->label[v] < s->lowest) s->lowest = c->label[v];
        tc_push_fetch_below(c->net, c->node, v);
        discharge(s, v);
    }
}

static void lower(int32_t *least, int32_t value)
{
    int32_t old = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < old &&
           !__atomic_compare_exchange_n(least, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

tc_region_left tc_visit(tc_region_team *c, int index)
{
    visit s = {.c = c, .at = &c->region[index], .index = index, .lowest = c->net->nodes};
    stay(&s);
    const bool over = report_visit(&s);
    __atomic_fetch_add(&c->pushes, s.pushes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->lifts, s.lifts, __ATOMIC_RELAXED);
    lower(&c->lowest, s.lowest);
    return (tc_region_left){.index = index, .work = s.at->top >= 0, .nearer = s.sent[0], .further = s.sent[1],
                            .over = over};
}
