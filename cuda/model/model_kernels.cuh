/* SPDX-License-Identifier: MIT
 *
 * model_kernels.cuh - the kernels of device_model.cu, in the order in which they run. Each reads the results of those
 * before it. They are separate from their launches, so that a software GPU can run them, too (tests/unit/software_gpu).
 */
#pragma once

#include <stddef.h>

#include "device_mixture.cuh"
#include "device_model.cuh"

extern "C" {
#include "colors_math.h"
#include "nearness.h"
}

enum { MODEL_BLOCK = 256, MODEL_ROWS = 32 /* rows whose contrast is summed separately, as in energy_learn.c */ };

/* The number of strips of an image, or slices of a volume, whose contrasts are summed separately. */
static __host__ __device__ inline int strips_of(int height, int slice_rows)
{
    return slice_rows ? height / slice_rows : (height + MODEL_ROWS - 1) / MODEL_ROWS;
}

/* Device memory that learning needs temporarily. */
typedef struct model_scratch {
    unsigned long long *contrast; /* [blocks of MODEL_ROWS rows, or slices] sums of contrast       */
    unsigned *seeded[3];          /* [bins] pixels seeded foreground, background, outside          */
    unsigned *labelled[2];        /* [bins] pixels labelled foreground, background                 */
    unsigned *seen;               /* [bins] without a mask: the number of pixels of the colour, or only 1 if there are
                                     any */
    unsigned *used[2];            /* [blocks of bins] the number of colours with some weight in each class */
    double *sample[2];            /* [MIXTURE_ARRAYS][most] for each class: see samples_at()       */
    mixture_team *team[2];
    float *cost[2];               /* [bins] the cost of labelling a pixel of the colour foreground or background */
    size_t most, counted;         /* most: the largest number of samples; counted: bytes from `contrast` on that are 0
                                     at first */
} model_scratch;

typedef struct model {
    device_energy energy;
    model_training training;
    model_scratch scratch;
    model_tables tables;
    double lambda, sigma, data_weight, spatial;
    size_t bins;
    int bits;
    bool gmm, totals;
    int slice_rows; /* as in model_request */
    double spacing[3];
    bool far, evidence;
    int split; /* 2^split blocks share a group of lanes: see device_mixture.cuh */
} model;

/* Lays out the scratch memory at `base`; *total: its size in bytes. slice_rows: as in model_request. */
static inline model_scratch place_model(int width, int height, size_t bins, char *base, size_t *total,
                                        int slice_rows = 0)
{
    const size_t n = (size_t)width * (size_t)height, blocks = (bins + MODEL_BLOCK - 1) / MODEL_BLOCK;
    const size_t strips = (size_t)strips_of(height, slice_rows);
    size_t learning = 0;
    model_scratch s = {};
    s.most = ((bins < n ? bins : n) + 31) / 32 * 32;
    s.contrast = (unsigned long long *)(base + reserve_bytes(&learning, strips * sizeof *s.contrast));
    for (int k = 0; k < 3; k++) s.seeded[k] = (unsigned *)(base + reserve_bytes(&learning, bins * sizeof *s.seeded[k]));
    for (int k = 0; k < 2; k++)
        s.labelled[k] = (unsigned *)(base + reserve_bytes(&learning, bins * sizeof *s.labelled[k]));
    s.seen = (unsigned *)(base + reserve_bytes(&learning, bins * sizeof *s.seen));
    for (int k = 0; k < 2; k++) s.team[k] = (mixture_team *)(base + reserve_bytes(&learning, sizeof *s.team[k]));
    s.counted = learning;
    for (int k = 0; k < 2; k++) {
        s.used[k] = (unsigned *)(base + reserve_bytes(&learning, (blocks + 1) * sizeof *s.used[k]));
        s.sample[k] = (double *)(base + reserve_bytes(&learning, MIXTURE_ARRAYS * s.most * sizeof *s.sample[k]));
        s.cost[k] = (float *)(base + reserve_bytes(&learning, bins * sizeof *s.cost[k]));
    }
    *total = learning;
    return s;
}

/* Clears the counters. Before that, copies the facts to `before` unless that is NULL. This takes one launch instead of
 * three. */
