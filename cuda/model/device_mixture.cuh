/* SPDX-License-Identifier: MIT
 *
 * device_mixture.cuh - mixture.c on the device, with the same bits. A team of MIXTURE_TEAM blocks fits one mixture. A
 * block has 32 of the TC_LANES lanes, and for each part of the mixture one warp per slice. The values of one sample of
 * each slice are computed at the same time; then the warps of the first slice add them up, in the order of
 * mixture_math.h. After every round all blocks read each other's sums, so all continue with the same numbers.
 */
#pragma once

#include "worklist.cuh"

extern "C" {
#include "mixture_math.h"
}

enum {
    MIXTURE_TEAM = TC_LANES / 32,
    MIXTURE_SLICES = 4,
    MIXTURE_WARPS = TC_MIXTURE_PARTS * MIXTURE_SLICES,
    MIXTURE_THREADS = 32 * MIXTURE_WARPS,
    MIXTURE_SUMS = TC_MIXTURE_PARTS * TC_MOMENTS
};

/* What the blocks of a team share in device memory. `arrived`, for the barrier, is 0 at first. `sums` has two halves
 * that are used alternately, so that one barrier per round is enough. */
typedef struct mixture_team {
    unsigned arrived;
    double sums[2][MIXTURE_TEAM][MIXTURE_SUMS];
    double key[2][MIXTURE_TEAM];
    unsigned at[2][MIXTURE_TEAM];
} mixture_team;

/* The samples of one class in device memory: arrays x, y, z, weight and scratch, which lie `most` entries apart. */
typedef struct device_samples {
    const double *x, *y, *z, *weight;
    double *nearest;
} device_samples;

enum { MIXTURE_ARRAYS = 5 };

static __host__ __device__ inline device_samples samples_at(double *memory, size_t most)
{
    return {memory, memory + most, memory + 2 * most, memory + 3 * most, memory + 4 * most};
}

/* What a block keeps during a fit. */
typedef struct fitting_block {
    mixture_team *team;
    /* target: the barrier's, kept by thread 0; turn: the half of the team's sums to use next, kept by every thread */
    unsigned target, turn;
    double sums[MIXTURE_SUMS];
    double centre[TC_MIXTURE_PARTS][3];
    double key[MIXTURE_WARPS];
    unsigned at[MIXTURE_WARPS];
    double value[MIXTURE_SLICES][TC_MIXTURE_PARTS][32]; /* [slice][part][lane] the values of one sample */
    double share[MIXTURE_SLICES][TC_MIXTURE_PARTS][32]; /* [slice][part][lane] the part's share of the sample's
                                                           weight */
    double color[MIXTURE_SLICES][3][32];
    tc_mixture mixture;
} fitting_block;

/* The part and the slice on which a warp works. */
static __device__ inline int part_of_warp(void)
{
    return (int)(threadIdx.x >> 5) % TC_MIXTURE_PARTS;
}

static __device__ inline int slice_of_warp(void)
{
    return (int)(threadIdx.x >> 5) / TC_MIXTURE_PARTS;
}

/* The block's first sample; the others are TC_LANES apart. */
static __device__ inline unsigned first_sample(void)
{
    return blockIdx.x * 32 + (threadIdx.x & 31);
}

/* Adds up `count` values of each lane of the first slice over the whole team. The sums of part k go to block->sums
 * from k * count on. */
static __device__ inline void team_sum(fitting_block *block, const double *value, int count)
{
    const int lane = threadIdx.x & 31, part = part_of_warp(), turn = (int)(block->turn & 1);
    for (int i = 0; i < count && slice_of_warp() == 0; i++) {
        double sum = value[i];
        for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(WARP, sum, d);
        if (lane == 0) __stcg(&block->team->sums[turn][blockIdx.x][part * count + i], sum);
    }
    barrier_all(&block->team->arrived, &block->target);
    for (int i = (int)threadIdx.x; i < TC_MIXTURE_PARTS * count; i += MIXTURE_THREADS) {
        double part[MIXTURE_TEAM];
        for (int w = 0; w < MIXTURE_TEAM; w++) part[w] = __ldcg(&block->team->sums[turn][w][i]);
        for (int d = MIXTURE_TEAM / 2; d; d >>= 1)
            for (int w = 0; w < d; w++) part[w] += part[w + d];
        block->sums[i] = part[0];
    }
    if (threadIdx.x == 0) block->turn++;
    __syncthreads();
}

