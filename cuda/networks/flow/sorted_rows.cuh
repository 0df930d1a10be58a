/* SPDX-License-Identifier: MIT
 *
 * sorted_rows.cuh - rows in both directions that are sorted by the heads of their arcs (BCSR), made on the host.
 */
#pragma once

#include <algorithm>

#include <stdlib.h>

#include "net.h"

extern "C" {
#include "status.h"
}

/* Host arrays with one entry for each slot of the network, in sorted order. */
typedef struct sorted_rows {
    int *slot; /* the slot's original position */
    int *head, *pair;
    long long *room;
} sorted_rows;

static void rows_free(sorted_rows *r)
{
    free(r->slot);
    free(r->head);
    free(r->pair);
    free(r->room);
}

static int pair_of(const tc_net *net, int i)
{
    return std::min(i, (int)net->slot[i].mate);
}

static tilecut_status rows_init(sorted_rows *r, const tc_net *net)
{
    const size_t slots = (size_t)net->first[net->nodes] + 1;
    r->slot = (int *)malloc(slots * sizeof(int));
    r->head = (int *)malloc(slots * sizeof(int));
    r->pair = (int *)malloc(slots * sizeof(int));
    r->room = (long long *)malloc(slots * sizeof(long long));
    if (!r->slot || !r->head || !r->pair || !r->room)
        return tc_fail(TILECUT_ENOMEM, "no memory for %zu sorted arcs", slots);
    for (int i = 0; i < net->first[net->nodes]; i++) r->slot[i] = i;
    for (int u = 0; u < net->nodes; u++)
        std::sort(r->slot + net->first[u], r->slot + net->first[u + 1], [net](int a, int b) {
            const int x = net->slot[a].head, y = net->slot[b].head;
            return x != y ? x < y : pair_of(net, a) < pair_of(net, b);
        });
    for (int i = 0; i < net->first[net->nodes]; i++) {
        const tc_slot *slot = &net->slot[r->slot[i]];
        r->head[i] = slot->head;
        r->pair[i] = pair_of(net, r->slot[i]);
        r->room[i] = slot->room;
    }
    return TILECUT_OK;
}
