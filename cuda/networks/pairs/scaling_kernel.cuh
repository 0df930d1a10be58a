/* SPDX-License-Identifier: MIT
 *
 * scaling_kernel.cuh - cost scaling on the device: the kernels that improve the assignment within a phase (refine),
 * without locks, after Lupinska (2011), and those that run between phases.
 *
 * A warp takes an open row and lets it bid for a column. If the column belongs to another row, that row loses it, and
 * the warp continues with the row that lost, until a row gets a free column. Two rows may bid for the same column at
 * the same time. The price is lowered by an atomic minimum, so each price was set by one row. That row takes the column
 * by an atomic exchange, and then reads the price again: if another row has lowered it meanwhile, it gives the column
 * up. Whichever exchange comes first, the column ends with the row that set its price, or with no row for a while:
 *
 *   - a row that lowered the price later also exchanges later, and takes the column from its owner;
 *   - a row whose exchange comes too late finds the price lower than its own. It becomes open again, and so does the
 *     row from which it took the column.
 *
 * Only the warp that holds a row writes the data of that row. A row is held by one warp, or has a column, or is on the
 * list of open rows.
 */
#pragma once

#include "scaling_view.cuh"

static __device__ inline int this_warp(void) { return (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32; }
static __device__ inline int all_warps(void) { return (int)(gridDim.x * blockDim.x) / 32; }

/* ---- Refine ----------------------------------------------------------------------------------- */

/* Lane 0 lowers the price and takes the column. *out is the row that had the column before; -1: none. Returns false if
 * `row` stays open. */
static __device__ inline bool take_column(const scaling_view &a, int row, const scaling_offers &o, long long bid,
                                          int *out)
{
    *out = -1;
    if (atomicMin(a.v + o.column, bid) <= bid) return false;
    __stcg(a.column_of + row, o.column);
    __stcg(a.own + row, o.cost);
    __threadfence();
    *out = atomicExch(a.row_of + o.column, row);
    __threadfence();
    if (__ldcg(a.v + o.column) == bid) return true;
    return atomicCAS(a.row_of + o.column, row, -1) != row; /* if another warp took the column from `row`, that warp
                                                              holds `row` */
}

/* The stack of rows that a warp holds, in lane 0. */
typedef struct held_rows {
    int top; /* the row on top; -1: none */
} held_rows;

static __device__ inline void hold(const scaling_view &a, held_rows &h, int row)
{
    if (row < 0) return;
    __stcg(a.next + row, h.top);
    h.top = row;
}

static __device__ inline int take_top_row(const scaling_view &a, held_rows &h)
{
    const int row = h.top;
    if (row >= 0) h.top = __ldcg(a.next + row);
    return row;
}

/* Lets `row` bid once. Afterwards the warp holds the row that is open. */
static __device__ inline void bid_once(const scaling_view &a, held_rows &h, int row, long long eps)
{
    const scaling_offers o = look(a, row);
    const long long gap = o.second >= SCALING_NONE ? 0 : o.second - o.best, bid = o.price - gap - eps;
    if ((threadIdx.x & 31) == 0) {
        int out;
        const bool taken = take_column(a, row, o, bid, &out);
        hold(a, h, out);
        if (!taken) hold(a, h, row);
        if (bid < -(1ll << 61)) __stcg(&a.state->failed, 1);
    }
    __syncwarp();
}

/* Takes rows from `open` and lets them bid. After `most` bids, each warp puts the rows that it still holds on
 * `left`. */
static __global__ void __launch_bounds__(SCALING_BLOCK)
    refine_kernel(scaling_view a, const int *open, int opens, int *left, long long eps, int most)
{
    const int lane = (int)(threadIdx.x & 31);
    held_rows h = {-1};
    int bids = 0;
    for (;;) {
        int row = -1;
        if (lane == 0) {
            row = take_top_row(a, h);
            if (row < 0) {
                const int k = atomicAdd(&a.state->taken, 1);
                if (k < opens) row = open[k];
            }
            if (row >= 0 && (bids >= most || __ldcg(&a.state->failed))) {
                __stcg(left + atomicAdd(&a.state->left, 1), row);
                row = -2;
            }
        }
        row = __shfl_sync(WARP, row, 0);
        if (row == -1) break;
        if (row < 0) continue;
        bid_once(a, h, row, eps);
        bids++;
    }
    if (lane == 0 && bids) atomicAdd(&a.state->bids, (unsigned long long)bids);
}

/* ---- Between phases --------------------------------------------------------------------------- */

/* Starts with no row assigned and all rows open. */
static __global__ void __launch_bounds__(SCALING_BLOCK) begin_kernel(scaling_view a, int *open)
{
    for_each(a.rows, [&](int k) {
        if (k < 0) return;
        a.v[k] = SCALING_NONE;
        a.row_of[k] = a.column_of[k] = a.kept[k] = -1;
        a.own[k] = 0;
        open[k] = k;
    });
}

/* Sets the price of each column to the cost of its cheapest edge. */
static __global__ void __launch_bounds__(SCALING_BLOCK) lower_kernel(scaling_view a)
{
    const int lane = (int)(threadIdx.x & 31);
    for (int row = this_warp(); row < a.rows; row += all_warps())
        for (int e = a.first[row] + lane; e < a.first[row + 1]; e += 32) {
            const int column = a.full ? e - a.first[row] : a.column[e];
            const long long cost = a.cost[e] * a.scale;
            if (cost < __ldcg(a.v + column)) atomicMin(a.v + column, cost);
        }
}

/* Every row searches all its edges for the cheapest ones, including the edges that were put aside. */
static __global__ void __launch_bounds__(SCALING_BLOCK) remember_kernel(scaling_view a)
{
    for (int row = this_warp(); row < a.rows; row += all_warps()) {
        if ((threadIdx.x & 31) == 0) __stcg(a.kept + row, -1);
        __syncwarp();
        remember(a, row);
    }
}

/* Puts aside the edges of a row that cost more than `most`. */
static __device__ inline void fix(const scaling_view &a, int row, long long most)
{
    const int lane = (int)(threadIdx.x & 31), count = kept_edges(a, row), first = a.first[row];
    int kept = 0;
    for (int base = 0; base < count; base += 32) {
        const scaling_edge it = read_edge(a, row, base + lane, count);
        const unsigned stay = __ballot_sync(WARP, it.key <= most);
        if (it.key <= most) __stcg(a.kept_edge + first + kept + __popc(stay & ((1u << lane) - 1)), it.edge);
        __syncwarp();
        kept += __popc(stay);
    }
    if (lane == 0) __stcg(a.kept + row, kept);
    __syncwarp();
}

/* Opens the rows whose column costs too much for the smaller eps. If `aside` is not 0, also puts aside the edges that
 * cost more than the row's cheapest by `aside`. */
static __global__ void __launch_bounds__(SCALING_BLOCK)
    free_kernel(scaling_view a, int *open, long long eps, long long aside)
{
    for (int row = this_warp(); row < a.rows; row += all_warps()) {
        const long long best = look(a, row).best;
        if ((threadIdx.x & 31) == 0) {
            const int column = __ldcg(a.column_of + row);
            if (__ldcg(a.own + row) - __ldcg(a.v + column) > best + eps) {
                __stcg(a.row_of + column, -1);
                __stcg(open + atomicAdd(&a.state->left, 1), row);
            }
        }
        if (aside) fix(a, row, best + aside);
    }
}

/* ---- Exact prices ----------------------------------------------------------------------------- */

static __device__ inline long long cheapest(const scaling_view &a, const long long *price, long long scale, int row)
{
    const int lane = (int)(threadIdx.x & 31);
    long long least = SCALING_NONE;
    for (int e = a.first[row] + lane; e < a.first[row + 1]; e += 32)
        least = min(least, a.cost[e] * scale - price[a.full ? e - a.first[row] : a.column[e]]);
    return warp_least(least);
}

static __device__ inline long long modulo(long long x, long long scale)
{
    const long long rest = x % scale;
    return rest < 0 ? rest + scale : rest;
}

/* Sets taken[r] to 1 for each remainder r that a row's price leaves when divided by the scale. taken: [scale] */
static __global__ void __launch_bounds__(SCALING_BLOCK) residues_kernel(scaling_view a, unsigned char *taken)
{
    for (int row = this_warp(); row < a.rows; row += all_warps()) {
        const long long least = cheapest(a, a.v, a.scale, row);
        if ((threadIdx.x & 31) == 0) taken[modulo(least, a.scale)] = 1;
    }
}

/* Computes the prices of columns: shifted, then rounded down. */
static __global__ void __launch_bounds__(SCALING_BLOCK) round_kernel(scaling_view a, long long shift, long long *price)
{
    for_each(a.columns, [&](int c) {
        if (c < 0) return;
        const long long exact = a.v[c] + shift;
        price[a.rows + c] = (exact - modulo(exact, a.scale)) / a.scale;
    });
}

/* Computes the price of each row: the reduced cost of its cheapest edge. */
static __global__ void __launch_bounds__(SCALING_BLOCK) price_kernel(scaling_view a, long long *price)
{
    for (int row = this_warp(); row < a.rows; row += all_warps()) {
        const long long least = cheapest(a, price + a.rows, 1, row);
        if ((threadIdx.x & 31) == 0) price[row] = least;
    }
}
