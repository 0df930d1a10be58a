/* SPDX-License-Identifier: MIT
 *
 * solve_mpm.c - the solver `mpm` (Malhotra, Pramodh Kumar & Maheshwari 1978), a reference for the GPU solver with the
 * same method. Nodes are layered by their distance from the source. The potential of a node is the lesser of two sums:
 * what can come in from the layer before, and what can go out to the layer after. The node of least potential pushes
 * that much flow to the sink and pulls it from the source, which uses up its potential, and it is removed. When a
 * terminal has no potential left, layers are made anew.
 *
 * Within the layers residual capacities only fall, so a slot that is saturated, or whose other end is removed, is not
 * examined again. Potentials only fall, too; a heap has the node of least potential at its top.
 */
#include <stdlib.h>
#include <string.h>

#include "net_solver.h"
#include "alloc_list.h"
#include "status.h"

__extension__ typedef __int128 wide; /* sums of residual capacities */

typedef struct layers {
    tc_net *net;
    int32_t *layer;   /* [nodes] the layer, counted from the source; NONE: in no layer, or removed */
    int32_t *queue;   /* [nodes]                                                   */
    wide *in, *out;   /* [nodes] sums of residual capacities from the layer before, and to the next layer */
    int64_t *need;    /* [nodes] amount still to be pushed, or pulled */
    int32_t *ahead, *back; /* [nodes] the slots to examine next                    */
    int32_t *heap, *place; /* [nodes]                                              */
    int32_t heaped;
    tc_net_run *run;
    tc_alloc_list held;
} layers;

enum { NONE = -1 };

/* ---- The heap --------------------------------------------------------------------------------- */

static wide potential(const layers *l, int32_t v)
{
    if (v == l->net->source) return l->out[v];
    if (v == l->net->sink) return l->in[v];
    return l->in[v] < l->out[v] ? l->in[v] : l->out[v];
}

static void put_in_layer(layers *l, int32_t v, int32_t at)
{
    l->heap[at] = v;
    l->place[v] = at;
}

/* Moves v up in the heap after its potential has fallen. */
static void rise(layers *l, int32_t v)
{
    const wide mine = potential(l, v);
    int32_t at = l->place[v];
    for (; at && potential(l, l->heap[(at - 1) / 2]) > mine; at = (at - 1) / 2)
        put_in_layer(l, l->heap[(at - 1) / 2], at);
    put_in_layer(l, v, at);
}

static void sift_down(layers *l, int32_t v, int32_t at)
{
    const wide mine = potential(l, v);
    for (int32_t child; (child = 2 * at + 1) < l->heaped; at = child) {
        if (child + 1 < l->heaped && potential(l, l->heap[child + 1]) < potential(l, l->heap[child])) child++;
        if (potential(l, l->heap[child]) >= mine) break;
        put_in_layer(l, l->heap[child], at);
    }
    put_in_layer(l, v, at);
}

static void drop_top(layers *l)
{
    const int32_t last = l->heap[--l->heaped];
    if (l->heaped) sift_down(l, last, 0);
}

/* ---- Layers ----------------------------------------------------------------------------------- */

/* Finds the layers up to the sink; *ends is the number of nodes in the queue. Returns false if the sink cannot be
 * reached. */
static bool search_layers(layers *l, int32_t *ends)
{
    const tc_net *net = l->net;
    memset(l->layer, 255, (size_t)net->nodes * sizeof *l->layer);
    l->layer[net->source] = 0;
    l->queue[0] = net->source;
    *ends = 1;
    for (int32_t at = 0; at < *ends; at++) {
        const int32_t v = l->queue[at];
        if (l->layer[net->sink] != NONE && l->layer[v] >= l->layer[net->sink]) break;
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const tc_slot *slot = &net->slot[i];
            if (!slot->room || l->layer[slot->head] != NONE) continue;
            l->layer[slot->head] = l->layer[v] + 1;
            l->queue[(*ends)++] = slot->head;
        }
    }
    return l->layer[net->sink] != NONE;
}

/* Computes potentials of all nodes in layers, and builds the heap. */
static void weigh(layers *l, int32_t ends)
{
    const tc_net *net = l->net;
    l->heaped = 0;
    for (int32_t at = 0; at < ends; at++) {
        const int32_t v = l->queue[at];
        if (l->layer[v] == l->layer[net->sink] && v != net->sink) l->layer[v] = NONE;
        l->in[v] = l->out[v] = 0;
        l->need[v] = 0;
        l->ahead[v] = l->back[v] = net->first[v];
        if (l->layer[v] != NONE) l->heap[l->heaped++] = v;
    }
    for (int32_t k = 0; k < l->heaped; k++) {
        const int32_t v = l->heap[k];
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const tc_slot *slot = &net->slot[i];
            if (!slot->room || l->layer[slot->head] != l->layer[v] + 1) continue;
            l->out[v] += (wide)slot->room;
            l->in[slot->head] += (wide)slot->room;
        }
    }
    for (int32_t k = 0; k < l->heaped; k++) l->place[l->heap[k]] = k;
    for (int32_t k = l->heaped / 2 - 1; k >= 0; k--) sift_down(l, l->heap[k], k);
}

