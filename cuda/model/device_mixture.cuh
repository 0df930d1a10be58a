/* SPDX-License-Identifier: MIT
 *
 * device_mixture.cuh - mixture.c on the device, with the same bits. A team of blocks fits one mixture, and each block
 * has some of the TC_LANES lanes. It takes its samples in batches. First every warp computes, for 32 samples, how much
 * of each belongs to one part. Then every thread adds some moments of one lane and part, in the order of
 * mixture_math.h, while other warps begin the next batch. After every round all blocks read each other's sums, so all
 * continue with the same numbers.
 */
#pragma once

#include "worklist.cuh"

extern "C" {
#include "mixture_math.h"
}

enum {
    MIXTURE_MOST_TEAM = 32, /* blocks; a power of two between 8, the number of groups of 32 lanes, and 32 */
    MIXTURE_SLICES = 4,
    MIXTURE_WARPS = TC_MIXTURE_PARTS * MIXTURE_SLICES,
    MIXTURE_THREADS = 32 * MIXTURE_WARPS,
    MIXTURE_SUMS = TC_MIXTURE_PARTS * TC_MOMENTS,
    MIXTURE_BATCH = 256,
    MIXTURE_FACTORS = 4 /* a moment is the weight times two of 1, x, y and z */
};

/* What the blocks of a team tell each other, in device memory, 0 at first. The two halves are used alternately. A block
 * may write to a half again, because by then it has heard from all blocks in the other half, and each of them has
 * written there only after it had read this one. In a half, the sums of one moment by all blocks lie side by side. */
typedef struct mixture_team {
    posted_number sums[2][MIXTURE_SUMS * MIXTURE_MOST_TEAM];
} mixture_team;

/* The samples of one class in device memory: arrays x, y, z, weight and scratch, which lie `most` entries apart, a
 * multiple of 32. sample_place() says where sample i lies in them. */
typedef struct device_samples {
    const double *x, *y, *z, *weight;
    double *nearest;
} device_samples;

enum { MIXTURE_ARRAYS = 5 };

static __host__ __device__ inline device_samples samples_at(double *memory, size_t most)
{
    return {memory, memory + most, memory + 2 * most, memory + 3 * most, memory + 4 * most};
}

/* The number of blocks among which the 32 lanes of a group are divided, as a logarithm, on a device with so many
 * multiprocessors. All blocks of both teams must run at the same time. */
static inline int team_split(int processors)
{
    return processors >= 4 * TC_LANES / 16 ? 2 : processors >= 2 * TC_LANES / 16 ? 1 : 0;
}

/* Where sample i lies. A block has lanes that are 2^split apart, because their sums are added to each other first; its
 * samples lie side by side. */
static __device__ inline unsigned sample_place(unsigned i, int split)
{
    const unsigned lane = i & 31;
    return (i & ~31u) | (lane << (5 - split) & 31) | lane >> split;
}

