/* SPDX-License-Identifier: MIT
 *
 * cuda_runtime.h - a simulation of the parts of CUDA that the kernels of cuda/tiles and cuda/model need, so that their
 * code is tested without a GPU. Only tests find this header before the real one.
 *
 * A block is a thread of the operating system, and each of its CUDA threads is a fiber. Fibers take turns at
 * synchronisation points: when the lanes of a warp exchange words, and at barriers of the block. Blocks run at the same
 * time, so their interaction is tested as well, as far as this machine's memory behaves like a GPU's. host_calls.h has
 * the functions that the host calls around kernels.
 */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <setjmp.h>
#include <ucontext.h>

#define __host__
#define __device__
#define __global__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __CUDA_ARCH__ 900
#define TC_PTX_CUH /* replaces cuda/base/ptx.cuh */

using std::max;
using std::min;

struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct uint4 { unsigned x, y, z, w; };
struct dim3 { unsigned x = 1, y = 1, z = 1; };

static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

/* ---- Fibers --------------------------------------------------------------------------------------- */

/* SOFT_STACK is no power of two, so that the ends of all stacks do not fall into the same lines of a cache. */
enum { SOFT_MOST = 640, SOFT_THREADS = 256, SOFT_WARP = 32, SOFT_STACK = (1 << 17) + 9 * 64 };

/* A reusable barrier for many threads: each leaves a word, and none continues until all have arrived. It has two sets
 * of words, because a thread that has continued may return while others still read. */
struct soft_meeting {
    uint64_t word[2][SOFT_MOST];
    long arrived[2];
};

struct soft_block {
    ucontext_t first, stack[SOFT_MOST]; /* contexts for the first turn of each fiber, on its own stack */
    jmp_buf scheduler, fiber[SOFT_MOST]; /* for all later turns, because these are many times as fast */
    bool begun[SOFT_MOST], over[SOFT_MOST];
    std::unique_ptr<char[]> stacks; /* not cleared, so that unused stacks take no memory */
    std::function<void()> kernel;
    soft_meeting warp[SOFT_MOST / SOFT_WARP], all;
    long warp_times[SOFT_MOST], all_times[SOFT_MOST];
    const long *awaited[SOFT_MOST]; /* the count for which each fiber waits; NULL: it has its turn */
    long enough[SOFT_MOST];
    int threads, stacked; /* number of threads in this launch, and number of threads that have stacks */
};

/* Idle blocks, kept for the next launch because their stacks are already in memory. */
inline std::mutex soft_idle_lock;
inline std::vector<std::unique_ptr<soft_block>> soft_idle;

static inline std::unique_ptr<soft_block> soft_take(void)
{
    const std::lock_guard<std::mutex> locked(soft_idle_lock);
    if (soft_idle.empty()) return std::unique_ptr<soft_block>(new soft_block);
    std::unique_ptr<soft_block> block = std::move(soft_idle.back());
    soft_idle.pop_back();
    return block;
}

static inline void soft_give(std::unique_ptr<soft_block> block)
{
    const std::lock_guard<std::mutex> locked(soft_idle_lock);
    soft_idle.push_back(std::move(block));
}

inline thread_local soft_block *soft_here;
inline thread_local unsigned soft_thread; /* index of the running thread in its block */
inline thread_local dim3 threadIdx, blockIdx, gridDim, blockDim;

static inline void soft_yield(void)
{
    soft_block &b = *soft_here;
    if (!_setjmp(b.fiber[soft_thread])) _longjmp(b.scheduler, 1);
}

static inline const uint64_t *soft_meet(soft_meeting &m, unsigned place, int everyone, long *times, uint64_t word)
{
    const long time = (*times)++, enough = everyone * (time / 2 + 1);
    const int set = (int)(time & 1);
    m.word[set][place] = word;
    if (++m.arrived[set] >= enough) return m.word[set];
    soft_here->awaited[soft_thread] = &m.arrived[set], soft_here->enough[soft_thread] = enough;
    soft_yield();
    return m.word[set];
}