static __device__ inline void take_better(double key, unsigned at, double *best, unsigned *best_at)
{
    if (key > *best || (key == *best && at < *best_at)) *best = key, *best_at = at;
}

/* Returns the sample with the highest key, the first one among equals; UINT_MAX if no sample has a chance. */
static __device__ inline unsigned draw_sample(fitting_block *block, const device_samples &s, unsigned count,
                                              unsigned draw)
{
    const unsigned none = 0xffffffffu, turn = block->turn & 1;
    double best = -HUGE_VAL;
    unsigned at = none;
    for (unsigned i = first_sample() + (threadIdx.x >> 5) * TC_LANES; i < count; i += MIXTURE_WARPS * TC_LANES) {
        const double chance = s.weight[i] * s.nearest[i];
        const double key = chance > 0 ? tc_draw_key(draw, i, chance) : -HUGE_VAL;
        if (key > best) best = key, at = i;
    }
    for (int d = 16; d; d >>= 1) {
        const double other = __shfl_down_sync(WARP, best, d);
        const unsigned there = __shfl_down_sync(WARP, at, d);
        take_better(other, there, &best, &at);
    }
    if ((threadIdx.x & 31) == 0) block->key[threadIdx.x >> 5] = best, block->at[threadIdx.x >> 5] = at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < MIXTURE_WARPS; k++) take_better(block->key[k], block->at[k], &best, &at);
        __stcg(&block->team->key[turn][blockIdx.x], best);
        __stcg(&block->team->at[turn][blockIdx.x], at);
    }
    barrier_all(&block->team->arrived, &block->target);
    best = -HUGE_VAL, at = none;
    for (int w = 0; w < MIXTURE_TEAM; w++)
        take_better(__ldcg(&block->team->key[turn][w]), __ldcg(&block->team->at[turn][w]), &best, &at);
    if (threadIdx.x == 0) block->turn++;
    __syncthreads();
    return at;
}

/* Does the same as choose_centres() of mixture.c. */
static __device__ inline int choose_centres(fitting_block *block, const device_samples &s, unsigned count, int start)
{
    const unsigned first = first_sample() + (threadIdx.x >> 5) * TC_LANES, step = MIXTURE_WARPS * TC_LANES;
    int chosen = 0;
    for (unsigned i = first; i < count; i += step) s.nearest[i] = TC_FARTHEST;
    while (chosen < TC_MIXTURE_PARTS) {
        const unsigned at = draw_sample(block, s, count, (unsigned)(start * TC_MIXTURE_PARTS + chosen));
        if (at >= count) break;
        double *const centre = block->centre[chosen];
        if (threadIdx.x == 0) centre[0] = s.x[at], centre[1] = s.y[at], centre[2] = s.z[at];
        __syncthreads();
        for (unsigned i = first; i < count; i += step) {
            const double d = tc_squared_distance(s.x[i], s.y[i], s.z[i], centre);
            if (d < s.nearest[i]) s.nearest[i] = d;
        }
        chosen++;
    }
    return chosen;
}

/* Sums the moments of all parts into block->sums. value(part, x, y, z) is computed for each sample and part.
 * share(part, values) is the part's share of the sample's weight; in `values`, different parts are 32 entries apart. */