/* What a block keeps during a fit. */
typedef struct fitting_block {
    mixture_team *team;
    unsigned round; /* counts what the team has summed or drawn, from 1 on */
    int split;      /* 2^split blocks share a group of 32 lanes */
    double total, sums[MIXTURE_SUMS];
    double centre[TC_MIXTURE_PARTS][3];
    double key[MIXTURE_WARPS];
    unsigned at[MIXTURE_WARPS];
    double value[TC_MIXTURE_PARTS][MIXTURE_BATCH];    /* of each sample in each part                           */
    double share[2][TC_MIXTURE_PARTS][MIXTURE_BATCH]; /* how much of each sample belongs to each part; batches use
                                                         the two halves alternately */
    double sample[2][4][MIXTURE_BATCH];               /* x, y, z and weight of each sample, likewise           */
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

/* The sums that a thread computes: moments of one lane and one part. A block has `lanes` lanes; this thread's lane is
 * threadIdx.x % lanes. Each moment is the weight times the thread's factor times 1, x, y or z. Factor 0 is 1, and
 * factors 1 to 3 are x, y and z. A thread with a higher number sums nothing. */
typedef struct summing {
    unsigned lanes;
    int part, factor;
} summing;

static __device__ inline summing summing_of_thread(void)
{
    const unsigned lanes = TC_LANES / gridDim.x, job = threadIdx.x / lanes;
    return {lanes, (int)(job % TC_MIXTURE_PARTS), (int)(job / TC_MIXTURE_PARTS)};
}

/* Adds up the sums of all blocks, in the order of mixture_math.h: those of one group of lanes, then the groups. */
static __device__ inline void add_blocks(fitting_block *block, const posted_number *sums)
{
    const unsigned blocks = gridDim.x, each = 1u << block->split, count = MIXTURE_SUMS * blocks;
    for (unsigned first = 0; first < count; first += MIXTURE_THREADS) {
        const unsigned i = first + threadIdx.x;
        double sum = i < count ? await_number(sums + i, block->round) : 0;
        for (unsigned d = each / 2; d; d >>= 1) sum += __shfl_down_sync(WARP, sum, d);
        for (unsigned d = blocks / 2; d >= each; d >>= 1) sum += __shfl_down_sync(WARP, sum, d);
        if (i < count && i % blocks == 0) block->sums[i / blocks] = sum;
    }
}

/* Adds up the moments over all lanes of the team: block->sums. `sum` is what each thread has summed. */
static __device__ inline void team_sum(fitting_block *block, double (&sum)[MIXTURE_FACTORS])
{
    const summing mine = summing_of_thread();
    posted_number *const sums = block->team->sums[block->round & 1];
    for (unsigned d = mine.lanes / 2; d; d >>= 1)
        for (int i = 0; i < MIXTURE_FACTORS; i++) sum[i] += __shfl_down_sync(WARP, sum[i], d);
    /* x times y is a moment, and y times x is the same one */
    for (int i = mine.factor; i < MIXTURE_FACTORS && threadIdx.x % mine.lanes == 0; i++) {
        const int moment = mine.factor * (2 * MIXTURE_FACTORS - 1 - mine.factor) / 2 + i;
        post_number(sums + (mine.part * TC_MOMENTS + moment) * (int)gridDim.x + (int)blockIdx.x, sum[i], block->round);
    }
    add_blocks(block, sums);
    __syncthreads();
    if (threadIdx.x == 0) block->round++;
}

/* Sums the weights of all samples: block->total. Every block does so, which takes less time than a barrier. */
static __device__ inline void sum_weights(fitting_block *block, const double *weight, unsigned count)
{
    double sum = 0;
    for (unsigned i = threadIdx.x; i < count && threadIdx.x < TC_LANES; i += TC_LANES)
        sum += weight[sample_place(i, block->split)];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(WARP, sum, d);
    if (threadIdx.x % 32 == 0) block->key[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        const double *const g = block->key;
        block->total = ((g[0] + g[4]) + (g[2] + g[6])) + ((g[1] + g[5]) + (g[3] + g[7]));
    }
    __syncthreads();
}

static __device__ inline void take_better(double key, unsigned at, double *best, unsigned *best_at)
{
    if (key > *best || (key == *best && at < *best_at)) *best = key, *best_at = at;
}

/* Calls visit(i) for some samples, for each sample in one thread of the team. */
template <class Visit> static __device__ inline void visit_samples(unsigned count, Visit visit)
{
    const unsigned step = gridDim.x * MIXTURE_THREADS;
    for (unsigned i = blockIdx.x * MIXTURE_THREADS + threadIdx.x; i < count; i += step) visit(i);
}

/* Finds the best of the keys that the lanes of a warp have: for lane 0. */
static __device__ inline void take_best_of_warp(double *best, unsigned *at)
{
    for (int d = 16; d; d >>= 1) {
        const double other = __shfl_down_sync(WARP, *best, d);
        const unsigned there = __shfl_down_sync(WARP, *at, d);
        take_better(other, there, best, at);
    }
}

/* Returns the sample with the highest key, the first one among equals; UINT_MAX if no sample has a chance. */
static __device__ inline unsigned draw_sample(fitting_block *block, const device_samples &s, unsigned count,
                                              unsigned draw)
{
    const unsigned none = 0xffffffffu, lane = threadIdx.x & 31;
    posted_number *const keys = block->team->sums[block->round & 1], *const indices = keys + MIXTURE_MOST_TEAM;
    double best = -HUGE_VAL;
    unsigned at = none;
    visit_samples(count, [&](unsigned i) {
        const unsigned place = sample_place(i, block->split);
        const double chance = s.weight[place] * s.nearest[place];
        const double key = chance > 0 ? tc_draw_key(draw, i, chance) : -HUGE_VAL;
        if (key > best) best = key, at = i;
    });
    take_best_of_warp(&best, &at);
    if (lane == 0) block->key[threadIdx.x >> 5] = best, block->at[threadIdx.x >> 5] = at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < MIXTURE_WARPS; k++) take_better(block->key[k], block->at[k], &best, &at);
        post_number(keys + blockIdx.x, best, block->round);
        post_number(indices + blockIdx.x, at, block->round);
    }
    if (threadIdx.x < 32) {
        best = lane < gridDim.x ? await_number(keys + lane, block->round) : -HUGE_VAL;
        at = lane < gridDim.x ? (unsigned)await_number(indices + lane, block->round) : none;
        take_best_of_warp(&best, &at);
    }
    __syncthreads();
    if (threadIdx.x == 0) block->at[0] = at, block->round++;
    __syncthreads();
    return block->at[0];
}