static inline const uint64_t *soft_exchange(uint64_t word)
{
    soft_block &b = *soft_here;
    const unsigned t = soft_thread;
    return soft_meet(b.warp[t / SOFT_WARP], t % SOFT_WARP, SOFT_WARP, &b.warp_times[t], word);
}

static inline void soft_fiber(void)
{
    soft_here->kernel();
    soft_here->over[soft_thread] = true;
    soft_yield();
}

/* Makes fiber t the running thread of a block of that shape. */
static inline void soft_seat(dim3 block, unsigned t)
{
    soft_thread = t;
    threadIdx = {t % block.x, t / block.x % block.y, t / block.x / block.y};
}

/* Runs fiber t until it waits or ends. */
static inline void soft_turn(soft_block &b, unsigned t)
{
    if (_setjmp(b.scheduler)) return;
    if (b.begun[t]) _longjmp(b.fiber[t], 1);
    b.begun[t] = true;
    getcontext(&b.stack[t]);
    b.stack[t].uc_stack.ss_sp = &b.stacks[(size_t)t * SOFT_STACK];
    b.stack[t].uc_stack.ss_size = SOFT_STACK;
    b.stack[t].uc_link = nullptr;
    makecontext(&b.stack[t], soft_fiber, 0);
    swapcontext(&b.first, &b.stack[t]);
}

static inline void soft_run_block(soft_block &b, dim3 block, const std::function<void()> &kernel)
{
    const unsigned threads = block.x * block.y * block.z;
    soft_here = &b;
    blockDim = block;
    b.kernel = kernel;
    b.threads = (int)threads;
    memset(b.begun, 0, sizeof b.begun), memset(b.over, 0, sizeof b.over);
    memset(b.warp, 0, sizeof b.warp), memset(&b.all, 0, sizeof b.all);
    memset(b.warp_times, 0, sizeof b.warp_times), memset(b.all_times, 0, sizeof b.all_times);
    memset(b.awaited, 0, sizeof b.awaited);
    if (!b.stacks || b.stacked < b.threads) {
        b.stacks.reset(new char[(size_t)threads * SOFT_STACK]);
        b.stacked = b.threads;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < threads; t++) {
            if (b.over[t]) continue;
            more = true;
            if (b.awaited[t] && *b.awaited[t] < b.enough[t]) continue;
            b.awaited[t] = nullptr;
            soft_seat(block, t);
            soft_turn(b, t);
        }
    }
}

/* Runs `kernel` as `grid` blocks of that shape and waits for them. The blocks run at the same time if `together`, or
 * else one after the other. */
static inline void soft_launch(dim3 grid, dim3 block, bool together, const std::function<void()> &kernel)
{
    const unsigned blocks = grid.x * grid.y * grid.z;
    std::vector<std::thread> running;
    const auto run = [=](unsigned first, unsigned end) {
        std::unique_ptr<soft_block> memory = soft_take();
        for (unsigned i = first; i < end; i++) {
            gridDim = grid;
            blockIdx = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
            soft_run_block(*memory, block, kernel);
        }
        soft_give(std::move(memory));
    };
    if (!together) running.emplace_back(run, 0, blocks);
    for (unsigned i = 0; together && i < blocks; i++) running.emplace_back(run, i, i + 1);
    for (std::thread &one : running) one.join();
}

/* Runs `blocks` blocks of SOFT_THREADS threads at the same time. */
static inline void soft_launch(unsigned blocks, const std::function<void()> &kernel)
{
    soft_launch({blocks}, {SOFT_THREADS}, true, kernel);
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
    const unsigned lane = soft_thread & 31;
    return soft_value<T>(soft_exchange(soft_word(x))[lane >= d ? lane - d : lane]);
}

template <class T> static inline T __shfl_down_sync(unsigned, T x, unsigned d)
{
    const unsigned lane = soft_thread & 31;
    return soft_value<T>(soft_exchange(soft_word(x))[lane + d < 32 ? lane + d : lane]);
}

template <class T> static inline T __shfl_xor_sync(unsigned, T x, int d)
{
    return soft_value<T>(soft_exchange(soft_word(x))[(int)(soft_thread & 31) ^ d]);
}