static __global__ void begin_kernel(model m, learnt *before)
{
    uint32_t *const counted = (uint32_t *)m.scratch.contrast, *const facts = (uint32_t *)m.tables.facts;
    const size_t words = m.scratch.counted / sizeof *counted;
    for (size_t i = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x; i < words; i += (size_t)gridDim.x * MODEL_BLOCK)
        counted[i] = 0;
    if (blockIdx.x > 0) return;
    for (size_t i = threadIdx.x; before && i < sizeof *before / sizeof *facts; i += MODEL_BLOCK)
        ((uint32_t *)before)[i] = facts[i];
    __syncthreads();
    for (size_t i = threadIdx.x; i < offsetof(learnt, beta) / sizeof *facts; i += MODEL_BLOCK) facts[i] = 0;
}

/* ---- Passes over all pixels -------------------------------------------------------------------- */

/* Raises *to to the largest `value` of a warp; does nothing if that value is 0. */
static __device__ inline void keep_most(int *to, int value)
{
    for (int d = 16; d; d >>= 1) value = max(value, __shfl_xor_sync(WARP, value, d));
    if (threadIdx.x % 32 == 0 && value > 0) atomicMax(to, value);
}

/* `most` is an entry of a census, and `size` the size of the lattice. */
template <bool SPACE>
static __device__ inline void note_extent(int *most, const int size[3], int x, int y, bool mine)
{
    const int z = SPACE ? y / size[1] : 0, row = SPACE ? y % size[1] : y;
    keep_most(&most[0], mine ? size[0] - x : 0);
    keep_most(&most[1], mine ? x + 1 : 0);
    keep_most(&most[2], mine ? size[1] - row : 0);
    keep_most(&most[3], mine ? row + 1 : 0);
    if (!SPACE) return;
    keep_most(&most[4], mine ? size[2] - z : 0);
    keep_most(&most[5], mine ? z + 1 : 0);
}

/* Each block counts the seeds of 32 columns in MODEL_ROWS rows. SPACE: it is a volume, with `slice_rows`. */
template <bool SPACE> static __global__ void census_kernel(device_energy e, int slice_rows, model_census *census)
{
    const int size[3] = {e.width, SPACE ? slice_rows : e.height, SPACE ? e.height / slice_rows : 1};
    __shared__ model_census block;
    const int across = ceil_div((size_t)e.width, 32), strip = block_row(across);
    const int x = block_column(across) * 32 + (int)threadIdx.x, t = (int)(threadIdx.y * 32 + threadIdx.x);
    const int words = (int)(sizeof block / sizeof(int));
    if (t < words) ((int *)&block)[t] = 0;
    __syncthreads();
    for (int row = (int)threadIdx.y; row < MODEL_ROWS; row += MODEL_BLOCK / 32) {
        const int y = strip * MODEL_ROWS + row;
        const bool inside = x < e.width && y < e.height;
        const unsigned seed = inside ? e.seeds[(size_t)y * e.width + x] : 5u;
        for (unsigned k = 0; k < 5; k++) {
            const unsigned votes = __ballot_sync(WARP, k < 4 ? seed == k : inside && seed >= k);
            if (threadIdx.x == 0 && votes) atomicAdd(k < 4 ? &block.labels[k] : &block.bad, (unsigned)__popc(votes));
        }
        note_extent<SPACE>(block.unknown, size, x, y, seed == TILECUT_UNKNOWN);
        note_extent<SPACE>(block.foreground, size, x, y, seed == TILECUT_FOREGROUND);
    }
    __syncthreads();
    const int mine = t < words ? ((const int *)&block)[t] : 0;
    if (mine && t < 5) atomicAdd((unsigned *)census + t, (unsigned)mine);
    if (mine && t >= 5) atomicMax((int *)census + t, mine);
}

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

/* Adds 1 to *to for each lane of a warp. Many lanes may have the same `to`; a lane with NULL adds nothing. */
static __device__ inline void count_alike(unsigned *to)
{
    const unsigned alike = __match_any_sync(WARP, (unsigned long long)(uintptr_t)to);
    if (to && (int)threadIdx.x == __ffs((int)alike) - 1) atomicAdd(to, (unsigned)__popc(alike));
}

/* True if a move takes a colour out of the foreground: see tc_energy_move_color(). */
static __device__ inline bool moves_away(const model &m, uint32_t bin)
{
    double color[3];
    tc_gmm_color(m.energy.channels, m.bits, bin, color);
    const int part = tc_likeliest_part(&m.tables.facts->mixture[0], color[0], color[1], color[2]);
    return (part == m.training.move / 2) != (bool)(m.training.move % 2);
}

