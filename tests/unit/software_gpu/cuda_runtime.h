/* SPDX-License-Identifier: MIT
 *
 * cuda_runtime.h - as much of CUDA as the kernel of `cuda` needs, in software, so that its code is tested where there
 * is no GPU. Found before the real one, by tests alone.
 *
 * A block is a thread of the operating system, and a thread of a block is a fiber of that. Fibers take turns where they
 * wait for each other: where the lanes of a warp exchange words, and where the block meets. Blocks run at the same
 * time, so what they do to each other is tested, too, in so far as this machine's memory is like a GPU's.
 */
#ifndef TC_SOFTWARE_CUDA_RUNTIME_H
#define TC_SOFTWARE_CUDA_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include <ucontext.h>

#define __host__
#define __device__
#define __global__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __CUDA_ARCH__ 900
#define TC_PTX_CUH /* in place of cuda/common/ptx.cuh */

using std::max;
using std::min;

struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct uint4 { unsigned x, y, z, w; };
struct dim3 { unsigned x; };

static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

/* ---- Fibers --------------------------------------------------------------------------------------- */

enum { SOFT_THREADS = 256, SOFT_WARP = 32, SOFT_STACK = 1 << 17 };

/* Where so many come again and again: everyone leaves a word, and all are there before anyone goes on. Two sets of
 * words, as who goes on may come again while others still read. */
struct soft_meeting {
    uint64_t word[2][SOFT_THREADS];
    long arrived[2];
};

struct soft_block {
    ucontext_t scheduler, fiber[SOFT_THREADS];
    bool over[SOFT_THREADS];
    std::vector<char> stacks;
    std::function<void()> kernel;
    soft_meeting warp[SOFT_THREADS / SOFT_WARP], all;
    long warp_times[SOFT_THREADS], all_times[SOFT_THREADS];
};

inline thread_local soft_block *soft_here;
inline thread_local dim3 threadIdx, blockIdx, gridDim, blockDim;

static inline void soft_yield(void)
{
    soft_block &b = *soft_here;
    swapcontext(&b.fiber[threadIdx.x], &b.scheduler);
}

static inline const uint64_t *soft_meet(soft_meeting &m, unsigned place, int everyone, long *times, uint64_t word)
{
    const long time = (*times)++;
    const int set = (int)(time & 1);
    m.word[set][place] = word;
    m.arrived[set]++;
    while (m.arrived[set] < everyone * (time / 2 + 1)) soft_yield();
    return m.word[set];
}

static inline const uint64_t *soft_exchange(uint64_t word)
{
    soft_block &b = *soft_here;
    const unsigned t = threadIdx.x;
    return soft_meet(b.warp[t / SOFT_WARP], t % SOFT_WARP, SOFT_WARP, &b.warp_times[t], word);
}

static inline void soft_fiber(void)
{
    soft_here->kernel();
    soft_here->over[threadIdx.x] = true;
    soft_yield();
}

static inline void soft_run_block(unsigned block, unsigned blocks, const std::function<void()> &kernel)
{
    std::vector<soft_block> memory(1);
    soft_block &b = memory[0];
    soft_here = &b;
    b.kernel = kernel;
    b.stacks.resize((size_t)SOFT_THREADS * SOFT_STACK);
    blockIdx = {block}, gridDim = {blocks}, blockDim = {SOFT_THREADS};
    for (unsigned t = 0; t < SOFT_THREADS; t++) {
        getcontext(&b.fiber[t]);
        b.fiber[t].uc_stack.ss_sp = &b.stacks[(size_t)t * SOFT_STACK];
        b.fiber[t].uc_stack.ss_size = SOFT_STACK;
        b.fiber[t].uc_link = nullptr;
        makecontext(&b.fiber[t], soft_fiber, 0);
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < SOFT_THREADS; t++) {
            if (b.over[t]) continue;
            more = true;
            threadIdx.x = t;
            swapcontext(&b.scheduler, &b.fiber[t]);
        }
    }
}

