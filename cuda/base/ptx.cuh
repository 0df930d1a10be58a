/* SPDX-License-Identifier: MIT
 *
 * ptx.cuh - instructions for which CUDA C++ has no function. Its include guard has a name, because tests that run
 * kernels on the CPU define that name and bring functions of their own instead.
 */
#ifndef TC_PTX_CUH
#define TC_PTX_CUH

/* The number of the multiprocessor on which the block runs. */
static __device__ inline unsigned processor_here(void)
{
    unsigned processor;
    asm("mov.u32 %0, %%smid;" : "=r"(processor));
    return processor;
}

/* Adds one to *counter. A thread that reads the new value with load_acquire() sees all that was written before. */
static __device__ inline void count_release(unsigned *counter)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(counter) : "memory");
}

static __device__ inline unsigned load_acquire(const unsigned *counter)
{
    unsigned seen;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
    return seen;
}

/* A number that other blocks wait for. Each word has half of its bits, and above them the number of the round in which
 * it was written. A word is written as a whole, so this needs no barrier, and no order of memory. */
typedef struct __align__(16) posted_number {
    unsigned long long low, high;
} posted_number;

static __device__ inline void post_number(posted_number *to, double number, unsigned round)
{
    const unsigned long long tag = (unsigned long long)round << 32;
    const unsigned low = (unsigned)__double2loint(number), high = (unsigned)__double2hiint(number);
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" : : "l"(to), "l"(tag | low), "l"(tag | high) : "memory");
}

/* Waits until the number of this round is there. */
static __device__ inline double await_number(const posted_number *from, unsigned round)
{
    posted_number n;
    do
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(n.low), "=l"(n.high) : "l"(from) : "memory");
    while (n.low >> 32 != round || n.high >> 32 != round);
    return __hiloint2double((int)(unsigned)n.high, (int)(unsigned)n.low);
}

#endif