/* The label that pixel (x, y), with this seed and this colour, has in this training. */
static __device__ inline unsigned label_of(const model &m, int x, int y, unsigned seed, uint32_t bin)
{
    const model_census &census = m.tables.facts->census;
    if (m.training.mask) {
        const bool foreground = m.training.mask[(size_t)y * m.energy.width + x] != 0;
        const bool moves = foreground && m.training.move >= 0 && seed != TILECUT_FOREGROUND && moves_away(m, bin);
        return foreground && !moves ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    const bool far = m.far && seed == TILECUT_OUTSIDE; /* a stroke from which no colours are learnt */
    if (seed != TILECUT_UNKNOWN && !far) return seed;
    if (!is_guessed(census, m.bits)) return m.training.start > 0 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    const tc_block box = block_of(census.unknown, m.energy.width, m.energy.height, m.slice_rows);
    const int row = m.slice_rows ? y % m.slice_rows : y, slice = m.slice_rows ? y / m.slice_rows : 0;
    return tc_in_guess(&box, x, row, slice) ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
}

/* Counts the colour of pixel (x, y) if the pixel lies in the image. All lanes of a warp call it together. */
static __device__ inline void count_color(const model &m, int x, int y, bool inside, unsigned labelled[2])
{
    const uint32_t bin = inside ? color_bin(m.energy, m.bits, x, y) : 0;
    const unsigned seed = inside ? m.energy.seeds[(size_t)y * m.energy.width + x] : (unsigned)TILECUT_UNKNOWN;
    const unsigned label = inside ? label_of(m, x, y, seed, bin) : (unsigned)TILECUT_UNKNOWN;
    const model_scratch &s = m.scratch;
    if (seed == TILECUT_FOREGROUND) atomicAdd(&s.seeded[0][bin], 1u);
    if (seed == TILECUT_BACKGROUND) atomicAdd(&s.seeded[1][bin], 1u);
    if (seed == TILECUT_OUTSIDE) atomicAdd(&s.seeded[2][bin], 1u);
    const int k = label == TILECUT_FOREGROUND ? 0 : 1;
    count_alike(label == TILECUT_UNKNOWN ? NULL : &s.labelled[k][bin]);
    for (int c = 0; c < 2; c++) {
        const unsigned votes = __ballot_sync(WARP, label != TILECUT_UNKNOWN && k == c);
        if (threadIdx.x == 0) labelled[c] += (unsigned)__popc(votes);
    }
    if (m.training.mask) return; /* nothing more to count: with a mask every pixel is labelled */
    if (m.gmm && m.totals) count_alike(inside ? &s.seen[bin] : NULL);
    /* the colour model `hist` has no cost that all labellings share */
    else if (inside && m.gmm && !s.seen[bin]) s.seen[bin] = 1; /* reading first, as few threads have to write */
}

/* Adds the contrast of a volume's row to the sum of its slice. All lanes of a warp call it together. */
static __device__ inline void add_slice_contrast(const model &m, int x, int y)
{
    const device_energy &e = m.energy;
    const int next = y + m.slice_rows;
    unsigned long long contrast = 0;
    if (y >= e.height) return; /* all lanes have the same row */
    if (x + 1 < e.width) contrast += squared_difference(e, x, y, x + 1, y);
    if (x < e.width && (y + 1) % m.slice_rows) contrast += squared_difference(e, x, y, x, y + 1);
    if (x < e.width && next < e.height) contrast += squared_difference(e, x, y, x, next);
    contrast = warp_sum(contrast);
    if (threadIdx.x % 32 == 0 && contrast) atomicAdd(&m.scratch.contrast[y / m.slice_rows], contrast);
}

/* Each block sums contrasts and counts colours in 32 columns of MODEL_ROWS rows. */
static __global__ void inspect_kernel(model m)
{
    const device_energy &e = m.energy;
    const int across = ceil_div((size_t)e.width, 32), strip = block_row(across);
    const int x = block_column(across) * 32 + (int)threadIdx.x;
    unsigned long long contrast = 0;
    unsigned labelled[2] = {0, 0};
    for (int row = (int)threadIdx.y; row < MODEL_ROWS; row += MODEL_BLOCK / 32) {
        const int y = strip * MODEL_ROWS + row;
        const bool inside = x < e.width && y < e.height;
        if (m.bits) count_color(m, x, y, inside, labelled);
        if (m.slice_rows && !m.training.measured) add_slice_contrast(m, x, y);
        if (!inside || m.training.measured || m.slice_rows) continue;
        if (x + 1 < e.width) contrast += squared_difference(e, x, y, x + 1, y);
        if (y + 1 < e.height) contrast += squared_difference(e, x, y, x, y + 1);
        if (!m.tables.slanted || y + 1 >= e.height) continue;
        if (x + 1 < e.width) contrast += squared_difference(e, x, y, x + 1, y + 1);
        if (x > 0) contrast += squared_difference(e, x, y, x - 1, y + 1);
    }
    contrast = warp_sum(contrast);
    if (threadIdx.x == 0 && contrast) atomicAdd(&m.scratch.contrast[strip], contrast);
    for (int c = 0; c < 2; c++)
        if (labelled[c]) atomicAdd(&m.tables.facts->labelled[c], labelled[c]); /* counted in the first lane only */
}

/* The seeds of class k in a bin that count as strokes with a share of their own. */
static __device__ inline unsigned seeded_in(const model &m, int k, size_t bin)
{
    return m.scratch.seeded[k][bin];
}

static __device__ inline bool has_weight(const model &m, int k, size_t bin)
{
    return m.scratch.labelled[k][bin] + seeded_in(m, k, bin) > 0;
}

/* The number of pixels in a bin. Without a mask and without totals, only 1 or 0: whether there are any. */
static __device__ inline unsigned count_all(const model &m, size_t bin)
{
    return m.training.mask ? m.scratch.labelled[0][bin] + m.scratch.labelled[1][bin] : m.scratch.seen[bin];
}

/* ---- Samples, in the order of their bins ------------------------------------------------------- */

static __global__ void count_used_kernel(model m)
{
    const size_t bin = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        const int used = __syncthreads_count(bin < m.bins && has_weight(m, k, bin));
        if (threadIdx.x == 0) m.scratch.used[k][blockIdx.x] = (unsigned)used;
    }
}