template <class Value, class Share>
static __device__ inline void sum_moments(fitting_block *block, const device_samples &s, unsigned count, Value value,
                                          Share share)
{
    const int part = part_of_warp(), slice = slice_of_warp(), lane = threadIdx.x & 31;
    double moments[TC_MOMENTS] = {0};
    for (unsigned start = 0; start + blockIdx.x * 32 < count; start += MIXTURE_SLICES * TC_LANES) {
        const unsigned first = start + first_sample(), i = first + (unsigned)slice * TC_LANES;
        const bool inside = i < count;
        const double color[3] = {inside ? s.x[i] : 0, inside ? s.y[i] : 0, inside ? s.z[i] : 0};
        const double weight = inside ? s.weight[i] : 0;
        block->value[slice][part][lane] = value(part, color[0], color[1], color[2]);
        __syncthreads();
        block->share[slice][part][lane] = share(part, &block->value[slice][0][lane]) * weight;
        if (part < 3) block->color[slice][part][lane] = color[part];
        __syncthreads();
        for (int k = 0; k < MIXTURE_SLICES && slice == 0 && first + (unsigned)k * TC_LANES < count; k++)
            tc_moments_add(moments, block->share[k][part][lane], block->color[k][0][lane], block->color[k][1][lane],
                           block->color[k][2][lane]);
    }
    team_sum(block, moments, TC_MOMENTS);
}

/* Sums the moments when each sample belongs to its nearest centre. */
static __device__ inline void assign_samples(fitting_block *block, const device_samples &s, unsigned count, int centres)
{
    sum_moments(
        block, s, count,
        [&](int part, double x, double y, double z) { return tc_squared_distance(x, y, z, block->centre[part]); },
        [&](int part, const double *distance) {
            double least = TC_FARTHEST;
            int best = 0;
            for (int k = 0; k < centres; k++)
                if (distance[32 * k] < least) least = distance[32 * k], best = k;
            return (double)(part == best);
        });
}

/* Sums the moments when each sample belongs to all parts, by their shares. */
static __device__ inline void expect_samples(fitting_block *block, const device_samples &s, unsigned count)
{
    const tc_gaussian g = block->mixture.part[part_of_warp()];
    sum_moments(
        block, s, count,
        [&](int, double x, double y, double z) { return g.weight > 0 ? tc_gaussian_density(&g, x, y, z) : 0; },
        [&](int part, const double *density) {
            double sum = density[0];
            for (int k = 1; k < TC_MIXTURE_PARTS; k++) sum += density[32 * k];
            return tc_share(part, density[32 * part], sum);
        });
}

/* Sets the Gaussians from the moments in block->sums. */
static __device__ inline void maximise(fitting_block *block, double total)
{
    if (threadIdx.x < TC_MIXTURE_PARTS)
        tc_gaussian_of(&block->mixture.part[threadIdx.x], block->sums + threadIdx.x * TC_MOMENTS, total);
    __syncthreads();
}

/* Chooses centres, and fits the first Gaussians to the samples nearest to each. */
static __device__ inline void begin_mixture(fitting_block *block, const device_samples &s, unsigned count, int start,
                                            double total)
{
    const int centres = choose_centres(block, s, count, start);
    for (int round = 0; round < TC_LLOYD_ROUNDS; round++) {
        assign_samples(block, s, count, centres);
        const double *sums = block->sums + threadIdx.x * TC_MOMENTS;
        if ((int)threadIdx.x < centres && sums[0] > 0)
            for (int a = 0; a < 3; a++) block->centre[threadIdx.x][a] = sums[1 + a] / sums[0];
        __syncthreads();
    }
    maximise(block, total); /* uses the moments of the last assignment */
}

/* Does the work of tc_mixture_fit(), with the result in block->mixture. If `learnt` is not NULL, it starts from that
 * mixture. Without samples all parts are unused. All blocks of the team call it and must run at the same time. */
static __device__ inline void fit_mixture(fitting_block *block, mixture_team *team, const tc_mixture *learnt, int start,
                                          const device_samples &s, unsigned count)
{
    double weight = 0;
    if (threadIdx.x == 0) {
        block->team = team, block->target = block->turn = 0;
        if (learnt) block->mixture = *learnt;
        if (count == 0) memset(&block->mixture, 0, sizeof block->mixture);
    }
    __syncthreads();
    if (count == 0) return;
    for (unsigned i = first_sample(); i < count; i += TC_LANES) weight += s.weight[i];
    team_sum(block, &weight, 1);
    const double total = block->sums[0];
    __syncthreads();
    if (!learnt) begin_mixture(block, s, count, start, total);
    for (int round = 0; round < TC_EM_ROUNDS; round++) {
        expect_samples(block, s, count);
        maximise(block, total);
    }
}
