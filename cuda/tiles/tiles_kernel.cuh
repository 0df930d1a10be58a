/* SPDX-License-Identifier: MIT
 *
 * tiles_kernel.cuh - the fastest rung: push-relabel on tiles of 32 x 32, all in one kernel that stays on the device
 * until the cut is found. Two kinds of rounds alternate:
 *
 *   relabel    finds distances to the sinks, bit-parallel (relabel.cuh). Tiles that have to be searched again are on a
 *              list; after each round over the list, all blocks wait at a barrier
 *   discharge  makes a few sweeps over each tile with active pixels (discharge.cuh)
 *
 * The solve ends when a complete relabelling finds no active pixel that reaches a sink. Nothing else proves that the
 * flow is maximum; in particular, a round in which nothing moved does not.
 */
#pragma once

#include "discharge.cuh"
#include "relabel.cuh"
#include "tiles_engine.cuh"

/* What a block knows about the progress of the solve. All fields but `seat` and `run` are the same in all blocks. */
typedef struct driver {
    unsigned target, seat, round, label_round;
    int left; /* rounds until the launch ends */
    int tiles; /* tiles discharged in the last round */
    int relabels, relabel_rounds;
    device_run *run; /* the report of the run, in shared memory; updated by thread 0 */
} driver;

/* Prepares a solve: makes the bit rows of all tiles, and empties the inboxes. A block prepares the same tiles here that
 * it searches in relabel_open(), so no barrier over all blocks is needed between the two. */
static __device__ inline void prepare(const tiles_view &v)
{
    const int tiles = view_tiles(v.grid);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        patch_read read;
        patch s;
        load_patch(v, tile, read);
        read_patch(read, s);
        store_bits(v, tile, s);
        for (unsigned k = 0; k < 2; k++)
            for (int i = (int)threadIdx.x; i < SIDES * KINDS * TC_TILE; i += BLOCK)
                inbox_at(v, k * SLICE_TURNS, tile, 0, 0)[i] = 0;
    }
}

/* Opens a relabelling: adds the flow in the inboxes, and searches every tile from its own sinks. */
static __device__ inline void relabel_open(const tiles_view &v, progress *state, driver &t)
{
    const unsigned warp = (threadIdx.x >> 5) * gridDim.x + blockIdx.x, warps = gridDim.x * WARPS;
    const int tiles = view_tiles(v.grid);
    const uint32_t *pending = list_of(v.todo, v.words, t.round);
    for (int tile = (int)warp; tile < tiles; tile += (int)warps) {
        if (list_has(pending, tile)) deliver_all(v, tile, t.round);
        relabel_first(v, tile, list_of(v.to_label, v.words, t.label_round + 1), list_of(v.todo, v.words, t.round + 1));
    }
    list_clear(list_of(v.todo, v.words, t.round + 2), v.words);
    list_clear(list_of(v.to_label, v.words, t.label_round), v.words);
    list_clear(list_of(v.to_label, v.words, t.label_round + 2), v.words);
    t.round++, t.label_round++, t.left--;
    t.relabels++, t.relabel_rounds++;
    if (threadIdx.x == 0) t.run->relabel_visits += tiles;
    barrier_all(&state->launch.arrived, &t.target);
}

/* Continues the relabelling for at most `limit` rounds. Returns true if it is complete. */
static __device__ inline bool relabel_rounds(const tiles_view &v, progress *state, driver &t, int limit)
{
    const unsigned warp = (threadIdx.x >> 5) * gridDim.x + t.seat, warps = gridDim.x * WARPS;
    for (; limit > 0 && t.left > 0; limit--) {
        uint32_t *todo = list_of(v.todo, v.words, t.round);
        uint32_t *next = list_of(v.to_label, v.words, t.label_round + 1);
        const int n = list_share(list_of(v.to_label, v.words, t.label_round), v.words, warp, warps,
                                 [&](int tile) {
                                     if (has_turn(v.grid, tile, t.label_round)) relabel_again(v, tile, next, todo);
                                     else if ((threadIdx.x & 31) == 0) list_add(next, tile);
                                 });
        if (n == 0) return true;
        list_clear(list_of(v.to_label, v.words, t.label_round + 2), v.words);
        t.label_round++, t.left--;
        t.relabel_rounds++;
        if (threadIdx.x == 0) t.run->relabel_visits += n;
        barrier_all(&state->launch.arrived, &t.target);
    }
    return false;
}