/* Does the same as choose_centres() of mixture.c. */
static __device__ inline int choose_centres(fitting_block *block, const device_samples &s, unsigned count, int start)
{
    int chosen = 0;
    visit_samples(count, [&](unsigned i) { s.nearest[sample_place(i, block->split)] = TC_FARTHEST; });
    while (chosen < TC_MIXTURE_PARTS) {
        const unsigned at = draw_sample(block, s, count, (unsigned)(start * TC_MIXTURE_PARTS + chosen));
        if (at >= count) break;
        const unsigned drawn = sample_place(at, block->split);
        double *const centre = block->centre[chosen];
        if (threadIdx.x == 0) centre[0] = s.x[drawn], centre[1] = s.y[drawn], centre[2] = s.z[drawn];
        __syncthreads();
        visit_samples(count, [&](unsigned i) {
            const unsigned place = sample_place(i, block->split);
            const double d = tc_squared_distance(s.x[place], s.y[place], s.z[place], centre);
            if (d < s.nearest[place]) s.nearest[place] = d;
        });
        chosen++;
    }
    return chosen;
}

/* Sums the moments of all parts into block->sums. value(part, x, y, z) is computed for each sample and part.
 * share(part, values) is the part's share of the sample's weight; in `values`, different parts are MIXTURE_BATCH
 * entries apart. */
template <class Value, class Share>
static __device__ inline void sum_moments(fitting_block *block, const device_samples &s, unsigned count, Value value,
                                          Share share)
{
    const summing mine = summing_of_thread();
    const unsigned group = (blockIdx.x >> block->split) * 32, number = blockIdx.x & ((1u << block->split) - 1);
    const unsigned slot = (unsigned)slice_of_warp() * 32 + (threadIdx.x & 31), most = MIXTURE_BATCH / mine.lanes;
    const int part = part_of_warp(), bits = 5 - block->split;
    double moments[MIXTURE_FACTORS] = {0};
    int turn = 0;
    for (unsigned start = group; start < count; start += most * TC_LANES, turn ^= 1) {
        const unsigned steps = min(most, (count - start + TC_LANES - 1) / TC_LANES);
        double(*const sample)[MIXTURE_BATCH] = block->sample[turn], (*const shares)[MIXTURE_BATCH] = block->share[turn];
        for (unsigned n = slot; n < steps * mine.lanes; n += 32 * MIXTURE_SLICES) {
            const unsigned lane = n & (mine.lanes - 1), from = start + (n >> bits) * TC_LANES;
            const unsigned place = from + number * mine.lanes + lane;
            const bool inside = from + number + (lane << block->split) < count;
            const double x = inside ? s.x[place] : 0, y = inside ? s.y[place] : 0, z = inside ? s.z[place] : 0;
            block->value[part][n] = value(part, x, y, z);
            if (part == 0) sample[0][n] = x;
            if (part == 1) sample[1][n] = y;
            if (part == 2) sample[2][n] = z;
            if (part == 3) sample[3][n] = inside ? s.weight[place] : 0;
        }
        __syncthreads();
        for (unsigned n = slot; n < steps * mine.lanes; n += 32 * MIXTURE_SLICES)
            shares[part][n] = share(part, &block->value[0][n]) * sample[3][n];
        __syncthreads();
#pragma unroll 4
        for (unsigned n = threadIdx.x & (mine.lanes - 1); n < steps * mine.lanes && mine.factor < MIXTURE_FACTORS;
             n += mine.lanes) {
            const double weight = shares[mine.part][n] * (mine.factor ? sample[mine.factor - 1][n] : 1);
            moments[0] += weight;
            for (int i = 1; i < MIXTURE_FACTORS; i++) moments[i] += weight * sample[i - 1][n];
        }
    }
    team_sum(block, moments);
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
                if (distance[MIXTURE_BATCH * k] < least) least = distance[MIXTURE_BATCH * k], best = k;
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
            for (int k = 1; k < TC_MIXTURE_PARTS; k++) sum += density[MIXTURE_BATCH * k];
            return tc_share(part, density[MIXTURE_BATCH * part], sum);
        });
}

