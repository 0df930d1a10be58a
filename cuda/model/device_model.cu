/* SPDX-License-Identifier: MIT
 *
 * device_model.cu - see device_model.cuh. Kernels in the order in which they run; what one leaves, all after it read,
 * and the host waits for none of them.
 */
#include <math.h>
#include <stddef.h>

#include "device_mixture.cuh"
#include "device_model.cuh"

extern "C" {
#include "colors_math.h"
#include "energy_math.h"
#include "nearness.h"
}

enum { BLOCK = 256, ROWS = 32 /* whose contrast is summed apart, as in energy_learn.c */ };

/* What learning takes in device memory for a while. */
typedef struct model_scratch {
    unsigned long long *contrast; /* [blocks of ROWS rows]                                    */
    unsigned *count[3];           /* [bins] pixels seeded foreground, background, outside     */
    unsigned *taught[2];          /* [bins] pixels that the mask has as foreground, background */
    unsigned *seen;               /* [bins] without a mask, for gmm: all pixels, or just 1    */
    unsigned *used[2];            /* [blocks of bins] colours seen in each class              */
    double *sample[2];            /* [MIXTURE_ARRAYS][most] of each class: see samples_at()   */
    mixture_team *team[2];
    float *cost[2];               /* [bins] of calling a colour foreground, background        */
    size_t most, counted;         /* samples; bytes from `contrast` on that begin as 0        */
} model_scratch;

typedef struct model {
    device_energy energy;
    model_lesson lesson;
    model_scratch scratch;
    model_tables tables;
    double lambda, sigma, data_weight, spatial;
    size_t bins;
    int bits;
    bool gmm;
} model;

model_request model_request_of(const tilecut_image *image, const tc_setup *params)
{
    model_request r = {};
    const bool grey = image->channels == 1;
    r.colors = tc_colors_find(params->colors);
    if (r.colors->on_device == TC_DEVICE_MIXTURES) r.bits = grey ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    if (r.colors->on_device == TC_DEVICE_HISTOGRAMS) r.bits = grey ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
    r.bins = r.bits ? (size_t)1 << (image->channels * r.bits) : 0;
    r.lambda = params->lambda;
    r.sigma = params->sigma;
    r.data_weight = params->data_weight;
    r.spatial = r.bits ? params->spatial : 0;
    return r;
}

int32_t model_keys(const tilecut_image *image)
{
    const uint64_t levels = image->depth == 8 ? 255 : 65535, most = levels * levels * (uint64_t)image->channels;
    return 1 + (image->depth == 8 ? (int32_t)most : tc_contrast_key(most));
}

static model_scratch place_scratch(int width, int height, size_t bins, char *base, size_t *total)
{
    const size_t n = (size_t)width * (size_t)height, blocks = (bins + BLOCK - 1) / BLOCK;
    const size_t strips = (size_t)((height + ROWS - 1) / ROWS);
    size_t learning = 0;
    model_scratch s = {};
    s.most = bins < n ? bins : n;
    s.contrast = (unsigned long long *)(base + take(&learning, strips * sizeof *s.contrast));
    for (int k = 0; k < 3; k++) s.count[k] = (unsigned *)(base + take(&learning, bins * sizeof *s.count[k]));
    for (int k = 0; k < 2; k++) s.taught[k] = (unsigned *)(base + take(&learning, bins * sizeof *s.taught[k]));
    s.seen = (unsigned *)(base + take(&learning, bins * sizeof *s.seen));
    for (int k = 0; k < 2; k++) s.team[k] = (mixture_team *)(base + take(&learning, sizeof *s.team[k]));
    s.counted = learning;
    for (int k = 0; k < 2; k++) {
        s.used[k] = (unsigned *)(base + take(&learning, (blocks + 1) * sizeof *s.used[k]));
        s.sample[k] = (double *)(base + take(&learning, MIXTURE_ARRAYS * s.most * sizeof *s.sample[k]));
        s.cost[k] = (float *)(base + take(&learning, bins * sizeof *s.cost[k]));
    }
    *total = learning;
    return s;
}

size_t model_scratch_bytes(const tilecut_image *image, const model_request *request)
{
    size_t total;
    (void)place_scratch(image->width, image->height, request->bins, (char *)256, &total); /* for the size alone */
    return total;
}

/* ---- Looking at every pixel once -------------------------------------------------------------- */

static __device__ inline unsigned long long squared_difference(const device_energy &e, int x, int y, int x2, int y2)
{
    unsigned long long sum = 0;
    for (int i = 0; i < e.channels; i++) {
        const int a = x * e.channels + i, b = x2 * e.channels + i;
        long long d;
        if (e.depth == 8) d = e.pixels[(size_t)y * e.stride + a] - e.pixels[(size_t)y2 * e.stride + b];
        else d = (long long)row16(e, y)[a] - row16(e, y2)[b];
        sum += (unsigned long long)(d * d);
    }
    return sum;
}

