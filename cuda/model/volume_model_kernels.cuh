/* SPDX-License-Identifier: MIT
 *
 * volume_model_kernels.cuh - how learning from a volume differs from model_kernels.cuh: contrasts are summed
 * slice by slice, labels are the seeds alone, and there is a table of links for each axis.
 */
#ifndef TC_VOLUME_MODEL_KERNELS_CUH
#define TC_VOLUME_MODEL_KERNELS_CUH

#include "model_kernels.cuh"
#include "volume_model.cuh"

extern "C" {
#include "volume_math.h"
}

enum { VOLUME_CHUNK = 32 * MODEL_BLOCK /* voxels of a slice that a block looks at */, VOLUME_BINS = 256 };

static_assert(1 << TC_GMM_GREY_BITS <= VOLUME_BINS && 1 << TC_HIST_GREY_BITS <= VOLUME_BINS, "in shared memory");

typedef struct volume_model {
    model m; /* energy.height: the rows of all slices */
    volume_shape shape;
    int chunks;                /* blocks of a slice               */
    unsigned long long *slice; /* [shape.all] squared differences */
} volume_model;

/* What a block counts. A voxel with a seed is labelled so, and there are no other labels. */
typedef struct volume_counts {
    unsigned seeded[2][VOLUME_BINS], seen[VOLUME_BINS], labels[2], bad;
} volume_counts;

static __device__ inline long long grey_at(const device_energy &e, size_t i)
{
    return e.depth == 8 ? e.pixels[i] : ((const uint16_t *)e.pixels)[i];
}

static __device__ inline void count_voxel(const model &m, volume_counts &counts, size_t i)
{
    const unsigned seed = m.energy.seeds[i];
    const unsigned bin = m.bits ? (unsigned)grey_at(m.energy, i) >> (m.energy.depth - m.bits) : 0;
    if (m.gmm) atomicOr(&counts.seen[bin], 1u);
    if (seed == TILECUT_UNKNOWN) return;
    if (seed > TILECUT_OUTSIDE) {
        atomicAdd(&counts.bad, 1u);
        return;
    }
    const int k = seed == TILECUT_FOREGROUND ? 0 : 1;
    atomicAdd(&counts.labels[k], 1u);
    if (m.bits) atomicAdd(&counts.seeded[k][bin], 1u);
}

/* The squared differences between voxel i of its slice, in which the slice begins at `first`, and the next ones. */
static __device__ inline unsigned long long volume_contrast(const volume_model &v, size_t first, size_t i, bool last)
{
    const device_energy &e = v.m.energy;
    const size_t width = (size_t)e.width, slice = width * (size_t)v.shape.height;
    const long long here = grey_at(e, first + i);
    unsigned long long sum = 0;
    if ((int)(i % width) + 1 < e.width) {
        const long long d = here - grey_at(e, first + i + 1);
        sum += (unsigned long long)(d * d);
    }
    if (i + width < slice) {
        const long long d = here - grey_at(e, first + i + width);
        sum += (unsigned long long)(d * d);
    }
    if (!last) {
        const long long d = here - grey_at(e, first + i + slice);
        sum += (unsigned long long)(d * d);
    }
    return sum;
}

/* Adds a block's counts to those of all. */
static __device__ inline void add_counts(const model &m, const volume_counts &counts)
{
    learnt *const facts = m.tables.facts;
    for (unsigned bin = threadIdx.x; bin < m.bins; bin += MODEL_BLOCK) {
        for (int k = 0; k < 2; k++)
            if (counts.seeded[k][bin]) atomicAdd(&m.scratch.labelled[k][bin], counts.seeded[k][bin]);
        if (counts.seen[bin]) m.scratch.seen[bin] = 1;
    }
    if (threadIdx.x > 0) return;
    for (int k = 0; k < 2; k++) {
        if (!counts.labels[k]) continue;
        atomicAdd(&facts->labelled[k], counts.labels[k]);
        atomicAdd(&facts->census.labels[k == 0 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND], counts.labels[k]);
    }
    if (counts.bad) atomicAdd(&facts->census.bad, counts.bad);
}

static __global__ void inspect_volume_kernel(volume_model v)
{
    __shared__ volume_counts counts;
    const int z = v.shape.first + (int)(blockIdx.x / (unsigned)v.chunks);
    const size_t slice = (size_t)v.m.energy.width * (size_t)v.shape.height, first = (size_t)z * slice;
    const size_t begin = (size_t)(blockIdx.x % (unsigned)v.chunks) * VOLUME_CHUNK;
    unsigned long long squares = 0;
    for (unsigned i = threadIdx.x; i < sizeof counts / sizeof(unsigned); i += MODEL_BLOCK) ((unsigned *)&counts)[i] = 0;
    __syncthreads();
    for (size_t i = begin + threadIdx.x; i < begin + VOLUME_CHUNK && i < slice; i += MODEL_BLOCK) {
        count_voxel(v.m, counts, first + i);
        squares += volume_contrast(v, first, i, z + 1 == v.shape.depth);
    }
    squares = warp_sum(squares);
    if (threadIdx.x % 32 == 0 && squares) atomicAdd(&v.slice[v.shape.above + z], squares);
    __syncthreads();
    add_counts(v.m, counts);
}

/* The capacity of a link along axis k with that contrast. */
static __device__ inline int32_t volume_link(const volume_model &v, int k, double contrast)
{
    const learnt &facts = *v.m.tables.facts;
    return (int32_t)tc_round(tc_link_weight(v.m.lambda / facts.quantum / v.shape.distance[k], facts.beta, contrast));
}

/* One thread computes contrast scale, quantum and K. Slices are added in order. */
static __global__ void settle_volume_kernel(volume_model v)
{
    const model &m = v.m;
    const volume_shape &s = v.shape;
    learnt *const facts = m.tables.facts;
    double sum = 0;
    int32_t links = 0;
    for (int z = 0; z < s.all; z++) sum += (double)v.slice[z];
    const double beta = tc_automatic_beta(m.energy.depth, sum, tc_count_links(s.width, s.height, s.all, 6));
    facts->beta = m.sigma > 0 ? 1 / (2 * m.sigma * m.sigma) : s.all > 1 && beta > 0 ? tc_beta_by_sigma(beta) : beta;
    facts->quantum = tc_choose_quantum(m.lambda, 4, (double)__int_as_float(facts->highest) * m.data_weight);
    for (int k = 0; k < 3; k++) links += volume_link(v, k, 0);
    facts->seed_capacity = tc_seed_capacity(links, facts->quantum);
}

/* The tables of links lie one after the other. */
static __global__ void table_volume_kernel(volume_model v)
{
    const model &m = v.m;
    const size_t i = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x, keys = (size_t)m.energy.last + 1;
    for (size_t k = 0; i < keys && k < 3; k++)
        m.tables.straight[k * keys + i] = volume_link(v, (int)k, tc_contrast_of(m.energy.depth, (int32_t)i));
    set_color_cost(m, i);
}

#endif
