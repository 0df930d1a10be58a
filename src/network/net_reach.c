/* SPDX-License-Identifier: MIT
 *
 * net_reach.c - see net_reach.h. A level is shared out among the threads; while it has few nodes, one goes on alone.
 */
#include "net_reach.h"

#include <string.h>

#include "handful.h"
#include "parallel.h"

typedef struct reach {
    const tc_net *net;
    uint8_t *side;      /* atomic while threads search together */
    int32_t *queue;
    int32_t begin, end; /* the last level                       */
    int32_t ends;       /* of the queue; atomic                 */
    int32_t few;        /* less nodes than this are for one thread */
    bool alone, over;
} reach;

enum { FEW = 2000 };

static void look_back(const reach *r, tc_handful *h, int32_t v)
{
    const tc_net *net = r->net;
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        uint8_t *const side = &r->side[net->slot[i].head];
        if (!__atomic_load_n(side, __ATOMIC_RELAXED) || !net->slot[net->slot[i].mate].room) continue;
        if (!__atomic_exchange_n(side, 0, __ATOMIC_RELAXED)) continue;
        tc_pick(h, net->slot[i].head);
    }
}

static void take_level(reach *r, int worker, int workers)
{
    tc_handful h = {.list = r->queue, .ends = &r->ends};
    const int64_t count = r->end - r->begin;
    const int32_t low = r->begin + (int32_t)(count * worker / workers);
    const int32_t high = r->begin + (int32_t)(count * (worker + 1) / workers);
    for (int32_t k = low; k < high; k++) look_back(r, &h, r->queue[k]);
    tc_put_down(&h);
}

static void next_level(reach *r)
{
    r->begin = r->end;
    r->end = r->ends;
    r->over = r->begin == r->end;
    r->alone = r->end - r->begin < r->few;
}

/* In the order of the queue, as long as there are few nodes in it. */
static void go_alone(reach *r)
{
    const tc_net *net = r->net;
    while (r->begin < r->ends && r->ends - r->begin < r->few) {
        const int32_t v = r->queue[r->begin++];
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const int32_t u = net->slot[i].head;
            if (!r->side[u] || !net->slot[net->slot[i].mate].room) continue;
            r->side[u] = 0;
            r->queue[r->ends++] = u;
        }
    }
    r->end = r->begin;
    next_level(r);
}

static void search(void *context, tc_team *team, int worker)
{
    reach *const r = context;
    const int workers = tc_team_size(team);
    for (bool over = false; !over;) {
        if (!r->alone) take_level(r, worker, workers);
        tc_team_meet(team);
        if (!worker && !r->alone) next_level(r);
        if (!worker && r->alone && !r->over) go_alone(r);
        tc_team_meet(team);
        over = r->over;
    }
}

void tc_net_reach(const tc_net *net, int threads, uint8_t *side, int32_t *queue)
{
    reach r = {.net = net, .side = side, .queue = queue, .ends = 1, .alone = true,
               .few = threads > 1 ? FEW : INT32_MAX};
    memset(side, 255, (size_t)net->nodes);
    side[net->sink] = 0;
    queue[0] = net->sink;
    go_alone(&r);
    if (!r.over) tc_parallel_team(threads, search, &r);
}