/* Runs `kernel` as `blocks` blocks of SOFT_THREADS threads, and waits for them. */
static inline void soft_launch(unsigned blocks, const std::function<void()> &kernel)
{
    std::vector<std::thread> running;
    for (unsigned b = 0; b < blocks; b++) running.emplace_back(soft_run_block, b, blocks, kernel);
    for (std::thread &block : running) block.join();
}

/* ---- What kernels call ---------------------------------------------------------------------------- */

template <class T> static inline uint64_t soft_word(T x)
{
    uint64_t word = 0;
    static_assert(sizeof x <= sizeof word, "a word");
    memcpy(&word, &x, sizeof x);
    return word;
}

template <class T> static inline T soft_value(uint64_t word)
{
    T x;
    memcpy(&x, &word, sizeof x);
    return x;
}

template <class T> static inline T __shfl_sync(unsigned, T x, int lane)
{
    return soft_value<T>(soft_exchange(soft_word(x))[lane & 31]);
}

template <class T> static inline T __shfl_up_sync(unsigned, T x, unsigned d)
{
    const unsigned lane = threadIdx.x & 31;
    return soft_value<T>(soft_exchange(soft_word(x))[lane >= d ? lane - d : lane]);
}

template <class T> static inline T __shfl_down_sync(unsigned, T x, unsigned d)
{
    const unsigned lane = threadIdx.x & 31;
    return soft_value<T>(soft_exchange(soft_word(x))[lane + d < 32 ? lane + d : lane]);
}

template <class T> static inline T __shfl_xor_sync(unsigned, T x, int d)
{
    return soft_value<T>(soft_exchange(soft_word(x))[(int)(threadIdx.x & 31) ^ d]);
}

static inline unsigned __ballot_sync(unsigned, bool x)
{
    const uint64_t *words = soft_exchange(x);
    unsigned set = 0;
    for (int lane = 0; lane < 32; lane++) set |= (unsigned)words[lane] << lane;
    return set;
}

static inline bool __any_sync(unsigned mask, bool x) { return __ballot_sync(mask, x) != 0; }
static inline void __syncwarp(void) { soft_exchange(0); }

static inline int __reduce_min_sync(unsigned, int x)
{
    const uint64_t *words = soft_exchange(soft_word(x));
    int least = x;
    for (int lane = 0; lane < 32; lane++) least = min(least, soft_value<int>(words[lane]));
    return least;
}

static inline bool __syncthreads_or(bool x)
{
    soft_block &b = *soft_here;
    const uint64_t *words = soft_meet(b.all, threadIdx.x, SOFT_THREADS, &b.all_times[threadIdx.x], x);
    return std::any_of(words, words + SOFT_THREADS, [](uint64_t word) { return word != 0; });
}

static inline void __syncthreads(void)
{
    soft_block &b = *soft_here;
    soft_meet(b.all, threadIdx.x, SOFT_THREADS, &b.all_times[threadIdx.x], 0);
}

template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline T __ldca(const T *p) { return *p; }
static inline unsigned atomicOr(unsigned *p, unsigned x) { return __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }
static inline unsigned atomicAdd(unsigned *p, unsigned x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }
static inline void count_release(unsigned *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE); }

static inline unsigned load_acquire(const unsigned *counter)
{
    soft_yield();
    std::this_thread::yield();
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

static inline unsigned processor_here(void) { return blockIdx.x / 2; }
static inline long long clock64(void) { return 0; }

static inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static inline float __fmaf_rn(float a, float b, float c) { return std::fmaf(a, b, c); }
static inline float __int_as_float(int x) { return soft_value<float>(soft_word(x)); }
static inline int __float_as_int(float x) { return soft_value<int>(soft_word(x)); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
static inline int __ffs(int x) { return __builtin_ffs(x); }

/* ---- What host code beside them names, and tests do not call -------------------------------------- */

typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess, cudaDevAttrMultiProcessorCount };
cudaError_t cudaGetDevice(int *);
cudaError_t cudaDeviceGetAttribute(int *, int, int);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);

#endif