/* The weight of a colour in class k, as in take_samples() of colors_gmm.c. */
static __device__ inline double weight_of(const model &m, int k, size_t bin)
{
    const learnt &facts = *m.tables.facts;
    const double painted = facts.census.labels[k == 0 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND];
    const double pixels = (double)((size_t)m.energy.width * (size_t)m.energy.height);
    const double share = tc_seeds_share(pixels, facts.census.labels[TILECUT_OUTSIDE], painted,
                                        is_guessed(facts.census, m.bits), false);
    return tc_sample_weight(m.scratch.labelled[k][bin], seeded_in(m, k, bin), facts.labelled[k], painted, share);
}

/* The number of threads before this one for which `mine` is true; *count: of all threads of the block. */
static __device__ inline unsigned rank_in_block(bool mine, unsigned *count)
{
    __shared__ unsigned of_warp[MODEL_BLOCK / 32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, votes = __ballot_sync(WARP, mine);
    unsigned rank = (unsigned)__popc(votes & ((1u << lane) - 1));
    if (lane == 0) of_warp[warp] = (unsigned)__popc(votes);
    __syncthreads();
    *count = 0;
    for (unsigned w = 0; w < MODEL_BLOCK / 32; w++) {
        if (w < warp) rank += of_warp[w];
        *count += of_warp[w];
    }
    return rank;
}

static __global__ void take_samples_kernel(model m)
{
    __shared__ unsigned first;
    const size_t bin = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x;
    const int k = (int)blockIdx.y;
    const bool mine = bin < m.bins && has_weight(m, k, bin), last = blockIdx.x + 1 == gridDim.x;
    unsigned sum = 0, count;
    const unsigned rank = rank_in_block(mine, &count);
    if (!count && !last) return;
    if (threadIdx.x == 0) first = 0;
    __syncthreads();
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += MODEL_BLOCK) sum += m.scratch.used[k][b];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0 && sum) atomicAdd(&first, sum);
    __syncthreads();
    if (threadIdx.x == 0 && last) m.tables.facts->samples[k] = first + count;
    if (!mine) return;
    const size_t at = sample_place(first + rank, m.split), most = m.scratch.most;
    double color[3], *sample = m.scratch.sample[k];
    tc_gmm_color(m.energy.channels, m.bits, (uint32_t)bin, color);
    sample[at] = color[0], sample[most + at] = color[1], sample[2 * most + at] = color[2];
    sample[3 * most + at] = weight_of(m, k, bin);
}

