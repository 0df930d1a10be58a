/* SPDX-License-Identifier: MIT
 *
 * worklist.cuh - lists of tiles as bit sets, and a barrier over all blocks.
 *
 * A tile is put on a list by setting its bit. That is an atomic operation whose result is not used, so no thread waits
 * for it; doing it twice is harmless. To work through a list, every warp (or block) reads the whole list, a few hundred
 * words at most, and takes the set bits whose rank is its own. There is no queue and no counter, and each warp gets the
 * same share in every run.
 */
#pragma once

#include <stdint.h>

#include "check.cuh"
#include "ptx.cuh"

enum { LIST_CHUNK = 128 }; /* words that a warp reads at once, 4 per lane */
static const unsigned WARP = 0xffffffffu;

static __device__ inline int warp_min(int x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(WARP, x);
#else
    for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(WARP, x, d));
    return x;
#endif
}

static __host__ __device__ inline int list_words(int tiles)
{
    return (tiles + 127) / 128 * 4; /* the number of words, rounded up to a multiple of four */
}

/* Three lists take turns: in each round one is read, one is written, and one is cleared for the round after. */
static __device__ inline uint32_t *list_of(uint32_t *lists, int words, unsigned round)
{
    return lists + (size_t)(round % 3) * words;
}

static __device__ inline void list_add(uint32_t *list, int tile)
{
    atomicOr(list + (tile >> 5), 1u << (tile & 31));
}

static __device__ inline bool list_has(const uint32_t *list, int tile)
{
    return __ldcg(list + (tile >> 5)) >> (tile & 31) & 1;
}

/* The position of the set bit of `word` with the given rank, counted from 0. */
static __device__ inline int nth_bit(uint32_t word, unsigned rank)
{
    int at = 0;
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const unsigned below = (unsigned)__popc(word >> at & ((1u << step) - 1));
        if (rank >= below) rank -= below, at += step;
    }
    return at;
}

/* Calls visit(tile) for the members of `list` with rank first, first + stride, ...; all lanes of a warp call it
 * together. Returns the number of members of the list. */
template <class Visit>
static __device__ inline int list_share(const uint32_t *list, int words, unsigned first, unsigned stride, Visit visit)
{
    const unsigned lane = threadIdx.x & 31;
    unsigned before = 0, want = first;
    for (int chunk = 0; chunk < words; chunk += LIST_CHUNK) {
        const int mine = chunk + (int)lane * 4;
        /* A list is never written while it is read, and barriers separate the two. So it may be read through the
         * first-level cache, and thousands of warps need not read the same line from the second level at the same
         * time. */
        const uint4 word = mine < words ? __ldca((const uint4 *)(list + mine)) : make_uint4(0, 0, 0, 0);
        const unsigned n0 = __popc(word.x), n1 = n0 + __popc(word.y), n2 = n1 + __popc(word.z);
        const unsigned count = n2 + __popc(word.w);
        unsigned upto = count;
#pragma unroll
        for (unsigned d = 1; d < 32; d <<= 1) {
            const unsigned other = __shfl_up_sync(WARP, upto, d);
            if (lane >= d) upto += other;
        }
        const unsigned total = __shfl_sync(WARP, upto, 31);
        while (want < before + total) {
            const unsigned rank = want - before - (upto - count); /* huge if an earlier lane has the bit, as it wraps */
            int tile = mine * 32;
            if (rank < count) {
                if (rank < n0) tile += nth_bit(word.x, rank);
                else if (rank < n1) tile += 32 + nth_bit(word.y, rank - n0);
                else if (rank < n2) tile += 64 + nth_bit(word.z, rank - n1);
                else tile += 96 + nth_bit(word.w, rank - n2);
            }
            tile = __shfl_sync(WARP, tile, __ffs(__ballot_sync(WARP, rank < count)) - 1);
            visit(tile);
            want += stride;
        }
        before += total;
    }
    return (int)before;
}

static __device__ inline void list_clear(uint32_t *list, int words)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < words; i += (int)(gridDim.x * blockDim.x))
        list[i] = 0;
}

/* Numbers the blocks by the multiprocessor on which they run. Zeroed before every launch. */
enum { SEATED_ON = 1024 };
typedef struct block_order {
    unsigned first, others;     /* the number of blocks that came first on their multiprocessor, and of those that came
                                   later */
    unsigned taken[SEATED_ON];  /* how many blocks have come to each multiprocessor                            */
} block_order;

/* Gives each block a different number, its seat. The first block on each multiprocessor gets a lower seat than all
 * other blocks. When a list with few tiles is divided by seat, all multiprocessors get a tile before any gets a second
 * one. When it is divided by blockIdx, they do not, and rounds with few tiles took half as long again. Called by one
 * thread of the block. */
static __device__ inline unsigned take_block_number(block_order *seats)
{
    if (atomicAdd(seats->taken + processor_here() % SEATED_ON, 1) == 0) return atomicAdd(&seats->first, 1);
    return gridDim.x - 1 - atomicAdd(&seats->others, 1);
}

/* The number of blocks of a kernel, with `threads` threads each, that can run at the same time. barrier_all() works
 * with at most this many. */
static inline tilecut_status blocks_at_once(const void *kernel, int threads, int *blocks)
{
    int device = 0, processors = 0, per_processor = 0;
    CUDA_NEED(cudaGetDevice(&device));
    CUDA_NEED(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_NEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, 0));
    *blocks = processors * per_processor;
    return TILECUT_OK;
}

/* Waits until every block has called this as often as this block. All blocks must run at the same time (cooperative
 * launch). `target` belongs to the block's thread 0. Afterwards all blocks see everything that was written before. */
static __device__ inline void barrier_all(unsigned *arrived, unsigned *target)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        *target += gridDim.x;
        count_release(arrived);
        while ((int)(load_acquire(arrived) - *target) < 0) continue;
    }
    __syncthreads();
}
