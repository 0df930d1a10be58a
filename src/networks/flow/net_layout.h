/* SPDX-License-Identifier: MIT
 *
 * net_layout.h - one set of names for two layouts of the residual network, for solvers that are compiled once for each:
 * tc_net of net.h, or tc_rcsr of net_rcsr.h where TC_LAYOUT_RCSR is defined. A node has SIDES ranges of slots. Slot i
 * of a side leads to slot_head() and has residual capacity slot_room(); its reverse has mate_room().
 */
#pragma once

#include "net.h"

#ifdef TC_LAYOUT_RCSR
#include "net_rcsr.h"

typedef tc_rcsr layout;
enum { SIDES = 2 }; /* first the arcs out of a node, then the reverses of arcs into it */

static inline int32_t slots_begin(const layout *net, int32_t v, int side)
{
    return side ? net->back[v] : net->first[v];
}

static inline int32_t slots_end(const layout *net, int32_t v, int side)
{
    return side ? net->back[v + 1] : net->first[v + 1];
}

static inline int32_t slot_head(const layout *net, int32_t i, int side)
{
    return side ? net->tail[i] : net->head[i];
}

static inline int64_t *slot_room(const layout *net, int32_t i, int side)
{
    return side ? &net->used[net->arc[i]] : &net->room[i];
}

static inline int64_t *mate_room(const layout *net, int32_t i, int side)
{
    return side ? &net->room[net->arc[i]] : &net->used[i];
}

static inline int32_t layout_slots(const layout *net)
{
    return 2 * net->arcs;
}

#else

typedef tc_net layout;
enum { SIDES = 1 };

static inline int32_t slots_begin(const layout *net, int32_t v, int side)
{
    (void)side;
    return net->first[v];
}

static inline int32_t slots_end(const layout *net, int32_t v, int side)
{
    (void)side;
    return net->first[v + 1];
}

static inline int32_t slot_head(const layout *net, int32_t i, int side)
{
    (void)side;
    return net->slot[i].head;
}

static inline int64_t *slot_room(const layout *net, int32_t i, int side)
{
    (void)side;
    return &net->slot[i].room;
}

static inline int64_t *mate_room(const layout *net, int32_t i, int side)
{
    (void)side;
    return &net->slot[net->slot[i].mate].room;
}

static inline int32_t layout_slots(const layout *net)
{
    return net->first[net->nodes];
}

#endif

/* The number of slots of a node, on both sides. */
static inline int32_t layout_degree(const layout *net, int32_t v)
{
    int32_t sum = 0;
    for (int side = 0; side < SIDES; side++) sum += slots_end(net, v, side) - slots_begin(net, v, side);
    return sum;
}

static inline void layout_push(const layout *net, int32_t i, int side, int64_t amount)
{
    *slot_room(net, i, side) -= amount;
    *mate_room(net, i, side) += amount;
}