/* One team of blocks for each class. */
static __global__ void __launch_bounds__(MIXTURE_THREADS) fit_kernel(model m)
{
    __shared__ fitting_block block;
    const int k = (int)blockIdx.y;
    learnt *const facts = m.tables.facts;
    fit_mixture(&block, m.scratch.team[k], m.training.learnt ? &facts->mixture[k] : NULL, m.training.start,
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

/* The cost that the pixels of a bin have in every labelling, as in sum_shared() of energy_learn.c. */
static __device__ inline long long shared_parts(const model &m, size_t bin, const float (&cost)[2], float common)
{
    const model_scratch &s = m.scratch;
    long long parts = tc_cost_parts(common) * count_all(m, bin);
    if (m.energy.soft_seeds) return parts;
    parts += tc_cost_parts(cost[0]) * s.seeded[0][bin];
    return parts + tc_cost_parts(cost[1]) * (s.seeded[1][bin] + s.seeded[2][bin]);
}

/* The contrast scale, as in find_beta() of energy_learn.c. */
static __device__ inline double automatic_beta(const model &m, int connectivity)
{
    const device_energy &e = m.energy;
    const int depth = m.slice_rows ? e.height / m.slice_rows : 1;
    double sum = 0;
    for (int i = 0; i < strips_of(e.height, m.slice_rows); i++) sum += (double)m.scratch.contrast[i];
    const double beta = tc_automatic_beta(e.depth, sum, tc_count_links(e.width, e.height / depth, depth, connectivity));
    return depth > 1 && beta > 0 ? tc_beta_by_sigma(beta) : beta;
}

/* The capacity of a volume's link of kind k with this contrast, as in tabulate_link() of energy.c. */
static __device__ inline int32_t capacity_along(const model &m, int k, double contrast)
{
    const learnt &facts = *m.tables.facts;
    return (int32_t)tc_round(tc_link_weight(m.lambda / facts.quantum / m.spacing[k], facts.beta, contrast));
}

/* One thread computes the contrast scale, the quantum and K. With a guess there is no spatial term, but there may be
 * evidence in its place. */
static __device__ inline void compute_scales(const model &m)
{
    learnt *facts = m.tables.facts;
    const int connectivity = m.slice_rows ? 6 : m.tables.slanted ? 8 : 4;
    if (!m.training.measured)
        facts->beta = m.sigma > 0 ? 1 / (2 * m.sigma * m.sigma) : automatic_beta(m, connectivity);
    facts->spatial = is_guessed(facts->census, m.bits) ? 0 : m.spatial;
    facts->quantum = tc_choose_quantum(m.lambda, connectivity,
                                       (double)__int_as_float(__ldcg(&facts->highest)) * m.data_weight +
                                           (m.evidence ? TC_EVIDENCE_NATS : facts->spatial * TC_NEARNESS_MOST));
    const double scale = m.lambda / facts->quantum;
    const int32_t straight = (int32_t)tc_round(tc_link_weight(scale, facts->beta, 0));
    const int32_t slanted = (int32_t)tc_round(tc_link_weight(scale * sqrt(0.5), facts->beta, 0));
    int32_t links = 2 * straight + (connectivity == 8 ? 2 * slanted : 0);
    if (m.slice_rows) links = capacity_along(m, 0, 0) + capacity_along(m, 1, 0) + capacity_along(m, 2, 0);
    facts->seed_capacity = tc_seed_capacity(links, facts->quantum);
    if (built_links *const built = m.tables.links) {
        built->same = m.training.goes_on && built->quantum == facts->quantum && built->beta == facts->beta;
        built->quantum = facts->quantum, built->beta = facts->beta;
    }
}

/* Computes the costs of the colours that occur, each in two threads, as few of the block's colours do. */
static __device__ inline void price_colors(const model &m, size_t bin, float (&cost)[2], float *common)
{
    __shared__ double density[2 * MODEL_BLOCK];
    __shared__ float prices[3][MODEL_BLOCK];
    __shared__ unsigned char offset[MODEL_BLOCK];
    const bool mine = bin < m.bins && count_all(m, bin);
    unsigned count;
    const unsigned rank = rank_in_block(mine, &count);
    if (mine) offset[rank] = (unsigned char)threadIdx.x;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2 * count; i += MODEL_BLOCK) {
        double color[3];
        tc_gmm_color(m.energy.channels, m.bits, blockIdx.x * MODEL_BLOCK + offset[i / 2], color);
        density[i] = mixture_density(m.tables.facts->mixture[i % 2], color);
    }
    __syncthreads();
    if (threadIdx.x < count) {
        const double fg = density[2 * threadIdx.x], bg = density[2 * threadIdx.x + 1], favour = tc_gmm_favour(fg, bg);
        prices[0][threadIdx.x] = (float)(favour < 0 ? -favour : 0);
        prices[1][threadIdx.x] = (float)(favour > 0 ? favour : 0);
        prices[2][threadIdx.x] = (float)tc_gmm_common(fg, bg);
    }
    __syncthreads();
    if (mine) cost[0] = prices[0][rank], cost[1] = prices[1][rank], *common = prices[2][rank];
}

/* Computes the costs of each colour. The last block then runs compute_scales(), which saves a launch. */
static __global__ void cost_kernel(model m)
{
    const size_t bin = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x;
    const learnt &facts = *m.tables.facts;
    float cost[2] = {0, 0}, common = 0;
    if (m.gmm) price_colors(m, bin, cost, &common);
    for (int k = 0; bin < m.bins && !m.gmm && k < 2; k++)
        cost[k] = (float)tc_hist_cost(m.scratch.labelled[k][bin], facts.labelled[k], (double)m.bins);
    if (m.totals) {
        const long long parts = bin < m.bins ? shared_parts(m, bin, cost, common) : 0;
        const unsigned long long sum = warp_sum((unsigned long long)parts);
        if ((threadIdx.x & 31) == 0 && sum) atomicAdd(&m.tables.facts->shared, sum);
    }
    if (bin < m.bins) m.scratch.cost[0][bin] = cost[0], m.scratch.cost[1][bin] = cost[1];
    int highest = __float_as_int(max(cost[0], cost[1])); /* neither cost is negative, so their bits compare like the
                                                            floats */
    for (int d = 16; d; d >>= 1) highest = max(highest, __shfl_down_sync(WARP, highest, d));
    if ((threadIdx.x & 31) == 0 && highest > 0) atomicMax(&m.tables.facts->highest, highest);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&m.tables.facts->blocks, 1u) + 1 == gridDim.x) {
        __threadfence();
        compute_scales(m);
    }
}

