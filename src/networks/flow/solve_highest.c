/* SPDX-License-Identifier: MIT
 *
 * solve_highest.c - the solver `highest`, which uses push_high.h; and the step that returns the excess of a preflow to
 * the source.
 */
#include <stdlib.h>

#include "push_high.h"
#include "status.h"

/* Starts by saturating every slot of the source. */
tilecut_status tc_net_solve_highest(tc_net *net, tc_net_run *run)
{
    int64_t *const excess = calloc((size_t)net->nodes, sizeof *excess);
    if (!excess) return tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)net->nodes);
    for (int32_t i = net->first[net->source]; i < net->first[net->source + 1]; i++) {
        tc_slot *const slot = &net->slot[i];
        excess[slot->head] += slot->room;
        tc_net_push(net, slot, slot->room);
    }
    const tilecut_status status = tc_push_high(net, excess, net->sink, net->source, run);
    free(excess);
    return status;
}

/* Computes the excess of each inner node from the flow of all arcs. A slot does not show whether it belongs to an arc
 * or to a reverse, but where[] does. */
static void add_up(const tc_net *net, int64_t *excess)
{
    for (int64_t a = 0; a < net->arcs; a++) {
        if (net->where[a] < 0) continue;
        const tc_slot *slot = &net->slot[net->where[a]], *mate = &net->slot[slot->mate];
        excess[slot->head] += mate->room;
        excess[mate->head] -= mate->room;
    }
    excess[net->source] = excess[net->sink] = 0;
}

tilecut_status tc_net_return_excess(tc_net *net, tc_net_run *run)
{
    tc_net_run back = {.threads = run->threads, .cancel = run->cancel};
    int64_t *excess = calloc((size_t)net->nodes, sizeof *excess);
    if (!excess) return tc_fail(TILECUT_ENOMEM, "no memory for %d nodes", (int)net->nodes);
    add_up(net, excess);
    const tilecut_status status = tc_push_high(net, excess, net->source, net->sink, &back);
    if (back.bytes > run->bytes) run->bytes = back.bytes;
    free(excess);
    return status;
}