/* Makes at most `limit` rounds of discharging. Returns the number of rounds made. */
static __device__ inline int discharge_rounds(const tiles_view &v, progress *state, driver &t,
                                              const tiles_schedule &plan, int limit, exchange &x)
{
    for (int k = 0; k < limit; k++) {
        uint32_t *next = list_of(v.todo, v.words, t.round + 1);
        const unsigned round = t.round;
        const bool few = t.tiles <= (int)gridDim.x;
        const int sweeps = few ? plan.sweeps_few : plan.sweeps_many;
        const int n = list_share(list_of(v.todo, v.words, round), v.words, t.seat, gridDim.x,
                                 [&](int tile) {
                                     if (has_turn(v.grid, tile, round))
                                         discharge_tile(v, tile, round, next, sweeps, few, x);
                                     else if (threadIdx.x == 0) list_add(next, tile);
                                 });
        if (n == 0) return k;
        t.tiles = n;
        list_clear(list_of(v.todo, v.words, t.round + 2), v.words);
        t.round++, t.left--;
        if (threadIdx.x == 0) t.run->rounds++, t.run->visits += n;
        barrier_all(&state->launch.arrived, &t.target);
    }
    return limit;
}

/* The number of blocks on a multiprocessor. With diagonals it is one, because a lane needs more than half of the
 * registers. */
enum { BLOCKS_BESIDE = TC_DIAGONALS ? 1 : 2 };

static __global__ void __launch_bounds__(BLOCK, BLOCKS_BESIDE)
    tiles_kernel(tiles_view v, tiles_schedule plan, progress *state, bool fresh)
{
    __shared__ exchange x;
    __shared__ device_run run;
    __shared__ unsigned seat;
    driver t = {0, 0, state->round, state->label_round, plan.slice, view_tiles(v.grid), state->run.relabels,
                state->run.relabel_rounds, &run};
    bool done = false;

    if (threadIdx.x == 0) run = state->run, seat = take_block_number(&state->launch.seats);
    if (fresh) prepare(v);
    __syncthreads();
    t.seat = seat;
    while (!done && t.left > 0) {
        const int before = t.relabel_rounds;
        const int late = max(0, t.relabels - plan.patience);
        int limit = SLICE_TURNS * (plan.limits[min(t.relabels, TILES_LIMITS - 1)] + late * plan.growth);
        if (threadIdx.x == 0) run.relabel_cycles -= clock64();
        relabel_open(v, state, t);
        for (;;) {
            const bool complete = relabel_rounds(v, state, t, limit);
            if (threadIdx.x == 0) run.relabel_cycles += clock64(), run.push_cycles -= clock64();
            const int used = t.relabel_rounds - before;
            const int most = max(SLICE_TURNS * plan.rounds_least,
                                 min(SLICE_TURNS * plan.rounds_most, late > 0 ? 2 * used : used));
            const int pushed = discharge_rounds(v, state, t, plan, most, x);
            if (threadIdx.x == 0) run.push_cycles += clock64();
            done = complete && pushed == 0;
            if (done || pushed > 0 || t.left <= 0) break;
            limit = TILES_NO_LIMIT; /* no active pixel was reached, so the relabelling must be complete */
            /* waits until all blocks have seen the empty list, before the list is filled */
            barrier_all(&state->launch.arrived, &t.target);
            if (threadIdx.x == 0) run.relabel_cycles -= clock64();
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        run.relabels = t.relabels;
        run.relabel_rounds = t.relabel_rounds;
        state->round = t.round;
        state->label_round = t.label_round;
        state->done = done;
        state->run = run;
    }
}

/* Adds the flow in all inboxes when a solve is left to the CPU. */
static __global__ void deliver_kernel(tiles_view v)
{
    for (int tile = blockIdx.x * WARPS + (threadIdx.x >> 5); tile < view_tiles(v.grid); tile += gridDim.x * WARPS)
        for (unsigned k = 0; k < 2; k++) deliver_inboxes(v, tile, k * SLICE_TURNS);
}