/* Computes only the scales, for an energy without a colour model. */
static __global__ void settle_kernel(model m) { compute_scales(m); }

static __device__ inline void set_color_cost(const model &m, size_t i)
{
    const double scale = m.data_weight / m.tables.facts->quantum;
    if (i >= m.bins) return;
    m.tables.source_cost[i] = tc_capacity((double)m.scratch.cost[1][i], scale);
    m.tables.sink_cost[i] = tc_capacity((double)m.scratch.cost[0][i], scale);
}

static __global__ void table_kernel(model m)
{
    const learnt &facts = *m.tables.facts;
    const device_energy &e = m.energy;
    const size_t i = (size_t)blockIdx.x * MODEL_BLOCK + threadIdx.x;
    for (int k = 0; m.slice_rows && k < 3 && i <= (size_t)e.last; k++) /* one table after the other */
        m.tables.straight[(size_t)k * ((size_t)e.last + 1) + i] =
            capacity_along(m, k, tc_contrast_of(e.depth, (int32_t)i));
    if (!m.slice_rows && i <= (size_t)e.last)
        m.tables.straight[i] = (int32_t)tc_round(tc_link_weight(m.lambda / facts.quantum, facts.beta,
                                                                tc_contrast_of(e.depth, (int32_t)i)));
    if (m.tables.slanted && i <= (size_t)e.last)
        m.tables.slanted[i] = (int32_t)tc_round(tc_link_weight(m.lambda / facts.quantum * sqrt(0.5), facts.beta,
                                                               tc_contrast_of(e.depth, (int32_t)i)));
    set_color_cost(m, i);
    if (i < (m.evidence ? TC_EVIDENCE_LEVELS : m.spatial > 0 ? TC_NEARNESS_LEVELS : 0)) {
        const bool space = m.slice_rows && m.slice_rows < e.height;
        const double near = tc_nearness_favour((int)i) + (space ? TC_NEARNESS_SPACE : 0);
        const double favour = m.evidence ? tc_evidence_favour((int)i) : near;
        const double scale = (m.evidence ? 1 : facts.spatial) / facts.quantum;
        m.tables.near_cost[2 * i] = tc_capacity(favour > 0 ? favour : 0, scale);
        m.tables.near_cost[2 * i + 1] = tc_capacity(favour < 0 ? -favour : 0, scale);
    }
}