/* Adds 1 at `to` for each lane of a warp, many of which mean the same place; none if it is NULL. */
static __device__ inline void count_alike(unsigned *to)
{
    const unsigned alike = __match_any_sync(0xffffffffu, (unsigned long long)to);
    if (to && (int)threadIdx.x == __ffs((int)alike) - 1) atomicAdd(to, (unsigned)__popc(alike));
}

/* Counts the colour of pixel (x, y), if that is inside of the image. All lanes of a warp together. */
static __device__ inline void count_color(const model &m, int x, int y, bool inside, unsigned label)
{
    const uint32_t bin = inside ? color_bin(m.energy, m.bits, x, y) : 0;
    const model_scratch &s = m.scratch;
    if (inside && label == TILECUT_FOREGROUND) atomicAdd(&s.count[0][bin], 1u);
    if (inside && label == TILECUT_BACKGROUND) atomicAdd(&s.count[1][bin], 1u);
    if (inside && label == TILECUT_OUTSIDE) atomicAdd(&s.count[2][bin], 1u);
    if (m.lesson.mask) {
        const bool foreground = inside && m.lesson.mask[(size_t)y * m.energy.width + x];
        count_alike(inside ? &s.taught[foreground ? 0 : 1][bin] : NULL);
    } else if (m.gmm && m.lesson.totals) { /* with `hist` nothing is common to all labellings */
        count_alike(inside ? &s.seen[bin] : NULL);
    } else if (inside && m.gmm) {
        s.seen[bin] = 1;
    }
}

/* A block has a column of 32 x ROWS pixels: contrast, labels, and colours of both. */
static __global__ void inspect_kernel(model m)
{
    __shared__ unsigned labels[5];
    const device_energy &e = m.energy;
    const int x = (int)(blockIdx.x * 32 + threadIdx.x);
    unsigned long long contrast = 0;
    if (threadIdx.y == 0 && threadIdx.x < 5) labels[threadIdx.x] = 0;
    __syncthreads();
    for (int row = threadIdx.y; row < ROWS; row += BLOCK / 32) {
        const int y = (int)blockIdx.y * ROWS + row;
        const bool inside = x < e.width && y < e.height;
        const unsigned label = inside ? min(e.seeds[(size_t)y * e.width + x], (uint8_t)4) : 5u;
        for (unsigned k = 0; k < 5; k++) {
            const unsigned votes = __ballot_sync(0xffffffffu, label == k);
            if (threadIdx.x == 0 && votes) atomicAdd(&labels[k], (unsigned)__popc(votes));
        }
        if (m.bits) count_color(m, x, y, inside, label);
        if (!inside) continue;
        if (x + 1 < e.width) contrast += squared_difference(e, x, y, x + 1, y);
        if (y + 1 < e.height) contrast += squared_difference(e, x, y, x, y + 1);
    }
    contrast = warp_sum(contrast);
    if (threadIdx.x == 0 && contrast) atomicAdd(&m.scratch.contrast[blockIdx.y], contrast);
    __syncthreads();
    learnt *facts = m.tables.facts;
    if (threadIdx.y == 0 && threadIdx.x < 4 && labels[threadIdx.x])
        atomicAdd(&facts->labels[threadIdx.x], labels[threadIdx.x]);
    if (threadIdx.y == 0 && threadIdx.x == 4 && labels[4]) atomicAdd(&facts->bad, labels[4]);
}

/* Pixels of class k in a bin: outside counts for the background only where there are no strokes on it. */
static __device__ inline unsigned count_in(const model &m, int k, size_t bin)
{
    if (m.lesson.mask) return m.scratch.taught[k][bin];
    if (k == 0) return m.scratch.count[0][bin];
    return m.tables.facts->labels[TILECUT_BACKGROUND] ? m.scratch.count[1][bin] : m.scratch.count[2][bin];
}

/* Pixels of a bin: with neither mask nor totals just whether there are any. */
static __device__ inline unsigned count_all(const model &m, size_t bin)
{
    return m.lesson.mask ? m.scratch.taught[0][bin] + m.scratch.taught[1][bin] : m.scratch.seen[bin];
}

static __device__ inline double pixels_of(const model &m)
{
    return (double)((size_t)m.energy.width * (size_t)m.energy.height);
}

/* Seeds of class k. */
static __device__ inline double seeds_of(const learnt &facts, int k)
{
    if (k == 0) return facts.labels[TILECUT_FOREGROUND];
    return facts.labels[TILECUT_BACKGROUND] ? facts.labels[TILECUT_BACKGROUND] : facts.labels[TILECUT_OUTSIDE];
}