static inline unsigned __ballot_sync(unsigned, bool x)
{
    const uint64_t *words = soft_exchange(x);
    unsigned set = 0;
    for (int lane = 0; lane < 32; lane++) set |= (unsigned)words[lane] << lane;
    return set;
}

static inline unsigned __match_any_sync(unsigned, uint64_t x)
{
    const uint64_t *words = soft_exchange(x);
    unsigned alike = 0;
    for (int lane = 0; lane < 32; lane++) alike |= (unsigned)(words[lane] == x) << lane;
    return alike;
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

static inline const uint64_t *soft_meet_all(uint64_t word)
{
    soft_block &b = *soft_here;
    return soft_meet(b.all, soft_thread, b.threads, &b.all_times[soft_thread], word);
}

static inline int __syncthreads_count(bool x)
{
    const uint64_t *words = soft_meet_all(x);
    return (int)std::count_if(words, words + soft_here->threads, [](uint64_t word) { return word != 0; });
}

static inline bool __syncthreads_or(bool x) { return __syncthreads_count(x) > 0; }
static inline void __syncthreads(void) { soft_meet_all(0); }

template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline void __stcg(T *p, T x) { *p = x; }
template <class T> static inline T __ldca(const T *p) { return *p; }
static inline unsigned atomicOr(unsigned *p, unsigned x) { return __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }
static inline unsigned atomicAdd(unsigned *p, unsigned x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }

static inline float atomicAdd(float *p, float x)
{
    uint32_t *const word = (uint32_t *)(void *)p;
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &before, (uint32_t)soft_word(soft_value<float>(before) + x), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return soft_value<float>(before);
}

static inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

static inline int atomicAdd(int *p, int x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }

static inline int atomicMin(int *p, int x)
{
    int before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (before > x && !__atomic_compare_exchange_n(p, &before, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return before;
}

static inline unsigned long long atomicMin(unsigned long long *p, unsigned long long x)
{
    unsigned long long before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (before > x && !__atomic_compare_exchange_n(p, &before, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return before;
}

static inline long long atomicMin(long long *p, long long x)
{
    long long before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (before > x && !__atomic_compare_exchange_n(p, &before, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return before;
}

static inline long long atomicMax(long long *p, long long x)
{
    long long before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (before < x && !__atomic_compare_exchange_n(p, &before, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return before;
}

static inline int atomicExch(int *p, int x) { return __atomic_exchange_n(p, x, __ATOMIC_RELAXED); }

static inline void __threadfence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static inline int atomicMax(int *p, int x)
{
    int before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (before < x && !__atomic_compare_exchange_n(p, &before, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return before;
}

static inline int atomicCAS(int *p, int expected, int x)
{
    __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

static inline void count_release(unsigned *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE); }

static inline unsigned load_acquire(const unsigned *counter)
{
    const unsigned before = __atomic_load_n(counter, __ATOMIC_ACQUIRE);
    soft_yield();
    for (int i = 0; i < 50 && __atomic_load_n(counter, __ATOMIC_ACQUIRE) == before; i++) std::this_thread::yield();
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

struct posted_number {
    double number;
    unsigned round;
};

static inline void post_number(posted_number *to, double number, unsigned round)
{
    to->number = number;
    __atomic_store_n(&to->round, round, __ATOMIC_RELEASE);
}

static inline double await_number(const posted_number *from, unsigned round)
{
    while (__atomic_load_n(&from->round, __ATOMIC_ACQUIRE) != round) soft_yield(), std::this_thread::yield();
    return from->number;
}

static inline unsigned processor_here(void) { return blockIdx.x / 2; }
static inline long long clock64(void) { return 0; }

static inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static inline float __fmaf_rn(float a, float b, float c) { return std::fmaf(a, b, c); }
static inline float __int_as_float(int x) { return soft_value<float>(soft_word(x)); }
static inline int __float_as_int(float x) { return soft_value<int>(soft_word(x)); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }

#include "host_calls.h"