/* Sets the Gaussians from the moments in block->sums, as tc_gaussian_of() does. Each is made by a warp, whose lanes
 * divide at the same time. */
static __device__ inline void maximise(fitting_block *block)
{
    const int part = (int)threadIdx.x >> 5, lane = (int)threadIdx.x & 31;
    if (part < TC_MIXTURE_PARTS) {
        const double *const sums = block->sums + part * TC_MOMENTS;
        const bool used = tc_part_in_use(sums[0], block->total);
        tc_gaussian *const g = &block->mixture.part[part];
        double *const moment = block->value[part], c[6], cofactor[6];
        if (lane < TC_MOMENTS) moment[lane] = used ? sums[lane] / sums[0] : 0;
        __syncwarp();
        tc_covariance(moment, c);
        const double det = tc_cofactors(c, cofactor), root = tc_inverse_scale(det);
        const double over = lane < 6 ? cofactor[lane] : lane == 6 ? 1 : sums[0];
        const double quotient = used ? over / (lane < 6 ? det : lane == 6 ? root : block->total) : 0;
        if (lane < 6) g->precision[lane] = quotient;
        else if (lane == 6) g->scale = quotient;
        else if (lane == 7) g->weight = quotient;
        else if (lane < 11) g->mean[lane - 8] = moment[lane - 7];
    }
    __syncthreads();
}

/* Chooses centres, and fits the first Gaussians to the samples nearest to each. */
static __device__ inline void begin_mixture(fitting_block *block, const device_samples &s, unsigned count, int start)
{
    const int centres = choose_centres(block, s, count, start);
    for (int round = 0; round < TC_LLOYD_ROUNDS; round++) {
        assign_samples(block, s, count, centres);
        const int k = (int)threadIdx.x / 3, a = (int)threadIdx.x % 3;
        const double *const sums = block->sums + k * TC_MOMENTS;
        if (k < centres && sums[0] > 0) block->centre[k][a] = sums[1 + a] / sums[0];
        __syncthreads();
    }
    maximise(block); /* uses the moments of the last assignment */
}

/* Does the work of tc_mixture_fit(), with the result in block->mixture. If `learnt` is not NULL, it starts from that
 * mixture. Without samples all parts are unused. All blocks of the team call it and must run at the same time. */
static __device__ inline void fit_mixture(fitting_block *block, mixture_team *team, const tc_mixture *learnt, int start,
                                          const device_samples &s, unsigned count)
{
    if (threadIdx.x == 0) {
        block->team = team, block->round = 1;
        block->split = __ffs((int)gridDim.x / (TC_LANES / 32)) - 1;
        if (learnt) block->mixture = *learnt;
        if (count == 0) memset(&block->mixture, 0, sizeof block->mixture);
    }
    __syncthreads();
    if (count == 0) return;
    sum_weights(block, s.weight, count);
    if (!learnt) begin_mixture(block, s, count, start);
    for (int round = 0; round < TC_EM_ROUNDS; round++) {
        expect_samples(block, s, count);
        maximise(block);
    }
}