/* The sum of count_in() over all bins. */
static __device__ inline double total_of(const model &m, int k)
{
    if (!m.lesson.mask) return seeds_of(*m.tables.facts, k);
    return k == 0 ? m.lesson.foreground : pixels_of(m) - m.lesson.foreground;
}

/* ---- Samples in the order of their bins ------------------------------------------------------- */

static __global__ void count_used_kernel(model m)
{
    const size_t bin = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        const int used = __syncthreads_count(bin < m.bins && count_in(m, k, bin) > 0);
        if (threadIdx.x == 0) m.scratch.used[k][blockIdx.x] = (unsigned)used;
    }
}

static __global__ void take_samples_kernel(model m)
{
    __shared__ unsigned before[BLOCK / 32 + 1], first;
    const size_t bin = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const int k = blockIdx.y, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned count = bin < m.bins ? count_in(m, k, bin) : 0;
    const unsigned votes = __ballot_sync(0xffffffffu, count > 0);
    unsigned sum = 0;
    if (threadIdx.x == 0) first = 0;
    __syncthreads();
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += BLOCK) sum += m.scratch.used[k][b];
    sum = warp_sum(sum);
    if (lane == 0) {
        if (sum) atomicAdd(&first, sum);
        before[warp + 1] = (unsigned)__popc(votes);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        before[0] = first;
        for (int w = 0; w < BLOCK / 32; w++) before[w + 1] += before[w];
        if (blockIdx.x + 1 == gridDim.x) m.tables.facts->samples[k] = before[BLOCK / 32];
    }
    __syncthreads();
    if (!count) return;
    const size_t at = before[warp] + (unsigned)__popc(votes & ((1u << lane) - 1)), most = m.scratch.most;
    double color[3], *sample = m.scratch.sample[k];
    tc_gmm_color(m.energy.channels, m.bits, (uint32_t)bin, color);
    sample[at] = color[0], sample[most + at] = color[1], sample[2 * most + at] = color[2];
    sample[3 * most + at] = count;
}

/* A team of blocks for each class. */
static __global__ void __launch_bounds__(MIXTURE_THREADS) fit_kernel(model m)
{
    __shared__ fitting_block block;
    const int k = blockIdx.y;
    learnt *const facts = m.tables.facts;
    fit_mixture(&block, m.scratch.team[k], m.lesson.mask ? &facts->mixture[k] : NULL,
                samples_at(m.scratch.sample[k], m.scratch.most), facts->samples[k]);
    if (blockIdx.x == 0 && threadIdx.x == 0) facts->mixture[k] = block.mixture;
}

/* ---- Costs and tables ------------------------------------------------------------------------- */

static __device__ inline double mixture_density(const tc_mixture &mixture, const double *color)
{
    double sum = 0;
    for (int k = 0; k < TC_MIXTURE_PARTS; k++)
        if (mixture.part[k].weight > 0) sum += tc_gaussian_density(&mixture.part[k], color[0], color[1], color[2]);
    return sum;
}

/* What the pixels of a bin cost in all labellings: sum_shared() of energy_learn.c. */
static __device__ inline long long shared_parts(const model &m, size_t bin, const float (&cost)[2], float common)
{
    const model_scratch &s = m.scratch;
    long long parts = tc_cost_parts(common) * count_all(m, bin);
    if (m.energy.soft_seeds) return parts;
    parts += tc_cost_parts(cost[0]) * s.count[0][bin];
    return parts + tc_cost_parts(cost[1]) * (s.count[1][bin] + s.count[2][bin]);
}

static __global__ void cost_kernel(model m)
{
    const size_t bin = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const learnt &facts = *m.tables.facts;
    float cost[2] = {0, 0}, common = 0;
    if (bin < m.bins && m.gmm && count_all(m, bin)) {
        double color[3];
        tc_gmm_color(m.energy.channels, m.bits, (uint32_t)bin, color);
        const double fg = mixture_density(facts.mixture[0], color), bg = mixture_density(facts.mixture[1], color);
        const double favour = tc_gmm_favour(fg, bg);
        cost[0] = (float)(favour < 0 ? -favour : 0), cost[1] = (float)(favour > 0 ? favour : 0);
        common = (float)tc_gmm_common(fg, bg);
    }
    for (int k = 0; bin < m.bins && !m.gmm && k < 2; k++)
        cost[k] = (float)tc_hist_cost(count_in(m, k, bin), total_of(m, k), (double)m.bins);
    if (m.lesson.totals) {
        const long long parts = bin < m.bins ? shared_parts(m, bin, cost, common) : 0;
        const unsigned long long sum = warp_sum((unsigned long long)parts);
        if ((threadIdx.x & 31) == 0 && sum) atomicAdd(&m.tables.facts->shared, sum);
    }
    if (bin < m.bins) m.scratch.cost[0][bin] = cost[0], m.scratch.cost[1][bin] = cost[1];
    int highest = __float_as_int(fmaxf(cost[0], cost[1])); /* none is negative */
    for (int d = 16; d; d >>= 1) highest = max(highest, __shfl_down_sync(0xffffffffu, highest, d));
    if ((threadIdx.x & 31) == 0 && highest > 0) atomicMax(&m.tables.facts->highest, highest);
}

