/* SPDX-License-Identifier: MIT
 *
 * solve_levels.c - the solver `levels` (Dinitz 1970). Labels are exact distances to the sink. Paths along slots that
 * lead one level down are searched depth first, until there are none left: a blocking flow. Then labels are computed
 * anew; with unit capacities this happens at most 2 sqrt(m) times (Even & Tarjan 1975). A slot that led nowhere is
 * not examined again.
 */
#include <stdlib.h>

#include "net_solver.h"
#include "status.h"

typedef struct levels {
    tc_net *net;
    int32_t *level;   /* [nodes] distance to the sink; -1: unreachable, or not nearer than the source      */
    int32_t *current; /* [nodes] the slot to examine next                                              */
    int32_t *path;    /* [nodes] slots of the path, from the source on; during the search: its queue   */
    int32_t length;
    tc_net_run *run;
} levels;

/* Searches back from the sink until it reaches the source. False: the source cannot reach the sink. */
static bool label_all(levels *l)
{
    const tc_net *net = l->net;
    int32_t *const queue = l->path, ends = 0;
    for (int32_t v = 0; v < net->nodes; v++) {
        l->level[v] = -1;
        l->current[v] = net->first[v];
    }
    l->level[net->sink] = 0;
    queue[ends++] = net->sink;
    for (int32_t at = 0; at < ends && l->level[net->source] < 0; at++) {
        const int32_t v = queue[at], next = l->level[v] + 1;
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const int32_t u = net->slot[i].head;
            if (l->level[u] >= 0 || !net->slot[net->slot[i].mate].room) continue;
            l->level[u] = next;
            queue[ends++] = u;
        }
    }
    l->run->rounds++;
    return l->level[net->source] >= 0;
}

/* Pushes as much as the path can carry, and steps back to the tail of its first full slot. Returns that node. */
static int32_t augment(levels *l)
{
    tc_net *net = l->net;
    int64_t amount = INT64_MAX;
    int32_t full = 0;
    for (int32_t k = 0; k < l->length; k++)
        if (net->slot[l->path[k]].room < amount) amount = net->slot[l->path[k]].room;
    for (int32_t k = l->length - 1; k >= 0; k--) {
        tc_slot *slot = &net->slot[l->path[k]];
        tc_net_push(net, slot, amount);
        if (!slot->room) full = k;
    }
    l->run->pushes++;
    l->length = full;
    return net->slot[net->slot[l->path[full]].mate].head;
}

/* A slot of v that leads one level down; -1: none. */
static int32_t step(levels *l, int32_t v)
{
    const tc_net *net = l->net;
    const int32_t end = net->first[v + 1], wanted = l->level[v] - 1;
    for (int32_t i = l->current[v]; i < end; i++) {
        const tc_slot *slot = &net->slot[i];
        if (!slot->room || l->level[slot->head] != wanted) continue;
        l->current[v] = i;
        return i;
    }
    l->current[v] = end;
    return -1;
}

static void block(levels *l)
{
    const tc_net *net = l->net;
    int32_t v = net->source;
    l->length = 0;
    for (;;) {
        const int32_t i = l->level[v] > 0 ? step(l, v) : -1;
        if (i >= 0) {
            l->path[l->length++] = i;
            v = net->slot[i].head;
            if (v == net->sink) v = augment(l);
        } else if (l->length) {
            l->level[v] = -1; /* a dead end */
            const tc_slot *back = &net->slot[l->path[--l->length]];
            v = net->slot[back->mate].head;
        } else {
            return;
        }
    }
}

tilecut_status tc_net_solve_levels(tc_net *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    const size_t bytes = (size_t)net->nodes * sizeof(int32_t);
    levels l = {.net = net, .run = run, .level = malloc(bytes), .current = malloc(bytes), .path = malloc(bytes)};
    run->bytes = 3 * bytes;
    if (!l.level || !l.current || !l.path)
        status = tc_fail(TILECUT_ENOMEM, "no memory for the levels of %d nodes", (int)net->nodes);
    while (status == TILECUT_OK && label_all(&l)) {
        if (tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two searches");
        else block(&l);
    }
    free(l.level);
    free(l.current);
    free(l.path);
    return status;
}
