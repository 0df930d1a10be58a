/* SPDX-License-Identifier: MIT
 *
 * scaling_view.cuh - an assignment on the device, as the kernels of cost scaling see it, and how a warp finds the
 * cheapest edges of a row. As on the CPU (src/networks/pairs/scaling_rows.h), prices of columns never rise, so a row
 * remembers its cheapest edges and a lower bound for the cost of the others. Here it remembers 32 edges, one for each
 * lane.
 */
#pragma once

#include "steps.cuh"

enum { SCALING_BLOCK = 256, SCALING_MEMORY = 32 };
static const long long SCALING_NONE = 1ll << 62; /* higher than the cost of any edge, because these are below 2^61 */

/* The state of a run, in device memory. */
typedef struct scaling_state {
    step_counts launch;          /* zeroed before every launch of a price update     */
    int taken, left;             /* rows taken from the list; rows left open */
    int failed;                  /* set if a price has fallen so low that it may not fit */
    long long farthest;
    unsigned long long bids, rounds;
} scaling_state;

typedef struct scaling_view {
    int rows, columns;           /* the size of the matrix of costs                   */
    int full;                    /* the matrix is full: edge e of a row leads to column e - first[row] */
    long long scale;             /* all costs are multiplied by this                  */
    const int *first, *column;   /* [rows + 1], and [edges] the column of each edge, NULL if the matrix is full */
    const long long *cost;
    long long *v;                /* [columns] prices                                  */
    int *row_of;                 /* [columns] the row that has the column; -1: none   */
    int *column_of;              /* [rows] the column for which the row bid last; it has that column if row_of says
                                    so */
    long long *own;              /* [rows] the scaled cost of the edge to column_of */
    long long *memory;           /* [rows][SCALING_MEMORY] scaled costs of the remembered edges */
    int *memory_column;          /* columns of the remembered edges; -1: none         */
    long long *beyond;           /* [rows] a lower bound for the cost of the edges that are not remembered */
    int *kept, *kept_edge;       /* [rows] the number of edges that are not put aside, -1: all; and which edges these
                                    are, from first[row] on */
    int *next;                   /* [rows] the next row in the stack of a warp */
    long long *far;              /* [columns] during a price update: distance to a free column */
    scaling_state *state;
} scaling_view;

/* ---- The edges of a row ----------------------------------------------------------------------- */

static __device__ inline int kept_edges(const scaling_view &a, int row)
{
    const int kept = __ldcg(a.kept + row);
    return kept < 0 ? a.first[row + 1] - a.first[row] : kept;
}

/* An edge, read by one lane. */
typedef struct scaling_edge {
    int edge, column;  /* -1: no edge                          */
    long long key;     /* cost less price; SCALING_NONE if there is no edge */
} scaling_edge;

static __device__ inline scaling_edge read_edge(const scaling_view &a, int row, int k, int count)
{
    scaling_edge it = {-1, -1, SCALING_NONE};
    if (k >= count) return it;
    const int first = a.first[row];
    it.edge = __ldcg(a.kept + row) < 0 ? first + k : __ldcg(a.kept_edge + first + k);
    it.column = a.full ? it.edge - first : a.column[it.edge];
    it.key = a.cost[it.edge] * a.scale - __ldcg(a.v + it.column);
    return it;
}

static __device__ inline long long warp_least(long long x)
{
#pragma unroll
    for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(WARP, x, d));
    return x;
}

/* ---- Remembering ------------------------------------------------------------------------------ */

/* One step of a sorting network over the lanes of a warp: lanes with `low` keep the smaller key. */
static __device__ inline void sort_step(long long &key, int &edge, int d, bool low)
{
    const long long other = __shfl_xor_sync(WARP, key, d);
    const int its = __shfl_xor_sync(WARP, edge, d);
    if (low ? other < key : other > key) key = other, edge = its;
}

/* Sorts by key, in ascending order of the lanes. */
static __device__ inline void sort_lanes(long long &key, int &edge)
{
    const int lane = (int)(threadIdx.x & 31);
    for (int size = 2; size <= 32; size <<= 1)
        for (int d = size >> 1; d; d >>= 1)
            sort_step(key, edge, d, ((lane & d) == 0) == ((lane & size) == 0 || size == 32));
}

/* Finds the cheapest edges of a row with a whole warp. The lanes hold a sorted list, into which the edges are merged in
 * chunks of 32. */
static __device__ inline void remember(const scaling_view &a, int row)
{
    const int lane = (int)(threadIdx.x & 31), count = kept_edges(a, row);
    long long key = SCALING_NONE, beyond = SCALING_NONE;
    int edge = -1;
    for (int base = 0; base < count; base += 32) {
        const scaling_edge it = read_edge(a, row, base + lane, count);
        const long long worst = __shfl_sync(WARP, key, 31);
        const bool good = it.key < worst;
        if (!good) beyond = min(beyond, it.key);
        if (!__any_sync(WARP, good)) continue;
        long long new_key = good ? it.key : SCALING_NONE;
        int new_edge = good ? it.edge : -1;
        sort_lanes(new_key, new_edge);
        const long long falling = __shfl_sync(WARP, new_key, 31 - lane);
        const int falling_edge = __shfl_sync(WARP, new_edge, 31 - lane);
        if (falling < key) {
            beyond = min(beyond, key);
            key = falling, edge = falling_edge;
        } else {
            beyond = min(beyond, falling);
        }
        for (int d = 16; d; d >>= 1) sort_step(key, edge, d, (lane & d) == 0);
    }
    const size_t at = (size_t)row * SCALING_MEMORY + (size_t)lane;
    __stcg(a.memory + at, edge < 0 ? SCALING_NONE : a.cost[edge] * a.scale);
    __stcg(a.memory_column + at, edge < 0 ? -1 : a.full ? edge - a.first[row] : a.column[edge]);
    beyond = warp_least(beyond);
    if (lane == 0) __stcg(a.beyond + row, beyond);
    __syncwarp();
}

/* The cheapest edge of a row, as found by look(); the same in all lanes. */
typedef struct scaling_offers {
    long long best, second;
    long long cost, price; /* scaled cost of the best edge; price of its column */
    int column;
} scaling_offers;

static __device__ inline scaling_offers recall(const scaling_view &a, int row)
{
    const int lane = (int)(threadIdx.x & 31);
    const size_t at = (size_t)row * SCALING_MEMORY + (size_t)lane;
    const int column = __ldcg(a.memory_column + at);
    const long long cost = __ldcg(a.memory + at), price = column < 0 ? 0 : __ldcg(a.v + column);
    const long long key = column < 0 ? SCALING_NONE : cost - price;
    scaling_offers o;
    o.best = warp_least(key);
    const int who = __ffs((int)__ballot_sync(WARP, key == o.best)) - 1;
    o.second = warp_least(lane == who ? SCALING_NONE : key);
    o.cost = __shfl_sync(WARP, cost, who);
    o.price = __shfl_sync(WARP, price, who);
    o.column = __shfl_sync(WARP, column, who);
    return o;
}

/* Finds the cheapest edge of a row, and a lower bound for the cost of all others. Other warps may lower prices
 * meanwhile, so the edges just remembered may cost more than the others. */
static __device__ inline scaling_offers look(const scaling_view &a, int row)
{
    scaling_offers o = recall(a, row);
    if (o.second <= __ldcg(a.beyond + row)) return o;
    do {
        remember(a, row);
        o = recall(a, row);
    } while (o.best > __ldcg(a.beyond + row));
    o.second = min(o.second, __ldcg(a.beyond + row));
    return o;
}