/* One thread: scale of contrasts, quantum, K. */
static __global__ void settle_kernel(model m)
{
    learnt *facts = m.tables.facts;
    const device_energy &e = m.energy;
    double sum = 0;
    for (int i = 0; i * ROWS < e.height; i++) sum += (double)m.scratch.contrast[i];
    facts->beta = m.sigma > 0 ? 1 / (2 * m.sigma * m.sigma)
                              : tc_automatic_beta(e.depth, sum, tc_count_links(e.width, e.height, 4));
    facts->spatial = m.spatial;
    facts->quantum = tc_choose_quantum(m.lambda, 4, (double)__int_as_float(facts->highest) * m.data_weight +
                                                        facts->spatial * TC_NEARNESS_MOST);
    const double strongest = tc_link_weight(m.lambda / facts->quantum, facts->beta, 0);
    facts->seed_capacity = tc_seed_capacity((int32_t)tc_round(strongest), 0, facts->quantum);
}

static __global__ void table_kernel(model m)
{
    const learnt &facts = *m.tables.facts;
    const device_energy &e = m.energy;
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i <= (size_t)e.last)
        m.tables.straight[i] = (int32_t)tc_round(tc_link_weight(m.lambda / facts.quantum, facts.beta,
                                                                tc_contrast_of(e.depth, (int32_t)i)));
    if (i < m.bins) {
        const double scale = m.data_weight / facts.quantum;
        m.tables.source_cost[i] = tc_capacity((double)m.scratch.cost[1][i], scale);
        m.tables.sink_cost[i] = tc_capacity((double)m.scratch.cost[0][i], scale);
    }
    if (m.spatial > 0 && i < TC_NEARNESS_LEVELS) {
        const double scale = facts.spatial / facts.quantum, favour = tc_nearness_favour((int)i);
        m.tables.near_cost[2 * i] = tc_capacity(favour > 0 ? favour : 0, scale);
        m.tables.near_cost[2 * i + 1] = tc_capacity(favour < 0 ? -favour : 0, scale);
    }
}

static tilecut_status learn_colors(model &m, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    void *arguments[] = {&m};
    const unsigned blocks = (unsigned)ceil_div(m.bins, BLOCK);
    if (m.gmm) {
        count_used_kernel<<<blocks, BLOCK, 0, stream>>>(m);
        take_samples_kernel<<<dim3(blocks, 2), BLOCK, 0, stream>>>(m);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaLaunchCooperativeKernel((const void *)fit_kernel, dim3(MIXTURE_TEAM, 2), MIXTURE_THREADS,
                                             arguments, 0, stream));
    }
    cost_kernel<<<blocks, BLOCK, 0, stream>>>(m);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_lesson *lesson,
                           const model_tables *tables, void *scratch, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    size_t total, entries = (size_t)energy->last + 1;
    model m = {*energy, *lesson, {}, *tables, request->lambda, request->sigma, request->data_weight, request->spatial,
               request->bins, request->bits, request->colors->on_device == TC_DEVICE_MIXTURES};
    const dim3 columns((unsigned)ceil_div((size_t)energy->width, 32), (unsigned)ceil_div((size_t)energy->height, ROWS));

    m.scratch = place_scratch(energy->width, energy->height, m.bins, (char *)scratch, &total);
    if (entries < m.bins) entries = m.bins;
    CUDA_TRY(cudaMemsetAsync(m.scratch.contrast, 0, m.scratch.counted, stream));
    CUDA_TRY(cudaMemsetAsync(tables->facts, 0, lesson->mask ? offsetof(learnt, mixture) : sizeof(learnt), stream));
    inspect_kernel<<<columns, dim3(32, BLOCK / 32), 0, stream>>>(m);
    CUDA_TRY(cudaGetLastError());
    if (m.bits) TRY(learn_colors(m, stream));
    settle_kernel<<<1, 1, 0, stream>>>(m);
    CUDA_TRY(cudaGetLastError());
    table_kernel<<<ceil_div(entries, BLOCK), BLOCK, 0, stream>>>(m);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