/* ---- One node --------------------------------------------------------------------------------- */

/* Moves flow over a slot to the next layer. One end is moved to its place in the heap before the potential of the other
 * end falls, because the heap works only if a single node at a time is out of place. */
static void move(layers *l, int32_t from, tc_slot *slot, int64_t amount)
{
    tc_net_push(l->net, slot, amount);
    l->out[from] -= (wide)amount;
    rise(l, from);
    l->in[slot->head] -= (wide)amount;
    rise(l, slot->head);
    l->run->pushes++;
}

/* Pushes the amount that v needs to the next layer (`by` is 1), or pulls it from the layer before (-1). Its neighbours
 * then need that amount; those that are new are queued. */
static void pass(layers *l, int32_t v, int by, int32_t *ends)
{
    tc_net *net = l->net;
    int32_t *const at = by > 0 ? &l->ahead[v] : &l->back[v];
    while (l->need[v]) {
        tc_slot *slot = &net->slot[*at], *const mate = &net->slot[slot->mate];
        const int32_t other = slot->head;
        const int64_t room = by > 0 ? slot->room : mate->room;
        if (!room || l->layer[other] != l->layer[v] + by) {
            ++*at;
            continue;
        }
        const int64_t amount = room < l->need[v] ? room : l->need[v];
        if (by > 0) move(l, v, slot, amount);
        else move(l, other, mate, amount);
        l->need[v] -= amount;
        if (!l->need[other]) l->queue[(*ends)++] = other;
        l->need[other] += amount;
    }
}

/* Moves the amount from v to the sink (`by` is 1), or from the source to v (-1), layer by layer. */
static void send(layers *l, int32_t v, int64_t amount, int by)
{
    const int32_t goal = by > 0 ? l->net->sink : l->net->source;
    int32_t ends = 1;
    l->queue[0] = v;
    l->need[v] = amount;
    for (int32_t at = 0; at < ends && l->queue[at] != goal; at++) pass(l, l->queue[at], by, &ends);
    l->need[goal] = 0;
}

/* Removes v: its neighbours lose the residual capacity of their slots to and from it. */
static void remove_node(layers *l, int32_t v)
{
    const tc_net *net = l->net;
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        const tc_slot *slot = &net->slot[i];
        const int32_t other = slot->head;
        const int64_t room = net->slot[slot->mate].room;
        if (l->layer[other] == NONE) continue;
        if (l->layer[other] == l->layer[v] + 1) l->in[other] -= (wide)slot->room;
        else if (l->layer[other] == l->layer[v] - 1) l->out[other] -= (wide)room;
        else continue;
        rise(l, other);
    }
    l->layer[v] = NONE;
}

/* Sends flow until a terminal has no potential left; then no path leads through the layers. */
static void block(layers *l)
{
    const tc_net *net = l->net;
    while (l->heaped) {
        const int32_t v = l->heap[0];
        const wide least = potential(l, v);
        if (least) {
            send(l, v, (int64_t)least, 1);
            send(l, v, (int64_t)least, -1);
            l->run->rounds++;
            continue; /* other nodes may have lost all potential, too */
        }
        if (v == net->source || v == net->sink) return;
        drop_top(l);
        remove_node(l, v);
    }
}

/* ---- All -------------------------------------------------------------------------------------- */

static bool layers_alloc(layers *l)
{
    const size_t nodes = (size_t)l->net->nodes;
    l->layer = tc_own(&l->held, malloc(nodes * sizeof *l->layer));
    l->queue = tc_own(&l->held, malloc(nodes * sizeof *l->queue));
    l->in = tc_own(&l->held, malloc(nodes * sizeof *l->in));
    l->out = tc_own(&l->held, malloc(nodes * sizeof *l->out));
    l->need = tc_own(&l->held, malloc(nodes * sizeof *l->need));
    l->ahead = tc_own(&l->held, malloc(nodes * sizeof *l->ahead));
    l->back = tc_own(&l->held, malloc(nodes * sizeof *l->back));
    l->heap = tc_own(&l->held, malloc(nodes * sizeof *l->heap));
    l->place = tc_own(&l->held, malloc(nodes * sizeof *l->place));
    l->run->bytes = nodes * (6 * sizeof(int32_t) + 2 * sizeof(wide) + sizeof(int64_t));
    return !l->held.lacks;
}

tilecut_status tc_net_solve_mpm_cpu(tc_net *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    layers l = {.net = net, .run = run};
    int32_t ends = 0;
    if (!layers_alloc(&l)) status = tc_fail(TILECUT_ENOMEM, "no memory for the layers of %d nodes", (int)net->nodes);
    while (status == TILECUT_OK && search_layers(&l, &ends)) {
        run->relabels++;
        weigh(&l, ends);
        if (tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two searches");
        else block(&l);
    }
    tc_alloc_list_free(&l.held);
    return status;
}
