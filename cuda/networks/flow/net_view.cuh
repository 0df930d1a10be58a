/* SPDX-License-Identifier: MIT
 *
 * net_view.cuh - a network of any shape on the device, as the kernels of all its solvers see it: the slots of
 * src/networks/net.h, unchanged, and the excess and height of each node.
 *
 * Blocks read values that other blocks write in the same launch, so everything but `first` is read past the cache of a
 * multiprocessor (__ldcg). The residual capacity of a slot grows by pushes of other nodes and shrinks only by pushes of
 * its own node; the same holds for excess.
 */
#pragma once

#include "worklist.cuh"

#include "net.h"

typedef struct net_view {
    int nodes, source, sink;
    const int *first;  /* [nodes + 1] the first slot of each node                            */
    tc_slot *slot;     /* [first[nodes]]                                                     */
    long long *excess; /* [nodes]; not valid at the source and at the sink                   */
    int *height;       /* [nodes]; `nodes` means that the node does not reach the sink, as far as is known */
} net_view;

/* Reads a slot as one piece of 16 bytes. */
static __device__ inline tc_slot read_slot(const net_view &v, int i)
{
    const int4 words = __ldcg((const int4 *)(v.slot + i));
    tc_slot slot;
    slot.room = (int64_t)((uint64_t)(uint32_t)words.x | (uint64_t)(uint32_t)words.y << 32);
    slot.head = words.z;
    slot.mate = words.w;
    return slot;
}

static __device__ inline int64_t read_room(const net_view &v, int i)
{
    return (int64_t)__ldcg((const long long *)&v.slot[i].room);
}

static __device__ inline long long add_to(long long *number, long long amount)
{
    return (long long)atomicAdd((unsigned long long *)number, (unsigned long long)amount);
}

/* Pushes `amount` over slot i of a node; the caller has to reduce the excess of that node. Returns the excess that the
 * head of the slot had before. */
static __device__ inline long long push_slot(const net_view &v, int i, const tc_slot &slot, int64_t amount)
{
    add_to((long long *)&v.slot[i].room, -amount);
    add_to((long long *)&v.slot[slot.mate].room, amount);
    return slot.head == v.sink ? 1 : add_to(v.excess + slot.head, amount);
}

/* Appends the values of those lanes with `wanted`; all lanes of a warp call it together. */
static __device__ inline void append(int *list, int *count, bool wanted, int value)
{
    const unsigned who = __ballot_sync(WARP, wanted), lane = threadIdx.x & 31;
    if (!who) return;
    const int leader = __ffs((int)who) - 1;
    int base = 0;
    if ((int)lane == leader) base = atomicAdd(count, __popc(who));
    base = __shfl_sync(WARP, base, leader);
    if (wanted) __stcg(list + base + __popc(who & ((1u << lane) - 1)), value);
}

/* Appends up to two values of each lane, with one addition to the count. */
static __device__ inline void append_two(int *list, int *count, bool wanted, int value, bool also, int other)
{
    const unsigned who = __ballot_sync(WARP, wanted), more = __ballot_sync(WARP, also);
    const unsigned lane = threadIdx.x & 31, below = (1u << lane) - 1;
    int base = 0;
    if (!(who | more)) return;
    if (lane == 0) base = atomicAdd(count, __popc(who) + __popc(more));
    base = __shfl_sync(WARP, base, 0);
    if (wanted) __stcg(list + base + __popc(who & below), value);
    if (also) __stcg(list + base + __popc(who) + __popc(more & below), other);
}

/* Saturates all slots of the source, with which push-relabel begins. Runs with any number of threads. */
static __global__ void saturate_kernel(net_view v)
{
    const int step = (int)(gridDim.x * blockDim.x), end = v.first[v.source + 1];
    for (int i = v.first[v.source] + (int)(blockIdx.x * blockDim.x + threadIdx.x); i < end; i += step) {
        const tc_slot slot = read_slot(v, i);
        if (slot.room > 0) push_slot(v, i, slot, slot.room);
    }
}
