/* SPDX-License-Identifier: MIT
 *
 * paper_layouts.cuh - the ways in which the papers store a residual network, each with the same functions. A layout is
 * a set of pointers, either all into host memory or all into device memory.
 *
 *   stored_mates  one row per node, with the position of each arc's reverse: as in hi_pr and He & Hong 2010
 *   rcsr          arcs by tail, and again by head with their positions in the first table (Hsieh et al. 2024)
 *   bcsr          one row per node, sorted by head; the reverse is found by a binary search (the same paper)
 *
 * links(u) counts the arcs and reverses of node u, at(u, k) reads link k of u, back(u, k) returns the residual capacity
 * of its reverse, and move(u, k, amount) pushes over the link.
 */
#pragma once

#include "net_view.cuh"

#include "net_rcsr.h"

typedef struct net_link {
    int head;
    long long room;
} net_link;

/* Reads a value that other threads change during a launch. */
template <class T> static __host__ __device__ inline T now(const T *p)
{
#ifdef __CUDA_ARCH__
    return __ldcg(p);
#else
    return *p;
#endif
}

static __host__ __device__ inline void shift(long long *p, long long amount)
{
#ifdef __CUDA_ARCH__
    add_to(p, amount);
#else
    *p += amount;
#endif
}

typedef struct stored_mates {
    const int *first;
    tc_slot *slot;

    __host__ __device__ int links(int u) const { return first[u + 1] - first[u]; }
    __host__ __device__ net_link at(int u, int k) const
    {
        const tc_slot *s = slot + first[u] + k;
        return {s->head, now((const long long *)&s->room)};
    }
    __host__ __device__ long long back(int u, int k) const
    {
        return now((const long long *)&slot[slot[first[u] + k].mate].room);
    }
    __host__ __device__ void move(int u, int k, long long amount) const
    {
        tc_slot *s = slot + first[u] + k;
        shift((long long *)&s->room, -amount);
        shift((long long *)&slot[s->mate].room, amount);
    }
} stored_mates;

typedef struct rcsr {
    const int *first, *before, *head, *tail, *arc;
    long long *room, *used;

    __host__ __device__ int links(int u) const { return first[u + 1] - first[u] + before[u + 1] - before[u]; }
    /* Returns the position of link k's arc in the first table. *out is true if the arc leaves u. */
    __host__ __device__ int place(int u, int k, bool *out) const
    {
        const int outgoing = first[u + 1] - first[u];
        *out = k < outgoing;
        return *out ? first[u] + k : arc[before[u] + k - outgoing];
    }
    __host__ __device__ net_link at(int u, int k) const
    {
        bool out;
        const int a = place(u, k, &out);
        if (out) return {head[a], now(room + a)};
        return {tail[before[u] + k - (first[u + 1] - first[u])], now(used + a)};
    }
    __host__ __device__ long long back(int u, int k) const
    {
        bool out;
        const int a = place(u, k, &out);
        return now(out ? used + a : room + a);
    }
    __host__ __device__ void move(int u, int k, long long amount) const
    {
        bool out;
        const int a = place(u, k, &out);
        shift(room + a, out ? -amount : amount);
        shift(used + a, out ? amount : -amount);
    }
} rcsr;

typedef struct bcsr {
    const int *first, *head, *pair; /* pair: a number that an arc shares with its reverse; rows are sorted by head, then
                                       by pair */
    long long *room;

    __host__ __device__ int links(int u) const { return first[u + 1] - first[u]; }
    __host__ __device__ net_link at(int u, int k) const { return {head[first[u] + k], now(room + first[u] + k)}; }
    __host__ __device__ int mate(int u, int k) const
    {
        const int v = head[first[u] + k], p = pair[first[u] + k];
        int low = first[v], high = first[v + 1] - 1;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (head[middle] < u || (head[middle] == u && pair[middle] < p)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    __host__ __device__ long long back(int u, int k) const { return now(room + mate(u, k)); }
    __host__ __device__ void move(int u, int k, long long amount) const
    {
        shift(room + first[u] + k, -amount);
        shift(room + mate(u, k), amount);
    }
} bcsr;
